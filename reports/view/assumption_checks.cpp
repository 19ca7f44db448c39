// What the statistics take for granted, checked on the run's own data: pairs that are independent
// of one another, of the slot and the machine that played them, of their opening, and of time. Each
// check raises a false alarm once in a thousand runs, because there are eight of them and a list
// that is often wrong is not read. They name what to look at and change no figure.
#include "reports/view/assumption_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "base/text.h"
#include "harness/run/outcome.h"
#include "reports/view/json_text.h"
#include "reports/view/machine_rows.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"
#include "stats/data/sample.h"
#include "stats/estimate/diagnostics.h"
#include "stats/test/multiple.h"

namespace assay::reports {

namespace {

namespace json = boost::json;
using harness::MatchTally;
using stats::Diagnostics;

constexpr std::int64_t kLeastPairs = 30;
/// Chance of a false alarm of each check.
constexpr double kAlarm = 1e-3;
constexpr double kAlarmZ = 3.29;

stats::Estimate elo_of(const stats::Pentanomial& pairs) {
    return stats::estimate_strength(stats::sample_of(pairs)).elo;
}

std::int64_t failures_of(const MatchTally& tally, std::size_t program) {
    return tally.failures()[program].total();
}

json::object estimate_json(const stats::Pentanomial& pairs) {
    const stats::Estimate elo = elo_of(pairs);
    return {{"pairs", pairs.pairs()},
            {"elo", json_number(elo.value)},
            {"ci95", json_interval(elo.ci95)}};
}

Check correlation_check(const Diagnostics& found) {
    const double saved = -100 * found.pair_correlation;
    return {"correlation within pairs", fmt::format("{:+.2f}", found.pair_correlation), "–",
            saved > 0.5 ? fmt::format("pairing saves {:.0f} % of the games", saved)
                        : "pairing saves nothing here"};
}

Check lag1_check(const Diagnostics& found) {
    return {"successive pairs, lag 1", fmt::format("{:+.2f}", found.lag1),
            fmt::format("{:.3f}", 3.3 / std::sqrt(static_cast<double>(found.pairs))),
            found.is_lag1_flagged
                ? fmt::format("successive pairs resemble each other (lag-1 {:+.2f}); was the "
                              "machine busy for a while?",
                              found.lag1)
                : "as independent",
            found.is_lag1_flagged};
}

Check first_move_check(const Diagnostics& found) {
    const stats::FirstMove& move = found.first_move;
    const bool is_alarm = std::fabs(move.z) > kAlarmZ;
    const std::string first = percent(move.halves[0], 1);
    const std::string second = percent(move.halves[1], 1);
    return {
        "score of the first move", percent(move.score, 1), "z 3.29",
        is_alarm
            ? fmt::format("the first move scored {} in one half and {} in the other", first, second)
            : fmt::format("{}, then {} in the second half (z {:+.1f})", first, second, move.z),
        is_alarm};
}

Check openings_check(const Diagnostics& found) {
    if (!found.openings) return {"openings, design effect", "–", "1.1", "none came twice"};
    const stats::OpeningClusters& openings = *found.openings;
    const std::string name = grouped(openings.openings, "opening");
    if (openings.is_needed) {
        return {"openings, design effect", fmt::format("{:.2f}", openings.design_effect), "1.1",
                fmt::format("pairs of one opening resemble each other (design effect {:.2f}): with "
                            "the {} as units Elo {}",
                            openings.design_effect, name,
                            estimate_text({std::nullopt, openings.elo_ci95})),
                true};
    }
    return {"openings, design effect", fmt::format("{:.2f}", openings.design_effect), "1.1",
            name + (openings.design_effect > 1.1 ? ": too few to tell" : ", as independent")};
}

Check slots_check(const Diagnostics& found) {
    if (!found.slots) return {"slots alike", "–", "p 0.001", "one slot, or too few pairs in each"};
    const stats::Homogeneity& slots = *found.slots;
    const bool is_alarm = slots.p_value < kAlarm;
    return {"slots alike", p_value(slots.p_value), "p 0.001",
            is_alarm ? fmt::format("results differ between slots ({}), most on slot {}",
                                   p_value(slots.p_value), slots.worst)
                     : fmt::format("{} slots, chi-square {:.1f} with {} degrees of freedom",
                                   slots.groups, slots.chi_square, slots.degrees),
            is_alarm};
}

/// "bench-1 (300 pairs), bench-2 (12 pairs)"
std::string machines_text(const MatchTally& tally, const harness::RunRecord& run) {
    std::vector<std::int64_t> pairs(tally.machines().size());
    for (const stats::ObservedPair& pair : tally.observed()) ++pairs[pair.machine];
    std::string text;
    constexpr std::size_t kMost = 4;
    for (std::size_t i = 0; i < std::min(kMost, pairs.size()); ++i) {
        text += fmt::format("{}{} ({})", i > 0 ? ", " : "", machine_name(run, tally.machines()[i]),
                            grouped(pairs[i], "pair"));
    }
    return pairs.size() > kMost ? fmt::format("{} and {} more", text, pairs.size() - kMost) : text;
}

/// Nullopt where one machine played all pairs.
std::optional<Check> machines_check(const Diagnostics& found, const MatchTally& tally,
                                    const harness::RunRecord& run) {
    if (tally.machines().size() < 2) return std::nullopt;
    const std::string text = machines_text(tally, run);
    if (!found.machines) {
        return Check{"machines alike", "–", "p 0.001",
                     fmt::format("played on {} machines: {}; too few pairs to compare them",
                                 tally.machines().size(), text),
                     true};
    }
    const stats::Homogeneity& machines = *found.machines;
    const std::string p = p_value(machines.p_value);
    return Check{
        "machines alike", p, "p 0.001",
        machines.p_value < kAlarm
            ? fmt::format(
                  "results differ between machines ({}): {}; most on {}", p, text,
                  machine_name(run, tally.machines().at(static_cast<std::size_t>(machines.worst))))
            : fmt::format("played on {} machines: {}; results as alike as chance has it ({})",
                          tally.machines().size(), text, p),
        true};
}

/// Of a match that several machines played, what makes one unlike the others, and what was lost.
void add_machine_findings(const MatchTally& tally, const harness::RunRecord& run,
                          std::vector<Check>& checks) {
    const harness::MachineCounts& counts = tally.machine_counts();
    for (const MachineRow& row : machine_rows(tally, run)) {
        if (row.is_unlike())
            checks.push_back(
                {"machine " + row.name, "–", "p 0.01",
                 row.name + ": " + row.unlike + "; its games count, and the run is tainted", true});
    }
    const harness::MachineCount all = counts.total();
    if (all.lost == 0) return;
    checks.push_back({"attempts lost", grouped(all.lost), "2 %",
                      counts.is_lost_too_often()
                          ? "so many that the games played in their place may be others"
                          : "played again elsewhere",
                      counts.is_lost_too_often()});
}

Check duplicates_check(const Diagnostics& found, const MatchTally& tally) {
    const std::int64_t equal = found.duplicates + tally.duplicates();
    return {"pairs with equal moves", grouped(equal), "counted",
            found.duplicates > 0
                ? fmt::format("{} repeated the moves of an earlier one, and counted",
                              grouped(found.duplicates, "pair"))
            : equal > 0 ? fmt::format("not counted; {} differ", grouped(found.pairs, "pair"))
                        : "none repeats an earlier one",
            found.duplicates > 0};
}

/// The checks that need a sample.
std::vector<Check> sample_checks(const Diagnostics& found, const MatchTally& tally,
                                 const harness::RunRecord& run) {
    std::vector<Check> checks{correlation_check(found), lag1_check(found), first_move_check(found),
                              openings_check(found), slots_check(found)};
    if (auto machines = machines_check(found, tally, run)) checks.push_back(std::move(*machines));
    add_machine_findings(tally, run, checks);
    return checks;
}

std::string failures_reading(const MatchTally& tally) {
    return fmt::format(
        "Elo as scored {} · without those pairs {} · at best {} · at worst {}",
        estimate_text(elo_of(tally.pentanomial())), estimate_text(elo_of(tally.without_failures())),
        estimate_text(elo_of(tally.best_case())), estimate_text(elo_of(tally.worst_case())));
}

Check failures_check(const MatchTally& tally) {
    const std::int64_t first = failures_of(tally, 0);
    const std::int64_t second = failures_of(tally, 1);
    const auto all = tally.all_failures();
    const std::string value =
        fmt::format("{} / {}", grouped(all[0].total()), grouped(all[1].total()));
    const bool has_more = failures_elsewhere(tally, 0) + failures_elsewhere(tally, 1) > 0;
    if (first + second == 0)
        return {"failures", value, "verdict",
                has_more ? "none in a counted game" : "no program failed"};
    const std::string counted =
        has_more ? fmt::format("{} / {} in counted games: ", grouped(first), grouped(second)) : "";
    return {"failures", value, "verdict",
            fmt::format("{}{}{}; {} if both are equally reliable", counted,
                        tally.is_changed_by_failures() ? "they would change the verdict: " : "",
                        failures_reading(tally), p_value(stats::failure_p_value(first, second))),
            tally.is_changed_by_failures()};
}

Check voided_check(const MatchTally& tally) {
    const std::int64_t kept = tally.harness_losses();
    std::string reading = tally.voided() == 0 ? "no loss on time was the harness's own"
                                              : "lost by the harness's own delay, and replayed";
    if (kept > 0) {
        reading = grouped(kept, "loss", "losses") +
                  " on time by the harness's own delay had to be counted";
    } else if (tally.is_voided_too_often()) {
        reading = "the machine is too busy: see assay doctor";
    }
    return {"pairs voided", grouped(tally.voided()), "1 %", reading, tally.is_voided_too_often()};
}

std::string alarms(const Diagnostics& found, const MatchTally& tally,
                   const harness::RunRecord& run) {
    std::vector<Check> checks = sample_checks(found, tally, run);
    checks.insert(checks.begin(), duplicates_check(found, tally));
    std::string text;
    for (const Check& check : checks) {
        if (check.is_alarm) text += "  check: " + check.reading + "\n";
    }
    return text;
}

std::string figures_text(const Diagnostics& found) {
    std::string text =
        fmt::format("games of a pair correlate {:+.2f} · first move {} · lag-1 {:+.2f}",
                    found.pair_correlation, percent(found.first_move.score, 1), found.lag1);
    if (found.openings) {
        text +=
            fmt::format(" · {}, design effect {:.2f}", grouped(found.openings->openings, "opening"),
                        found.openings->design_effect);
    }
    if (found.slots) text += fmt::format(" · slots alike {}", p_value(found.slots->p_value));
    return text;
}

json::value openings_json(const Diagnostics& found) {
    if (!found.openings) return nullptr;
    return json::object{{"openings", found.openings->openings},
                        {"design_effect", json_number(found.openings->design_effect)},
                        {"elo_ci95", json_interval(found.openings->elo_ci95)},
                        {"needed", found.openings->is_needed}};
}

/// `groups` names what was compared; `worst` is told as it is numbered there.
json::value homogeneity_json(const std::optional<stats::Homogeneity>& found, const char* groups) {
    if (!found) return nullptr;
    return json::object{{groups, found->groups},
                        {"chi_square", json_number(found->chi_square)},
                        {"degrees", found->degrees},
                        {"p_value", json_number(found->p_value)},
                        {"worst", found->worst},
                        {"worst_residual", json_number(found->worst_residual)},
                        {"worst_p_value", json_number(found->worst_p_value)}};
}

/// In the order in which `worst` counts them.
json::array played_on(const MatchTally& tally, const harness::RunRecord& run) {
    json::array machines;
    for (const std::int64_t machine : tally.machines()) {
        const harness::MachineRecord& one = run.machine_of(machine);
        machines.push_back({{"host", json_string(one.host)}, {"cpu", json_string(one.cpu)}});
    }
    return machines;
}

/// Nullopt while nothing is claimed. A look before the end of a fixed number of pairs is no test,
/// and neither is one at a sequential rule that has not decided; evidence holds at every look.
std::optional<double> p_value_of(const MatchTally& tally) {
    using Rule = harness::StopPlan::Rule;
    if (tally.pairs() == 0) return std::nullopt;
    const Rule rule = tally.plan().stop.rule;
    if (rule == Rule::Fixed) {
        if (is_cut_short(tally)) return std::nullopt;
        return stats::sign_flip_test(tally.pentanomial()).p_value;
    }
    const harness::Verdict verdict = tally.verdict();
    const bool is_decided =
        verdict == harness::Verdict::Accepted || verdict == harness::Verdict::Rejected;
    if (rule != Rule::Anytime && !is_decided) return std::nullopt;
    const auto post = after_stop(tally);
    if (!post) return std::nullopt;
    return post->p_value;
}

}  // namespace

std::vector<Check> checks_of(const MatchTally& tally, const harness::RunRecord& run) {
    const Diagnostics found = stats::diagnose(tally.observed());
    std::vector<Check> checks;
    if (found.pairs >= kLeastPairs) checks = sample_checks(found, tally, run);
    checks.push_back(duplicates_check(found, tally));
    checks.push_back(failures_check(tally));
    checks.push_back(voided_check(tally));
    return checks;
}

std::string checks_lines(const MatchTally& tally, const harness::RunRecord& run) {
    if (tally.pairs() < kLeastPairs) return "";
    const Diagnostics found = stats::diagnose(tally.observed());
    return "  checks: " + figures_text(found) + "\n" + alarms(found, tally, run);
}

std::string failure_scores_lines(const MatchTally& tally) {
    const std::int64_t first = failures_of(tally, 0);
    const std::int64_t second = failures_of(tally, 1);
    if (first + second == 0) return "";
    const bool has_more = failures_elsewhere(tally, 0) + failures_elsewhere(tally, 1) > 0;
    return fmt::format("  {}\n  {} against {}{}: {} were both equally reliable\n",
                       failures_reading(tally), grouped(first, "failure"), grouped(second),
                       has_more ? " in counted games" : "",
                       p_value(stats::failure_p_value(first, second)));
}

json::object checks_json(const MatchTally& tally, const harness::RunRecord& run) {
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
                     {"slots", homogeneity_json(found.slots, "slots")},
                     {"machines", homogeneity_json(found.machines, "machines")},
                     {"played_on", played_on(tally, run)},
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
    if (is_gate(view.run)) return {};
    std::vector<ListedTest> tests;
    std::vector<double> p;
    for (std::size_t match = 0; match < view.matches.size(); ++match) {
        if (view.matches[match].tally->rule() == nullptr) continue;
        const auto value = p_value_of(*view.matches[match].tally);
        tests.push_back({match, value, std::nullopt, false});
        // It was meant to be a test, so that it is one of those at once.
        p.push_back(value.value_or(1));
    }
    if (tests.size() < 2 || std::ranges::none_of(tests, &ListedTest::is_claim)) return {};
    const std::vector<stats::Adjusted> adjusted = stats::adjust_holm(p, 0.05);
    for (std::size_t i = 0; i < tests.size(); ++i) {
        if (!tests[i].is_claim()) continue;
        tests[i].adjusted = adjusted[i].value;
        tests[i].holds = adjusted[i].is_rejected;
    }
    return tests;
}

}  // namespace assay::reports
