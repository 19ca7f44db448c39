#include "harness/pair_counter.h"

#include <utility>

#include "base/random.h"
#include "harness/schedule.h"

namespace assay::harness {

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

MatchTally tally_of(const Store& store, const RunRecord& run, std::size_t match) {
    const MatchPlan& plan = run.plan.matches[match];
    PairCounter counter(plan);
    counter.tally().set_meters(store.meters(run.id, match));
    std::vector<PairDigest> pairs = store.pairs(run.id, match);
    for (const PairDigest& pair : pairs) {
        if (pair.state == PairState::Void) counter.add_void(pair);
    }
    // Pairs behind a gap wait for their turn, as they did in the run.
    Schedule schedule(plan.pairs, std::nullopt);
    for (const PairDigest& pair : schedule.restore(std::move(pairs))) counter.count(pair);

    const bool is_over = run.state == RunState::Finished;
    const bool book_exhausted = is_over && plan.deterministic &&
                                counter.tally().verdict() == Verdict::None &&
                                counter.tally().pairs() < plan.pairs;
    const bool out_of_time = run.end_reason == kOutOfTime;
    if (is_over || out_of_time) counter.tally().close(book_exhausted, out_of_time);
    return std::move(counter.tally());
}

}  // namespace assay::harness
