// What is left of a match: at most the pairs of the plan or of the rule's horizon, and as an
// expectation what the rule says about itself. Times are pairs times the measured time per pair,
// and never more than what is left of a budget in minutes. Both are estimates for a reader and
// decide nothing.
#include "reports/view/match_left.h"

#include <algorithm>

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "reports/view/json_text.h"
#include "reports/view/number_text.h"

namespace assay::reports {

namespace {

/// Beyond it a time says nothing.
constexpr double kLongest = 1e15;

std::optional<Micros> time_of(double pairs, const MatchSpeed& speed,
                              const std::optional<Micros>& budget) {
    std::optional<Micros> time;
    if (speed.us_per_pair) {
        const double micros = pairs * *speed.us_per_pair;
        if (micros < kLongest) time = Micros(static_cast<long long>(micros));
    }
    if (!budget) return time;
    const Micros rest = std::max(*budget - speed.spent, Micros(0));
    return time ? std::min(*time, rest) : rest;
}

std::string pairs_text(std::int64_t pairs, const std::optional<Micros>& time) {
    std::string text = grouped(pairs, "pair") + " left";
    if (time) text += " (" + rough_duration(*time) + ")";
    return text;
}

}  // namespace

MatchSpeed mean_speed(const harness::MatchTally& tally) {
    MatchSpeed speed;
    speed.spent = Micros(tally.meters().wall_us);
    if (tally.pairs() > 0 && tally.meters().wall_us > 0)
        speed.us_per_pair =
            static_cast<double>(tally.meters().wall_us) / static_cast<double>(tally.pairs());
    return speed;
}

std::optional<MatchLeft> left_of(const harness::MatchTally& tally, const MatchSpeed& speed) {
    const harness::MatchPlan& plan = tally.plan();
    const bool is_over = tally.verdict() != harness::Verdict::None || tally.is_book_exhausted() ||
                         tally.is_out_of_time() || tally.pairs() >= plan.pairs;
    if (is_over) return std::nullopt;
    MatchLeft left;
    left.most_pairs = plan.pairs - tally.pairs();
    if (tally.rule() != nullptr) {
        if (const auto by_rule = tally.rule()->pairs_left(plan.pairs)) {
            left.expected_pairs = by_rule->expected;
            left.most_pairs = by_rule->most;
            // Without a speed only the budget is known, which is the time of all pairs.
            if (speed.us_per_pair)
                left.expected_time = time_of(by_rule->expected, speed, plan.stop.minutes);
        }
    }
    left.most_time = time_of(static_cast<double>(left.most_pairs), speed, plan.stop.minutes);
    return left;
}

std::int64_t expected_pairs(const MatchLeft& left) {
    const std::int64_t most = std::max<std::int64_t>(left.most_pairs, 1);
    return std::clamp<std::int64_t>(rough(left.expected_pairs.value_or(0)), 1, most);
}

boost::json::value json_left(const std::optional<MatchLeft>& left) {
    if (!left) return nullptr;
    const auto seconds = [](const std::optional<Micros>& time) -> boost::json::value {
        return time ? json_number(static_cast<double>(time->count()) / 1e6) : nullptr;
    };
    return boost::json::object{{"expected_pairs", json_number(left->expected_pairs)},
                               {"most_pairs", left->most_pairs},
                               {"expected_seconds", seconds(left->expected_time)},
                               {"most_seconds", seconds(left->most_time)}};
}

std::string expected_left_text(const MatchLeft& left) {
    if (!left.expected_pairs) return "";
    return "about " + pairs_text(expected_pairs(left), left.expected_time);
}

std::string most_left_text(const MatchLeft& left) {
    return "at most " + pairs_text(left.most_pairs, left.most_time);
}

std::string rough_duration(Micros time) {
    const long long seconds = time.count() / 1'000'000;
    if (seconds < 600) return duration(time);
    if (seconds < 7200) return fmt::format("{} min", seconds / 60);
    return fmt::format("{} h", grouped(seconds / 3600));
}

}  // namespace assay::reports
