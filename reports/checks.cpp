#include "reports/checks.h"

#include <array>
#include <cmath>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "reports/json_text.h"
#include "reports/words.h"
#include "stats/diagnostics.h"
#include "stats/multiple.h"
#include "stats/sample.h"

namespace assay::reports {

namespace {

namespace json = boost::json;
using harness::MatchTally;
using stats::Diagnostics;

constexpr std::int64_t kLeastPairs = 30;
/// Chance of a false alarm of each check.
constexpr double kAlarm = 1e-3;
constexpr double kAlarmZ = 3.29;

std::string percent_of(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

stats::Estimate elo_of(const stats::Pentanomial& pairs) {
    return stats::estimate_strength(stats::sample_of(pairs)).elo;
}

std::int64_t failures_of(const MatchTally& tally, std::size_t program) {
    return tally.failures()[program].total();
}

json::array ends(const stats::Interval& interval) {
    return {json_number(interval.low), json_number(interval.high)};
}

json::object estimate_json(const stats::Pentanomial& pairs) {
    const stats::Estimate elo = elo_of(pairs);
    return {{"pairs", pairs.pairs()}, {"elo", json_number(elo.value)}, {"ci95", ends(elo.ci95)}};
}

std::string alarms(const Diagnostics& found) {
    std::string text;
    if (found.duplicates > 0) {
        text += fmt::format("  check: {} repeated the moves of an earlier one, and counted\n",
                            counted(found.duplicates, "pair"));
    }
    if (found.is_lag1_flagged) {
        text += fmt::format(
            "  check: successive pairs resemble each other (lag-1 {:+.2f}); was the machine busy "
            "for a while?\n",
            found.lag1);
    }
    if (found.openings && found.openings->is_needed) {
        const stats::Interval& sure = found.openings->elo_ci95;
        text += fmt::format(
            "  check: pairs of one opening resemble each other (design effect {:.2f}): with the {} "
            "openings as units Elo {}\n",
            found.openings->design_effect, found.openings->openings,
            estimate_text({std::nullopt, sure}));
    }
    if (std::fabs(found.first_move.z) > kAlarmZ) {
        text += fmt::format("  check: the first move scored {} in one half and {} in the other\n",
                            percent_of(found.first_move.halves[0]),
                            percent_of(found.first_move.halves[1]));
    }
    if (found.slots && found.slots->p_value < kAlarm) {
        text += fmt::format("  check: results differ between slots ({}), most on slot {}\n",
                            p_value(found.slots->p_value), found.slots->worst);
    }
    return text;
}

json::value openings_json(const Diagnostics& found) {
    if (!found.openings) return nullptr;
    return json::object{{"openings", found.openings->openings},
                        {"design_effect", json_number(found.openings->design_effect)},
                        {"elo_ci95", ends(found.openings->elo_ci95)},
                        {"needed", found.openings->is_needed}};
}

json::value slots_json(const Diagnostics& found) {
    if (!found.slots) return nullptr;
    return json::object{{"slots", found.slots->groups},
                        {"chi_square", json_number(found.slots->chi_square)},
                        {"degrees", found.slots->degrees},
                        {"p_value", json_number(found.slots->p_value)},
                        {"worst", found.slots->worst},
                        {"worst_residual", json_number(found.slots->worst_residual)},
                        {"worst_p_value", json_number(found.slots->worst_p_value)}};
}

std::optional<double> p_value_of(const MatchTally& tally) {
    if (tally.pairs() == 0 || tally.rule() == nullptr) return std::nullopt;
    if (tally.plan().stop.rule == harness::StopPlan::Rule::Fixed) {
        return stats::sign_flip_test(tally.pentanomial()).p_value;
    }
    const auto post = after_stop(tally);
    if (!post) return std::nullopt;
    return post->p_value;
}

}  // namespace

std::string checks_lines(const MatchTally& tally) {
    if (tally.pairs() < kLeastPairs) return "";
    const Diagnostics found = stats::diagnose(tally.observed());
    std::string text =
        fmt::format("  checks: games of a pair correlate {:+.2f} · first move {} · lag-1 {:+.2f}",
                    found.pair_correlation, percent_of(found.first_move.score), found.lag1);
    if (found.openings) {
        text +=
            fmt::format(" · {}, design effect {:.2f}", counted(found.openings->openings, "opening"),
                        found.openings->design_effect);
    }
    if (found.slots) text += fmt::format(" · slots alike {}", p_value(found.slots->p_value));
    return text + "\n" + alarms(found);
}

std::string failure_scores_lines(const MatchTally& tally) {
    const std::int64_t first = failures_of(tally, 0);
    const std::int64_t second = failures_of(tally, 1);
    if (first + second == 0) return "";
    return fmt::format(
        "  Elo as scored {} · without those pairs {} · at best {} · at worst {}\n"
        "  {} failures against {}: {} were both equally reliable\n",
        estimate_text(elo_of(tally.pentanomial())), estimate_text(elo_of(tally.without_failures())),
        estimate_text(elo_of(tally.best_case())), estimate_text(elo_of(tally.worst_case())),
        grouped(first), grouped(second), p_value(stats::failure_p_value(first, second)));
}

json::object checks_json(const MatchTally& tally) {
    const Diagnostics found = stats::diagnose(tally.observed());
    json::object out{{"pair_correlation", json_number(found.pair_correlation)},
                     {"lag1", json_number(found.lag1)},
                     {"lag1_flagged", found.is_lag1_flagged},
                     {"duplicates_counted", found.duplicates},
                     {"first_move",
                      {{"score", json_number(found.first_move.score)},
                       {"halves", json::array{json_number(found.first_move.halves[0]),
                                              json_number(found.first_move.halves[1])}},
                       {"z", json_number(found.first_move.z)}}},
                     {"openings", openings_json(found)},
                     {"slots", slots_json(found)},
                     {"harness_caused_voids", tally.voided()}};
    const std::int64_t first = failures_of(tally, 0);
    const std::int64_t second = failures_of(tally, 1);
    out["failures"] = json::object{{"counts", json::array{first, second}},
                                   {"p_value", json_number(stats::failure_p_value(first, second))},
                                   {"as_scored", estimate_json(tally.pentanomial())},
                                   {"without_pairs", estimate_json(tally.without_failures())},
                                   {"best_case", estimate_json(tally.best_case())},
                                   {"worst_case", estimate_json(tally.worst_case())}};
    return out;
}

std::vector<ListedTest> holm_of(const RunView& view) {
    if (view.run.command_line.find("assay gate") != std::string::npos) return {};
    std::vector<ListedTest> tests;
    std::vector<double> p;
    for (std::size_t match = 0; match < view.matches.size(); ++match) {
        const auto value = p_value_of(*view.matches[match].tally);
        if (!value) continue;
        tests.push_back({match, *value, 1, false});
        p.push_back(*value);
    }
    if (tests.size() < 2) return {};
    const std::vector<stats::Adjusted> adjusted = stats::adjust_holm(p, 0.05);
    for (std::size_t i = 0; i < tests.size(); ++i) {
        tests[i].adjusted = adjusted[i].value;
        tests[i].holds = adjusted[i].is_rejected;
    }
    return tests;
}

}  // namespace assay::reports
