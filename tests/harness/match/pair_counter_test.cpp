#include "harness/match/pair_counter.h"

#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/harness/store/sample_records.h"
#include "tests/support/temp_dir.h"

using namespace assay;
using namespace assay::harness;
using test::sample_run;
using test::write_sample_pair;

namespace {

/// A stored run of two matches with a rule each, so many pairs in the first, in this state.
struct Stored {
    Stored(RunState state, const std::string& reason, long long first_us, long long second_us) {
        run.plan.matches.resize(2);
        for (MatchPlan& match : run.plan.matches) {
            match.pairs = 100;
            match.stop.rule = StopPlan::Rule::Fixed;
            match.stop.minutes = std::chrono::minutes(1);
        }
        run.id = store.begin_run(run);
        for (int pair = 0; pair < 3; ++pair) write_sample_pair(store, run.id, pair);
        RunMeters meters;
        meters.wall_us = first_us;
        store.set_meters(run.id, 0, meters);
        meters.wall_us = second_us;
        if (second_us > 0) store.set_meters(run.id, 1, meters);
        store.set_state(run.id, state, reason);
        run = *store.find_run("latest");
    }

    [[nodiscard]] MatchTally tally(std::size_t match) const { return tally_of(store, run, match); }

    assay::test::TempDir dir;
    Store store{dir.path("assay.db"), Store::Access::Write};
    RunRecord run = sample_run();
};

constexpr long long kMinute = 60'000'000;

}  // namespace

TEST_CASE("tally_of: a match that a gate never began has no verdict") {
    const Stored stored(RunState::Finished, "", 1'000'000, 0);
    CHECK(stored.tally(0).verdict() == Verdict::Inconclusive);
    CHECK(stored.tally(1).verdict() == Verdict::None);
}

TEST_CASE("tally_of: which match ran out of time is told by its own minutes") {
    const Stored stored(RunState::Finished, std::string(kOutOfTime), kMinute + 5, kMinute / 2);
    CHECK(stored.tally(0).is_out_of_time());
    CHECK(stored.tally(0).verdict() == Verdict::Inconclusive);
    CHECK_FALSE(stored.tally(1).is_out_of_time());
}

TEST_CASE("tally_of: a match is over where a later one was begun, whatever became of that") {
    const Stored stored(RunState::Failed, "base failed", kMinute + 5, 1000);
    CHECK(stored.tally(0).is_out_of_time());
    CHECK(stored.tally(0).verdict() == Verdict::Inconclusive);
    CHECK(stored.tally(1).verdict() == Verdict::None);
}

TEST_CASE("tally_of: an unfinished run has no verdict, however long it has played") {
    const Stored stored(RunState::Interrupted, "stopped by a signal", 2 * kMinute, 0);
    CHECK(stored.tally(0).pairs() == 3);
    CHECK(stored.tally(0).verdict() == Verdict::None);
}

TEST_CASE("tally_of: of shards that were put together no match is over, whichever were begun") {
    Stored stored(RunState::Interrupted, "stopped by a signal", 1000, 1000);
    stored.run.findings.is_gate = true;
    CHECK(stored.tally(0).verdict() == Verdict::Inconclusive);
    stored.run.findings.is_of_shards = true;
    CHECK(stored.tally(0).verdict() == Verdict::None);
}

TEST_CASE("tally_of: what a program did wrong in a pair that does not count yet is known") {
    Stored stored(RunState::Interrupted, "stopped by a signal", 1000, 0);
    const std::int64_t run = stored.run.id;
    GameRecord half = test::sample_game(3, 0, 0);
    half.termination = Termination::Crash;
    half.guilty = 0;
    stored.store.write_game(run, 0, half);
    // Pair 4 lacks, so that this one waits for its turn.
    GameRecord behind = test::sample_game(5, 1, 0);
    behind.termination = Termination::Stall;
    behind.guilty = 0;
    const GameRecord before = test::sample_game(5, 0, 0);
    stored.store.write_game(run, 0, before);
    stored.store.write_game(run, 0, behind);
    stored.store.write_pair(run, 0, assay::test::pair_of(before, behind));
    const MatchTally tally = stored.tally(0);
    CHECK(tally.pairs() == 3);
    CHECK(tally.failures()[0] == Failures{});
    CHECK(tally.all_failures()[0].crashes == 1);
    CHECK(tally.all_failures()[0].stalls == 0);
    CHECK(tally.all_failures()[1].stalls == 1);
}

TEST_CASE("tally_of: pairs behind a gap never count once the rule has decided before it") {
    const assay::test::TempDir dir;
    Store store(dir.path("assay.db"), Store::Access::Write);
    RunRecord run = sample_run();
    run.plan.matches[0].pairs = 1000;
    run.plan.matches[0].stop.rule = StopPlan::Rule::Sprt;
    run.plan.matches[0].stop.e0 = -100;
    run.plan.matches[0].stop.e1 = 100;
    run.id = store.begin_run(run);
    const auto write_won_pair = [&](std::int64_t pair) {
        std::array<GameRecord, 2> games;
        for (int game = 0; game < 2; ++game) {
            GameRecord won = test::sample_game(pair, game, 0, 10);
            for (std::size_t side = 0; side < 2; ++side)
                won.scores.value[side] = won.program[side] == 0 ? 1 : 0;
            store.write_game(run.id, 0, won);
            games[static_cast<std::size_t>(game)] = won;
        }
        store.write_pair(run.id, 0, assay::test::pair_of(games[0], games[1]));
    };
    for (std::int64_t pair = 0; pair < 40; ++pair) write_won_pair(pair);
    for (std::int64_t pair = 42; pair < 45; ++pair) write_won_pair(pair);
    store.set_state(run.id, RunState::Finished, "");
    const MatchTally tally = tally_of(store, *store.find_run("latest"), 0);
    CHECK(tally.verdict() == Verdict::Accepted);
    CHECK(tally.waiting() == 0);
    CHECK(tally.pairs() + tally.after_stop() == 43);
    CHECK(tally.after_stop() >= 3);
}

TEST_CASE("PairCounter: a pair is a repetition where both games are, and in this order") {
    MatchPlan plan;
    plan.pairs = 10;
    const auto states_of = [&plan](bool deterministic) {
        plan.deterministic = deterministic;
        PairCounter counter(plan);
        std::vector<PairState> states;
        for (const auto& [first, second] :
             {std::pair{1U, 2U}, {1U, 3U}, {4U, 2U}, {2U, 1U}, {1U, 2U}}) {
            PairDigest pair = test::sample_pair(static_cast<std::int64_t>(states.size()));
            pair.games[0].moves_hash = first;
            pair.games[1].moves_hash = second;
            states.push_back(counter.count(pair).state);
        }
        return states;
    };
    CHECK(states_of(true) == std::vector<PairState>{PairState::Counted, PairState::Counted,
                                                    PairState::Counted, PairState::Counted,
                                                    PairState::Duplicate});
    CHECK(states_of(false) == std::vector<PairState>(5, PairState::Counted));
}

TEST_CASE("tally_of: deterministic programs whose minutes are over have not used up their book") {
    Stored stored(RunState::Finished, std::string(kOutOfTime), kMinute + 5, kMinute / 2);
    for (MatchPlan& match : stored.run.plan.matches) match.deterministic = true;
    CHECK(stored.tally(0).is_out_of_time());
    CHECK_FALSE(stored.tally(0).is_book_exhausted());
    // The second ended with time left, and before its last pair.
    CHECK_FALSE(stored.tally(1).is_out_of_time());
    CHECK(stored.tally(1).is_book_exhausted());
}
