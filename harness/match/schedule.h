#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "harness/plan/shard.h"
#include "harness/record/pair.h"

namespace assay::harness {

/// Knows which pairs are still to be played and which have finished. Pairs are given out in the
/// order of their index and handed on in that order too, in whatever order they finish, unless
/// they are to be handed on as they end. Memory grows with the pairs being played, not with the
/// schedule. Starts nothing. Pure; one thread.
class Schedule {
public:
    struct Assignment {
        std::int64_t pair = 0;
        int attempt = 0;
        std::int64_t first_game = 1;  // the number of the pair's first game; others follow it
    };

    /// At most `pairs` pairs count; `last` is the number of pairs there are openings for (a
    /// deterministic match does not play an opening twice), unset: without end. Of a shard these
    /// are its own pairs, which keep the numbers that they have in the whole run; `last` is that of
    /// the whole run. `attempt`: of pairs that have not been played before.
    Schedule(std::int64_t pairs, std::optional<std::int64_t> last, bool hands_on_at_end = false,
             Shard shard = {}, int attempt = 0);

    /// Of this pair, played for the attempt-th time. The one place that numbers games: two a pair,
    /// in the order of pairs, from 1.
    [[nodiscard]] static Assignment assignment(std::int64_t pair, int attempt);

    /// Takes up a run: these pairs are finished. Void ones are to be played again. Returns those
    /// that are now in order, as finished() does. REQUIRES: called before next().
    std::vector<PairDigest> restore(std::vector<PairDigest> pairs);

    /// The next pair for a free slot; nullopt: none is to be started (now).
    [[nodiscard]] std::optional<Assignment> next();

    /// A pair that next() gave out is durable. Returns the pairs that are in schedule order now.
    std::vector<PairDigest> finished(const PairDigest& pair);

    /// The pair was void: it is given out again, before new ones, with a new attempt.
    void replay(std::int64_t pair, int last_attempt);

    /// That may count.
    [[nodiscard]] std::int64_t pairs() const { return pairs_; }

    /// One pair in schedule order did not count: one more may be played. Not in a shard, which does
    /// not know how many its run lacks.
    void extend(std::int64_t more) { pairs_ += shard_.is_whole() ? more : 0; }

    /// Pairs that are finished and wait for an earlier one.
    [[nodiscard]] std::int64_t waiting() const {
        return static_cast<std::int64_t>(waiting_.size());
    }

    [[nodiscard]] const std::map<std::int64_t, PairDigest>& waiting_pairs() const {
        return waiting_;
    }

    /// Gives those, in order: the match is decided, and nobody will play what they wait for.
    [[nodiscard]] std::vector<PairDigest> take_waiting();

    /// All that may count has been handed on, or there are no openings left.
    [[nodiscard]] bool is_complete() const { return cursor_ >= end(); }

    [[nodiscard]] bool is_book_exhausted() const {
        return last_ && cursor_ >= *last_ && *last_ < pairs_;
    }

private:
    [[nodiscard]] std::int64_t end() const;
    std::vector<PairDigest> take_in_order();

    Shard shard_;
    int first_attempt_;
    std::int64_t pairs_;
    std::optional<std::int64_t> last_;  // of the shard's pairs
    bool hands_on_at_end_;
    std::set<std::int64_t> ahead_;  // handed on, and behind a pair that is not
    // Positions among the shard's pairs, which of a whole run are the pairs' numbers.
    std::int64_t next_ = 0;                       // the first pair never given out
    std::int64_t cursor_ = 0;                     // the first pair not handed on
    std::map<std::int64_t, int> again_;           // pair -> attempt to play
    std::map<std::int64_t, PairDigest> waiting_;  // finished ahead of their turn
};

}  // namespace assay::harness
