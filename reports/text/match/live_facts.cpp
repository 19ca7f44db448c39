#include "reports/text/match/live_facts.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/view/estimates.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"
#include "stats/data/sample.h"

namespace assay::reports {

namespace {

using harness::MatchTally;

std::string gauge(double llr, double lower, double upper) {
    constexpr int kCells = 12;
    const double share = (llr - lower) / (upper - lower);
    const int at = std::clamp(static_cast<int>(share * kCells), 0, kCells - 1);
    std::string cells;
    for (int i = 0; i < kCells; ++i) cells += i == at ? "●" : " ";
    return fmt::format("LLR {:+.2f}  [{:+.1f} ▏{}▏ {:+.1f}]", llr, lower, cells, upper);
}

/// What the match still needs; a fixed number of pairs is known already.
void add_left(std::vector<std::string>& facts, const MatchTally& tally, const MatchSpeed& speed) {
    const std::optional<MatchLeft> left = left_of(tally, speed);
    if (!left) return;
    if (!tally.plan().stop.is_sequential()) {
        if (left->most_time) facts.push_back(rough_duration(*left->most_time) + " left");
        return;
    }
    if (const std::string expected = expected_left_text(*left); !expected.empty())
        facts.push_back(expected);
    facts.push_back(most_left_text(*left));
}

}  // namespace

std::vector<std::string> live_facts(const MatchTally& tally, const MatchSpeed& speed) {
    const harness::MatchPlan& plan = tally.plan();
    std::vector<std::string> facts;
    facts.push_back(fmt::format("pairs {}/{}", grouped(tally.pairs()), grouped(plan.pairs)));
    if (tally.pairs() == 0) return facts;
    // Where all pairs are duplicates, nothing else in the block changes.
    if (tally.duplicates() > 0) facts.push_back(grouped(tally.duplicates(), "duplicate"));
    const auto test = test_state(tally);
    const auto bounds = test && test->llr ? bounds_of(*test) : std::nullopt;
    if (bounds && bounds->lower < bounds->upper)
        facts.push_back(gauge(*test->llr, bounds->lower, bounds->upper));
    if (!tally.plan().stop.is_sequential()) {
        facts.push_back(fmt::format("{} W {} D {} L", grouped(tally.wdl().wins),
                                    grouped(tally.wdl().draws), grouped(tally.wdl().losses)));
        facts.push_back(
            fmt::format("score {}/{}", score_text(half_points(tally)), grouped(tally.games())));
    }
    const stats::Strength strength =
        stats::estimate_strength(stats::sample_of(tally.pentanomial()));
    // The one to quote costs up to 100 ms in a test, too much for a line that is drawn four times a
    // second.
    const bool is_naive = plan.stop.is_sequential() || is_cut_short(tally);
    facts.push_back((is_naive ? "naive Elo " : "Elo ") + estimate_text(strength.elo, 0));
    // With few pairs the interval of nElo is too narrow: it may exclude 0 although that of Elo does
    // not.
    if (tally.pairs() >= stats::kLeastUnits)
        facts.push_back("nElo " + estimate_text(strength.nelo, 0));
    auto [failures, of_second] = tally.all_failures();
    failures += of_second;
    facts.push_back(grouped(failures.time_losses) + " lost on time");
    failures.time_losses = 0;
    if (failures.total() > 0) facts.push_back(failures_text(failures));
    if (tally.meters().delay.max_us > 0)
        facts.push_back("delay " + milliseconds(tally.meters().delay.p50_us));
    add_left(facts, tally, speed);
    return facts;
}

}  // namespace assay::reports
