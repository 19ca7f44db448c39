#include "harness/run/control_match.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "harness/match/game_play.h"
#include "rules/make_game.h"
#include "tests/harness/store/sample_records.h"
#include "tests/support/moves_in_row.h"
#include "tests/support/temp_dir.h"

using namespace assay;
using namespace assay::harness;

namespace {

/// A game of `moves` moves of each program, each of `used` and so many nodes.
GameRecord game_at(long long started_us, int moves, Micros used, std::uint64_t nodes) {
    GameRecord game;
    game.started_us = started_us;
    for (int i = 0; i < 2 * moves; ++i) {
        MoveRecord move;
        move.name = "e2e4";
        move.player = i % 2;
        move.used = used;
        move.nodes = nodes;
        game.moves.push_back(move);
    }
    return game;
}

SpeedOfRun speed_of(int games, int moves, Micros used) {
    DriftMeter meter(2);
    for (int i = 0; i < games; ++i) meter.add(game_at(i, moves, used, 100'000), {0, 1});
    return meter.speed_of(0);
}

constexpr std::uint64_t kNodesOfFirst = 100'000;
constexpr std::uint64_t kNodesOfSecond = 300'000;

/// A game of `plies` first legal moves of a second each. The first program searches kNodesOfFirst a
/// move, the second kNodesOfSecond.
GameRecord played(const rules::Game& game, const openings::Opening& opening, int plies,
                  int number) {
    TimeControl minute;
    minute.periods = {{0, Micros(60'000'000), Micros(0)}};
    const std::vector<GameEntrant> entrants{{"a", minute}, {"b", minute}};
    const AdjudicatePlan adjudicate;
    GamePlay::Setup setup;
    setup.game = number;
    setup.turn = number;
    GamePlay play(game, entrants, adjudicate, opening, setup);
    const auto position = opening.start.empty() ? game.start() : game.parse(opening.start);
    for (const std::string& name : opening.moves)
        position->make(*position->move_of(name, rules::Notation::Canonical));
    for (int ply = 0; ply < plies; ++ply) {
        std::vector<rules::Move> moves;
        position->moves(moves);
        const std::string name = position->name_of(moves.front(), rules::Notation::Canonical);
        position->make(moves.front());
        adapters::SearchInfo info;
        info.nodes = play.program_of(play.mover()) == 0 ? kNodesOfFirst : kNodesOfSecond;
        play.on_move({name, {}, &info}, {Micros(1'000'000), Micros(0)});
    }
    return play.record();
}

std::array<double, 2> speeds_of(const rules::Game& game, const openings::Opening& opening) {
    DriftMeter meter(2);
    for (int i = 0; i < 10; ++i) meter.add(played(game, opening, 6, i % 2), {0, 1});
    return {meter.speed_of(0).all, meter.speed_of(1).all};
}

}  // namespace

TEST_CASE("Drift: nodes and time belong to the program that moved, whoever begins") {
    const auto chess = rules::make_game("chess");
    openings::Opening opening;
    CHECK(speeds_of(*chess, opening) == std::array{1e5, 3e5});
    opening.moves = {"e2e4"};
    CHECK(speeds_of(*chess, opening) == std::array{1e5, 3e5});
    // Black begins, as in nearly half of the default book.
    opening.start = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    opening.moves = {};
    CHECK(speeds_of(*chess, opening) == std::array{1e5, 3e5});
    opening.moves = {"b8c6"};
    CHECK(speeds_of(*chess, opening) == std::array{1e5, 3e5});
}

TEST_CASE("Drift: nodes and time belong to the program that moved, also twice in a row") {
    CHECK(speeds_of(*test::make_moves_in_row(), {}) == std::array{1e5, 3e5});
}

TEST_CASE("Drift: a speed is said of ten seconds of measured search and more") {
    const SpeedOfRun enough = speed_of(16, 30, Micros(100'000));  // 48 s, its quarters 12 s
    CHECK(enough.all == doctest::Approx(1e6));
    CHECK(enough.first_quarter == doctest::Approx(1e6));
    CHECK(enough.last_quarter == doctest::Approx(1e6));
    const SpeedOfRun some = speed_of(16, 10, Micros(100'000));  // 16 s, its quarters 4 s
    CHECK(some.all == doctest::Approx(1e6));
    CHECK(some.first_quarter == 0);
    const SpeedOfRun milliseconds = speed_of(16, 30, Micros(2000));  // 0.96 s
    CHECK(milliseconds.all == 0);
    CHECK(milliseconds.last_quarter == 0);
}

TEST_CASE("Drift: another speed of the same executable is told, with other options it is not") {
    const auto sentences_after = [](const std::vector<std::pair<std::string, std::string>>& options,
                                    std::string_view sha256) {
        const assay::test::TempDir dir;
        Store store(dir.path("assay.db"), Store::Access::Write);
        RunOutcome outcome;
        for (const bool is_earlier : {true, false}) {
            RunRecord run = test::sample_run();
            run.findings = RunFindings();
            if (!is_earlier) {
                run.plan.programs[0].options = options;
                run.versions[0].sha256 = sha256;
            }
            run.id = store.begin_run(run);
            for (int number = 1; number <= 2; ++number) {
                // 12 seconds; the second program plays as fast as before.
                GameRecord game = game_at(number, 60, Micros(100'000), 100'000);
                game.number = number;
                game.scores = {{0.5F, 0.5F}, 2};
                game.termination = Termination::by_rules("repetition");
                game.game = number - 1;
                if (is_earlier)
                    for (MoveRecord& move : game.moves)
                        if (game.program_of(move.player) == 0) move.nodes = 200'000;
                store.write_game(run.id, 0, game);
            }
            store.set_state(run.id, RunState::Finished, "");
            outcome.run = run;
        }
        look_back(outcome, store);
        return outcome.run.findings.drift;
    };
    const auto same = sentences_after({}, "00ff");
    REQUIRE(same.size() == 1);
    CHECK(
        same[0].starts_with("head: nodes per second changed by -50 % since run 1, with the same "));
    CHECK(sentences_after({{"Threads", "2"}}, "00ff").empty());
    CHECK(sentences_after({}, "00fe").empty());
}

TEST_CASE("Drift: of a fleet each machine is compared with itself, and late games count for none") {
    const assay::test::TempDir dir;
    Store store(dir.path("assay.db"), Store::Access::Write);
    RunOutcome outcome;
    const auto play = [&](std::int64_t machine, std::int64_t pair, std::uint64_t nodes,
                          PairState state) {
        PairDigest digest;
        digest.pair = pair;
        digest.state = state;
        for (const int number : {0, 1}) {
            GameRecord game = game_at(2 * pair + number, 60, Micros(100'000), nodes);  // 12 s
            game.number = 2 * pair + number + 1;
            game.pair = pair;
            game.game = number;
            game.machine = machine;
            game.scores = {{0.5F, 0.5F}, 2};
            game.termination = Termination::by_rules("repetition");
            store.write_game(outcome.run.id, 0, game);
        }
        store.write_pair(outcome.run.id, 0, digest);
    };
    const auto drift_of_night = [&](std::int64_t slow, std::int64_t fast, std::uint64_t nodes) {
        outcome.run = test::sample_run();
        outcome.run.findings = RunFindings();
        outcome.run.id = store.begin_run(outcome.run);
        const std::int64_t other = store.add_machine(outcome.run.id, {"n2", "cpu", "", 1, 1, 1});
        for (std::int64_t i = 0; i < slow; ++i) play(0, i, 100'000, PairState::Counted);
        for (std::int64_t i = 0; i < fast; ++i) play(other, slow + i, nodes, PairState::Counted);
        play(0, slow + fast, 900'000, PairState::Late);
        store.set_state(outcome.run.id, RunState::Finished, "");
        look_back(outcome, store);
        return outcome.run.findings.drift;
    };
    CHECK(drift_of_night(7, 2, 200'000).empty());
    CHECK(drift_of_night(2, 7, 200'000).empty());  // as fast as before, with another share
    const std::vector<std::string> slower = drift_of_night(2, 2, 150'000);
    REQUIRE(slower.size() == 2);
    CHECK(slower[0].starts_with("head on n2: nodes per second changed by -25 % since run 2"));
    CHECK(slower[1].starts_with("base on n2: "));
}
