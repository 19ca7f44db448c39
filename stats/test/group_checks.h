#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace assay::stats {

/// How often each kind of result came in one of several groups (machines, say).
using GroupResults = std::array<std::int64_t, 3>;

/// For each group the p-value of "its results come from the same law as those of all others
/// together": the chi-square test of that table of two rows. Unset for a group that is too small
/// for the law (fewer than 5 expected in a cell), and where there is nothing to compare it with.
/// REQUIRES: no count is negative.
[[nodiscard]] std::vector<std::optional<double>> group_p_values(
    std::span<const GroupResults> groups);

/// Events among the trials of one group.
struct GroupRate {
    std::int64_t events = 0;
    std::int64_t trials = 0;
};

/// For each group the exact p-value of "events are as frequent here as in all groups" against
/// "they are more frequent": given how many there are in all, each is the group's with the
/// probability of its share of the trials. 1 where there are no events.
/// REQUIRES: no count is negative.
[[nodiscard]] std::vector<double> rate_p_values(std::span<const GroupRate> groups);

}  // namespace assay::stats
