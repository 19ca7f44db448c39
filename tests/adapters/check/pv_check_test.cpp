#include "adapters/check/pv_check.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "adapters/uci/uci_info.h"
#include "rules/make_game.h"
#include "tests/support/tic_tac_toe.h"

using namespace assay;
using namespace assay::adapters;

namespace {

/// "after_win d8h4, …": the flaws and the moves that they name.
std::string said(const std::vector<PvTrouble>& found) {
    constexpr std::array<std::string_view, kPvFlaws> kNames{
        "illegal", "after win", "after draw", "after repetition", "after counter",
        "short",   "long",      "no mate",    "other move",       "mate sign"};
    std::string text;
    for (const PvTrouble& one : found) {
        if (!text.empty()) text += ", ";
        text += kNames.at(static_cast<std::size_t>(one.flaw));
        if (!one.move.empty()) text += " " + std::string(one.move);
    }
    return text;
}

/// A search of one program in a position of chess.
class Search {
public:
    explicit Search(const std::string& fen, std::string_view moves = "")
        : position_(fen.empty() ? game_->start() : game_->parse(fen)) {
        make(moves);
    }

    void make(std::string_view moves) {
        while (!moves.empty()) {
            const std::string_view word = moves.substr(0, moves.find(' '));
            moves.remove_prefix(std::min(word.size() + 1, moves.size()));
            const auto move = position_->move_of(word, rules::Notation::Canonical);
            REQUIRE(move.has_value());
            position_->make(*move);
        }
    }

    /// The flaws of an answer with these info lines; no best move: that of the last line.
    [[nodiscard]] std::string flaws(const std::vector<std::string>& lines, std::string best = "") {
        SearchInfo info;
        for (const std::string& line : lines) static_cast<void>(read_uci_info(line, info));
        const std::string_view pv = info.line_moves();
        if (best.empty()) best = pv.substr(0, pv.find(' '));
        const std::string before = position_->text();
        std::vector<PvTrouble> found;
        const auto move = position_->move_of(best, rules::Notation::Canonical);
        check_.look(*position_,
                    {position_->to_move(), rules::Notation::Canonical, info, best, move}, found);
        CHECK(position_->text() == before);
        return said(found);
    }

    [[nodiscard]] const std::string& other_line() const { return check_.other_line(); }

private:
    std::unique_ptr<rules::Game> game_ = rules::make_game("chess");
    std::unique_ptr<rules::Position> position_;
    PvCheck check_;
};

constexpr const char* kFoolsMate = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
constexpr const char* kStalemate = "7k/8/6K1/8/8/5Q2/8/8 w - - 0 1";

}  // namespace

TEST_CASE("PvCheck: a legal line that begins with the move played has no flaw") {
    CHECK(Search("").flaws({"depth 1 score cp 20 pv e2e4 e7e5 g1f3"}) == "");
    CHECK(Search("").flaws({}, "e2e4") == "");
    CHECK(Search("").flaws({"depth 1 score cp 20"}, "e2e4") == "");
    CHECK(Search("").flaws({"depth 1 pv e2e4"}, "e2e4") == "");
    CHECK(Search(kFoolsMate).flaws({"depth 2 score mate 1 pv d8h4"}) == "");
}

TEST_CASE("PvCheck: the first illegal move of a line is named") {
    CHECK(Search("").flaws({"score cp 0 pv a1a1"}) == "illegal a1a1");
    CHECK(Search("").flaws({"score cp 0 pv e2e4 e2e4 a1a1"}) == "illegal e2e4");
    CHECK(Search("").flaws({"score cp 0 pv e2e4 0000"}) == "illegal 0000");
    CHECK(Search("").flaws({"score mate 4 pv e2e4 xyz"}) == "illegal xyz");
}

TEST_CASE("PvCheck: a line that goes on behind the end of the game says which end") {
    CHECK(Search(kFoolsMate).flaws({"score cp 900 pv d8h4 a2a3"}) == "after win a2a3");
    CHECK(Search(kStalemate).flaws({"score cp 0 pv f3f7 h8g8"}) == "after draw h8g8");
    const std::string there_and_back = " g1f3 g8f6 f3g1 f6g8";
    CHECK(Search("", "g1f3 g8f6 f3g1 f6g8").flaws({"score cp 0 pv" + there_and_back}) == "");
    CHECK(Search("", "g1f3 g8f6 f3g1 f6g8").flaws({"score cp 0 pv" + there_and_back + " e2e4"}) ==
          "after repetition e2e4");
    CHECK(Search("4k3/8/8/8/8/8/4P3/4K3 w - - 98 90").flaws({"score cp 0 pv e1d1 e8d8"}) == "");
    CHECK(Search("4k3/8/8/8/8/8/4P3/4K3 w - - 98 90").flaws({"score cp 0 pv e1d1 e8d8 d1e1"}) ==
          "after counter d1e1");
}

TEST_CASE("PvCheck: a line may go on where material is insufficient") {
    CHECK(Search("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1").flaws({"score cp 0 pv e1e2 e8e7 e2e3 e7e6"}) ==
          "");
}

TEST_CASE("PvCheck: a line that announces a mate is as long as that and ends with it") {
    const char* const mate_in_2 = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";
    CHECK(Search(mate_in_2).flaws({"score mate 2 pv f6f7 h8h7 a1h1"}) == "");
    CHECK(Search(mate_in_2).flaws({"score mate 2 pv f6f7 h8h7"}) == "short");
    CHECK(Search(mate_in_2).flaws({"score mate 1 pv f6f7 h8h7 a1h1"}) == "long");
    CHECK(Search(mate_in_2).flaws({"score mate 2 pv f6f7 h8h7 a1a2"}) == "no mate");
    CHECK(Search("").flaws({"score mate -1 pv f2f3 e7e5"}) == "no mate");
    CHECK(Search("", "f2f3 e7e5").flaws({"score mate -1 pv g2g4 d8h4"}) == "");
    CHECK(Search(mate_in_2).flaws({"score mate 2 lowerbound pv f6f7"}) == "");
    CHECK(Search(mate_in_2).flaws({"score mate 2147483647 pv f6f7 h8h7"}) == "short");
    CHECK(Search(mate_in_2).flaws({"score mate -2147483648 pv f6f7 h8h7"}) == "short");
}

TEST_CASE("PvCheck: the move played begins the newest line, that of a bound too") {
    CHECK(Search("").flaws({"score cp 0 pv e2e4 e7e5"}, "d2d4") == "other move d2d4");
    CHECK(Search("").flaws({"score cp 0 pv e2e4", "score cp 30 lowerbound pv d2d4"}, "d2d4") == "");
    CHECK(Search("").flaws({"score cp 0 pv a1a1"}, "d2d4") == "illegal a1a1, other move d2d4");
}

TEST_CASE("PvCheck: of several lines only the best is looked at, and nothing behind a string") {
    CHECK(Search("").flaws({"multipv 1 score cp 9 pv e2e4", "multipv 2 score cp 0 pv a1a1"},
                           "e2e4") == "");
    CHECK(Search("").flaws({"score cp 9 pv e2e4", "string score cp 0 pv a1a1"}, "e2e4") == "");
}

TEST_CASE("PvCheck: two players in turn cannot both mate, nor both be mated") {
    Search search("");
    CHECK(search.flaws({"score mate 3"}, "e2e4") == "");
    search.make("e2e4");
    CHECK(search.flaws({"depth 7 score mate 2"}, "e7e5") == "mate sign");
    CHECK(search.other_line() == "info score mate 3");
    search.make("e7e5");
    CHECK(search.flaws({"score mate -4"}, "g1f3") == "");
    search.make("g1f3");
    CHECK(search.flaws({"score mate -9"}, "b8c6") == "mate sign");
    search.make("b8c6");
    CHECK(search.flaws({"score cp 12"}, "f1b5") == "");
    search.make("f1b5");
    CHECK(search.flaws({"score mate 5"}, "a7a6") == "");
    search.make("a7a6");
    CHECK(search.flaws({"score mate 5 upperbound"}, "b5c6") == "");
}

TEST_CASE("PvCheck: lines of any game, and of protocols that keep no lines") {
    const auto game = tests::make_tic_tac_toe();
    const auto position = game->start();
    std::vector<rules::Move> moves;
    position->moves(moves);
    const std::string name = position->name_of(moves.front(), rules::Notation::Canonical);
    SearchInfo info;
    info.pv = name + " " + name;
    std::vector<PvTrouble> found;
    PvCheck().look(*position, {0, rules::Notation::Canonical, info, name, moves.front()}, found);
    CHECK(said(found) == "illegal " + name);
}

TEST_CASE("PvCheck: who moves last need not be the winner of an announced mate") {
    const auto game = rules::make_game(
        rules::GameSource{"t", "t.mg",
                          "dimensions (4,1)\npieces { man 'W' 'B' }\n"
                          "main = try [ find empty field, replace by own man ] else win.\n"});
    const auto flaws = [&](const std::string& text, const std::string& line) {
        const auto position = game->parse(text);
        SearchInfo info;
        static_cast<void>(read_uci_info(line, info));
        const std::string best(info.line_moves().substr(0, 2));
        std::vector<PvTrouble> found;
        PvCheck().look(*position,
                       {position->to_move(), rules::Notation::Canonical, info, best,
                        position->move_of(best, rules::Notation::Canonical)},
                       found);
        return said(found);
    };
    CHECK(flaws("W1B1 w", "score mate 1 pv b1 d1") == "");
    CHECK(flaws("W1BW b", "score mate -1 pv b1") == "");
    CHECK(flaws("W1B1 w", "score mate 1 pv b1") == "no mate");
    CHECK(flaws("W1B1 w", "score mate -1 pv b1 d1") == "no mate");
    CHECK(flaws("W1B1 w", "score mate 2 pv b1 d1") == "short");
    CHECK(flaws("4 w", "score mate 1 pv a1 b1 c1 d1") == "long");
}
