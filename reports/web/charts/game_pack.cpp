// A game as the page's script steps through it: the board at the start and what each move changes
// on it, three characters a square. So the script knows no rules, and any game whose rules can draw
// a board has one. A board of another size, or a game that draws none, leaves the moves as text.
#include "reports/web/charts/game_pack.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "reports/view/number_text.h"

namespace assay::reports::web {

namespace {

constexpr int kMostSide = 26;

/// Pieces that pieces.svg has a symbol for, "piece-" before the name.
constexpr std::array<std::string_view, 6> kPictures{"pawn", "knight", "bishop",
                                                    "rook", "queen",  "king"};

/// The symbol of a field's piece, or empty: its letter is drawn. Where there is one kind of piece,
/// and for men, that is a disc.
std::string_view symbol_of(const rules::PictureField& field) {
    if (field.letter == 0 || field.owner < 0) return "";
    if (field.piece.empty() || field.piece == "man") return "disc";
    return std::ranges::find(kPictures, field.piece) != kPictures.end() ? field.piece : "";
}

char in_case_of(int owner, char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    if (owner == 0) return static_cast<char>(std::toupper(byte));
    if (owner == 1) return static_cast<char>(std::tolower(byte));
    return letter;
}

/// The script and board_picture() tell the owner by the letter's case: the first player's are
/// capitals. A game's own symbols may say something else by it ('w' and 'W' are a man and a king of
/// one player), or have none: such a piece gets another letter, of its name if one is free.
class Letters {
public:
    explicit Letters(const rules::Game& game) {
        for (const rules::PictureField& each : game.contents()) {
            const bool is_owned = each.owner == 0 || each.owner == 1;
            if (!is_owned || each.letter == in_case_of(1 - each.owner, each.letter)) continue;
            give(each, each.letter);
        }
        for (const rules::PictureField& each : game.contents()) {
            if (each.owner != 0 && each.owner != 1) taken_ += each.letter;
        }
        for (const rules::PictureField& each : game.contents()) find(each);
    }

    [[nodiscard]] char of(const rules::PictureField& field) const {
        if (field.is_outside) return kOutside;
        if (field.letter == 0) return '.';
        const auto known = letters_.find({field.letter, field.owner});
        return known == letters_.end() ? in_case_of(field.owner, field.letter) : known->second;
    }

private:
    void give(const rules::PictureField& field, char letter) {
        letters_.emplace(std::pair(field.letter, field.owner), letter);
        taken_ += letter;
    }

    void find(const rules::PictureField& field) {
        const bool is_owned = field.owner == 0 || field.owner == 1;
        if (!is_owned || field.letter == 0 || letters_.contains({field.letter, field.owner}))
            return;
        const std::string wanted =
            std::string(1, field.letter) + std::string(field.piece) + "abcdefghijklmnopqrstuvwxyz";
        for (const char each : wanted) {
            const char letter = in_case_of(field.owner, each);
            const bool tells = letter != in_case_of(1 - field.owner, each);
            if (tells && taken_.find(letter) == std::string::npos) return give(field, letter);
        }
    }

    std::map<std::pair<char, int>, char> letters_;  // by symbol and owner
    std::string taken_;
};

/// SVG's path along all lines of a board of points.
std::string path_of(const rules::Picture& picture) {
    const auto point = [&](int place) {
        return fmt::format("{} {}",
                           numbers_room(picture.columns, picture.rows) +
                               place % picture.columns * kSquare + kSquare / 2,
                           place / picture.columns * kSquare + kSquare / 2);
    };
    std::string path;
    for (const auto& [one, two] : picture.lines) path += "M" + point(one) + "L" + point(two);
    return path;
}

std::string changes_between(const Board& before, const Board& after) {
    constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
    std::string out;
    for (std::size_t i = 0; i < after.squares.size(); ++i) {
        if (before.squares[i] == after.squares[i]) continue;
        const auto columns = static_cast<std::size_t>(after.columns);
        out += static_cast<char>('a' + static_cast<int>(i % columns));
        out += kDigits[i / columns];
        out += after.squares[i];
    }
    return out;
}

std::optional<Board> lettered(const rules::Position& position, const Letters& letters) {
    const std::optional<rules::Picture> picture = position.picture();
    if (!picture || picture->columns > kMostSide || picture->rows > kMostSide) return std::nullopt;
    Board board{picture->columns, picture->rows, "", {}, path_of(*picture)};
    for (const rules::PictureField& field : picture->fields) {
        board.squares += letters.of(field);
        const std::string_view symbol = symbol_of(field);
        if (!symbol.empty()) board.pieces.emplace(board.squares.back(), symbol);
    }
    return board;
}

}  // namespace

int coordinate_size(int columns) {
    return std::max(12, 12 * columns / 8);
}

int numbers_room(int columns, int rows) {
    // A digit is 0.6 of the size wide.
    return coordinate_size(columns) * (rows < 10 ? 7 : 9) / 6;
}

std::optional<Board> board_of(const rules::Game& game, const rules::Position& position) {
    return lettered(position, Letters(game));
}

std::string PackedGame::board_after(std::size_t plies) const {
    std::string squares = board;
    for (std::size_t ply = 0; ply < std::min(plies, changes.size()); ++ply) {
        std::size_t at = 2;  // of the piece in the change
        for (const int square : changed_squares(changes[ply], columns)) {
            squares[static_cast<std::size_t>(square)] = changes[ply][at];
            at += 3;
        }
    }
    return squares;
}

std::vector<int> changed_squares(std::string_view change, int columns) {
    std::vector<int> squares;
    for (std::size_t i = 0; i + 2 < change.size(); i += 3) {
        const int column = change[i] - 'a';
        const int row = change[i + 1] <= '9' ? change[i + 1] - '0' : change[i + 1] - 'a' + 10;
        squares.push_back(row * columns + column);
    }
    return squares;
}

PackedGame packed(const rules::Game& rules, const harness::GameRecord& game) {
    PackedGame out;
    out.score_units = score_units(rules.info());
    out.score_scale = scale_of(rules.info());
    out.first_player = rules.info().first_player;
    std::unique_ptr<rules::Position> position;
    try {
        position = game.start.empty() ? rules.start() : rules.parse(game.start);
    } catch (const Error&) {
        return out;
    }
    const Letters letters(rules);
    std::optional<Board> board = lettered(*position, letters);
    if (board) {
        out.columns = board->columns;
        out.rows = board->rows;
        out.board = board->squares;
        out.pieces = board->pieces;
        out.lines = board->lines;
        out.is_chequered = rules.info().board == rules::BoardStyle::Chequered;
    }
    out.opening_plies = static_cast<int>(game.opening.size());
    std::vector<std::string> names = game.opening;
    for (const harness::MoveRecord& move : game.moves) names.push_back(move.name);
    for (const std::string& name : names) {
        const auto move = position->move_of(name, rules::Notation::Canonical);
        if (!move || position->to_move() == rules::kNobody) break;
        out.names.push_back(position->name_of(*move, rules::Notation::Text));
        out.numbers.push_back(position->move_number());
        out.players.push_back(position->to_move());
        position->make(*move);
        if (!board) continue;
        std::optional<Board> after = lettered(*position, letters);
        const bool is_same_size =
            after && after->columns == board->columns && after->rows == board->rows;
        out.changes.push_back(is_same_size ? changes_between(*board, *after) : "");
        if (!is_same_size) continue;
        out.pieces.insert(after->pieces.begin(), after->pieces.end());
        board = std::move(after);
    }
    return out;
}

}  // namespace assay::reports::web
