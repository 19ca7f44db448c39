#include <doctest/doctest.h>

#include "harness/machine/machine.h"
#include "tests/harness/run/match_bench.h"

using namespace assay;
using namespace assay::harness;
using test::FakeAct;
using test::is_program;
using Bench = test::MatchBench;
using namespace std::chrono_literals;

namespace {

/// A script by which program `who` does this at its first search, which `searches` counts.
auto at_first_search_of(char who, FakeAct::Kind kind, int& searches) {
    return [who, kind, &searches](const std::string& name, int) {
        FakeAct act;
        if (is_program(name, who) && searches++ == 0) act.kind = kind;
        return act;
    };
}

}  // namespace

TEST_CASE("MatchRunner: a program that exits loses the game, is replaced, and the match goes on") {
    Bench bench;
    int exits = 0;
    bench.world.script = at_first_search_of('a', FakeAct::Kind::Exit, exits);
    bench.play();
    const GameRecord& lost = bench.recorder.games[0];
    CHECK(lost.termination == Termination::Crash);
    CHECK(lost.guilty == 0);
    CHECK(lost.scores[1] == 1.0F);
    CHECK(lost.last_lines == "last word\n");
    CHECK(bench.recorder.games.size() == 4);
    CHECK(bench.runner->tally().failures()[0].crashes == 1);
}

TEST_CASE("MatchRunner: a silent program loses within its deadline and a second") {
    Bench bench;
    bench.plan.pairs = 1;
    bench.world.ignores_stop = true;
    int searches = 0;
    bench.world.script = at_first_search_of('b', FakeAct::Kind::Silence, searches);
    bench.play();
    const GameRecord& lost = bench.recorder.games[0];
    CHECK(lost.termination == Termination::Time);
    CHECK(lost.guilty == 1);
    CHECK(bench.recorder.games[1].termination == Termination::Length);
}

TEST_CASE("MatchRunner: without a clock the wall limit, stop and a second decide") {
    Bench bench;
    bench.plan.pairs = 1;
    for (TimeControl& control : bench.plan.time) {
        control.kind = TimeControl::Kind::Nodes;
        control.nodes = 1000;
    }
    bench.world.ignores_stop = true;
    int searches = 0;
    bench.world.script = at_first_search_of('b', FakeAct::Kind::Silence, searches);
    bench.play();
    CHECK(bench.recorder.games[0].termination == Termination::Stall);
    CHECK(bench.recorder.games[0].guilty == 1);
}

TEST_CASE("MatchRunner: in another runner's place a late program is told from one that hangs") {
    for (const bool hangs : {false, true}) {
        CAPTURE(hangs);
        Bench bench;
        bench.plan.pairs = 1;
        bench.plan.runner.late_answer = 7s;
        bench.plan.runner.voids = false;
        bench.world.ignores_stop = hangs;
        int searches = 0;
        bench.world.script = at_first_search_of('b', FakeAct::Kind::Silence, searches);
        const TimePoint begin = bench.world.clock.now();
        bench.play();
        REQUIRE(bench.recorder.games.size() == 2);
        const GameRecord& game = bench.recorder.games[0];
        CHECK(game.guilty == 1);
        CHECK(game.termination == (hangs ? Termination::Stall : Termination::Time));
        CHECK((micros_between(begin, bench.world.clock.now()) >= 10s + 7s) == hangs);
        // What the harness waited for is no overrun of the program.
        if (!hangs) CHECK(game.overrun < 2s);
        CHECK(bench.recorder.warnings.empty());
    }
}

TEST_CASE("MatchRunner: a program that never completed a handshake loses no game, the run ends") {
    Bench bench;
    bench.world.starts = [](const std::string& name, int) { return !is_program(name, 'b'); };
    bench.play();
    CHECK(bench.recorder.games.empty());
    CHECK(bench.runner->end().cause == MatchEnd::Cause::CannotStart);
    CHECK(bench.runner->end().program == 1);
    REQUIRE(bench.recorder.warnings.size() == 1);
    CHECK(bench.recorder.warnings[0] ==
          "start: b: did not start (no readiness within 10 s); tried once more");
}

TEST_CASE(
    "MatchRunner: a program that has shaken hands and is not ready is told from a silent one") {
    const auto bench_of = [](Micros ready) {
        auto bench = std::make_unique<Bench>();
        bench->world.shakes_hands = true;
        bench->world.start_time = ready;
        return bench;
    };
    const auto late = bench_of(15s);
    late->play();
    CHECK(late->runner->end().cause == MatchEnd::Cause::CannotStart);
    CHECK_FALSE(late->runner->end().is_silent);
    REQUIRE_FALSE(late->recorder.warnings.empty());
    CHECK(late->recorder.warnings[0] ==
          "start: a: did not start (no readyok within 10 s); tried once more");

    // In another runner's place readiness has a time of its own, and who lacks it loses the game.
    const auto slow = bench_of(15s);
    slow->limits.first_ready = 20s;
    slow->play();
    CHECK(slow->runner->end().cause == MatchEnd::Cause::Played);
    CHECK(slow->recorder.warnings.empty());
    const auto never = bench_of(25s);
    never->limits.first_ready = 20s;
    never->plan.pairs = 1;
    never->plan.runner.loses_unready = true;
    never->play();
    CHECK(never->runner->end().cause == MatchEnd::Cause::Played);
    REQUIRE(never->recorder.games.size() == 2);
    CHECK(never->recorder.games[0].termination == Termination::Stall);
}

TEST_CASE("MatchRunner: a program that answers as in the xboard protocol is told of") {
    Bench bench;
    bench.world.starts = [](const std::string& name, int) { return !is_program(name, 'b'); };
    bench.world.last_words = {"GNU Chess 6.2.9", "Error (unknown command): uci"};
    bench.play();
    REQUIRE(bench.recorder.warnings.size() == 1);
    CHECK(bench.recorder.warnings[0].starts_with(
        "start: b: did not start (no readiness within 10 s: it answered 'Error (unknown command): "
        "uci', as a program of the xboard protocol does, and 'protocol' says uci; "));
}

TEST_CASE("MatchRunner: the start limit is each program's own, and not what others take to start") {
    using Launch = adapters::Player::Launch;

    // Its turn comes after 60 s, it runs 9 s later, and is ready 9 s after that.
    struct {
        Micros turn{60s};
        Micros runs{69s};
        Micros ready{78s};
        std::string warning;
    } rows[] = {{},
                {60s, 71s, 78s, "machine: a: the system did not run it within 10 s"},
                {60s, 69s, 80s, "start: a: did not start (no readiness within 10 s)"}};

    for (const auto& row : rows) {
        CAPTURE(row.warning);
        Bench bench;
        const TimePoint begin = bench.world.clock.now();
        bench.world.start_time = row.ready;
        bench.world.launch = [&](const std::string&) {
            const auto past = bench.world.clock.now() - begin;
            if (past < row.turn) return Launch::Waiting;
            return past < row.runs ? Launch::Starting : Launch::Running;
        };
        bench.play();
        if (row.warning.empty()) {
            CHECK(bench.recorder.warnings.empty());
            CHECK(bench.runner->end().cause == MatchEnd::Cause::Played);
        } else {
            REQUIRE(!bench.recorder.warnings.empty());
            CHECK(bench.recorder.warnings[0] == row.warning + "; tried once more");
        }
    }
}

TEST_CASE("MatchRunner: a start that the system does not manage costs its program nothing") {
    using Launch = adapters::Player::Launch;
    for (const int hung : {1, 2}) {
        CAPTURE(hung);
        Bench bench;
        bench.failures_in_a_row = 2;
        // "b" has been well and crashes once; its next starts hang.
        int exits = 0;
        bool has_crashed = false;
        bench.world.script = [&](const std::string& name, int) {
            FakeAct act;
            if (is_program(name, 'b') && exits++ == 0) {
                act.kind = FakeAct::Kind::Exit;
                has_crashed = true;
            }
            return act;
        };
        int starts = 0;
        bench.world.starts = [&](const std::string& name, int) {
            return !has_crashed || !is_program(name, 'b') || starts++ >= hung;
        };
        bench.world.launch = [&](const std::string& name) {
            const bool hangs = has_crashed && is_program(name, 'b') && starts <= hung;
            return hangs ? Launch::Starting : Launch::Running;
        };
        bench.play();
        REQUIRE(!bench.recorder.warnings.empty());
        CHECK(bench.recorder.warnings[0] ==
              "machine: b: the system did not run it within 10 s; tried once more");
        if (hung == 1) {
            CHECK(bench.runner->end().cause == MatchEnd::Cause::Played);
            CHECK(bench.recorder.games.size() == 4);
            CHECK(bench.runner->tally().failures()[1].crashes == 1);
        } else {
            CHECK(bench.runner->end().cause == MatchEnd::Cause::MachineFailed);
            CHECK(bench.runner->end().program == -1);
            CHECK(bench.runner->end().message ==
                  "the machine (" + this_machine().host +
                      ") cannot start programs: b: the system did not run it within 10 s, twice in "
                      "a row");
            CHECK(bench.recorder.games.size() == 1);
        }
    }
}

TEST_CASE(
    "MatchRunner: a start that fails for want of descriptors loses no game, the machine failed") {
    for (const int failing : {1, 2}) {
        CAPTURE(failing);
        Bench bench;
        // "b" has been well and crashes once; what is started in its place lacks descriptors.
        int exits = 0;
        bench.world.script = at_first_search_of('b', FakeAct::Kind::Exit, exits);
        int failed = 0;
        bench.world.lacks_descriptors = [&](const std::string& name) {
            return exits > 0 && is_program(name, 'b') && failed++ < failing;
        };
        bench.play();
        const std::string why = "b: the system did not start it: pipe: Too many open files";
        REQUIRE(bench.recorder.warnings.size() == 1);
        CHECK(bench.recorder.warnings[0] == "machine: " + why + "; tried once more");
        CHECK(bench.runner->tally().all_failures()[1].total() == 1);
        CHECK(bench.recorder.games.size() == (failing == 1 ? 4 : 1));
        if (failing == 1) {
            CHECK(bench.runner->end().cause == MatchEnd::Cause::Played);
            continue;
        }
        CHECK(bench.runner->end().cause == MatchEnd::Cause::MachineFailed);
        CHECK(bench.runner->end().program == -1);
        CHECK(bench.runner->end().message == "the machine (" + this_machine().host +
                                                 ") cannot start programs: " + why +
                                                 ", twice in a row");
    }
}

TEST_CASE("MatchRunner: where programs wait for a minute and none is started, the machine failed") {
    Bench bench;
    bench.world.starts = [](const std::string&, int) { return false; };
    bench.world.launch = [](const std::string&) { return adapters::Player::Launch::Waiting; };
    const TimePoint begin = bench.world.clock.now();
    bench.play(2min);
    CHECK(micros_between(begin, bench.world.clock.now()) >= Micros(60s));
    CHECK(bench.runner->end().cause == MatchEnd::Cause::MachineFailed);
    CHECK(bench.runner->end().message ==
          "the machine (" + this_machine().host +
              ") cannot start programs: no program was started within 60 s while others waited to "
              "start");
    CHECK(bench.recorder.games.empty());
    CHECK(bench.recorder.warnings.empty());
}

TEST_CASE(
    "MatchRunner: a program that exits while the other prepares loses, and the match goes on") {
    Bench bench;
    int exits = 0;
    bench.world.exits_once_ready = [&](const std::string& name) {
        return is_program(name, 'a') && exits++ < 2;
    };
    bench.play();
    CHECK(bench.recorder.games[0].guilty == 0);
    CHECK(bench.recorder.games[1].guilty == 1);
    CHECK(bench.runner->tally().failures()[0].crashes == 2);
    CHECK(bench.runner->tally().pairs() == 2);
}

TEST_CASE("MatchRunner: a program that ends between two games is started anew and loses nothing") {
    Bench bench;
    bench.plan.pairs = 2;
    int new_games = 0;
    // Of a: the pair's second one, and, in the process that came after, the next pair's first.
    bench.world.exits_in_new_game = [&](const std::string& name) {
        if (!is_program(name, 'a')) return false;
        ++new_games;
        return new_games == 1 || new_games == 2;
    };
    bench.play();
    CHECK(bench.runner->tally().pairs() == 2);
    CHECK(bench.runner->tally().failures()[0].total() == 0);
    for (const GameRecord& game : bench.recorder.games) {
        CHECK(game.termination == Termination::Length);
    }
    REQUIRE(bench.recorder.warnings.size() == 2);
    CHECK(bench.recorder.warnings[0].starts_with("between-games: a: ended between two games ("));
}

TEST_CASE("MatchRunner: crashes between games count, though no game is lost by them") {
    Bench bench;
    bench.plan.pairs = 3;
    int new_games = 0;
    bench.world.exits_in_new_game = [&](const std::string& name) {
        return is_program(name, 'a') && new_games++ < 2;
    };
    bench.meters.between_games = {{0, 0}, {4, 1}};  // of an earlier session
    bench.play();
    CHECK(bench.runner->tally().pairs() == 3);
    CHECK(bench.runner->tally().failures()[0].total() == 0);
    CHECK(bench.runner->tally().all_failures()[0].crashes == 2);
    CHECK(bench.runner->tally().all_failures()[1].crashes == 4);
    CHECK(bench.runner->tally().all_failures()[1].stalls == 1);
    CHECK(bench.runner->meters(0, bench.world.clock.now()).between_games ==
          std::vector<FaultsBetweenGames>{{2, 0}, {4, 1}});
}

TEST_CASE("MatchRunner: a crash between games is given to the store at once") {
    Bench bench;
    bench.plan.pairs = 3;
    int new_games = 0;
    std::size_t games_by_then = 0;
    bench.world.exits_in_new_game = [&](const std::string& name) {
        if (!is_program(name, 'a') || new_games++ > 0) return false;
        games_by_then = bench.stored.size();
        return true;
    };
    bench.begin();
    const auto has_faults = [&] { return !bench.stored_faults.empty(); };
    REQUIRE(bench.world.run_until(
        has_faults, [&](TimePoint now) { bench.runner->tick(now); }, std::chrono::hours(1)));
    CHECK(bench.stored_faults == std::vector<FaultsBetweenGames>{{1, 0}, {0, 0}});
    CHECK(bench.stored.size() == games_by_then);  // no further game is waited for
    REQUIRE(bench.run(std::chrono::hours(1)));
}

TEST_CASE("MatchRunner: a program that crashes behind each game fails in a row") {
    Bench bench;
    bench.plan.pairs = 100;
    bench.world.exits_in_new_game = [](const std::string& name) { return is_program(name, 'a'); };
    bench.play();
    CHECK(bench.runner->end().cause == MatchEnd::Cause::KeepsFailing);
    CHECK(bench.runner->end().program == 0);
    CHECK(bench.runner->end().message.starts_with(
        "a failed in 5 games in a row, last: ended between two games: "));
    CHECK(bench.recorder.games.size() == 5);
    CHECK(bench.recorder.games.back().guilty == -1);
}

TEST_CASE("MatchRunner: what a program does at the stop that ends a game is told and counted") {
    for (const bool exits : {true, false}) {
        CAPTURE(exits);
        Bench bench;
        bench.plan.pairs = 1;
        bench.plan.ponder = true;
        bench.world.can.ponder = true;
        bench.world.exits_at_stop = exits;
        bench.world.ignores_stop = !exits;
        // a ponders while b, which resigns, is to move.
        bench.world.script = [](const std::string& name, int search) {
            FakeAct act;
            act.ponders = is_program(name, 'a');
            if (is_program(name, 'b') && search == 1) act.says = adapters::BestMove::Kind::Resign;
            return act;
        };
        bench.plan.adjudicate.length = 100;
        bench.play();
        const Failures all = bench.runner->tally().all_failures()[0];
        CHECK(all.crashes == (exits ? 1 : 0));
        CHECK(all.stalls == (exits ? 0 : 1));
        REQUIRE(!bench.recorder.warnings.empty());
        CHECK(bench.recorder.warnings[0].starts_with(
            exits ? "between-games: a: ended when a game was over and it was told to stop ("
                  : "between-games: a: did not stop when a game was over (no bestmove after stop "
                    "within 1 s)"));
    }
}

TEST_CASE("MatchRunner: a program whose file was replaced is not started, and the run ends") {
    Bench bench;
    bench.plan.pairs = 10;
    int exits = 0;
    bench.world.script = [&](const std::string& name, int) {
        FakeAct act;
        if (is_program(name, 'a') && exits++ == 2) act.kind = FakeAct::Kind::Exit;
        return act;
    };
    bench.world.is_replaced = [&](const std::string& name) {
        return is_program(name, 'a') && exits > 2;
    };
    bench.play();
    CHECK(bench.runner->end().cause == MatchEnd::Cause::CannotStart);
    CHECK(bench.runner->end().message ==
          "a could not be started: a was replaced; put the old file back to go on, or start anew");
    CHECK(bench.recorder.games.back().termination == Termination::Crash);
}

TEST_CASE("MatchRunner: two programs that both crash end the run as one would") {
    Bench bench;
    bench.plan.pairs = 100;
    bench.world.script = [](const std::string&, int) {
        FakeAct act;
        act.kind = FakeAct::Kind::Exit;
        return act;
    };
    bench.play();
    CHECK(bench.recorder.games.size() < 12);
    CHECK(bench.runner->end().cause == MatchEnd::Cause::KeepsFailing);
}

TEST_CASE("MatchRunner: five failures in a row end the run and say why") {
    Bench bench;
    bench.plan.pairs = 100;
    bench.world.script = [](const std::string& name, int) {
        FakeAct act;
        if (is_program(name, 'a')) act.kind = FakeAct::Kind::Exit;
        return act;
    };
    bench.play();
    CHECK(bench.recorder.games.size() == 5);
    CHECK(bench.runner->end().cause == MatchEnd::Cause::KeepsFailing);
    CHECK(bench.runner->end().program == 0);
    CHECK(bench.runner->end().message.find("a failed in 5 games in a row") == 0);
}

TEST_CASE("MatchRunner: a program that loses on time and does not answer stop either is failing") {
    enum class AtStop { Nothing, Exits, Answers, NoStop };
    for (const AtStop at_stop : {AtStop::Nothing, AtStop::Exits, AtStop::Answers, AtStop::NoStop}) {
        CAPTURE(static_cast<int>(at_stop));
        Bench bench;
        bench.plan.pairs = 3;
        bench.failures_in_a_row = 3;
        bench.world.ignores_stop = at_stop == AtStop::Nothing;
        bench.world.exits_at_stop = at_stop == AtStop::Exits;
        bench.world.can.stop = at_stop != AtStop::NoStop;
        bench.world.script = [](const std::string& name, int) {
            FakeAct act;
            if (is_program(name, 'b')) act.kind = FakeAct::Kind::Silence;
            return act;
        };
        bench.play();
        CHECK(bench.recorder.games[0].termination == Termination::Time);
        if (at_stop != AtStop::Answers) {
            CHECK(bench.runner->end().cause == MatchEnd::Cause::KeepsFailing);
            CHECK(bench.runner->end().program == 1);
            CHECK(bench.runner->end().message.starts_with(
                "b failed in 3 games in a row, last: b overran its time by "));
            CHECK(bench.recorder.games.size() == 3);
        } else {
            CHECK(bench.runner->end().cause == MatchEnd::Cause::Played);
            CHECK(bench.recorder.games.size() == 6);
        }
    }
}

TEST_CASE("MatchRunner: a loss on time by a program that does answer ends a row of failures") {
    for (const bool comes_late : {true, false}) {
        CAPTURE(comes_late);
        Bench bench;
        bench.plan.pairs = 3;
        bench.failures_in_a_row = 2;
        // It crashes and is late in turn: by a moment, or so much that it is told to stop.
        int games = 0;
        bench.world.script = [&](const std::string& name, int) {
            FakeAct act;
            if (!is_program(name, 'b')) return act;
            if (games++ % 2 == 0) {
                act.kind = FakeAct::Kind::Exit;
            } else {
                act.after = comes_late ? Micros{10'150'000} : Micros{20'000'000};
            }
            return act;
        };
        bench.play();
        CHECK(bench.runner->end().cause == MatchEnd::Cause::Played);
        CHECK(bench.recorder.games.size() == 6);
        CHECK(bench.runner->tally().failures()[1].time_losses == 3);
        CHECK(bench.runner->tally().failures()[1].crashes == 3);
    }
}

TEST_CASE("MatchRunner: failures behind a pair that is not finished end the run and are counted") {
    Bench bench;
    bench.plan.pairs = 100;
    bench.concurrency = 2;
    int games_of_b = 0;
    bench.world.script = [&](const std::string& name, int) {
        FakeAct act;
        // The first search of all, pair 1's, goes on beyond the others' end.
        if (is_program(name, 'b') && games_of_b++ == 0) act.after = 9s;
        if (is_program(name, 'a')) act.kind = FakeAct::Kind::Exit;
        return act;
    };
    bench.play(5s);
    CHECK(bench.runner->end().cause == MatchEnd::Cause::KeepsFailing);
    CHECK(bench.runner->end().program == 0);
    CHECK(bench.runner->tally().pairs() < 2);
    CHECK(bench.runner->tally().all_failures()[0].crashes == 5);
}

TEST_CASE("MatchRunner: a store that fails ends the match with its first reason") {
    Bench bench;
    bench.plan.pairs = 100;
    bench.concurrency = 3;
    bench.store_errors = {"the store is locked", "pair 1 is written before its games", "and more"};
    bench.play();
    CHECK(bench.runner->end().cause == MatchEnd::Cause::StoreFailed);
    CHECK(bench.runner->end().message == "the store is locked");
    CHECK(bench.runner->tally().pairs() == 0);
    CHECK(bench.world.alive == 0);
}

TEST_CASE("MatchRunner: without a clock each overlong move is stopped anew, and loses nothing") {
    Bench bench;
    bench.plan.pairs = 1;
    for (TimeControl& control : bench.plan.time) {
        control.kind = TimeControl::Kind::Nodes;
        control.nodes = 1000;
    }
    int silent = 0;
    bench.world.script = [&](const std::string& name, int) {
        FakeAct act;
        if (is_program(name, 'b')) {
            act.kind = FakeAct::Kind::Silence;  // until it is told to stop
            ++silent;
        }
        return act;
    };
    bench.play();
    CHECK(silent > 2);
    REQUIRE(bench.recorder.games.size() == 2);
    for (const GameRecord& game : bench.recorder.games)
        CHECK(game.termination == Termination::Length);
}

TEST_CASE("MatchRunner: a program that ends between games and never starts again gets one try") {
    Bench bench;
    bench.plan.pairs = 20;
    bench.failures_in_a_row = 3;
    int starts = 0;
    bench.world.starts = [&](const std::string& name, int) {
        return !is_program(name, 'a') || starts++ == 0;
    };
    bench.world.exits_in_new_game = [](const std::string& name) { return is_program(name, 'a'); };
    bench.play(10min);
    REQUIRE(bench.recorder.games.size() >= 2);
    CHECK(bench.recorder.games[0].termination == Termination::Length);
    CHECK(bench.recorder.games[1].termination == Termination::NoStart);
    CHECK(bench.recorder.warnings.size() == 1);
    CHECK(bench.runner->end().cause == MatchEnd::Cause::KeepsFailing);
    CHECK(bench.runner->end().program == 0);
}
