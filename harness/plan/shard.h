#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/plan/plan.h"

namespace assay::harness {

/// A part of a run's schedule, which is played on a machine of its own. Either one of the equal
/// parts of a run in a CI matrix (docs/ci-matrix.md): the pairs k, from 0, of each match with
/// k mod `count` = `index` - 1, interleaved so that no stretch of the schedule is one machine's. Or
/// a window: some pairs in a row of one match, which a task of a fleet plays (docs/slurm.md).
struct Shard {
    struct Window {
        std::size_t match = 0;
        std::int64_t first = 0;  // pair
        std::int64_t pairs = 1;

        friend bool operator==(const Window&, const Window&) = default;
    };

    int index = 1;                   // 1 to count
    int count = 1;                   // 1 to kMostShards
    std::optional<Window> window{};  // then the two above are 1

    /// It is all of the schedule.
    [[nodiscard]] bool is_whole() const { return count == 1 && !window; }

    /// The pair that this part plays as its position-th, from 0.
    [[nodiscard]] std::int64_t pair_at(std::int64_t position) const {
        return first() + position * count;
    }

    [[nodiscard]] bool has(std::int64_t pair) const {
        return pair >= first() && (pair - first()) % count == 0 &&
               (!window || pair < first() + window->pairs);
    }

    /// REQUIRES: has(pair).
    [[nodiscard]] std::int64_t position_of(std::int64_t pair) const {
        return (pair - first()) / count;
    }

    /// How many of the pairs below `pairs` are this part's, in a match that it has pairs of.
    [[nodiscard]] std::int64_t share_of(std::int64_t pairs) const {
        const std::int64_t share = pairs <= first() ? 0 : (pairs - first() - 1) / count + 1;
        return window ? std::min(share, window->pairs) : share;
    }

    /// The same of a match by its number.
    [[nodiscard]] std::int64_t share_of(std::size_t match, std::int64_t pairs) const {
        return window && window->match != match ? 0 : share_of(pairs);
    }

    friend bool operator==(const Shard&, const Shard&) = default;

private:
    [[nodiscard]] std::int64_t first() const { return window ? window->first : index - 1; }
};

inline constexpr int kMostShards = 10'000;

/// "3/8"; of a window "0:128+8": the match, its first pair, and how many.
[[nodiscard]] std::string text_of(const Shard& shard);

/// Reads either; nullopt where it is none, or not within 1 ≤ index ≤ count ≤ kMostShards.
[[nodiscard]] std::optional<Shard> shard_of(std::string_view text);

/// What this part plays of a whole run: its share of the pairs of each match, all of them, without
/// a stop rule, a requirement, the suite and the notice at the end; these are the whole run's.
/// REQUIRES: the pairs of each match are known.
[[nodiscard]] RunPlan plan_of_shard(RunPlan whole, const Shard& shard);

/// Throws Error (exit code 2) where a plan cannot be played in parts, which `asked` names: a
/// tournament decides its pairings as it goes, minutes would end each part at another pair, and of
/// shards without a seed each would draw its own.
void check_divisible(const RunPlan& plan, std::string_view asked);
void check_shardable(const RunPlan& plan);

}  // namespace assay::harness
