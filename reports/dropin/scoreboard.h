#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "harness/record/result_counts.h"

namespace assay::reports::dropin {

/// Results of an engine by the side that it played.
struct SideCounts {
    harness::ResultCounts as_first;
    harness::ResultCounts as_second;

    [[nodiscard]] harness::ResultCounts all() const;
};

/// The same results seen by the other one.
[[nodiscard]] harness::ResultCounts mirrored(const harness::ResultCounts& counts);

/// What engines took from each other, by their numbers in the list.
class Scoreboard {
public:
    /// Two engines, the one that is earlier in the list first.
    using Couple = std::pair<std::size_t, std::size_t>;

    explicit Scoreboard(std::size_t engines = 0) : sides_(engines) {}

    /// The results of `low`. REQUIRES: low < high.
    [[nodiscard]] harness::ResultCounts& between(std::size_t low, std::size_t high) {
        return couples_[{low, high}];
    }

    /// Of those that have any.
    [[nodiscard]] const std::map<Couple, harness::ResultCounts>& couples() const {
        return couples_;
    }

    /// Of an engine, against all.
    [[nodiscard]] harness::ResultCounts of(std::size_t engine) const;

    /// A game for sides(), in half points of the one with the first move.
    void add_sides(std::size_t first, std::size_t second, int half_points);

    [[nodiscard]] const SideCounts& sides(std::size_t engine) const { return sides_.at(engine); }

private:
    std::map<Couple, harness::ResultCounts> couples_;
    std::vector<SideCounts> sides_;
};

}  // namespace assay::reports::dropin
