#include "reports/tournament/rated_list.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace assay::reports {

std::vector<std::size_t> rating_order(const stats::RatingTable& table) {
    std::vector<std::size_t> order(table.ratings().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const std::size_t of_a = table.connection().component_of(a);
        const std::size_t of_b = table.connection().component_of(b);
        if (of_a != of_b) return of_a < of_b;
        return table.ratings()[a].elo > table.ratings()[b].elo;
    });
    return order;
}

ShownOrders shown_orders(const stats::RatingTable& table) {
    ShownOrders orders;
    for (std::size_t a = 0; a < table.ratings().size(); ++a) {
        for (std::size_t b = a + 1; b < table.ratings().size(); ++b) {
            const stats::RatingDifference difference = table.difference(a, b);
            if (!difference.is_comparable) continue;
            ++orders.all;
            const stats::Interval& sure = difference.simultaneous95;
            if ((sure.low && *sure.low > 0) || (sure.high && *sure.high < 0)) ++orders.shown;
        }
    }
    return orders;
}

bool is_strongest(const stats::RatingTable& table, std::size_t program) {
    const stats::Rating& rating = table.ratings()[program];
    return rating.rank_low == 1 && rating.rank_high == 1 &&
           table.connection().components().size() == 1 && table.ratings().size() > 1;
}

std::string_view prior_cause(const stats::RatingTable& table, std::size_t component) {
    // Where each program has as many wins as losses, a chain of wins leads back to where it began.
    // Without one nobody has won.
    const auto has_half = [&table](std::size_t program) {
        const stats::Rating& rating = table.ratings()[program];
        return 2 * rating.points == rating.games;
    };
    return std::ranges::all_of(table.connection().components()[component], has_half) ? "all draws"
                                                                                     : "one-sided";
}

std::string rank_text(const stats::Rating& rating) {
    return rating.rank_low == rating.rank_high
               ? fmt::format("{}", rating.rank_low)
               : fmt::format("{}-{}", rating.rank_low, rating.rank_high);
}

}  // namespace assay::reports
