#pragma once
#include <array>
#include <memory>

#include "stats/data/counts.h"
#include "stats/data/sample.h"
#include "stats/estimate/estimate.h"

namespace assay::stats {

/// Evidence that stays valid however often the data are looked at (a config's word for a rule that
/// uses it is `anytime`): a bet on every unit that is fair while the mean score is at most `score`.
/// Its wealth E has expectation at most 1 at every stopping time, so that
/// P(E ever reaches 1/alpha) <= alpha (Ville 1939). docs/statistics.md section 13. The stopping
/// rule on it is make_evidence_rule in stop_rule.h.

/// ln E for H0: mean <= `score`, from counts. 0 without data. REQUIRES: 0 < score < 1.
[[nodiscard]] double log_e_above(const Sample& sample, double score);

/// ln E for H0: mean >= `score`.
[[nodiscard]] double log_e_below(const Sample& sample, double score);

/// The scores that neither bet refutes at alpha/2. It contains the true mean at all times at once
/// with probability 1 - alpha. Within [0, 1]; [0, 1] without data.
struct ScoreRange {
    double low = 0;
    double high = 1;
};

[[nodiscard]] ScoreRange confidence_sequence(const Sample& sample, double alpha = 0.05);

/// The same in logistic Elo; an end at score 0 or 1 is nullopt.
[[nodiscard]] Interval confidence_sequence_elo(const Sample& sample, double alpha = 0.05);

/// ln E of one hypothesis, updated pair by pair in 100 ns.
class EProcess {
public:
    /// `above`: against H0 mean <= score; else against H0 mean >= score.
    EProcess(double score, bool above);

    /// REQUIRES: 0 <= category <= 4.
    void add(int category);

    [[nodiscard]] double log_e() const { return log_e_; }

    /// The greatest value so far; exp(-greatest()) is a p-value at any time.
    [[nodiscard]] double greatest() const { return greatest_; }

    static constexpr std::size_t kStakes = 6;

private:
    std::array<std::array<double, kStakes>, kPairCategories> gain_{};
    std::array<double, kStakes> wealth_{};  // logarithms
    double log_e_ = 0;
    double greatest_ = 0;
};

}  // namespace assay::stats
