// The generalised log-likelihood ratio of two hypotheses about strength. A pair has one of five
// results with unknown probabilities, of which a hypothesis fixes one function only: the mean score
// (logistic Elo), or the mean less 1/2 over the standard deviation (normalized Elo, the t-value).
// Each hypothesis gets the largest likelihood of any law that satisfies it, and the ratio of the
// two is the test's evidence. This is empirical likelihood (Owen, Empirical Likelihood, 2001) on
// the categories of a pair; Van den Bergh introduced the t-value for tests of engines.
//
// With the mean fixed the constraint is linear in the law: one concave problem in one variable
// (empirical_likelihood.h). With t fixed it is not. Then the constraint mean - 1/2 = t sd is made
// linear about the present law, the linear problem is solved, its law is the next one to start
// from, and so on. The iteration converges geometrically, in 13 steps at most over the test cases.
//
// A law at which it stays is stationary, which is enough where the sample lies beyond t: there the
// laws to choose from border a convex set. Otherwise a stationary law may be likelier than its
// neighbours only. Where that cannot be excluded, the result is checked, and the search of
// t_value_search.h (20 to 100 us) replaces it if the check fails.
//
// Why not the normal approximation, which needs two moments: it neglects the skewness of the
// results and is wrong where few pairs are decisive; it serves for planning and as a last resort
// (closed_form_llr in boundary_rule.cpp). Why no pseudo-counts for results that were not seen, as
// other tools have them: the likelihood has an exact value there, with the missing mass on the
// unseen category.
//
// Cost: 0.7 to 1.7 us for both hypotheses, half of it when an earlier solution on nearly the same
// data is at hand (bench/README.md).
#include "stats/estimate/likelihood_ratio.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/enum_names.h"
#include "stats/data/elo.h"
#include "stats/estimate/empirical_likelihood.h"
#include "stats/estimate/t_value_search.h"

namespace assay::stats {

namespace {

constexpr auto kModels = enum_names<Model>("logistic", "normalized", "bayesian");

/// The maximising law q_i = p_i / (1 + th c_i). Near an end of the range the denominator of one
/// category loses its digits; its probability is then computed as what the others leave, which is
/// also right for an unseen category, where it is the missing mass.
Values law_at(const DualProblem& problem, const Dual& dual) {
    Values law{};
    std::size_t nearest = 0;
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < problem.size; ++i) {
        const double denominator = 1 + dual.theta * problem.c[i];
        if (denominator < least) {
            least = denominator;
            nearest = i;
        }
        if (problem.share[i] > 0) law[i] = problem.share[i] / denominator;
    }
    // No category is near a pole: the formula has all of its digits.
    if (least > 0.01) return law;
    double others = 0;
    for (std::size_t i = 0; i < problem.size; ++i) others += i == nearest ? 0 : law[i];
    law[nearest] = std::max(0.0, 1 - others);
    return law;
}

struct FitShape {
    double mean = 0;  // minus 1/2
    double sd = 0;
};

FitShape shape_of(const Sample& sample, const Values& law) {
    FitShape shape;
    for (std::size_t i = 0; i < sample.size; ++i) shape.mean += law[i] * (sample.score[i] - 0.5);
    double variance = 0;
    for (std::size_t i = 0; i < sample.size; ++i) {
        const double d = sample.score[i] - 0.5 - shape.mean;
        variance += law[i] * d * d;
    }
    shape.sd = std::sqrt(variance);
    return shape;
}

/// Whether the fixed point may be a local maximum only: for distant bounds, and where nearly all
/// units are draws. Elsewhere 10^6 random samples had no case.
bool has_rival_maxima(const Sample& sample, double t) {
    if (std::fabs(t) < 0.2 && moments_of(sample).variance > t * t) return false;
    return !is_beyond_t(sample, t);
}

/// The fixed point (docs/statistics.md section 4): the constraint is made linear about the present
/// law.
std::optional<double> fixed_point(const Sample& sample, DualProblem problem, double t,
                                  GlrStart& start) {
    Values law = start.law;
    double theta = start.theta;
    double last = 1;
    for (int step = 0; step < 60; ++step) {
        const FitShape shape = shape_of(sample, law);
        if (!(shape.sd > 0)) return std::nullopt;
        for (std::size_t i = 0; i < sample.size; ++i) {
            const double a = sample.score[i] - 0.5;
            // The derivative of mean - 1/2 - t sd with respect to the probability of this category.
            const double z = (a - shape.mean) / shape.sd;
            problem.c[i] = a - 0.5 * t * shape.sd * (1 + z * z);
        }
        const std::optional<Dual> dual = maximise(problem, theta);
        if (!dual) return std::nullopt;
        theta = dual->theta;
        const Values next = law_at(problem, *dual);
        double moved = 0;
        for (std::size_t i = 0; i < sample.size; ++i) {
            moved = std::max(moved, std::fabs(next[i] - law[i]));
        }
        law = next;
        // It converges geometrically: the next step would move by `moved` times the last ratio. The
        // likelihood is stationary in the law that the constraint is made linear about, so that an
        // error of 1e-11 in it is 1e-22 in the likelihood.
        const bool settled = moved < 1e-12 || (moved < 1e-5 && moved * (moved / last) < 1e-11);
        last = moved;
        if (!settled) continue;
        const FitShape reached = shape_of(sample, law);
        if (!(std::fabs(reached.mean / reached.sd - t) < 1e-7)) return std::nullopt;
        // The likeliest law lies between the sample and the constraint, not beyond it.
        if (dual->value > 1e-12 && (theta * t > 0) != is_beyond_t(sample, t)) return std::nullopt;
        start = {law, theta, true};
        return -dual->value;
    }
    return std::nullopt;
}

/// The fixed point, started from `at`; if that fails from the uniform law, then from the likeliest
/// law with the mean that this t gives for the sample's standard deviation.
std::optional<double> stationary(const Sample& sample, double t, GlrStart& at) {
    const DualProblem problem = dual_problem_of(sample);
    if (at.is_set) {
        if (const auto value = fixed_point(sample, problem, t, at)) return value;
    }
    at = {};
    for (std::size_t i = 0; i < sample.size; ++i) {
        at.law[i] = 1 / static_cast<double>(sample.size);
    }
    if (const auto value = fixed_point(sample, problem, t, at)) return value;
    const double mean = 0.5 + t * std::sqrt(moments_of(sample).variance);
    // No law has such a mean: the caller goes on to the full search.
    if (!(mean > 0 && mean < 1)) return std::nullopt;
    DualProblem linear = problem;
    for (std::size_t i = 0; i < sample.size; ++i) linear.c[i] = sample.score[i] - mean;
    const auto dual = maximise(linear, 0);
    if (!dual) return std::nullopt;
    at = GlrStart{law_at(linear, *dual), 0, false};
    return fixed_point(sample, problem, t, at);
}

std::optional<double> mean_constrained(const Sample& sample, double score, double theta,
                                       GlrStart* reached) {
    if (sample.total() <= 0 || !(score > 0 && score < 1)) return std::nullopt;
    DualProblem problem = dual_problem_of(sample);
    for (std::size_t i = 0; i < sample.size; ++i) problem.c[i] = sample.score[i] - score;
    const std::optional<Dual> dual = maximise(problem, theta);
    if (!dual) return std::nullopt;
    if (reached != nullptr) reached->theta = dual->theta;
    return -dual->value;
}

}  // namespace

std::string_view name_of(Model model) {
    return kModels.of(model);
}

std::optional<Model> model_named(std::string_view name) {
    return kModels.find(name);
}

std::optional<double> log_likelihood_of_mean(const Sample& sample, double score) {
    return mean_constrained(sample, score, 0, nullptr);
}

std::optional<double> log_likelihood_of_t(const Sample& sample, double t, GlrStart* start) {
    if (t == 0) return mean_constrained(sample, 0.5, start != nullptr ? start->theta : 0, start);
    if (sample.total() <= 0 || !std::isfinite(t)) return std::nullopt;
    GlrStart own;
    GlrStart& at = start != nullptr ? *start : own;
    const auto value = stationary(sample, t, at);
    if (value && (!has_rival_maxima(sample, t) || is_best_towards_t(sample, t, at.law, *value))) {
        return value;
    }
    at.is_set = false;
    const auto found = search_log_likelihood_of_t(sample, t);
    if (!found) return std::nullopt;
    // The next search starts from this solution.
    if (const auto dual = maximise(found->problem)) at = {law_at(found->problem, *dual), 0, true};
    return found->value;
}

std::optional<double> draw_elo_of(double win_share, double loss_share) {
    if (!(win_share > 0 && win_share < 1 && loss_share > 0 && loss_share < 1)) return std::nullopt;
    return 200 * std::log10((1 - loss_share) / loss_share * ((1 - win_share) / win_share));
}

double logistic_of_bayes(double bayes_elo, double draw_elo) {
    const double win = score_of_elo(bayes_elo - draw_elo);
    const double loss = score_of_elo(-bayes_elo - draw_elo);
    return elo_of_score(0.5 + 0.5 * (win - loss));
}

double t_of_nelo(double nelo, int games_per_unit) {
    return std::sqrt(static_cast<double>(games_per_unit)) * nelo / kElo;
}

Llr log_likelihood_ratio(const Sample& sample, Model model, double elo0, double elo1,
                         std::optional<double> draw_elo, std::array<GlrStart, 2>* starts) {
    const double total = sample.total();
    if (total <= 0) return {std::nullopt, "no data"};
    std::optional<double> at0;
    std::optional<double> at1;
    if (model == Model::Normalized) {
        const auto at = [&](double nelo, std::size_t which) {
            return log_likelihood_of_t(sample, t_of_nelo(nelo, sample.games_per_unit),
                                       starts != nullptr ? &(*starts)[which] : nullptr);
        };
        at0 = at(elo0, 0);
        at1 = at(elo1, 1);
    } else {
        if (model == Model::Bayesian) {
            if (!draw_elo && sample.size == 3) {
                draw_elo = draw_elo_of(sample.count[2] / total, sample.count[0] / total);
            }
            if (!draw_elo) return {std::nullopt, "draw rate undefined (no win or no loss yet)"};
            elo0 = logistic_of_bayes(elo0, *draw_elo);
            elo1 = logistic_of_bayes(elo1, *draw_elo);
        }
        at0 = log_likelihood_of_mean(sample, score_of_elo(elo0));
        at1 = log_likelihood_of_mean(sample, score_of_elo(elo1));
    }
    if (!at0 || !at1) return {std::nullopt, "bounds outside the data's range"};
    const double llr = total * (*at1 - *at0);
    if (!std::isfinite(llr)) return {std::nullopt, "bounds outside the data's range"};
    return {llr, {}};
}

}  // namespace assay::stats
