// How many pairs fit into a time, before any has been played. The boundary of a capped test is made
// for a number of pairs (stats/stop/capped.h), so that a plan which gives only minutes needs the
// number in advance, before anything could be measured. A run stores the number that it began with.
//
// The estimate is the time that both clocks hold for a usual game of 60 moves a side. Limits by
// nodes or depth say nothing of time: there the plan has to name the pairs.
#include "harness/match/budget.h"

#include <algorithm>
#include <cstdint>

#include "base/diagnostic.h"
#include "harness/match/match_setting.h"
#include "harness/plan/resolved_stop.h"
#include "stats/stop/capped.h"

namespace assay::harness {

namespace {

/// Mean number of moves a side in games between two programs, over many matches.
constexpr double kMovesASide = 60;
/// Programs leave some of a clock's time unused.
constexpr double kUsedOfClock = 0.9;
/// A reserve, since games may be longer than estimated: a test that runs out of time shows nothing,
/// a slightly wider one does.
constexpr double kUsedOfMinutes = 0.9;
constexpr std::int64_t kDefaultPairs = 1000;
constexpr double kMostBudgetPairs = 1e9;

double seconds(Micros time) {
    return static_cast<double>(time.count()) / 1e6;
}

double seconds_of_periods(const std::vector<Period>& periods) {
    if (periods.empty()) return 0;  // as a store from elsewhere may have it
    double total = 0;
    double moves = 0;
    for (std::size_t i = 0; moves < kMovesASide; ++i) {
        const Period& period = periods[std::min(i, periods.size() - 1)];
        const double made = period.moves > 0 ? period.moves : kMovesASide - moves;
        total += seconds(period.time) + made * seconds(period.increment);
        moves += made;
    }
    return total * kUsedOfClock;
}

std::optional<double> seconds_a_side(const TimeControl& control) {
    using Kind = TimeControl::Kind;
    switch (control.kind) {
        case Kind::Clock:
            return seconds_of_periods(control.periods);
        case Kind::MoveTime:
            return kMovesASide * seconds(control.move_time);
        case Kind::Hourglass:
            // What a player uses comes back while the other one thinks, so that no sum of clocks
            // bounds the game. Twice the glass is a guess.
            return 2 * seconds(control.main);
        case Kind::Byoyomi:
            return seconds(control.main) + kMovesASide * seconds(control.byoyomi);
        case Kind::Canadian:
            return seconds(control.main) +
                   kMovesASide / std::max(1, control.stones) * seconds(control.byoyomi);
        case Kind::Nodes:
        case Kind::Depth:
        case Kind::Infinite:
            break;
    }
    return std::nullopt;
}

std::int64_t pairs_for(const RunPlan& plan, const MatchPlan& match) {
    const StopPlan& stop = match.stop;
    if (stop.e0 && stop.e1 && (stop.alpha || stop.beta)) {
        return stats::cap_in_pairs(stats::Shape::Capped, *stop.e1 - *stop.e0,
                                   stop.alpha.value_or(0.05), stop.beta.value_or(0.05));
    }
    if (!stop.minutes) return kDefaultPairs;
    const std::optional<double> pairs =
        pairs_within(match, *stop.minutes, concurrency_of(plan, match));
    if (!pairs) {
        throw Error(
            "match '" + match.name +
            "': without a clock assay cannot tell how many pairs fit into the minutes, and a "
            "capped test needs that number in advance: give match.pairs");
    }
    return static_cast<std::int64_t>(std::clamp(*pairs * kUsedOfMinutes, 1.0, kMostBudgetPairs));
}

}  // namespace

std::optional<double> seconds_a_game(const MatchPlan& match) {
    const std::optional<double> first = seconds_a_side(match.time[0]);
    const std::optional<double> second = seconds_a_side(match.time[1]);
    if (!first || !second) return std::nullopt;
    return *first + *second;
}

std::optional<double> pairs_within(const MatchPlan& match, Micros time, int concurrency) {
    const std::optional<double> game = seconds_a_game(match);
    if (!game) return std::nullopt;
    return seconds(time) * concurrency / (2 * *game);
}

void extend(MatchPlan& match, std::int64_t pairs) {
    StopPlan& stop = match.stop;
    if (stop.rule == StopPlan::Rule::Capped) {
        // A plan may leave bounds or error rates of a capped test open, and they follow from its
        // pairs: with more pairs the pairs that were judged would get another boundary. Written
        // out, it stays the one that the test began with.
        const ResolvedStop resolved = resolve_stop(match);
        stop.e0 = resolved.elo0;
        stop.e1 = resolved.elo1;
        stop.alpha = resolved.alpha;
        stop.beta = resolved.beta;
    }
    match.pairs += pairs;
}

void derive_pairs(RunPlan& plan) {
    for (MatchPlan& match : plan.matches) {
        if (match.stop.rule == StopPlan::Rule::Capped && match.pairs == 0) {
            match.pairs = pairs_for(plan, match);
        }
    }
}

}  // namespace assay::harness
