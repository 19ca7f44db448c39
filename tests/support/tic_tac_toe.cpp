#include "tests/support/tic_tac_toe.h"

#include <array>
#include <string>
#include <utility>

#include "base/diagnostic.h"
#include "base/random.h"
#include "base/text.h"

namespace assay::tests {

namespace {

using rules::Move;
using rules::Notation;

constexpr std::array<std::array<int, 3>, 8> kRows{
    {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}};

constexpr std::string_view kThreeInARow = "three in a row";
constexpr std::string_view kFull = "full board";

class TicTacToePosition final : public rules::Position {
public:
    explicit TicTacToePosition(std::string board, int side)
        : board_(std::move(board)), side_(side) {}

    [[nodiscard]] std::unique_ptr<Position> clone() const override {
        return std::make_unique<TicTacToePosition>(*this);
    }

    [[nodiscard]] int to_move() const override { return result() ? rules::kNobody : side_; }

    void moves(std::vector<Move>& out) const override {
        out.clear();
        if (has_row('x') || has_row('o')) return;
        for (std::size_t i = 0; i < 9; ++i) {
            if (board_[i] == '-') out.push_back(static_cast<Move>(i + 1));
        }
    }

    [[nodiscard]] bool is_legal(Move move) const override {
        return move >= 1 && move <= 9 && board_[move - 1] == '-' && !has_row('x') && !has_row('o');
    }

    void make(Move move) override {
        board_[move - 1] = side_ == 0 ? 'x' : 'o';
        side_ = 1 - side_;
        made_.push_back(move);
    }

    void undo() override {
        board_[made_.back() - 1] = '-';
        made_.pop_back();
        side_ = 1 - side_;
    }

    [[nodiscard]] int ply() const override { return static_cast<int>(made_.size()); }

    [[nodiscard]] std::optional<rules::Outcome> result() const override {
        if (has_row('x')) return outcome(1.0F, kThreeInARow);
        if (has_row('o')) return outcome(0.0F, kThreeInARow);
        if (board_.find('-') == std::string::npos) return outcome(0.5F, kFull);
        return std::nullopt;
    }

    [[nodiscard]] std::uint64_t hash() const override {
        std::uint64_t code = static_cast<std::uint64_t>(side_);
        for (const char c : board_) code = code * 3 + (c == 'x' ? 1 : c == 'o' ? 2 : 0);
        return mix64(code);
    }

    [[nodiscard]] std::string text() const override { return board_ + (side_ == 0 ? " x" : " o"); }

    [[nodiscard]] std::string name_of(Move move, Notation) const override {
        return std::to_string(move);
    }

    [[nodiscard]] std::optional<Move> move_of(std::string_view text, Notation) const override {
        const auto move = to_number<Move>(text);
        return move && is_legal(*move) ? move : std::nullopt;
    }

    [[nodiscard]] std::optional<rules::Picture> picture() const override {
        rules::Picture picture{3, 3, {}, {}};
        for (const char c : board_) {
            rules::PictureField& field = picture.fields.emplace_back();
            if (c == '-') continue;
            field.owner = c == 'x' ? 0 : 1;
            field.letter = c;
        }
        return picture;
    }

private:
    static rules::Outcome outcome(float first, std::string_view word) {
        return {rules::Scores{{first, 1.0F - first}, 2}, word};
    }

    [[nodiscard]] bool has_row(char who) const {
        for (const auto& row : kRows) {
            bool all = true;
            for (const int square : row)
                all = all && board_[static_cast<std::size_t>(square)] == who;
            if (all) return true;
        }
        return false;
    }

    std::string board_;
    int side_;
    std::vector<Move> made_;
};

class TicTacToe final : public rules::Game {
public:
    TicTacToe(const std::string& name, std::vector<std::string> players)
        : info_(make_info(name, std::move(players))) {}

    [[nodiscard]] const rules::GameInfo& info() const override { return info_; }

    [[nodiscard]] std::span<const Notation> notations() const override { return kNotations; }

    [[nodiscard]] std::unique_ptr<rules::Position> start() const override {
        return parse("--------- x");
    }

    [[nodiscard]] std::unique_ptr<rules::Position> parse(std::string_view text) const override {
        const bool fits =
            text.size() == 11 && text[9] == ' ' && (text[10] == 'x' || text[10] == 'o');
        if (!fits || text.substr(0, 9).find_first_not_of("xo-") != std::string_view::npos) {
            throw Error("no position of tic-tac-toe: '" + printable_utf8(text) + "'");
        }
        return std::make_unique<TicTacToePosition>(std::string(text.substr(0, 9)),
                                                   text[10] == 'x' ? 0 : 1);
    }

private:
    static rules::GameInfo make_info(const std::string& name, std::vector<std::string> players) {
        rules::GameInfo info;
        info.name = name;
        info.players = std::move(players);
        info.endings = {{std::string(kThreeInARow), "", ""},
                        {std::string(kFull), "a full board", "the board is full"}};
        info.board = rules::BoardStyle::Plain;
        return info;
    }

    static constexpr std::array<Notation, 1> kNotations{Notation::Canonical};
    rules::GameInfo info_;
};

}  // namespace

std::unique_ptr<rules::Game> make_tic_tac_toe(const std::string& name,
                                              std::vector<std::string> players) {
    return std::make_unique<TicTacToe>(name, std::move(players));
}

}  // namespace assay::tests
