// Simulated matches: the check of the theory in this folder by its definition. Independent pairs of
// a given law are played against a stopping rule until it decides, and the share of runs that
// accept, their length and the coverage of the intervals are counted. The laws of exits
// (exit_law.h) are for Brownian motion; this uses the real likelihood ratio on real categories.
//
// Laws of other strengths come from the given one by an exponential tilt, which changes the mean
// and keeps the laws in one family. Whether a 95 % interval holds the truth is read off the
// probability of the outcome at the true strength: it is between 0.025 and 0.975 exactly where it
// does, so that no interval has to be solved for.
//
// Each run draws from a stream of its own, from the seed and its number, and writes into its own
// place: the result does not depend on the number of threads. Cost: at most about 1 us a pair and
// one solution of F a run.
#include "stats/plan/simulate.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <thread>
#include <vector>

#include "base/diagnostic.h"
#include "base/random.h"
#include "stats/data/elo.h"
#include "stats/estimate/estimate.h"
#include "stats/stop/after_stop.h"
#include "stats/stop/evidence.h"

namespace assay::stats {

namespace {

struct Run {
    Decision decision = Decision::Continue;
    std::int64_t pairs = 0;
    double probability_at_truth = 0.5;  // F of the outcome at the true strength
    bool naive_covers = false;
};

/// Cumulated probabilities, scaled to 64 bits: one word and four comparisons a pair.
class CategorySampler {
public:
    explicit CategorySampler(const PairLaw& law) {
        double sum = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            sum += law[i];
            limit_[i] = std::min(sum, 1.0);
        }
    }

    int operator()(Random& random) const {
        const double u = random.unit();
        int category = 0;
        for (const double limit : limit_) category += u >= limit ? 1 : 0;
        return category;
    }

private:
    std::array<double, 4> limit_{};
};

double score_of_law(const PairLaw& law) {
    double score = 0;
    for (std::size_t i = 0; i < law.size(); ++i) score += law[i] * 0.25 * static_cast<double>(i);
    return score;
}

std::unique_ptr<StopRule> rule_of(const SimulationSettings& settings) {
    switch (settings.kind) {
        case SimulationSettings::Kind::Sprt:
            return make_sprt_rule(settings.sprt);
        case SimulationSettings::Kind::Evidence:
            return make_evidence_rule(settings.evidence);
        case SimulationSettings::Kind::Boundary:
            break;
    }
    return make_boundary_rule(settings.boundary);
}

class Simulator {
public:
    explicit Simulator(const SimulationSettings& settings)
        : settings_(settings),
          sampler_(settings.law),
          truth_(nelo_of(settings.law)),
          true_score_(score_of_law(settings.law)) {}

    /// Plays one run. `prototype` is shared by all threads, so that calibration is done once.
    [[nodiscard]] Run play(int index, const StopRule& prototype) const {
        Random random(mix64(settings_.seed, static_cast<std::uint64_t>(index)));
        const std::unique_ptr<StopRule> rule = prototype.fresh();
        std::int64_t pairs = 0;
        while (rule->decision() == Decision::Continue && pairs < settings_.most_pairs) {
            rule->add(sampler_(random));
            ++pairs;
        }
        Run run{rule->decision(), pairs, 0.5, false};
        const Strength naive = estimate_strength(sample_of(rule->pairs()));
        run.naive_covers =
            naive.nelo.value && *naive.nelo.ci95.low <= truth_ && truth_ <= *naive.nelo.ci95.high;
        if (settings_.kind == SimulationSettings::Kind::Evidence) {
            run.probability_at_truth = probability_of_sequence(*rule);
        } else if (const auto f = rule->outcome_probability_at(truth_)) {
            run.probability_at_truth = *f;
        }
        return run;
    }

private:
    /// A confidence sequence has no law of outcomes: 0 or 1 where it misses the true score,
    /// otherwise a value that only tells on which side of the truth the estimate lies.
    [[nodiscard]] double probability_of_sequence(const StopRule& rule) const {
        const Sample sample = sample_of(rule.pairs());
        const ScoreRange range = confidence_sequence(sample);
        if (true_score_ < range.low) return 1;
        if (true_score_ > range.high) return 0;
        return moments_of(sample).mean > true_score_ ? 0.6 : 0.4;
    }

    const SimulationSettings& settings_;
    CategorySampler sampler_;
    double truth_;
    double true_score_;
};

SimulationResult summary(const std::vector<Run>& runs) {
    SimulationResult result;
    const double n = static_cast<double>(runs.size());
    result.runs = static_cast<int>(runs.size());
    std::vector<std::int64_t> lengths;
    double squares = 0;
    for (const Run& run : runs) {
        lengths.push_back(run.pairs);
        const double pairs = static_cast<double>(run.pairs);
        result.mean_pairs += pairs / n;
        squares += pairs * pairs / n;
        result.pass += run.decision == Decision::AcceptH1 ? 1 / n : 0;
        result.undecided += run.decision == Decision::Continue ? 1 : 0;
        const double f = run.probability_at_truth;
        result.coverage += f >= 0.025 && f <= 0.975 ? 1 / n : 0;
        // F falls in the drift: the estimate, where F = 1/2, is above the truth iff F there > 1/2.
        result.above_truth += f > 0.5 ? 1 / n : 0;
        result.naive_coverage += run.naive_covers ? 1 / n : 0;
    }
    std::sort(lengths.begin(), lengths.end());
    const auto quantile = [&](double p) {
        const double rank = std::ceil(p * n) - 1;
        return static_cast<double>(lengths[static_cast<std::size_t>(std::max(0.0, rank))]);
    };
    for (double* const share :
         {&result.pass, &result.coverage, &result.above_truth, &result.naive_coverage}) {
        *share = std::min(1.0, *share);  // sums of 1/n may exceed 1 by rounding
    }
    result.pairs_95 = quantile(0.95);
    result.pairs_999 = quantile(0.999);
    result.pass_error = std::sqrt(result.pass * (1 - result.pass) / n);
    result.mean_pairs_error =
        std::sqrt(std::max(0.0, squares - result.mean_pairs * result.mean_pairs) / n);
    return result;
}

}  // namespace

double nelo_of(const PairLaw& law) {
    double edge = 0;
    for (std::size_t i = 0; i < 5; ++i) edge += law[i] * (0.25 * static_cast<double>(i) - 0.5);
    double variance = 0;
    for (std::size_t i = 0; i < 5; ++i) {
        const double d = 0.25 * static_cast<double>(i) - 0.5 - edge;
        variance += law[i] * d * d;
    }
    return variance > 0 ? kElo * edge / std::sqrt(2 * variance) : 0;
}

PairLaw tilted_law(const PairLaw& law, double nelo) {
    double sum = 0;
    for (const double p : law) {
        if (!(p >= 0)) throw Error("a pair law's probabilities must be at least 0");
        sum += p;
    }
    if (std::fabs(sum - 1) > 1e-6) throw Error("a pair law's probabilities must add to 1");
    if (*std::max_element(law.begin(), law.end()) > sum - 1e-9) {
        throw Error("a pair law of one kind of result has no nElo");
    }
    const auto at = [&](double theta) {
        PairLaw tilted = law;
        double total = 0;
        for (std::size_t i = 0; i < 5; ++i) {
            tilted[i] *= std::exp(theta * (0.25 * static_cast<double>(i) - 0.5));
            total += tilted[i];
        }
        for (double& p : tilted) p /= total;
        return tilted;
    };
    double low = -60;
    double high = 60;
    if (!(nelo_of(at(low)) <= nelo && nelo <= nelo_of(at(high)))) {
        throw Error("no tilt of this pair law has the nElo asked for");
    }
    for (int step = 0; step < 200; ++step) {
        const double middle = 0.5 * (low + high);
        (nelo_of(at(middle)) < nelo ? low : high) = middle;
    }
    return at(0.5 * (low + high));
}

SimulationResult simulate(const SimulationSettings& settings) {
    if (settings.runs < 1 || settings.threads < 1 || settings.most_pairs < 1) {
        throw Error("a simulation needs at least one run, thread and pair");
    }
    const std::unique_ptr<StopRule> prototype = rule_of(settings);
    const Simulator simulator(settings);
    std::vector<Run> runs(static_cast<std::size_t>(settings.runs));
    std::atomic<int> next = 0;
    std::atomic<int> finished = 0;
    const auto work = [&](bool tells) {
        for (int i = next++; i < settings.runs; i = next++) {
            runs[static_cast<std::size_t>(i)] = simulator.play(i, *prototype);
            const int count = ++finished;
            if (tells && settings.on_progress) settings.on_progress(count);
        }
    };
    // Not more threads than runs, so that `next` cannot overflow.
    const int helpers = std::min(settings.threads, settings.runs) - 1;
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(helpers));
    for (int t = 0; t < helpers; ++t) threads.emplace_back(work, false);
    work(true);
    threads.clear();
    return summary(runs);
}

}  // namespace assay::stats
