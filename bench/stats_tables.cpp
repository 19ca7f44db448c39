// Repeats the simulation tables of docs/statistics.md section 11: error rates, lengths and coverage
// of each rule, compared with an independent program. Prints the seed and the difference of each
// figure in standard errors (both in quadrature); exits with 1 if one is above 4.
//   stats_tables [seed] [runs of a row]
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <fmt/core.h>

#include "base/random.h"
#include "stats/estimate/estimate.h"
#include "stats/plan/simulate.h"
#include "stats/stop/evidence.h"
#include "stats/test/sprt.h"

namespace {

using namespace assay::stats;

struct Target {
    const char* rule;
    bool is_unbalanced;  // which of the two laws
    double elo1;
    int batch;
    double truth;
    double pass;
    double pass_error;
    double pairs;
    double pairs_error;  // 0: not in the table
    double coverage;     // 0: not in the table
    double pairs_95 = 0;
    double pairs_999 = 0;
    double above_truth = 0;
    double naive = 0;  // coverage of the interval that ignores the stop
};

/// The table of coverages after Wald's test does not give its number of runs. It is estimated from
/// the scatter of the naive ones, which do not depend on the sequential interval (bench/README.md).
constexpr double kRunsAfterWald = 1000;

constexpr Target kTargets[] = {
    {"sprt-plain", false, 10, 1, 0, .0486, .0015, 3204, 16, 0},
    {"sprt-plain", false, 10, 1, 5, .4993, .0035, 5282, 30, 0},
    {"sprt-plain", true, 10, 1, 0, .0481, .0015, 3234, 16, 0},
    {"sprt-plain", true, 10, 1, 10, .9518, .0015, 3229, 16, 0},
    {"sprt-plain", true, 10, 32, 0, .0435, .0014, 3386, 17, 0},
    {"sprt-plain", true, 10, 128, 0, .0382, .0014, 3600, 18, 0},
    {"sprt", false, 10, 1, 0, .0495, .0015, 3170, 16, 0},
    {"sprt", false, 10, 1, 5, .4989, .0035, 5198, 30, 0},
    {"sprt", true, 10, 1, 0, .0496, .0015, 3199, 16, .949, 0, 0, 0, .897},
    {"sprt", true, 10, 1, 10, .9508, .0015, 3196, 16, .951, 0, 0, 0, .904},
    {"sprt", true, 10, 32, 0, .0494, .0015, 3182, 17, 0},
    {"sprt", true, 10, 128, 0, .0496, .0015, 3215, 18, 0},
    {"closing-ff", true, 10, 8, 0, .0500, .0011, 3273, 11, .9508, 7640, 10832, 0.499},
    {"closing-ff", true, 10, 8, 5, .5054, .0025, 4853, 14, .9508, 9816, 11328, 0.498},
    {"closing-ff", true, 10, 8, 10, .9490, .0011, 3280, 10, .9512, 7488, 10784, 0.499},
    {"closing-ff", false, 10, 8, 0, .0487, .0011, 3288, 11, 0, 7720, 10832},
    {"closing-ff", false, 10, 8, 5, .5072, .0025, 4848, 14, 0, 9816, 11320},
    {"closing-ff", false, 10, 8, 10, .9505, .0011, 3270, 10, 0, 7488, 10760},
    {"closing-ff", true, 10, 1, 0, .0472, .0015, 3270, 15, 0},
    {"closing-ff", true, 10, 1, 10, .9526, .0015, 3286, 15, 0},
    {"closing-ff", true, 10, 128, 0, .0520, .0016, 3318, 15, 0},
    {"closing-ff", true, 10, 128, 10, .9491, .0016, 3297, 15, 0},
    {"closing-ff", true, 25, 4, 0, .0508, .0011, 528, 2, 0},
    {"closing-ff", true, 25, 4, 25, .9497, .0011, 525, 2, 0},
    {"capped", true, 10, 8, 0, .0503, .0011, 3472, 9, .9503, 6896, 7848, 0.499},
    {"capped", true, 10, 8, 5, .4980, .0025, 4790, 10, .9499, 7696, 7848, 0.498},
    {"capped", true, 10, 8, 10, .9491, .0011, 3486, 9, .9500, 6928, 7848, 0.5},
    {"capped", false, 10, 8, 0, .0497, .0011, 3485, 9, 0, 6920, 7848},
    {"capped", false, 10, 8, 5, .4990, .0025, 4781, 10, 0, 7704, 7848},
    {"capped", false, 10, 8, 10, .9502, .0011, 3482, 9, 0, 6912, 7848},
    {"capped", true, 10, 1, 0, .0484, .0015, 3471, 13, 0},
    {"capped", true, 10, 1, 10, .9506, .0015, 3495, 13, 0},
    {"capped", true, 10, 128, 0, .0517, .0016, 3528, 13, 0},
    {"capped", true, 10, 128, 10, .9508, .0016, 3508, 13, 0},
    {"capped", true, 25, 4, 0, .0515, .0011, 558, 1, 0},
    {"capped", true, 25, 4, 25, .9500, .0011, 559, 1, 0},
    {"sprt", true, 10, 1, 5, 0, 0, 0, 0, .966, 0, 0, 0, .910},
    {"closing-ff", true, 2, 32, 0, .0518, .0011, 82132, 273, 0},
    {"closing-ff", true, 2, 32, 1, .5068, .0035, 120474, 494, 0},
    {"closing-ff", true, 2, 32, 2, .9535, .0015, 81251, 360, 0},
    {"capped", true, 2, 32, 0, .0512, .0011, 87111, 224, 0},
    {"capped", true, 2, 32, 1, .4994, .0035, 119187, 358, 0},
    {"capped", true, 2, 32, 2, .9506, .0015, 86449, 316, 0},
};

double off(double value, double error, double wanted, double wanted_error) {
    return (value - wanted) / std::sqrt(error * error + wanted_error * wanted_error);
}

SimulationSettings settings_of(const Target& target) {
    SimulationSettings settings;
    settings.law = tilted_law(target.is_unbalanced ? kUnbalancedLaw : kBalancedLaw, target.truth);
    const std::string rule = target.rule;
    if (rule.starts_with("sprt")) {
        settings.kind = SimulationSettings::Kind::Sprt;
        settings.sprt.elo1 = target.elo1;
        settings.sprt.pairs_per_look = target.batch;
        settings.sprt.ladder = rule == "sprt";
    } else {
        settings.boundary.shape = *shape_named(rule);
        settings.boundary.elo1 = target.elo1;
        settings.boundary.pairs_per_look = target.batch;
    }
    settings.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return settings;
}

/// Standard errors off of the quantile beyond which a share of `tail` lies, where the lengths have
/// about the density `density`; at least 0.4 %, since looks come in batches and caps crowd them.
double off_quantile(int runs, double tail, double density, double value, double wanted) {
    constexpr double kTableRuns = 40'000;
    const double unit = std::sqrt(tail * (1 - tail)) / density;
    return off(value, std::max(unit / std::sqrt(runs), 0.004 * wanted), wanted,
               unit / std::sqrt(kTableRuns));
}

/// Of one row: pass, pairs, their quantiles, coverage, the share of estimates above the truth and
/// the naive coverage, in standard errors; 0 where it is not tabled.
std::array<double, 7> errors_off(const Target& target, const SimulationResult& seen) {
    const double n = seen.runs;
    const auto share = [&](double value, double wanted, double wanted_error) {
        if (wanted <= 0) return 0.0;
        return off(value, std::sqrt(wanted * (1 - wanted) / n), wanted, wanted_error);
    };
    std::array<double, 7> z{};
    z[0] = share(seen.pass, target.pass, target.pass_error);
    if (target.pairs > 0) {
        z[1] = off(seen.mean_pairs, seen.mean_pairs_error, target.pairs, target.pairs_error);
    }
    if (target.pairs_95 > 0) {
        // Even between the two quantiles, exponential beyond them.
        const double width = std::max(1.0, seen.pairs_999 - seen.pairs_95);
        z[2] = off_quantile(seen.runs, .05, .049 / width, seen.pairs_95, target.pairs_95);
        z[3] = off_quantile(seen.runs, .001, .001 * std::log(50.0) / width, seen.pairs_999,
                            target.pairs_999);
    }
    const bool is_wald = target.rule == std::string("sprt");
    const auto after_wald = [](double p) { return std::sqrt(p * (1 - p) / kRunsAfterWald); };
    z[4] = share(seen.coverage, target.coverage, is_wald ? after_wald(target.coverage) : .0011);
    z[5] = share(seen.above_truth, target.above_truth, .0025);
    z[6] = share(seen.naive_coverage, target.naive, after_wald(target.naive));
    return z;
}

int play_tables(std::uint64_t seed, int runs) {
    int wrong = 0;
    for (const Target& target : kTargets) {
        SimulationSettings settings = settings_of(target);
        // Tests of bounds 2 nElo apart are long.
        settings.runs = target.elo1 < 5 ? std::max(100, runs / 10) : runs;
        settings.seed = assay::mix64(seed, static_cast<std::uint64_t>(&target - kTargets));
        const SimulationResult seen = simulate(settings);
        const std::array<double, 7> z = errors_off(target, seen);
        const bool is_wrong =
            std::any_of(z.begin(), z.end(), [](double one) { return std::fabs(one) > 4; });
        wrong += is_wrong ? 1 : 0;
        fmt::print(
            "{:<11} {} [0,{}] {:>3} {:>2}: pass {:.4f} ({:+.1f})  pairs "
            "{:>6.0f} ({:+.1f}) 95 % by "
            "{:>6.0f} ({:+.1f}) 99.9 % by {:>6.0f} ({:+.1f})  coverage "
            "{:.4f} ({:+.1f}) naive {:.4f} ({:+.1f})  "
            "above {:.3f} ({:+.1f}){}\n",
            target.rule, target.is_unbalanced ? "M2" : "M1", target.elo1, target.batch,
            target.truth, seen.pass, z[0], seen.mean_pairs, z[1], seen.pairs_95, z[2],
            seen.pairs_999, z[3], seen.coverage, z[4], seen.naive_coverage, z[6], seen.above_truth,
            z[5], is_wrong ? "  <- off" : "");
        std::fflush(stdout);
    }
    return wrong;
}

Pentanomial drawn(const PairLaw& law, int pairs, assay::Random& random) {
    Pentanomial out;
    for (int i = 0; i < pairs; ++i) {
        double u = random.unit();
        int category = 0;
        while (category < 4 && u >= law[static_cast<std::size_t>(category)]) {
            u -= law[static_cast<std::size_t>(category++)];
        }
        out.add(category);
    }
    return out;
}

/// Coverage of the fixed-sample interval (0.948 expected), and how often a look
/// every 10 pairs up to 20,000 between equals raises an alarm: naive 0.60,
/// e-process 0.018.
int play_intervals(std::uint64_t seed, int runs) {
    assay::Random random(assay::mix64(seed, 1000));
    int covered = 0;
    for (int run = 0; run < runs; ++run) {
        const Strength strength = estimate_strength(sample_of(drawn(kUnbalancedLaw, 100, random)));
        const Interval& ends = strength.score_ci95;
        covered += *ends.low <= 0.5 && 0.5 <= *ends.high ? 1 : 0;
    }
    const double coverage = covered / static_cast<double>(runs);
    const int peeks = std::max(200, runs / 10);
    int naive = 0;
    int evidence = 0;
    for (int run = 0; run < peeks; ++run) {
        Pentanomial pairs;
        EProcess above(0.5, true);
        bool has_naive = false;
        bool has_evidence = false;
        for (int look = 0; look < 2000; ++look) {
            const Pentanomial more = drawn(kUnbalancedLaw, 10, random);
            for (int category = 0; category < kPairCategories; ++category) {
                for (std::int64_t i = 0; i < more[category]; ++i) above.add(category);
                pairs.add(category, more[category]);
            }
            const Moments moments = moments_of(sample_of(pairs));
            const double error = std::sqrt(moments.variance / moments.total);
            has_naive = has_naive || (error > 0 && std::fabs(moments.edge) > 1.96 * error);
            has_evidence = has_evidence || above.log_e() >= std::log(20);
        }
        naive += has_naive ? 1 : 0;
        evidence += has_evidence ? 1 : 0;
    }
    const double error = std::sqrt(.948 * .052 / runs);
    const double z = (coverage - .948) / error;
    fmt::print("fixed 100 pairs, M2: coverage {:.4f} ({:+.1f})\n", coverage, z);
    fmt::print("peeking {} times: naive fires {:.3f}, e-process {:.3f} of {} runs\n", 2000,
               naive / static_cast<double>(peeks), evidence / static_cast<double>(peeks), peeks);
    return std::fabs(z) > 4 || evidence > 0.05 * peeks ? 1 : 0;
}

}  // namespace

int main(int count, char** arguments) {
    const std::uint64_t seed = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1;
    const int runs = count > 2 ? std::max(100, std::atoi(arguments[2])) : 20'000;
    fmt::print("seed {}, {} runs a row; in brackets standard errors off\n", seed, runs);
    const int wrong = play_tables(seed, runs) + play_intervals(seed, runs);
    fmt::print("{} rows are more than 4 standard errors off\n", wrong);
    return wrong > 0 ? 1 : 0;
}
