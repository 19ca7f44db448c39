#include "reports/dropin/scoreboard.h"

namespace assay::reports::dropin {

namespace {

using harness::ResultCounts;

void add(ResultCounts& sum, const ResultCounts& more) {
    sum.wins += more.wins;
    sum.losses += more.losses;
    sum.draws += more.draws;
    sum.pairs_ww += more.pairs_ww;
    sum.pairs_wd += more.pairs_wd;
    sum.pairs_wl += more.pairs_wl;
    sum.pairs_dd += more.pairs_dd;
    sum.pairs_ld += more.pairs_ld;
    sum.pairs_ll += more.pairs_ll;
}

}  // namespace

ResultCounts SideCounts::all() const {
    ResultCounts sum = as_first;
    add(sum, as_second);
    return sum;
}

ResultCounts mirrored(const ResultCounts& counts) {
    ResultCounts seen = counts;
    std::swap(seen.wins, seen.losses);
    std::swap(seen.pairs_ww, seen.pairs_ll);
    std::swap(seen.pairs_wd, seen.pairs_ld);
    return seen;
}

ResultCounts Scoreboard::of(std::size_t engine) const {
    ResultCounts sum;
    for (const auto& [couple, counts] : couples_) {
        if (couple.first == engine) add(sum, counts);
        if (couple.second == engine) add(sum, mirrored(counts));
    }
    return sum;
}

void Scoreboard::add_sides(std::size_t first, std::size_t second, int half_points) {
    sides_.at(first).as_first.add_game(half_points);
    sides_.at(second).as_second.add_game(2 - half_points);
}

}  // namespace assay::reports::dropin
