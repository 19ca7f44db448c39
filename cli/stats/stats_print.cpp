#include "cli/stats/stats_print.h"

#include <cmath>
#include <utility>

#include <boost/json.hpp>
#include <fmt/core.h>

#include "reports/view/json_text.h"

namespace assay::cli {

namespace {

namespace json = boost::json;
using reports::json_estimate;
using reports::json_interval;
using reports::json_number;
using reports::json_string;
using stats::AfterStop;
using stats::Boundary;
using stats::Decision;
using stats::DriftScale;
using stats::Estimate;
using stats::ExitLaw;
using stats::fixed_pairs;
using stats::Interval;
using stats::kLeastUnits;
using stats::kPairsPerTau;
using stats::Model;
using stats::name_of;
using stats::nelo_of;
using stats::Pentanomial;
using stats::Prospect;
using stats::Sample;
using stats::SignFlip;
using stats::SimulationResult;
using stats::SimulationSettings;
using stats::SprtResult;
using stats::SprtSettings;
using stats::Strength;
using stats::TestPlan;
using stats::TrinomialNull;
using stats::TrinomialTest;

void print_json(const json::object& out) {
    fmt::print("{}\n", reports::json_text(out));
}

std::string signed_number(std::optional<double> value, const char* none) {
    return value ? fmt::format("{:+.2f}", *value) : none;
}

std::string estimate_text(const Estimate& estimate) {
    return fmt::format("{} [{}, {}]", signed_number(estimate.value, "?"),
                       signed_number(estimate.ci95.low, "no limit"),
                       signed_number(estimate.ci95.high, "no limit"));
}

std::string p_text(double p) {
    return p < 1e-3 ? fmt::format("{:.1e}", p) : fmt::format("{:.3f}", p);
}

std::string hours_text(double pairs, double hours_per_pair) {
    if (hours_per_pair <= 0) return "";
    return fmt::format(", about {:.1f} h", pairs * hours_per_pair);
}

/// The exact sign test of games that are not paired: wins against losses, whatever the draws.
double sign_test_p(const Sample& games) {
    Pentanomial units;
    units.counts = {static_cast<std::int64_t>(std::llround(games.count[0])), 0, 0, 0,
                    static_cast<std::int64_t>(std::llround(games.count[2]))};
    return stats::sign_flip_test(units).p_value;
}

/// The conclusion. An interval has its nominal coverage only from some twenty pairs on and with
/// results of several kinds, so the exact test must agree.
const char* conclusion(const Interval& interval, double exact_p) {
    if (exact_p > 0.05) return "This does not show that either is stronger.";
    if (interval.low && *interval.low > 0) return "The first program is stronger (95 %).";
    if (interval.high && *interval.high < 0) return "The first program is weaker (95 %).";
    return "This does not show that either is stronger.";
}

const char* state_sentence(const SprtResult& result) {
    if (!result.llr.value) return "The LLR is not defined, so that nothing is decided.";
    switch (result.state) {
        case Decision::Continue:
            return "Neither hypothesis is accepted: play more pairs.";
        case Decision::AcceptH0:
            return "H0 is accepted: the gain asked for is not there.";
        case Decision::AcceptH1:
            return "H1 is accepted: the first program passes.";
    }
    return "";
}

/// "normalized Elo [0, 5], with these results about logistic Elo [0.00, 2.79]": users confuse the
/// two scales.
std::string bounds_text(const SprtSettings& settings, const std::optional<DriftScale>& scale) {
    const char* name = "normalized Elo";
    if (settings.model == Model::Logistic) name = "logistic Elo";
    if (settings.model == Model::Bayesian) name = "BayesElo";
    std::string text = fmt::format("{} [{}, {}]", name, settings.elo0, settings.elo1);
    if (!scale) return text;
    const auto other = [&](const char* unit, std::optional<double> low,
                           std::optional<double> high) {
        if (!low || !high) return text;
        const auto plain = [](double x) { return std::fabs(x) < 0.005 ? 0.0 : x; };  // no -0.00
        return fmt::format("{}, with these results about {} [{:.2f}, {:.2f}]", text, unit,
                           plain(*low), plain(*high));
    };
    if (settings.model == Model::Logistic) {
        return other("normalized Elo", scale->nelo(-0.5), scale->nelo(0.5));
    }
    return other("logistic Elo", scale->elo(-0.5), scale->elo(0.5));
}

json::value post_json(const std::optional<AfterStop>& post) {
    if (!post) return nullptr;
    return json::object{
        {"elo", json_number(post->elo.value)},   {"ci95", json_interval(post->elo.ci95)},
        {"nelo", json_estimate(post->nelo)},     {"los", json_number(post->los)},
        {"p_value", json_number(post->p_value)}, {"reliable", post->reliable}};
}

json::object prospect_json(double nelo, const Prospect& prospect) {
    return {{"nelo", json_number(nelo)},
            {"pass", json_number(prospect.pass)},
            {"pairs", json_number(prospect.mean_pairs)},
            {"pairs_95", json_number(prospect.pairs_95)},
            {"pairs_999", json_number(prospect.pairs_999)}};
}

void print_prospect(const char* name, const Prospect& prospect, double hours_per_pair) {
    fmt::print("  {:<22} passes {:>5.1f} %, {:.0f} pairs on average, 95 % by {:.0f}{}\n", name,
               100 * prospect.pass, prospect.mean_pairs, prospect.pairs_95,
               hours_text(prospect.mean_pairs, hours_per_pair));
}

}  // namespace

void print_trinomial(std::int64_t pairs, std::int64_t score, const TrinomialNull& null,
                     double level, const TrinomialTest& test, bool is_json) {
    if (is_json) {
        return print_json({{"pairs", pairs},
                           {"score", score},
                           {"white_win", json_number(null.first_wins)},
                           {"draw", json_number(null.draws)},
                           {"prob_abs_le_s", json_number(test.prob_abs_le_s)},
                           {"p_value", json_number(test.p_value)},
                           {"sigma", json_number(test.sigma)},
                           {"level", json_number(level)},
                           {"critical_score", json::value_from(test.critical_score)}});
    }
    fmt::print("{} pairs, score {:+}, standard deviation {:.2f}\n", pairs, score, test.sigma);
    fmt::print(
        "Between equal engines a score of {} or more either way has p = {}; |score| <= {} has {:.3f}.\n",
        std::abs(score), p_text(test.p_value), std::abs(score), test.prob_abs_le_s);
    if (test.critical_score) {
        fmt::print("At level {} a score must reach {} either way.\n", level, *test.critical_score);
    } else {
        fmt::print("No score of so few pairs is rare enough for level {}.\n", level);
    }
    fmt::print("{}\n", test.p_value <= level ? "The score shows a difference between the programs."
                                             : "The score does not show a difference.");
}

void print_sign_flip(const Pentanomial& pairs, const SignFlip& test, bool is_json) {
    if (is_json) {
        return print_json({{"pairs", pairs.pairs()},
                           {"score", pairs.balance()},
                           {"p_value", json_number(test.p_value)},
                           {"mid_p", json_number(test.mid_p)}});
    }
    fmt::print("{} pairs, score {:+}\n", pairs.pairs(), pairs.balance());
    fmt::print("Sign-flip test (exact, no assumed rates): p = {}, mid-p = {}.\n",
               p_text(test.p_value), p_text(test.mid_p));
    fmt::print("{}\n", test.p_value <= 0.05 ? "The score shows a difference between the programs."
                                            : "The score does not show a difference.");
}

void print_strength(const Sample& sample, const Strength& strength,
                    const std::optional<SignFlip>& flip, bool is_json) {
    const bool paired = sample.size == 5;
    if (is_json) {
        json::value sign_flip;
        if (flip)
            sign_flip = {{"p_value", json_number(flip->p_value)},
                         {"mid_p", json_number(flip->mid_p)}};
        return print_json({{paired ? "pairs" : "games", json_number(sample.total())},
                           {"score", json_number(strength.score)},
                           {"score_ci95", json_interval(strength.score_ci95)},
                           {"elo", json_estimate(strength.elo)},
                           {"nelo", json_estimate(strength.nelo)},
                           {"los", json_number(strength.los)},
                           {"sign_flip", std::move(sign_flip)},
                           {"uninformative_variance", strength.uninformative_variance}});
    }
    fmt::print("{:.0f} {}", sample.total(), paired ? "pairs" : "games, taken as not paired");
    if (strength.score) fmt::print(", score {:.2f} %", 100 * *strength.score);
    fmt::print("\n  Elo {}   nElo {}   LOS {:.3f}\n", estimate_text(strength.elo),
               estimate_text(strength.nelo), strength.los);
    if (flip) fmt::print("  sign-flip (exact) p = {}\n", p_text(flip->p_value));
    if (strength.uninformative_variance) {
        fmt::print("  Only one kind of result was seen: so the error cannot be estimated.\n");
    }
    const double exact_p = flip ? flip->p_value : sign_test_p(sample);
    fmt::print("{}\n", conclusion(strength.elo.ci95, exact_p));
}

void print_sprt(const SprtSettings& settings, const SprtResult& result, const Strength& naive,
                const std::optional<AfterStop>& post, const std::optional<DriftScale>& scale,
                bool is_json) {
    if (is_json) {
        const bool has_llr = result.llr.value.has_value();
        return print_json({{"llr", json_number(result.llr.value)},
                           {"reason", has_llr ? nullptr : json_string(result.llr.reason)},
                           {"lower", json_number(result.lower)},
                           {"upper", json_number(result.upper)},
                           {"elo0", json_number(settings.elo0)},
                           {"elo1", json_number(settings.elo1)},
                           {"model", json_string(name_of(settings.model))},
                           {"state", json_string(name_of(result.state))},
                           {"elo", json_estimate(naive.elo)},
                           {"nelo", json_estimate(naive.nelo)},
                           {"los", json_number(naive.los)},
                           {"post", post_json(post)}});
    }
    if (result.llr.value) {
        fmt::print("LLR {:+.3f} between {:.3f} and {:.3f}\n", *result.llr.value, result.lower,
                   result.upper);
    } else {
        fmt::print("LLR undefined: {}\n", result.llr.reason);
    }
    fmt::print("  bounds           {}\n", bounds_text(settings, scale));
    fmt::print("  naive            Elo {}   nElo {}   LOS {:.3f}\n", estimate_text(naive.elo),
               estimate_text(naive.nelo), naive.los);
    if (post) {
        fmt::print("  median-unbiased  Elo {}   nElo {}   LOS {:.3f}\n", estimate_text(post->elo),
                   estimate_text(post->nelo), post->los.value_or(0.5));
        if (!post->reliable) {
            fmt::print("  Under {} pairs or games, or so far from equality, that is a guess.\n",
                       kLeastUnits);
        }
    }
    fmt::print("{}\n", state_sentence(result));
}

void print_boundary(const std::string& rule, const Boundary& boundary, const ExitLaw& law,
                    bool is_json) {
    const double at_e0 = law.expected_tau(-0.5);
    const double middle = law.expected_tau(0.0);
    const double at_e1 = law.expected_tau(0.5);
    if (is_json) {
        return print_json({{"rule", rule},
                           {"T", json_number(boundary.horizon)},
                           {"c", json_number(boundary.centre)},
                           {"A_U", json_number(boundary.a_upper)},
                           {"A_L", json_number(boundary.a_lower)},
                           {"expected_tau", json::array{json_number(at_e0), json_number(middle),
                                                        json_number(at_e1)}}});
    }
    fmt::print("{}: T {:.4f}  c {:.4f}  A_U {:.4f}  A_L {:.4f}\n", rule, boundary.horizon,
               boundary.centre, boundary.a_upper, boundary.a_lower);
    fmt::print("expected information time at e0 {:.3f}, in the middle {:.3f}, at e1 {:.3f}\n",
               at_e0, middle, at_e1);
    fmt::print("Bounds 2 nElo apart certainly end after {:.0f} pairs.\n",
               std::ceil(kPairsPerTau * boundary.horizon / 4));
}

void print_plan(const PlanReport& report, bool is_json) {
    const TestPlan& plan = report.plan;
    const double middle = 0.5 * (report.elo0 + report.elo1);
    if (is_json) {
        return print_json(
            {{"rule", report.rule},
             {"elo0", json_number(report.elo0)},
             {"elo1", json_number(report.elo1)},
             {"alpha", json_number(report.alpha)},
             {"beta", json_number(report.beta)},
             {"cap", json::value_from(plan.cap)},
             {"at", json::array{prospect_json(report.elo0, plan.at_e0),
                                prospect_json(middle, plan.middle),
                                prospect_json(report.elo1, plan.at_e1)}},
             {"prior",
              {{"mean", json_number(report.prior.mean)},
               {"sd", json_number(report.prior.sd)},
               {"pass", json_number(plan.prior.pass)},
               {"pairs", json_number(plan.prior.mean_pairs)},
               {"pairs_per_improvement", json_number(plan.pairs_per_improvement())}}},
             {"hours_per_pair",
              report.hours_per_pair > 0 ? json_number(report.hours_per_pair) : nullptr}});
    }
    fmt::print("{} between nElo {:.2f} and {:.2f}, errors {} and {}\n", report.rule, report.elo0,
               report.elo1, report.alpha, report.beta);
    print_prospect(fmt::format("at nElo {:.2f}", report.elo0).c_str(), plan.at_e0,
                   report.hours_per_pair);
    print_prospect(fmt::format("at nElo {:.2f}", middle).c_str(), plan.middle,
                   report.hours_per_pair);
    print_prospect(fmt::format("at nElo {:.2f}", report.elo1).c_str(), plan.at_e1,
                   report.hours_per_pair);
    print_prospect("prior (assumption)", plan.prior, report.hours_per_pair);
    if (plan.cap) {
        fmt::print("It certainly ends after {} pairs{}.\n", *plan.cap,
                   hours_text(static_cast<double>(*plan.cap), report.hours_per_pair));
    } else {
        fmt::print("It has no certain end.\n");
    }
    if (plan.at_e0.mean_pairs < 100) {
        fmt::print("Under 100 pairs the errors are approximate: look at the sign-flip p too.\n");
    }
}

void print_fixed_plan(double nelo, double alpha, double power, double hours_per_pair,
                      bool is_json) {
    const double pairs = std::ceil(fixed_pairs(nelo, alpha, power));
    if (is_json) {
        return print_json(
            {{"nelo", json_number(nelo)},
             {"alpha", json_number(alpha)},
             {"power", json_number(power)},
             {"pairs", json_number(pairs)},
             {"hours", hours_per_pair > 0 ? json_number(pairs * hours_per_pair) : nullptr}});
    }
    fmt::print(
        "{:.0f} pairs{} show a difference of {} nElo with probability {} (two-sided level {}).\n",
        pairs, hours_text(pairs, hours_per_pair), nelo, power, alpha);
}

void print_simulation(const std::string& rule, const SimulationSettings& settings,
                      const SimulationResult& result, bool is_json) {
    const double given = nelo_of(settings.law);
    const double truth =
        std::fabs(given) < 1e-9 ? 0.0 : given;  // no -0.00 from the tilt's rounding
    if (is_json) {
        return print_json({{"rule", rule},
                           {"nelo", json_number(truth)},
                           {"runs", result.runs},
                           {"seed", settings.seed},
                           {"undecided", result.undecided},
                           {"pass", json_number(result.pass)},
                           {"pass_error", json_number(result.pass_error)},
                           {"mean_pairs", json_number(result.mean_pairs)},
                           {"mean_pairs_error", json_number(result.mean_pairs_error)},
                           {"pairs_95", json_number(result.pairs_95)},
                           {"pairs_999", json_number(result.pairs_999)},
                           {"coverage", json_number(result.coverage)},
                           {"naive_coverage", json_number(result.naive_coverage)},
                           {"above_truth", json_number(result.above_truth)}});
    }
    fmt::print("{} tests of {} at true nElo {:.2f}, seed {}\n", result.runs, rule, truth,
               settings.seed);
    fmt::print(
        "  passed {:.4f} ({:.4f}), {:.0f} ({:.0f}) pairs on average, 95 % by {:.0f}, 99.9 % by {:.0f}\n",
        result.pass, result.pass_error, result.mean_pairs, result.mean_pairs_error, result.pairs_95,
        result.pairs_999);
    fmt::print(
        "  95 % intervals held the truth: sequential {:.4f}, naive {:.4f}; estimates above it {:.4f}\n",
        result.coverage, result.naive_coverage, result.above_truth);
    if (result.undecided > 0) fmt::print("  {} tests did not end\n", result.undecided);
}

}  // namespace assay::cli
