#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/game.h"
#include "reports/web/charts/move_survey.h"
#include "rules/game.h"

namespace assay::reports::web {

/// Stands for a place of the board that is no field.
inline constexpr char kOutside = ' ';

/// How boards are drawn, here and by the script: the side of a square.
inline constexpr int kSquare = 45;

/// The size of the letters and numbers beside a board, in the units of kSquare: a board of any size
/// is as wide on the page as one of eight columns, and so are they. And the room for the numbers
/// left of the board.
[[nodiscard]] int coordinate_size(int columns);
[[nodiscard]] int numbers_room(int columns, int rows);

/// A game as the page's script steps through it: the first board, and what each ply changes of it,
/// so that the script knows no rules and any game with a board of squares can be shown.
struct PackedGame {
    int columns = 0;  // 0: no board can be drawn
    int rows = 0;
    bool is_chequered = false;  // light and dark squares
    std::string lines;  // of a board of points: the path that joins them, in the units below
    std::string board;  // rows from the top, '.' for an empty square, kOutside
    std::vector<std::string> changes;  // a ply: column letter, row digit (base 36, from the top),
                                       // piece or '.'; three bytes a square
    std::vector<std::string> names;    // of the moves, SAN
    std::vector<int> numbers;          // before each ply: the move's printed number
    std::vector<int> players;          // before each ply: who moves
    int first_player = 0;              // before whose moves a number stands
    int opening_plies = 0;
    std::string score_units;  // "pawns"; empty: the game has no unit
    ScoreScale score_scale;
    std::map<char, std::string> pieces;  // letters that a symbol of pieces.svg is drawn for

    [[nodiscard]] std::string board_after(std::size_t plies) const;

    [[nodiscard]] int coordinate_size() const { return web::coordinate_size(columns); }

    [[nodiscard]] int numbers_room() const { return web::numbers_room(columns, rows); }
};

/// The squares of a PackedGame::changes, counted as in its board.
[[nodiscard]] std::vector<int> changed_squares(std::string_view change, int columns);

/// Plays the record on the game's rules; moves that they refuse end it. A start that is no position
/// gives a game without plies.
[[nodiscard]] PackedGame packed(const rules::Game& rules, const harness::GameRecord& game);

/// The board of a position; nullopt where its game has none, or one of more than 26 columns or
/// rows.
/// `squares` has a letter for each field, row by row from the top left: upper case for the
/// first player's pieces, '.' for an empty field, kOutside for none.
struct Board {
    int columns = 0;
    int rows = 0;
    std::string squares;
    /// The names of the pieces behind the letters, where there is a picture of a piece of that
    /// name.
    std::map<char, std::string> pieces;
    std::string lines;  // as in PackedGame
};

[[nodiscard]] std::optional<Board> board_of(const rules::Game& game,
                                            const rules::Position& position);

}  // namespace assay::reports::web
