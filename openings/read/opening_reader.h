#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "openings/read/opening.h"
#include "openings/read/pgn_reader.h"
#include "rules/game.h"

namespace assay::openings {

/// Something about an entry's text that the user should know; offset and width in that text.
struct Remark {
    std::size_t offset = 0;
    std::size_t width = 1;
    std::string message;
    bool is_ending = false;  // a line that is cut because its game ends: every decided game's is
};

/// What became of one entry of a book. Without an opening, the last remark says why.
struct Reading {
    std::optional<Opening> opening;  // without index and label
    std::string name;                // the EPD's id, the PGN's opening or event; or empty
    std::vector<Remark> remarks;
};

/// A line of an EPD file or FEN list, not blank and no comment. Chess: four fields of EPD, then
/// perhaps both counters, then perhaps opcodes, of which hmvc, fmvn (the counters) and id are used;
/// missing counters are 0 and 1. Other games: what Game::parse reads, up to a ';'. A position
/// that the rules refuse, or in which the game is over, is no opening.
[[nodiscard]] Reading read_position(std::string_view line, const rules::Game& game);

/// The six fields of FEN in such a line of chess, whether the rules bear the position or not.
/// Throws Error with the reason where it has not the form.
[[nodiscard]] std::string fen_of_line(std::string_view line);

/// A line of moves in the protocol's notation from the game's start, as write_polyglot_lines()
/// makes them. A move that is illegal or ends the game: no opening.
[[nodiscard]] Reading read_moves(std::string_view line, const rules::Game& game);

/// The main line from the FEN tag's position, at most `plies` of it. An illegal or ambiguous move
/// cuts it with a remark; a line that ends the game stops before its end; where nothing is left of
/// a game that had moves and no FEN, there is no opening. An unknown Variant is remarked, and the
/// game read by the rules given. Offsets of remarks are as the reader's.
[[nodiscard]] Reading read_game(const PgnGame& pgn, std::optional<int> plies,
                                const rules::Game& game);

}  // namespace assay::openings
