#pragma once
#include <string>

#include "openings/index_file.h"
#include "openings/opening.h"
#include "rules/game.h"

namespace assay::openings {

/// One entry of a book, with its newline. Epd: the position after the moves, chess's counters as
/// hmvc and fmvn where they are not 0 and 1; Fen: the position's text; Pgn: a game without result
/// that open_book() reads as the same opening. REQUIRES: the opening is one of this game's, and the
/// format is neither Auto nor Polyglot.
[[nodiscard]] std::string write_opening(const Opening& opening, BookFormat format,
                                        const rules::Game& game);

/// The position in which the programs begin to think.
[[nodiscard]] std::unique_ptr<rules::Position> position_after(const Opening& opening,
                                                              const rules::Game& game);

/// By the suffix .epd, .fen, .pgn or .bin (Polyglot), under .gz and .zst; Auto where it is another.
[[nodiscard]] BookFormat format_of_name(std::string_view path);

/// "epd", "pgn", "fen", "polyglot" or "auto".
[[nodiscard]] std::string_view name_of(BookFormat format);

}  // namespace assay::openings
