#include <algorithm>
#include <array>
#include <utility>

#include <doctest/doctest.h>

#include "tests/harness/run/match_bench.h"

using namespace assay;
using namespace assay::harness;
using test::FakeAct;
using test::is_program;
using Bench = test::MatchBench;
using namespace std::chrono_literals;

TEST_CASE("MatchRunner: a loss on time within the harness's own delay voids the pair once") {
    Bench bench;
    bench.plan.pairs = 1;
    int searches = 0;
    bench.world.script = [&](const std::string& name, int) {
        FakeAct act;
        if (is_program(name, 'a') && searches++ == 0) {
            act.after = 10'150ms;  // 50 ms over
            act.late_wake = 60ms;  // the harness itself was 60 ms late
        }
        return act;
    };
    bench.play();
    REQUIRE(bench.recorder.games.size() == 3);
    CHECK(bench.recorder.games[0].harness_caused);
    CHECK(bench.recorder.games[1].attempt == 1);
    CHECK(bench.runner->tally().voided() == 1);
    CHECK(bench.runner->tally().pairs() == 1);
    CHECK(bench.runner->tally().failures()[0].time_losses == 0);
}

TEST_CASE("MatchRunner: a pair is voided three times at most, then it counts as it is") {
    Bench bench;
    bench.plan.pairs = 300;  // of whose games six may be void
    int searches = 0;
    bench.world.script = [&](const std::string& name, int) {
        FakeAct act;
        if (is_program(name, 'a') && searches++ < 5) {
            act.after = 10'150ms;
            act.late_wake = 60ms;
        }
        return act;
    };
    bench.play();
    int most = 0;
    for (const GameRecord& game : bench.recorder.games)
        if (game.pair == 0) most = std::max(most, game.attempt);
    CHECK(most == 3);
    CHECK(bench.runner->tally().harness_losses() > 0);
    CHECK(bench.runner->tally().pairs() == 300);
}

TEST_CASE("MatchRunner: a loss on time while the harness stood still voids the pair") {
    Bench bench;
    bench.plan.pairs = 1;
    bool has_stopped = false;
    bench.world.script = [&](const std::string&, int) {
        FakeAct act;
        act.after = 100ms;
        if (!std::exchange(has_stopped, true)) {
            // Stopped by a signal and continued: the answer that came meanwhile is read late.
            bench.world.at(bench.world.clock.now() + 15ms, [&] { bench.world.clock.advance(20s); });
        }
        return act;
    };
    bench.play();
    REQUIRE(bench.recorder.games.size() == 3);
    CHECK(bench.recorder.games[0].termination == Termination::Time);
    CHECK(bench.recorder.games[0].harness_caused);
    CHECK(bench.recorder.games[1].attempt == 1);
    CHECK(bench.runner->tally().voided() == 1);
    CHECK(bench.runner->tally().failures()[0].time_losses == 0);
}

TEST_CASE("MatchRunner: who hangs after a standstill loses nothing by it, and is told of") {
    Bench bench;
    bench.plan.pairs = 1;
    bench.world.ignores_stop = true;
    bool has_stopped = false;
    bench.world.script = [&](const std::string&, int) {
        FakeAct act;
        if (!std::exchange(has_stopped, true)) {
            act.kind = FakeAct::Kind::Silence;
            bench.world.at(bench.world.clock.now() + 15ms, [&] { bench.world.clock.advance(20s); });
        }
        return act;
    };
    bench.play();
    REQUIRE(bench.recorder.games.size() == 3);
    CHECK(bench.recorder.games[0].harness_caused);
    CHECK(bench.runner->tally().voided() == 1);
    const Failures failures = bench.runner->tally().all_failures()[0];
    CHECK(failures.time_losses == 0);
    CHECK(failures.stalls == 1);
}

TEST_CASE("MatchRunner: one standstill voids the pairs of all games that it hit") {
    Bench bench;
    bench.plan.pairs = 8;
    bench.concurrency = 8;
    bool has_stopped = false;
    bench.world.script = [&](const std::string&, int) {
        FakeAct act;
        act.after = 100ms;
        if (!std::exchange(has_stopped, true))
            bench.world.at(bench.world.clock.now() + 15ms, [&] { bench.world.clock.advance(20s); });
        return act;
    };
    bench.play();
    CHECK(bench.runner->tally().voided() == 8);
    CHECK(bench.runner->tally().harness_losses() == 0);
    CHECK(bench.runner->tally().pairs() == 8);
    CHECK(bench.runner->tally().all_failures()[0] == Failures{});
    CHECK(bench.runner->tally().all_failures()[1] == Failures{});
}

TEST_CASE(
    "MatchRunner: a standstill before the turn or far shorter than the overrun excuses none") {
    Bench bench;
    bench.plan.pairs = 1;
    int searches = 0;
    bench.world.script = [&](const std::string& name, int) {
        FakeAct act;
        if (!is_program(name, 'a')) return act;
        const int search = searches++;
        if (search == 0) {
            act.after = 100ms;
            bench.world.at(bench.world.clock.now() + 15ms, [&] { bench.world.clock.advance(5s); });
        } else if (search == 1) {
            act.after = 12s;  // 5.1 s are left
        }
        return act;
    };
    bench.play();
    REQUIRE(bench.recorder.games.size() == 2);
    CHECK(bench.recorder.games[0].termination == Termination::Time);
    CHECK_FALSE(bench.recorder.games[0].harness_caused);
    CHECK(bench.runner->tally().failures()[0].time_losses == 1);
}

TEST_CASE("MatchRunner: a silent program is not excused by a delay shorter than a second") {
    Bench bench;
    bench.plan.pairs = 1;
    bool is_slow = false;
    bench.world.script = [&](const std::string& name, int search) {
        FakeAct act;
        if (!is_program(name, 'a') || search > 0) return act;
        act.kind = FakeAct::Kind::Silence;
        if (!std::exchange(is_slow, true)) {
            bench.world.at(bench.world.clock.now() + 15ms,
                           [&] { bench.world.clock.advance(500ms); });
        }
        return act;
    };
    bench.play();
    REQUIRE(!bench.recorder.games.empty());
    CHECK(bench.recorder.games[0].termination == Termination::Time);
    CHECK_FALSE(bench.recorder.games[0].harness_caused);
}

TEST_CASE("MatchRunner: losses on time by the harness are counted beyond the limit, and taint") {
    Bench bench;
    bench.plan.pairs = 3;
    bench.world.script = [](const std::string& name, int) {
        FakeAct act;
        if (is_program(name, 'a')) {
            act.after = 10'150ms;
            act.late_wake = 60ms;
        }
        return act;
    };
    bench.play();
    CHECK(bench.runner->tally().voided() == 1);  // one in any case, and no more of six games
    CHECK(bench.runner->tally().pairs() == 3);
    CHECK(bench.runner->tally().harness_losses() == 6);
    CHECK(bench.runner->tally().failures()[0].time_losses == 6);
    CHECK(bench.runner->tally().is_tainted());
    for (const GameRecord& game : bench.stored) CHECK(game.harness_caused);
}

TEST_CASE("MatchRunner: one in a hundred of the planned games may be voided from the start") {
    Bench bench;
    bench.plan.pairs = 200;  // four of 400 games
    int searches = 0;
    bench.world.script = [&](const std::string& name, int) {
        FakeAct act;
        if (is_program(name, 'a') && searches++ % 10 == 0 && searches < 35) {
            act.after = 10'150ms;
            act.late_wake = 60ms;
        }
        return act;
    };
    bench.play();
    CHECK(bench.runner->tally().voided() == 4);
    CHECK(bench.runner->tally().harness_losses() == 0);
    CHECK_FALSE(bench.runner->tally().is_tainted());
}

TEST_CASE("MatchRunner: a late answer is a loss on time even where the harness was a little late") {
    Bench bench;
    bench.plan.pairs = 1;
    int searches = 0;
    bench.world.script = [&](const std::string& name, int) {
        FakeAct act;
        if (is_program(name, 'a') && searches++ == 0) {
            act.after = 10'200ms;  // 100 ms over
            act.late_wake = 60ms;
        }
        return act;
    };
    bench.play();
    CHECK(bench.recorder.games[0].termination == Termination::Time);
    CHECK_FALSE(bench.recorder.games[0].harness_caused);
    CHECK(bench.recorder.games[0].reason == "a overran its time by 100.000 ms at move 1");
}

TEST_CASE("MatchRunner: a program that is pinged is on its clock from go, not from the ping") {
    Bench bench;
    bench.plan.pairs = 1;
    bench.pinged = true;
    bench.world.ping = 300ms;
    bench.play();
    REQUIRE(bench.recorder.games.size() == 2);
    for (const GameRecord& game : bench.recorder.games) {
        CHECK(game.moves.size() == 6);
        for (const MoveRecord& move : game.moves) CHECK(move.used == 1ms);
    }
}

TEST_CASE("MatchRunner: a pondering program is told of the hit, and its clock runs from there") {
    Bench bench;
    bench.plan.pairs = 1;
    bench.plan.ponder = true;
    bench.world.script = [](const std::string&, int) {
        FakeAct act;
        act.ponders = true;  // on the first legal move, which is what the other one plays
        act.after = 2ms;
        return act;
    };
    bench.play();
    REQUIRE(bench.recorder.games.size() == 2);
    // Six plies a game: all but each side's first are hits, and the last ponder search is given up.
    CHECK(bench.world.ponder_hits == 2 * 4);
    CHECK(bench.world.ponder_searches == 2 * 5);
    for (const GameRecord& game : bench.recorder.games) {
        CHECK(game.termination == Termination::Length);
        for (const MoveRecord& move : game.moves) CHECK(move.used == 2ms);
    }
}

TEST_CASE("MatchRunner: after a ponder miss the program searches what was played") {
    Bench bench;
    bench.plan.pairs = 1;
    bench.plan.ponder = true;
    bench.world.script = [](const std::string& name, int search) {
        FakeAct act;
        act.ponders = is_program(name, 'a');
        // b never plays the first legal move in the first game.
        constexpr std::array<const char*, 3> kMoves{"g8f6", "f6g8", "b8c6"};
        if (is_program(name, 'b') && search < 3)
            act.move = kMoves.at(static_cast<std::size_t>(search));
        return act;
    };
    bench.play();
    REQUIRE(bench.recorder.games.size() == 2);
    const GameRecord& game = bench.recorder.games[0];
    CHECK(game.termination == Termination::Length);
    REQUIRE(game.moves.size() == 6);
    CHECK(game.moves[1].name == "g8f6");
    CHECK(game.moves[3].name == "f6g8");
    // The clock ran while the stopped search was on its way out (50 us).
    CHECK(game.moves[2].used == 1050us);
    CHECK(bench.recorder.warnings.empty());
}
