#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/tournament/version_pool.h"
#include "stats/estimate/rating.h"

namespace assay::reports {

/// What a rating list is printed from.
struct RatedList {
    std::vector<std::string> programs;
    std::vector<harness::PooledVersion> versions;  // by program, of stores; else empty
    std::string note;                              // what was read
    std::vector<std::string> warnings;
    std::int64_t duplicates = 0;
    std::uint64_t seed = 1;
    bool has_anchor = false;  // ratings are relative to it, else to their mean
};

/// The programs, component by component, in order of strength.
[[nodiscard]] std::vector<std::size_t> rating_order(const stats::RatingTable& table);

/// How many differences of two programs are comparable, and how many of these are shown by the
/// intervals that hold all together.
struct ShownOrders {
    std::size_t shown = 0;
    std::size_t all = 0;
};

[[nodiscard]] ShownOrders shown_orders(const stats::RatingTable& table);

/// Whether all others are shown to be weaker.
[[nodiscard]] bool is_strongest(const stats::RatingTable& table, std::size_t program);

/// Why half a win and half a loss were added for the programs of a component (has_prior()): what
/// its results are, "one-sided" or "all draws".
[[nodiscard]] std::string_view prior_cause(const stats::RatingTable& table, std::size_t component);

/// "2" or "2-5", by the intervals that hold all together.
[[nodiscard]] std::string rank_text(const stats::Rating& rating);

}  // namespace assay::reports
