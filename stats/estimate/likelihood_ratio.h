#pragma once
#include <array>
#include <optional>
#include <string_view>

#include "stats/data/sample.h"

namespace assay::stats {

/// What the bounds of a test are measured in (docs/statistics.md section 2): logistic Elo of the
/// score, normalized Elo (score over the standard deviation of a game), or BayesElo, whose bounds
/// become logistic ones through the draw rate that was seen.
enum class Model { Logistic, Normalized, Bayesian };

/// "logistic", "normalized" or "bayesian".
[[nodiscard]] std::string_view name_of(Model model);
[[nodiscard]] std::optional<Model> model_named(std::string_view name);

/// A log-likelihood ratio, or the reason why there is none. Never NaN, never infinite.
struct Llr {
    std::optional<double> value;
    std::string_view reason;  // empty where there is a value
};

/// Largest mean log-likelihood, relative to the unconstrained one and so <= 0, of laws on the
/// sample's categories with mean `score` (points a game): the empirical likelihood of Owen, with
/// the exact value where categories are unseen. Nullopt if the sample is empty or `score` lies
/// outside (0, 1). docs/statistics.md section 3.
[[nodiscard]] std::optional<double> log_likelihood_of_mean(const Sample& sample, double score);

/// The solution of the last search for a constrained law, as the start of the next one on nearly
/// the same data. It saves about half of the time and changes the result by rounding only.
struct GlrStart {
    std::array<double, kPairCategories> law{};
    double theta = 0;
    bool is_set = false;
};

/// The same for laws with (mean - 1/2) = t * (standard deviation of one unit): Van den Bergh's
/// normalized Elo. `t` is in units of the sample (pairs or games). Nullopt if the sample is empty
/// or no law on its categories has this t and gives all observed results a positive probability.
/// docs/statistics.md section 4.
[[nodiscard]] std::optional<double> log_likelihood_of_t(const Sample& sample, double t,
                                                        GlrStart* start = nullptr);

/// ln of the generalised likelihood ratio of `elo1` against `elo0` in the model's unit. For
/// Model::Bayesian the sample must be of games, unless `draw_elo` is given.
/// REQUIRES: elo0, elo1 finite. Under 2 us for a pentanomial sample that is not one-sided.
[[nodiscard]] Llr log_likelihood_ratio(const Sample& sample, Model model, double elo0, double elo1,
                                       std::optional<double> draw_elo = std::nullopt,
                                       std::array<GlrStart, 2>* starts = nullptr);

/// BayesElo's parameter of the draw rate, from the shares of wins and losses; both in (0, 1).
/// Nullopt if a share is 0, or no draw rate explains them.
[[nodiscard]] std::optional<double> draw_elo_of(double win_share, double loss_share);

/// The logistic Elo of a program that is `bayes_elo` stronger at the given draw parameter.
[[nodiscard]] double logistic_of_bayes(double bayes_elo, double draw_elo);

/// t of one unit (pair or game) at a normalized Elo.
[[nodiscard]] double t_of_nelo(double nelo, int games_per_unit);

}  // namespace assay::stats
