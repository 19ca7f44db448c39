#include "harness/match_runner.h"

#include <algorithm>
#include <deque>

#include <doctest/doctest.h>

#include "harness/machine.h"
#include "tests/support/fake_player.h"

using namespace assay;
using namespace assay::harness;
using test::FakeAct;
using test::FakePlayer;
using test::FakeWorld;
using namespace std::chrono_literals;

namespace {

class Recorder final : public Listener {
public:
    void on_game_end(const GameRecord& game, bool) override { games.push_back(game); }

    void on_pair(const PairDigest& pair, const MatchTally&) override { pairs.push_back(pair); }

    void on_warning(std::string_view kind, std::string_view text) override {
        warnings.push_back(std::string(kind) + ": " + std::string(text));
    }

    std::vector<GameRecord> games;
    std::vector<PairDigest> pairs;
    std::vector<std::string> warnings;
};

/// One match of scripted programs "a" and "b"; the store is this object.
class Bench {
public:
    Bench() {
        plan.pairs = 2;
        plan.adjudicate.length = 3;
        for (TimeControl& control : plan.time) {
            control.periods = {{0, 10s, 100ms}};
        }
    }

    void play(Micros limit = 1h) {
        begin();
        REQUIRE(run(limit));
    }

    void begin() {
        MatchRunner::Setup setup{plan,
                                 {"a", "b"},
                                 {spec("a"), spec("b")},
                                 *game,
                                 [](std::int64_t) { return openings::Opening{}; },
                                 openings,
                                 concurrency,
                                 failures_in_a_row,
                                 {},
                                 {},
                                 false,
                                 [] { return Micros{0}; },
                                 machine};
        runner = std::make_unique<MatchRunner>(
            setup,
            [this](const adapters::ProgramSpec& s, adapters::PlayerListener& listener) {
                return std::make_unique<FakePlayer>(world, s, listener);
            },
            world.clock,
            [this](GameRecord record, const std::optional<PairDigest>& pair) {
                stored.push_back(std::move(record));
                world.at(world.clock.now() + disk, [this, pair] {
                    if (pair) {
                        stored_pairs.push_back(*pair);
                        runner->on_durable(*pair);
                    } else {
                        runner->on_game_durable();
                    }
                });
            },
            [this](const PairDigest& pair) { changed.push_back(pair); },
            std::vector<Listener*>{&recorder});
        runner->restore(restored, half, meters);
        runner->start(world.clock.now());
    }

    bool run(Micros limit) {
        return world.run_until([this] { return runner->is_done(); },
                               [this](TimePoint now) { runner->tick(now); }, limit);
    }

    [[nodiscard]] adapters::ProgramSpec spec(const std::string& name) const {
        adapters::ProgramSpec s;
        s.name = name;
        s.ping_before_go = pinged;
        return s;
    }

    FakeWorld world;
    MatchPlan plan;
    int concurrency = 1;
    int failures_in_a_row = 5;
    bool pinged = false;
    std::optional<std::int64_t> openings;
    std::unique_ptr<rules::Game> game = rules::make_game("chess");
    Recorder recorder;
    std::deque<GameRecord> stored;
    std::vector<PairDigest> stored_pairs;
    std::vector<PairDigest> changed;  // states that became others
    std::vector<PairDigest> restored;
    std::vector<GameRecord> half;
    RunMeters meters;  // of earlier sittings
    std::int64_t machine = 0;
    Micros disk{5ms};  // from a game's end to its being durable
    std::unique_ptr<MatchRunner> runner;
};

bool is_program(const std::string& name, char letter) {
    return !name.empty() && name.front() == letter;
}

}  // namespace

TEST_CASE("MatchRunner: a pair is one opening with sides swapped, and both games count") {
    Bench bench;
    bench.play();
    REQUIRE(bench.recorder.games.size() == 4);
    CHECK(bench.recorder.games[0].program == std::array<int, 2>{0, 1});
    CHECK(bench.recorder.games[1].program == std::array<int, 2>{1, 0});
    CHECK(bench.recorder.games[0].termination == Termination::Length);
    CHECK(bench.runner->tally().pairs() == 2);
    CHECK(bench.runner->end().cause == MatchEnd::Cause::Played);
    CHECK(bench.world.alive == 0);
}

TEST_CASE("MatchRunner: a program that exits loses the game, is replaced, and the match goes on") {
    Bench bench;
    int exits = 0;
    bench.world.script = [&](const std::string& name, int) {
        FakeAct act;
        if (is_program(name, 'a') && exits++ == 0) act.kind = FakeAct::Kind::Exit;
        return act;
    };
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
    bench.world.script = [&](const std::string& name, int) {
        FakeAct act;
        if (is_program(name, 'b') && searches++ == 0) act.kind = FakeAct::Kind::Silence;
        return act;
    };
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
    bench.world.script = [&](const std::string& name, int) {
        FakeAct act;
        if (is_program(name, 'b') && searches++ == 0) act.kind = FakeAct::Kind::Silence;
        return act;
    };
    bench.play();
    CHECK(bench.recorder.games[0].termination == Termination::Stall);
    CHECK(bench.recorder.games[0].guilty == 1);
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
              ") cannot start programs: none was started within 60 s, and others wait for that");
    CHECK(bench.recorder.games.empty());
    CHECK(bench.recorder.warnings.empty());
}

TEST_CASE(
    "MatchRunner: a program that exits while the other prepares loses, and the match goes on") {
    Bench bench;
    int exits = 0;
    bench.world.exits_in_new_game = [&](const std::string& name) {
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
    // Of a: its first game's, then the pair's second one, and the next pair's first.
    bench.world.exits_in_new_game = [&](const std::string& name) {
        if (!is_program(name, 'a')) return false;
        ++new_games;
        return new_games == 2 || new_games == 4;
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
    CHECK(bench.recorder.games[0].reason == "a overran its time by 100.000 ms at move 1.");
}

TEST_CASE("MatchRunner: pairs finish out of order and are counted in schedule order") {
    Bench bench;
    bench.plan.pairs = 12;
    bench.concurrency = 4;
    bench.world.script = [](const std::string& name, int search) {
        FakeAct act;
        act.after = Micros{1000 * (1 + (search * 7 + name.back()) % 13)};
        return act;
    };
    bench.play();
    REQUIRE(bench.recorder.pairs.size() == 12);
    std::array<int, 4> on_slot{};
    for (std::size_t i = 0; i < 12; ++i) {
        CHECK(bench.recorder.pairs[i].pair == static_cast<std::int64_t>(i));
        ++on_slot.at(static_cast<std::size_t>(bench.recorder.pairs[i].slot));
    }
    CHECK(std::ranges::none_of(on_slot, [](int pairs) { return pairs == 0; }));
}

TEST_CASE("MatchRunner: a restored run plays the rest, and a half pair's second game only") {
    Bench whole;
    whole.plan.pairs = 3;
    whole.play();

    Bench rest;
    rest.plan.pairs = 3;
    rest.restored = {whole.stored_pairs[0]};
    rest.half = {whole.stored[2]};  // first game of the second pair
    rest.machine = 77;
    rest.play();
    CHECK(rest.recorder.games.size() == 3);
    CHECK(rest.recorder.pairs.size() == 2);  // what an earlier sitting has told is not told again
    CHECK(rest.recorder.games[0].number() == 4);
    CHECK(rest.runner->tally().pairs() == 3);
    CHECK(rest.runner->tally().pentanomial() == whole.runner->tally().pentanomial());
    // A pair is of the machine that its first game was played on.
    CHECK(rest.recorder.games[0].machine == 77);
    CHECK(rest.recorder.pairs[0].machine == 0);
    CHECK(rest.recorder.pairs[1].machine == 77);
    CHECK(rest.runner->tally().machines() == std::vector<std::int64_t>{0, 77});
    CHECK(rest.runner->tally().observed()[2].machine == 1);
}

TEST_CASE("MatchRunner: the same moves again are a duplicate where programs are deterministic") {
    Bench bench;
    bench.plan.pairs = 3;
    bench.plan.deterministic = true;
    bench.plan.stop.minutes = 1min;
    bench.begin();
    REQUIRE(bench.run(2min));
    CHECK(bench.runner->tally().pairs() == 1);
    CHECK(bench.runner->tally().duplicates() > 1);
    CHECK(bench.runner->end().cause == MatchEnd::Cause::OutOfTime);
}

TEST_CASE("MatchRunner: duplicates leave room for as many pairs as were planned") {
    Bench bench;
    bench.plan.pairs = 4;
    bench.plan.deterministic = true;
    bench.plan.stop.rule = StopPlan::Rule::Sprt;
    bench.plan.stop.e0 = 0;
    bench.plan.stop.e1 = 50;
    bench.openings = 3;
    bench.play();
    CHECK(bench.runner->tally().pairs() == 1);
    CHECK(bench.runner->tally().duplicates() == 2);
    REQUIRE(bench.changed.size() == 2);  // the store is told
    CHECK(bench.changed[1].pair == 2);
    CHECK(bench.changed[1].state == PairState::Duplicate);
    CHECK(bench.runner->end().cause == MatchEnd::Cause::BookExhausted);
    CHECK(bench.runner->tally().is_book_exhausted());
    CHECK(bench.runner->tally().verdict() == Verdict::Inconclusive);
}

TEST_CASE("MatchRunner: a pair on its way to the disk when the time runs out is counted") {
    Bench bench;
    bench.plan.pairs = 1000;
    bench.plan.stop.rule = StopPlan::Rule::Fixed;
    bench.plan.stop.minutes = 1s;
    bench.disk = 300ms;
    bench.concurrency = 4;
    bench.play();
    CHECK(bench.runner->end().cause == MatchEnd::Cause::OutOfTime);
    CHECK(bench.runner->tally().is_out_of_time());
    CHECK(bench.runner->tally().verdict() == Verdict::Inconclusive);
    MatchTally again(bench.plan);
    Schedule schedule(bench.plan.pairs, std::nullopt);
    for (const PairDigest& pair : schedule.restore(bench.stored_pairs)) again.add(pair);
    again.close(false, true);
    CHECK(again.pairs() == bench.runner->tally().pairs());
    CHECK(again.pentanomial() == bench.runner->tally().pentanomial());
}

TEST_CASE("MatchRunner: a decision by what was on its way to the disk stands, time or no time") {
    Bench bench;
    bench.plan.pairs = 1000;
    bench.plan.stop.rule = StopPlan::Rule::Sprt;
    bench.plan.stop.e0 = 0;
    bench.plan.stop.e1 = 300;
    bench.plan.stop.minutes = 20s;
    bench.disk = 1min;  // nothing is counted before the time is over
    bench.world.script = [](const std::string& name, int search) {
        FakeAct act;
        if (is_program(name, 'b') && search % 2 == 1) act.move = "0000";
        return act;
    };
    bench.failures_in_a_row = 1'000'000;
    bench.play();
    CHECK(bench.runner->tally().verdict() == Verdict::Accepted);
    CHECK(bench.runner->end().cause == MatchEnd::Cause::Decided);
    CHECK_FALSE(bench.runner->tally().is_out_of_time());
}

TEST_CASE("MatchRunner: what earlier sittings measured is kept, and their minutes count") {
    Bench whole;
    whole.plan.pairs = 3;
    whole.play();

    Bench rest;
    rest.plan.pairs = 3;
    rest.restored = whole.stored_pairs;
    rest.meters.delay = {40, 110, 900, 12.5};
    rest.meters.wall_us = 7'000'000;
    rest.play();
    const RunMeters& meters = rest.runner->tally().meters();
    CHECK(meters.delay.p50_us == 40);
    CHECK(meters.delay.p99_us == 110);
    CHECK(meters.delay.max_us == 900);
    CHECK(meters.delay.cpu_us_per_ply == 12.5);
    CHECK(meters.wall_us == 7'000'000);

    Bench late;
    late.plan.pairs = 1000;
    late.plan.stop.minutes = 7s;
    late.meters.wall_us = 6'950'000;
    late.play();
    CHECK(late.runner->end().cause == MatchEnd::Cause::OutOfTime);
    CHECK(late.runner->tally().pairs() < 10);
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

TEST_CASE("MatchRunner: an interrupt ends at once, without results for what was being played") {
    Bench bench;
    bench.plan.pairs = 100;
    bench.begin();
    CHECK_FALSE(bench.run(100ms));
    const std::size_t before = bench.recorder.games.size();
    bench.runner->interrupt(bench.world.clock.now(), 500ms);
    REQUIRE(bench.run(2s));
    CHECK(bench.recorder.games.size() == before);
    CHECK(bench.runner->end().cause == MatchEnd::Cause::Interrupted);
    CHECK(bench.world.alive == 0);
}
