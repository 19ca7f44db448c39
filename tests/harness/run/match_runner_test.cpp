#include "harness/run/match_runner.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/harness/run/match_bench.h"
#include "tests/support/sample_tally.h"

using namespace assay;
using namespace assay::harness;
using test::FakeAct;
using test::is_program;
using Bench = test::MatchBench;
using namespace std::chrono_literals;

TEST_CASE("MatchRunner: a pair is one opening with sides swapped, and both games count") {
    Bench bench;
    bench.opening_of = [](std::int64_t pair) {
        openings::Opening opening;
        opening.moves = {pair == 0 ? "a2a3" : "b2b3"};
        opening.index = static_cast<std::uint64_t>(pair);
        return opening;
    };
    bench.play();
    REQUIRE(bench.recorder.games.size() == 4);
    CHECK(bench.recorder.games[0].program == Lineup{0, 1});
    CHECK(bench.recorder.games[1].program == Lineup{1, 0});
    for (const std::size_t game : {0U, 1U, 2U, 3U}) {
        const GameRecord& record = bench.recorder.games[game];
        CHECK(record.pair == static_cast<std::int64_t>(game / 2));
        CHECK(record.opening == bench.opening_of(record.pair).moves);
        CHECK(record.opening_index == bench.opening_of(record.pair).index);
    }
    CHECK(bench.recorder.games[0].termination == Termination::Length);
    CHECK(bench.runner->tally().pairs() == 2);
    CHECK(bench.runner->end().cause == MatchEnd::Cause::Played);
    CHECK(bench.world.alive == 0);
}

TEST_CASE("MatchRunner: programs that no pair is left for end while others still play") {
    for (const bool deterministic : {false, true}) {
        CAPTURE(deterministic);
        Bench bench;
        bench.concurrency = 2;
        bench.plan.deterministic = deterministic;
        bench.openings = deterministic ? std::optional<std::int64_t>{2} : std::nullopt;
        int moves = 0;
        // The two games that begin first: those of pair 0 and 1. One of them takes long.
        bench.world.script = [&](const std::string&, int) {
            FakeAct act;
            if (++moves == 1) act.after = 5s;
            return act;
        };
        bench.begin();
        const bool has_played =
            bench.world.run_until([&] { return bench.stored_pairs.size() == 1; },
                                  [&](TimePoint now) { bench.runner->tick(now); }, 4s);
        REQUIRE(has_played);
        const TimePoint soon = bench.world.clock.now() + 50ms;
        REQUIRE(bench.world.run_until([&] { return bench.world.clock.now() >= soon; },
                                      [&](TimePoint now) { bench.runner->tick(now); }, 1s));
        // A pair that turns out to be a double would be made up for.
        CHECK(bench.world.alive == (deterministic ? 4 : 2));
        REQUIRE(bench.run(1h));
        CHECK(bench.runner->tally().pairs() == (deterministic ? 1 : 2));
        CHECK(bench.world.alive == 0);
    }
}

TEST_CASE("MatchRunner: a slot plays its games with the programs that it has") {
    Bench bench;
    bench.plan.pairs = 5;
    int started = 0;
    bench.world.starts = [&started](const std::string&, int) {
        ++started;
        return true;
    };
    bench.play();
    CHECK(bench.runner->tally().pairs() == 5);
    CHECK(started == 2);
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
    CHECK(rest.recorder.pairs.size() == 2);  // what an earlier session has told is not told again
    CHECK(rest.recorder.games[0].number == 4);
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
    bench.plan.stop.minutes = 15s;
    bench.begin();
    REQUIRE(bench.run(2min));
    CHECK(bench.runner->tally().pairs() == 1);
    CHECK(bench.runner->tally().duplicates() > 1);
    CHECK(bench.runner->end().cause == MatchEnd::Cause::OutOfTime);
}

TEST_CASE("MatchRunner: a pair that is durable leaves a place to whichever match may have it") {
    Bench bench;
    std::vector<TimePoint> offers;
    bench.on_free_place = [&] {
        offers.push_back(bench.world.clock.now());
        bench.runner->offer_work();
    };
    bench.play();
    REQUIRE(bench.stored_pairs.size() == 2);
    // Each place is offered when its pair ends, and again when that is durable.
    CHECK(std::ranges::count_if(offers, [&](TimePoint at) {
              return std::ranges::find(offers, at - bench.disk) != offers.end();
          }) == 2);
}

TEST_CASE("MatchRunner: what a match has used changes no more when it has ended") {
    Bench bench;
    bench.play();
    const double used = bench.runner->meters(0, bench.world.clock.now()).delay.cpu_us_per_ply;
    volatile std::int64_t work = 0;
    for (int i = 0; i < 10'000'000; ++i) work = work + i;
    CHECK(bench.runner->meters(0, bench.world.clock.now()).delay.cpu_us_per_ply == used);
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

TEST_CASE(
    "MatchRunner: of two sessions each delay weighs by its moves, also those of half a pair") {
    Bench whole;
    whole.plan.pairs = 1;
    whole.play();
    REQUIRE(whole.stored.size() == 2);
    const auto before = static_cast<double>(whole.stored[0].moves.size());
    const auto now = static_cast<double>(whole.stored[1].moves.size());
    Bench rest;
    rest.plan.pairs = 1;
    rest.half = {whole.stored[0]};
    rest.meters.delay.p50_us = 40;
    rest.meters.delay.max_us = 40;
    rest.play();
    CHECK(rest.stored.size() == 1);
    CHECK(rest.runner->tally().meters().delay.p50_us ==
          doctest::Approx(40 * before / (before + now)));
}

TEST_CASE("MatchRunner: while too many games wait for the store no more is begun, and all end") {
    for (const std::int64_t most : {0, 6}) {
        CAPTURE(most);
        Bench bench;
        bench.plan.pairs = 30;
        bench.concurrency = 2;
        bench.most_unsaved = most;
        bench.disk = 1min;
        bench.play();
        CHECK(bench.stored_pairs.size() == 30);
        // Those of the pairs that were in play come on top.
        if (most > 0)
            CHECK(bench.most_waiting <= most + 2 * 2);
        else
            CHECK(bench.most_waiting > 20);
    }
}

TEST_CASE("MatchRunner: what earlier sessions measured is kept, and their minutes count") {
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

    // The minutes began anew after the first two seconds.
    Bench more;
    more.plan.pairs = 1000;
    more.plan.stop.minutes = 7s;
    more.meters.wall_us = 8'950'000;
    more.budget_from = 2s;
    more.play();
    CHECK(more.runner->end().cause == MatchEnd::Cause::OutOfTime);
    CHECK(more.runner->tally().pairs() == late.runner->tally().pairs());
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

TEST_CASE("MatchRunner: a pair that waits behind a gap when the rule decides is told as after it") {
    Bench bench;
    bench.plan.pairs = 1000;
    bench.plan.stop.rule = StopPlan::Rule::Sprt;
    bench.plan.stop.e0 = -100;
    bench.plan.stop.e1 = 100;
    bench.failures_in_a_row = 1'000'000;
    bench.disk = Micros{1};  // the decision is known before the next pair is played
    bench.world.script = [](const std::string& name, int) {
        FakeAct act;
        if (is_program(name, 'b')) act.move = "0000";  // illegal: the first program wins
        return act;
    };
    std::int64_t decisive = 0;
    MatchTally alone(bench.plan);
    for (; alone.verdict() == Verdict::None; ++decisive) alone.add(test::pair_of(decisive, 2, 2));
    --decisive;
    // All but the decisive pair are there, and one more behind a pair that nobody has played.
    for (std::int64_t pair = 0; pair < decisive; ++pair)
        bench.restored.push_back(test::pair_of(pair, 2, 2));
    bench.restored.push_back(test::pair_of(decisive + 2, 2, 2));
    bench.play();
    CHECK(bench.runner->end().cause == MatchEnd::Cause::Decided);
    CHECK(bench.runner->tally().verdict() == Verdict::Accepted);
    REQUIRE(bench.recorder.pairs.size() == 2);
    CHECK(bench.recorder.pairs[0].pair == decisive);
    CHECK(bench.recorder.pairs[1].pair == decisive + 2);
    CHECK(bench.recorder.pairs[1].state == PairState::AfterStop);
    REQUIRE(bench.changed.size() == 1);
    CHECK(bench.changed[0].pair == decisive + 2);
    CHECK(bench.changed[0].state == PairState::AfterStop);
    CHECK(bench.runner->tally().after_stop() == 1);
}

TEST_CASE("MatchRunner: without recovery a crash ends the match, with it the match goes on") {
    for (const bool recovers : {false, true}) {
        Bench bench;
        bench.plan.pairs = 3;
        bench.plan.runner.recovers = recovers;
        const auto has_crashed = std::make_shared<bool>(false);
        bench.world.script = [has_crashed](const std::string& program, int search) {
            FakeAct act;
            if (program == "a" && search == 1 && !std::exchange(*has_crashed, true))
                act.kind = FakeAct::Kind::Exit;
            return act;
        };
        bench.play();
        const bool ended = bench.runner->end().cause == MatchEnd::Cause::KeepsFailing;
        CHECK(ended != recovers);
        CHECK(bench.recorder.games.size() == (recovers ? 6 : 1));
    }
}

TEST_CASE("MatchRunner: an odd number of games is played to its last") {
    Bench bench;
    bench.plan.pairs = 1;
    bench.plan.runner.games_an_opening = 1;
    bench.plan.runner.has_odd_game = true;
    bench.play();
    CHECK(bench.runner->end().cause == MatchEnd::Cause::Played);
    REQUIRE(bench.recorder.games.size() == 3);
    CHECK(bench.recorder.games[2].number == 3);
    CHECK(bench.recorder.games[2].program == Lineup{0, 1});
    CHECK(bench.recorder.pairs.size() == 1);
}
