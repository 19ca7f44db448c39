#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "openings/read/opening.h"
#include "openings/read/pgn_reader.h"
#include "openings/read/remark.h"
#include "rules/game.h"

namespace assay::openings {

/// The result of reading one entry of a book. Without an opening, the last remark says why.
struct Reading {
    std::optional<Opening> opening;  // without index and label
    std::string name;                // the EPD's id, the PGN's opening or event; or empty
    std::vector<Remark> remarks;
};

/// Reads a line of an EPD file or list of positions that is neither blank nor a comment. For a game
/// with EPD (rules::OpeningFormats): four fields, then optionally both counters, then optionally
/// opcodes, of which hmvc, fmvn (the counters) and id are used; missing counters are 0 and 1. For
/// other games: the text that Game::parse reads, up to a ';'. A position that the rules refuse, or
/// in which the game is over, is no opening.
[[nodiscard]] Reading read_position(std::string_view line, const rules::Game& game);

/// The six fields of FEN in a line of EPD, whether or not the rules accept the position. Throws
/// Error with the reason where the line does not have that form.
[[nodiscard]] std::string fen_of_line(std::string_view line);

/// Reads a line of moves in the canonical notation from the game's start, as write_polyglot_lines()
/// writes them. There is no opening where a move is illegal or ends the game.
[[nodiscard]] Reading read_moves(std::string_view line, const rules::Game& game);

/// Reads the main line from the FEN tag's position, at most `plies` of it. The line is cut, with a
/// remark, before an illegal or ambiguous move and before a move that ends the game; if nothing is
/// left of a game that had moves and no FEN, there is no opening. A Variant tag of another game is
/// remarked, and the game is read by the given rules. Offsets are those of the PGN reader.
[[nodiscard]] Reading read_game(const PgnGame& pgn, std::optional<int> plies,
                                const rules::Game& game);

}  // namespace assay::openings
