// The games in play on the page of their run: chess, a game of another board, a game without one.
#include "reports/web/live_games.h"

#include <chrono>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "rules/make_game.h"
#include "tests/support/contains.h"
#include "tests/support/takeaway.h"
#include "tests/support/tic_tac_toe.h"

using namespace assay;
using namespace assay::reports;
using namespace std::chrono_literals;
using assay::test::contains;

using assay::test::times_in;

namespace {

constexpr long long kEpoch = 1'700'000'000'000'000;

harness::RunRecord live_run(const std::string& game) {
    harness::RunRecord run;
    run.id = 7;
    run.plan.programs.resize(2);
    run.plan.programs[0].name = "head";
    run.plan.programs[1].name = "b<i>se";
    run.plan.matches.resize(1);
    run.plan.matches[0].game.name = game;
    return run;
}

harness::LiveGame live_game(std::string moves) {
    harness::LiveGame game;
    game.number = 13;
    game.pair = 6;
    game.moves = std::move(moves);
    game.mover = 1;
    game.turn = 4s;
    game.is_open = true;
    game.players = {{1, Micros(65s), adapters::Score{false, 31}, 12}, {0, Micros(9s), {}, {}}};
    return game;
}

harness::LiveState state_of(std::vector<harness::LiveGame> games) {
    const auto count = static_cast<int>(games.size());
    return {7, 0, count, kEpoch, std::move(games)};
}

}  // namespace

TEST_CASE("Live games: one game is a large board with clocks that run, scores and last moves") {
    const auto state = state_of({live_game("e2e4 e7e5 g1f3")});
    // Three seconds after the turn began.
    const std::string text = web::live_games(live_run("chess"), state, kEpoch + 7'000'000);
    CHECK(contains(text, "<h2>1 game in play</h2>"));
    CHECK(contains(text, "class=\"lg one\""));
    // The first player plays the second program here. Whose clock stands shows what it has.
    CHECK(contains(text, "<b>b&lt;i&gt;se</b> <span class=\"s\">White</span>"));
    CHECK(contains(text, ">+0.31<span class=\"dp\"> depth 12</span></span>"));
    CHECK(contains(text, "<span class=\"ck\">1:05</span>"));
    CHECK(contains(text, "<p class=\"pl mv\"><b>head</b> <span class=\"s\">Black</span>"));
    // It has nine seconds from the fourth second on: a page that is opened later needs to know.
    CHECK(contains(text, "data-ends=\"1700000013000\">0:06.0</span>"));
    const std::string later = web::live_games(live_run("chess"), state, kEpoch + 9'000'000);
    CHECK(contains(later, "data-ends=\"1700000013000\">0:04.0</span>"));
    CHECK(contains(text, "1. e4 e5 2. Nf3"));
    CHECK(times_in(text, "<use href=\"#piece-") == 32);
    CHECK(times_in(text, "class=\"x\"") == 2);  // the last move's squares
    // The first player is below.
    CHECK(text.find("Black") < text.find("<svg"));
    CHECK(text.find("White") > text.find("<svg"));
}

TEST_CASE("Live games: several are small boards, and those that are not shown are counted") {
    auto state =
        state_of({live_game("e2e4"), live_game("d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7")});
    state.games[1].number = 14;
    state.games[1].slot = 1;
    state.at_once = 60;
    const std::string text = web::live_games(live_run("chess"), state, kEpoch);
    CHECK(contains(text, "<h2>60 games in play</h2>"));
    CHECK(contains(text, "The first 2 of 60."));
    CHECK(contains(text, "class=\"lg many\""));
    CHECK(times_in(text, "<article") == 2);
    CHECK(contains(text, "id=\"live-2\" data-game=\"14\""));
    CHECK(contains(text, "<p class=\"s mvs\">2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7</p>"));
}

TEST_CASE("Live games: more than 64 are the rows of a table, and 64 are boards") {
    auto state = state_of(std::vector<harness::LiveGame>(64, live_game("e2e4 e7e5")));
    const std::string boards = web::live_games(live_run("chess"), state, kEpoch);
    CHECK(times_in(boards, "<article") == 64);
    CHECK_FALSE(contains(boards, "<table"));
    state.games.resize(3000, live_game("e2e4 e7e5"));
    state.at_once = 3000;
    state.games[0].slot = 4;
    const std::string text = web::live_games(live_run("chess"), state, kEpoch);
    CHECK(contains(text, "<h2>3,000 games in play</h2>"));
    CHECK(contains(text, "The first 1,000 of 3,000."));
    CHECK(contains(text, "There are boards of up to 64 games at once."));
    CHECK(times_in(text, "<tr id=") == 1000);
    CHECK(contains(text, "<tr id=\"live-5\" data-game=\"13\"><td class=\"n\">13</td>"));
    CHECK(contains(text, "<p class=\"pl mv\"><b>head</b> <span class=\"s\">Black</span>"));
    CHECK(contains(text, "<span class=\"ck\" data-ends=\"1700000013000\">"));
    CHECK(contains(text, "<td class=\"n\">2</td><td>e7e5</td><td class=\"opt\">pair 7</td>"));
    CHECK_FALSE(contains(text, "<svg"));
    // The run says how many there are, whatever it wrote.
    state.games.resize(3);
    CHECK(times_in(web::live_games(live_run("chess"), state, kEpoch), "<tr id=") == 3);
}

TEST_CASE("Live games: scores have a true minus, those of mates too") {
    auto state = state_of({live_game("e2e4")});
    state.games[0].players[0].score = adapters::Score{false, -31};
    CHECK(contains(web::live_games(live_run("chess"), state, kEpoch), ">−0.31<"));
    state.games[0].players[0].score = adapters::Score{true, -3};
    CHECK(contains(web::live_games(live_run("chess"), state, kEpoch), ">−M3<"));
}

TEST_CASE("Live games: a list of moves that the second player begins says so") {
    auto state = state_of({live_game("e7e5 e2e4 d7d6")});
    state.games[0].start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 5";
    state.games[0].players[0].score->bound = adapters::Score::Bound::Lower;
    const std::string text = web::live_games(live_run("chess"), state, kEpoch);
    CHECK(contains(text, ">5… e5 6. e4 d6</p>"));
    CHECK_FALSE(contains(text, "+0.31"));  // a bound is no score
}

TEST_CASE("Live games: text notation, a game without a clock and a turn that has not begun") {
    auto state = state_of({live_game("e4 e5 Nf3")});
    state.games[0].has_text_moves = true;
    state.games[0].is_open = false;
    state.games[0].players[0].clock.reset();
    const std::string text = web::live_games(live_run("chess"), state, kEpoch + 60'000'000);
    CHECK(contains(text, "1. e4 e5 2. Nf3"));
    CHECK(times_in(text, "class=\"ck\"") == 1);
    CHECK(contains(text, "<span class=\"ck\">0:09.0</span>"));  // it stands
}

TEST_CASE("Live games: other games are drawn by their own rules, without a word of chess") {
    rules::register_game("tic-tac-toe",
                         [](const rules::GameSource&) { return tests::make_tic_tac_toe(); });
    const std::string text =
        web::live_games(live_run("tic-tac-toe"), state_of({live_game("5 1 9")}), kEpoch);
    CHECK(contains(text, "<span class=\"s\">X</span>"));
    CHECK(times_in(text, "<rect class=\"p\"") == 9);
    CHECK_FALSE(contains(text, "piece-pawn"));
    CHECK_FALSE(contains(text, "piece-king"));
    CHECK_FALSE(contains(text, "White"));

    rules::register_game("takeaway",
                         [](const rules::GameSource&) { return test::make_takeaway(); });
    auto three = state_of({live_game("1 2")});
    three.games[0].players.push_back({1, std::nullopt, {}, {}});
    three.games[0].mover = 2;
    const std::string names = web::live_games(live_run("takeaway"), three, kEpoch);
    CHECK(times_in(names, "<p class=\"pl") == 3);
    CHECK(contains(names, "<span class=\"s\">Cy</span>"));
    CHECK_FALSE(contains(names, "<svg"));
}

TEST_CASE("Live games: what no run can have shows less and throws nothing") {
    const harness::RunRecord run = live_run("chess");
    auto state = state_of({live_game("e2e4 e2e4 xx e7e5")});
    CHECK(contains(web::live_games(run, state, 0), "1. e4</p>"));
    state.games[0].start = "no position";
    const std::string lost = web::live_games(run, state, 0);
    CHECK(contains(lost, "head"));
    CHECK_FALSE(contains(lost, "<svg"));
    state.match = 3;
    CHECK(web::live_games(run, state, 0).empty());
    state = state_of({});
    CHECK(web::live_games(run, state, 0).empty());
    state = state_of({live_game("e2e4")});
    state.run = 8;
    CHECK(web::live_games(run, state, 0).empty());
}

TEST_CASE("Live games: clocks are written as players know them") {
    CHECK(web::clock_text(Micros(3'909s)) == "1:05:09");
    CHECK(web::clock_text(Micros(187'400ms)) == "3:07");
    CHECK(web::clock_text(Micros(20s)) == "0:20");
    CHECK(web::clock_text(Micros(19'990ms)) == "0:19.9");
    CHECK(web::clock_text(Micros(-5s)) == "0:00.0");
}
