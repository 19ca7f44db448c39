// The state of a pair is computed here and not taken from the store, so that a run, its resume and
// a report from the stored games cannot disagree. tally_of() therefore repeats what the run did:
// the same schedule puts the pairs in order, and the same rule sees them one by one. That needs the
// digests of the games only, not their moves.
//
// Programs that are limited by nodes or depth play the same games again from the same opening. Such
// a pair says nothing new, but would narrow the intervals, so it is dropped if its moves were seen
// before. The moves are compared by a 64-bit hash: among a million pairs two different ones share a
// hash with a probability of 3e-8.
#include "harness/match/pair_counter.h"

#include <utility>

#include "base/random.h"
#include "harness/match/schedule.h"
#include "harness/plan/resolved_stop.h"

namespace assay::harness {

namespace {

/// Whether nothing more is played of a match of a stored run. A gate plays its matches one after
/// the other, as a run does after one that has used up its minutes; all others may be played side
/// by side, and shards are.
bool is_over(const Store& store, const RunRecord& run, std::size_t match, const MatchTally& tally,
             bool out_of_time) {
    const auto was_begun = [&](std::size_t which) {
        return which < run.plan.matches.size() && store.meters(run.id, which).wall_us > 0;
    };
    if (run.state == RunState::Finished) return was_begun(match) || tally.pairs() > 0;
    if (run.findings.is_of_shards.value_or(false)) return false;
    return (run.findings.is_gate.value_or(false) || out_of_time) && was_begun(match + 1);
}

}  // namespace

PairDigest PairCounter::count(PairDigest pair) {
    pair.state = PairState::Counted;
    if (tally_.verdict() != Verdict::None) {
        pair.state = PairState::AfterStop;
    } else if (drops_duplicates_) {
        const std::uint64_t moves = mix64(pair.games[0].moves_hash, pair.games[1].moves_hash);
        if (!seen_.insert(moves).second) pair.state = PairState::Duplicate;
    }
    tally_.add(pair);
    return pair;
}

std::vector<PairDigest> counted_pairs(const Store& store, const RunRecord& run, std::size_t match) {
    const MatchPlan& plan = run.plan.matches[match];
    PairCounter counter(plan);
    Schedule schedule(plan.pairs, std::nullopt, plan.runner.counts_as_they_end,
                      run.shard.value_or(Shard{}));
    std::vector<PairDigest> counted;
    for (const PairDigest& pair : schedule.restore(store.pairs(run.id, match))) {
        if (counter.count(pair).state == PairState::Counted) counted.push_back(pair);
    }
    return counted;
}

MatchTally tally_of(const Store& store, const RunRecord& run, std::size_t match) {
    return tally_of(store, run, match, make_stop_rule(run.plan.matches[match]));
}

MatchTally tally_of(const Store& store, const RunRecord& run, std::size_t match,
                    std::unique_ptr<stats::StopRule> rule) {
    const MatchPlan& plan = run.plan.matches[match];
    PairCounter counter(plan, std::move(rule));
    counter.tally().set_meters(store.meters(run.id, match));
    counter.tally().set_pv(store.pv_summary(run.id, match));
    for (const AttemptRecord& attempt : store.attempts(run.id))
        if (attempt.match == match) counter.tally().add_attempt(attempt);
    std::vector<PairDigest> pairs = store.pairs(run.id, match);
    for (const PairDigest& pair : pairs) {
        if (is_replaced(pair.state)) counter.add_left_out(pair);
    }
    // Pairs behind a gap wait for their turn, as they did in the run.
    Schedule schedule(plan.pairs, std::nullopt, plan.runner.counts_as_they_end,
                      run.shard.value_or(Shard{}));
    for (const PairDigest& pair : schedule.restore(std::move(pairs))) counter.count(pair);

    MatchTally& tally = counter.tally();
    if (tally.verdict() != Verdict::None)
        for (const PairDigest& pair : schedule.take_waiting()) counter.count(pair);
    tally.set_waiting(schedule.waiting());
    std::array<Failures, 2> open{};
    for (const auto& [number, pair] : schedule.waiting_pairs()) {
        for (const GameDigest& game : pair.games) count_failure(open, game);
    }
    for (const GameRecord& game : store.half_pairs(run.id, match)) {
        count_failure(open, digest_of(game));
    }
    tally.set_failures_in_open_pairs(open);
    const bool is_short = tally.verdict() == Verdict::None && tally.pairs() < plan.pairs;
    const bool out_of_time =
        is_short && plan.stop.minutes && tally.meters().wall_us >= plan.stop.minutes->count();
    if (!is_over(store, run, match, tally, out_of_time)) return std::move(tally);
    tally.close(is_short && plan.deterministic && !out_of_time, out_of_time);
    return std::move(tally);
}

}  // namespace assay::harness
