#pragma once
#include <memory>
#include <string_view>

#include "openings/read/index_file.h"
#include "openings/read/opening.h"
#include "rules/game.h"

namespace assay::openings {

/// The position in which the programs begin to think.
[[nodiscard]] std::unique_ptr<rules::Position> position_after(const Opening& opening,
                                                              const rules::Game& game);

/// By the suffix .epd, .fen, .pgn or .bin (Polyglot), under .gz and .zst; Auto where it is another.
[[nodiscard]] BookFormat format_of_name(std::string_view path);

/// "epd", "pgn", "fen", "polyglot" or "auto".
[[nodiscard]] std::string_view name_of(BookFormat format);

}  // namespace assay::openings
