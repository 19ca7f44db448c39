#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/plan/plan.h"

namespace assay::harness {

/// One of the equal parts in which a run is played on several machines (docs/ci-matrix.md): the
/// pairs k, from 0, with k mod `count` = `index` - 1. They are interleaved so that no stretch of
/// the schedule is one machine's.
struct Shard {
    int index = 1;  // 1 to count
    int count = 1;  // 1 to kMostShards

    /// The pair that this shard plays as its position-th, from 0.
    [[nodiscard]] std::int64_t pair_at(std::int64_t position) const {
        return position * count + index - 1;
    }

    [[nodiscard]] bool has(std::int64_t pair) const { return pair % count == index - 1; }

    /// REQUIRES: has(pair).
    [[nodiscard]] std::int64_t position_of(std::int64_t pair) const { return pair / count; }

    /// How many of the pairs below `pairs` are this shard's.
    [[nodiscard]] std::int64_t share_of(std::int64_t pairs) const {
        return pairs < index ? 0 : (pairs - index) / count + 1;
    }

    friend bool operator==(const Shard&, const Shard&) = default;
};

inline constexpr int kMostShards = 10'000;

/// "3/8"
[[nodiscard]] std::string text_of(const Shard& shard);

/// Reads it; nullopt where it is none, or not within 1 ≤ index ≤ count ≤ kMostShards.
[[nodiscard]] std::optional<Shard> shard_of(std::string_view text);

/// What this shard plays of a whole run: its share of the pairs of each match, all of them, without
/// a stop rule, a requirement, the suite and the notice at the end; these are the merged run's.
/// REQUIRES: the pairs of each match are known.
[[nodiscard]] RunPlan plan_of_shard(RunPlan whole, const Shard& shard);

/// Throws Error (exit code 2) where a plan cannot be played in shards: without a seed each would
/// draw its own; a tournament decides its pairings as it goes; and minutes would end each part at
/// another pair.
void check_shardable(const RunPlan& plan);

}  // namespace assay::harness
