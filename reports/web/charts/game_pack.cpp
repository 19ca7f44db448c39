#include "reports/web/charts/game_pack.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "reports/view/number_text.h"

namespace assay::reports::web {

namespace {

constexpr int kMostSide = 26;

bool is_piece(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// One row "2p1P" to "..p.P"; nullopt where it is none.
std::optional<std::string> row_of(std::string_view text) {
    std::string row;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_piece(text[i])) {
            row += text[i];
            continue;
        }
        int gap = 0;
        const std::size_t begin = i;
        while (i < text.size() && text[i] >= '0' && text[i] <= '9' && i - begin < 2)
            gap = 10 * gap + (text[i++] - '0');
        if (gap == 0 || gap > kMostSide) return std::nullopt;
        row.append(static_cast<std::size_t>(gap), '.');
        --i;
    }
    return row;
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

}  // namespace

std::optional<Board> board_of(std::string_view position) {
    std::string_view field = position.substr(0, position.find(' '));
    Board board;
    while (!field.empty()) {
        const std::size_t end = std::min(field.find('/'), field.size());
        const std::optional<std::string> row = row_of(field.substr(0, end));
        field.remove_prefix(std::min(end + 1, field.size()));
        if (!row || row->empty()) return std::nullopt;
        const int columns = static_cast<int>(row->size());
        if (board.rows == 0) board.columns = columns;
        if (columns != board.columns || ++board.rows > kMostSide) return std::nullopt;
        board.squares += *row;
    }
    if (board.rows < 2 || board.columns < 2 || board.columns > kMostSide) return std::nullopt;
    return board;
}

std::string PackedGame::board_after(std::size_t plies) const {
    std::string squares = board;
    for (std::size_t ply = 0; ply < std::min(plies, changes.size()); ++ply) {
        const std::string& change = changes[ply];
        for (std::size_t i = 0; i + 2 < change.size(); i += 3) {
            const int column = change[i] - 'a';
            const int row = change[i + 1] <= '9' ? change[i + 1] - '0' : change[i + 1] - 'a' + 10;
            squares[static_cast<std::size_t>(row * columns + column)] = change[i + 2];
        }
    }
    return squares;
}

PackedGame packed(const rules::Game& rules, const harness::GameRecord& game) {
    PackedGame out;
    out.score_units = score_units(rules.info());
    std::unique_ptr<rules::Position> position;
    try {
        position = game.start.empty() ? rules.start() : rules.parse(game.start);
    } catch (const Error&) {
        return out;
    }
    std::optional<Board> board = board_of(position->text());
    if (board) {
        out.columns = board->columns;
        out.rows = board->rows;
        out.board = board->squares;
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
        std::optional<Board> after = board_of(position->text());
        const bool is_same_size =
            after && after->columns == board->columns && after->rows == board->rows;
        out.changes.push_back(is_same_size ? changes_between(*board, *after) : "");
        if (is_same_size) board = std::move(after);
    }
    return out;
}

}  // namespace assay::reports::web
