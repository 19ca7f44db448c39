#pragma once
#include <string>

#include "openings/read/index_file.h"
#include "openings/read/opening.h"
#include "rules/game.h"

namespace assay::openings {

/// The format of a book that is written under this name. Throws Error where it has no ending of a
/// format that is written.
[[nodiscard]] BookFormat format_to_write(const std::string& name);

/// One entry of a book, with its newline. Epd: the position after the moves, its counters as hmvc
/// and fmvn where they are not 0 and 1 (a game without EPD: as Fen); Fen: the position's text; Pgn:
/// a game without result that open_book() reads as the same opening. Throws Error where the game
/// has no PGN. REQUIRES: the opening is one of this game's, and the format is neither Auto nor
/// Polyglot.
[[nodiscard]] std::string write_opening(const Opening& opening, BookFormat format,
                                        const rules::Game& game);

}  // namespace assay::openings
