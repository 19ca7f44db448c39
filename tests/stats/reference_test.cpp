// Every case of the shared reference file, within the tolerance that its `meta` states.
#include "tests/stats/reference.h"

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "stats/data/elo.h"
#include "stats/estimate/estimate.h"
#include "stats/plan/sample_size.h"
#include "stats/stop/after_stop.h"
#include "stats/test/sign_flip.h"
#include "stats/test/sprt.h"
#include "stats/test/trinomial.h"

using namespace assay::stats;
using assay::test::number;
using assay::test::text;

namespace {

bool near(double value, double expected, double tolerance) {
    return std::fabs(value - expected) <= tolerance * std::max(1.0, std::fabs(expected));
}

SprtSettings settings_of(const boost::json::object& item) {
    SprtSettings settings;
    const std::string model = text(item, "elo_model");
    settings.model = model == "BayesElo"     ? Model::Bayesian
                     : model == "normalized" ? Model::Normalized
                                             : Model::Logistic;
    settings.elo0 = number(item, "elo0");
    settings.elo1 = number(item, "elo1");
    settings.alpha = number(item, "alpha");
    settings.beta = number(item, "beta");
    settings.compat = true;
    return settings;
}

}  // namespace

TEST_CASE("Reference file: scores, Elo, nElo and LOS of every case agree") {
    for (const auto& value : assay::test::reference().at("cases").as_array()) {
        const auto& item = value.as_object();
        CAPTURE(item.at("id").as_int64());
        const Sample sample = assay::test::sample(item);
        const Moments moments = moments_of(regularised(sample));
        CHECK(std::fabs(moments.mean / number(item, "score_reg") - 1) <= 1e-12);
        CHECK(std::fabs(sample.games_per_unit * moments.variance /
                            number(item, "variance_per_game_reg") -
                        1) <= 1e-12);
        const Strength strength = estimate_strength_compat(sample);
        CHECK(near(*strength.elo.value, number(item, "elo"), 1e-8));
        const auto& ends = item.at("elo_ci95").as_array();
        CHECK(near(*strength.elo.ci95.low, ends.at(0).to_number<double>(), 1e-8));
        CHECK(near(*strength.elo.ci95.high, ends.at(1).to_number<double>(), 1e-8));
        CHECK(near(0.5 * (*strength.elo.ci95.high - *strength.elo.ci95.low),
                   number(item, "elo_half_width"), 1e-8));
        CHECK(near(*strength.nelo.value, number(item, "nelo"), 1e-8));
        const bool huge_draw = sample.total() > 9e8 && is_degenerate(sample);
        CHECK(std::fabs(strength.los - number(item, "los")) <= (huge_draw ? 1e-6 : 1e-12));
    }
}

TEST_CASE("Reference file: log-likelihood ratios and states agree, or are refused by name") {
    for (const auto& value : assay::test::reference().at("cases").as_array()) {
        const auto& item = value.as_object();
        CAPTURE(item.at("id").as_int64());
        const Sample sample = assay::test::sample(item);
        const SprtSettings settings = settings_of(item);
        const SprtResult result = sprt_of_counts(sample, settings);
        CHECK(std::fabs(result.lower - number(item, "lower")) <= 1e-12);
        CHECK(std::fabs(result.upper - number(item, "upper")) <= 1e-12);
        const double tolerance = sample.total() > 1e8 ? 1e-7 : 1e-8;
        if (!item.at("llr").is_null()) {
            REQUIRE(result.llr.value);
            CHECK(near(*result.llr.value, number(item, "llr"), tolerance));
            CHECK(name_of(result.state) == text(item, "state"));
        } else if (item.contains("llr_outer_search")) {
            REQUIRE(result.llr.value);
            CHECK(*result.llr.value ==
                  doctest::Approx(number(item, "llr_outer_search")).epsilon(1e-4));
        } else if (!result.llr.value) {
            CHECK_FALSE(result.llr.reason.empty());
        } else {
            CHECK(std::isfinite(*result.llr.value));
        }
        if (item.contains("llr_eps0") && item.at("llr_eps0").is_number()) {
            SprtSettings exact = settings;
            exact.compat = false;
            // BayesElo's draw parameter stays that of the regularised counts.
            std::optional<double> draw_elo;
            if (item.contains("drawelo")) draw_elo = number(item, "drawelo");
            const SprtResult limit = sprt_of_counts(sample, exact, draw_elo);
            REQUIRE(limit.llr.value);
            CHECK(near(*limit.llr.value, number(item, "llr_eps0"), tolerance));
        }
    }
}

TEST_CASE("Reference file: BayesElo's draw parameter and logistic bounds agree") {
    for (const auto& value : assay::test::reference().at("cases").as_array()) {
        const auto& item = value.as_object();
        if (!item.contains("drawelo")) continue;
        CAPTURE(item.at("id").as_int64());
        const Sample sample = regularised(assay::test::sample(item));
        const auto draw_elo =
            draw_elo_of(sample.count[2] / sample.total(), sample.count[0] / sample.total());
        REQUIRE(draw_elo);
        CHECK(near(*draw_elo, number(item, "drawelo"), 1e-8));
        CHECK(near(logistic_of_bayes(number(item, "elo0"), *draw_elo),
                   number(item, "elo0_logistic"), 1e-8));
        CHECK(near(logistic_of_bayes(number(item, "elo1"), *draw_elo),
                   number(item, "elo1_logistic"), 1e-8));
    }
}

TEST_CASE("Reference file: the lecture's exact test agrees, its far tails relatively") {
    for (const auto& value : assay::test::reference().at("exact_test").as_array()) {
        const auto& item = value.as_object();
        const TrinomialNull null{number(item, "p"), number(item, "q")};
        const TrinomialTest test =
            trinomial_test(item.at("n_pairs").as_int64(), item.at("s").as_int64(), null);
        CAPTURE(item.at("n_pairs").as_int64());
        CAPTURE(item.at("s").as_int64());
        CHECK(std::fabs(test.prob_abs_le_s - number(item, "prob_abs_le_s")) <= 1e-12);
        const double p_value = number(item, "two_sided_p_of_score_s");
        CHECK(std::fabs(test.p_value - p_value) <= 1e-12);
        CHECK(test.p_value == doctest::Approx(p_value).epsilon(1e-10));
        if (item.at("critical_score_05").is_null()) {
            CHECK_FALSE(test.critical_score);
        } else {
            CHECK(test.critical_score == item.at("critical_score_05").as_int64());
        }
    }
}

TEST_CASE("Reference file: the sign-flip test agrees") {
    for (const auto& value : assay::test::reference().at("signflip").as_array()) {
        const auto& item = value.as_object();
        const Pentanomial pairs = assay::test::pentanomial(item);
        CHECK(pairs.balance() == item.at("score").as_int64());
        CHECK(std::fabs(sign_flip_test(pairs).p_value - number(item, "p_two_sided")) <= 1e-12);
    }
}

TEST_CASE("Reference file: estimates after a stop agree in probability or in Elo") {
    int checked = 0;
    for (const auto& value : assay::test::reference().at("cases").as_array()) {
        const auto& item = value.as_object();
        if (item.at("post").is_null()) continue;
        CAPTURE(item.at("id").as_int64());
        const SprtSettings settings = settings_of(item);
        const auto after =
            after_wald(regularised(assay::test::sample(item)), settings, Decision::Continue);
        REQUIRE(after);
        const auto& post = item.at("post").as_object();
        CHECK(std::fabs(*after->los - number(post, "los")) <= 5e-4);
        const auto agrees = [&](const std::optional<double>& ours, double theirs) {
            // The source's search ends at +-1000 Elo: there only the side is checked.
            if (std::fabs(theirs) > 999) return !ours || *ours * theirs > 999 * 999;
            return ours && near(*ours, theirs, 1e-3);
        };
        const auto& ends = post.at("ci95").as_array();
        CHECK(agrees(after->elo.value, number(post, "elo")));
        CHECK(agrees(after->elo.ci95.low, ends.at(0).to_number<double>()));
        CHECK(agrees(after->elo.ci95.high, ends.at(1).to_number<double>()));
        ++checked;
    }
    CHECK(checked > 150);
}
