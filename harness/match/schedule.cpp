// The order of pairs, apart from the order in which they finish. With several games at once the
// pairs that finish first are the short ones, and the length of a game depends on its result. A
// sequential test that counted pairs as they finish would see a biased sample at each look, and one
// seed would give different verdicts at different concurrencies. So a pair that finishes early
// waits until all pairs before it have been handed on. The cost: where one game takes very long,
// finished pairs wait for it, and those that still wait when the test decides do not count.
//
// A match that stands in for another runner hands pairs on as they end, because that runner does,
// and those who read its lines count on it. Of a run that is taken up the times of their ends say
// in which order that was.
//
// A shard of a run plays every n-th pair, or some in a row. Positions among its own pairs take the
// place of the pairs' numbers, which stay those of the whole run, so that opening and games are the
// same whichever machine plays them.
//
// On resume the store holds a set of finished pairs with gaps: the pairs that were being played.
// These come first, as everything behind a gap waits for it. So does a void pair, which is played
// under the next attempt number: the store keeps the void attempt too.
#include "harness/match/schedule.h"

#include <algorithm>
#include <utility>

namespace assay::harness {

namespace {

long long ended(const PairDigest& pair) {
    return std::max(pair.games[0].ended_us, pair.games[1].ended_us);
}

}  // namespace

Schedule::Schedule(std::int64_t pairs, std::optional<std::int64_t> last, bool hands_on_at_end,
                   Shard shard, int attempt)
    : shard_(shard),
      first_attempt_(attempt),
      pairs_(pairs),
      last_(last),
      hands_on_at_end_(hands_on_at_end) {
    if (last_) last_ = shard_.share_of(*last_);
}

Schedule::Assignment Schedule::assignment(std::int64_t pair, int attempt) {
    return {pair, attempt, 2 * pair + 1};
}

std::int64_t Schedule::end() const {
    return last_ ? std::min(pairs_, *last_) : pairs_;
}

std::vector<PairDigest> Schedule::restore(std::vector<PairDigest> pairs) {
    std::map<std::int64_t, int> void_attempts;
    std::int64_t highest = -1;
    for (PairDigest& pair : pairs) {
        if (!shard_.has(pair.pair)) continue;
        highest = std::max(highest, shard_.position_of(pair.pair));
        if (is_replaced(pair.state)) {
            int& attempt = void_attempts[pair.pair];
            attempt = std::max(attempt, attempt_after(pair.state, pair.attempt));
        } else {
            waiting_[pair.pair] = std::move(pair);
        }
    }
    for (std::int64_t position = 0; position <= highest; ++position) {
        const std::int64_t pair = shard_.pair_at(position);
        if (waiting_.contains(pair)) continue;
        const auto found = void_attempts.find(pair);
        again_[pair] = found == void_attempts.end() ? first_attempt_ : found->second;
    }
    next_ = highest + 1;
    return take_in_order();
}

std::optional<Schedule::Assignment> Schedule::next() {
    if (!again_.empty()) {
        const auto first = again_.begin();
        if (shard_.position_of(first->first) < end()) {
            const Assignment again = assignment(first->first, first->second);
            again_.erase(first);
            return again;
        }
        return std::nullopt;
    }
    if (next_ >= end()) return std::nullopt;
    return assignment(shard_.pair_at(next_++), first_attempt_);
}

std::vector<PairDigest> Schedule::finished(const PairDigest& pair) {
    waiting_[pair.pair] = pair;
    return take_in_order();
}

void Schedule::replay(std::int64_t pair, int last_attempt) {
    again_[pair] = last_attempt + 1;
}

std::vector<PairDigest> Schedule::take_waiting() {
    std::vector<PairDigest> pairs;
    for (auto& [number, pair] : waiting_) pairs.push_back(std::move(pair));
    waiting_.clear();
    return pairs;
}

std::vector<PairDigest> Schedule::take_in_order() {
    std::vector<PairDigest> ready;
    if (hands_on_at_end_) {
        for (auto& [number, pair] : waiting_) {
            ahead_.insert(number);
            ready.push_back(std::move(pair));
        }
        waiting_.clear();
        std::ranges::stable_sort(ready, {}, ended);
        while (ahead_.erase(shard_.pair_at(cursor_)) > 0) ++cursor_;
        return ready;
    }
    while (!waiting_.empty() && waiting_.begin()->first == shard_.pair_at(cursor_)) {
        ready.push_back(std::move(waiting_.begin()->second));
        waiting_.erase(waiting_.begin());
        ++cursor_;
    }
    return ready;
}

}  // namespace assay::harness
