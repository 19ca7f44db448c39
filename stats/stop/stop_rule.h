#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "stats/data/counts.h"
#include "stats/stop/after_stop.h"
#include "stats/stop/boundary.h"
#include "stats/stop/time_left.h"
#include "stats/test/sprt.h"

namespace assay::stats {

/// A rule's figures at its last look, for people and for JSON.
struct TestState {
    std::string rule;           // sprt closing closing-ff closing-ff-mirror capped anytime fixed
    std::optional<double> llr;  // anytime: ln E, negative where the evidence is for H0
    /// The nominal bounds of the LLR now.
    std::optional<double> lower;
    std::optional<double> upper;
    /// The bounds that the LLR was compared with: corrected for looks at discrete times.
    std::optional<double> corrected_lower;
    std::optional<double> corrected_upper;
    double elo0 = 0;
    double elo1 = 0;
    double alpha = 0;
    double beta = 0;
    std::string model;    // normalized logistic bayesian; empty where the rule has no bounds
    std::string state;    // continue, accepted H0, accepted H1
    std::string reason;   // why there is no LLR; empty otherwise
    bool at_cap = false;  // decided by the sign at the last look
};

/// The LLR's bounds at one look; where they meet, that is the last one.
struct LookBounds {
    double lower = 0;
    double upper = 0;
};

/// A stopping rule. It receives complete pairs in schedule order. A decision is final: pairs added
/// later change nothing. Not thread-safe.
class StopRule {
public:
    StopRule() = default;
    StopRule(const StopRule&) = delete;
    StopRule& operator=(const StopRule&) = delete;
    virtual ~StopRule() = default;

    /// Adds one pair of the given category, 0 to 4 (its scores' sum in half points). `draws` is
    /// the number of drawn games in it, which BayesElo needs; by default 2 for category 2.
    Decision add(int category, int draws = -1);

    [[nodiscard]] Decision decision() const { return decision_; }

    /// The pairs that the decision rests on.
    [[nodiscard]] const Pentanomial& pairs() const { return pairs_; }

    [[nodiscard]] virtual TestState state() const = 0;
    /// Pairs after which the rule has certainly decided; nullopt if there is no such number.
    [[nodiscard]] virtual std::optional<std::int64_t> cap() const = 0;

    /// The nominal bounds at a look after `pairs` >= 0 pairs, for a chart; nullopt where they
    /// depend on more than that number.
    [[nodiscard]] virtual std::optional<LookBounds> bounds_after(std::int64_t /*pairs*/) const {
        return std::nullopt;
    }

    /// Estimate, interval and p-values that allow for the stopping; nullopt where the rule has no
    /// sequential look (the plain estimate is right then) or there is too little data. Costs up to
    /// 100 ms.
    [[nodiscard]] virtual std::optional<AfterStop> after_stop() const = 0;

    /// What the test still needs where `planned` pairs are played at most, at the strength that the
    /// pairs show so far. Nullopt where it has decided, has no law of its own (a fixed number of
    /// pairs, evidence), or has seen fewer than kLeastUnits pairs. About 1 ms.
    [[nodiscard]] virtual std::optional<PairsLeft> pairs_left(std::int64_t /*planned*/) const {
        return std::nullopt;
    }

    /// A new rule with the same settings and no pairs. It shares the calibration. May be called
    /// from several threads at once.
    [[nodiscard]] virtual std::unique_ptr<StopRule> fresh() const = 0;
    /// P(outcome <= the observed one) if `nelo` is the true strength; for simulations of coverage.
    /// Nullopt where after_stop() is.
    [[nodiscard]] virtual std::optional<double> outcome_probability_at(double nelo) const = 0;

private:
    /// The pair is already counted in pairs().
    virtual Decision on_pair(int category, int draws) = 0;

    Pentanomial pairs_;
    Decision decision_ = Decision::Continue;
};

struct BoundarySettings {
    Shape shape = Shape::ClosingFastFail;
    Model model = Model::Normalized;  // Logistic: with an approximate cap; never Bayesian
    double elo0 = 0;
    double elo1 = 2;
    double alpha = 0.05;
    double beta = 0.05;
    /// Pairs between two looks; 0 for default_pairs_per_look().
    int pairs_per_look = 0;
};

/// The rule `anytime`: evidence that holds at every look (evidence.h), for logistic Elo. H1 is
/// accepted once "mean score <= that of elo0" is refuted at alpha, H0 once "mean score >= that of
/// elo1" is refuted at beta. With elo0 = elo1 it asks which program is stronger.
struct EvidenceSettings {
    double elo0 = 0;
    double elo1 = 0;
    double alpha = 0.05;
    double beta = 0.05;
};

/// The number of pairs between looks for `pairs_per_look = 0`: a power of two up to 32, small
/// enough for the correction of discrete looks to be accurate.
[[nodiscard]] int default_pairs_per_look(const BoundarySettings& settings);

/// Each throws Error for settings that make no test.
[[nodiscard]] std::unique_ptr<StopRule> make_boundary_rule(const BoundarySettings& settings);
[[nodiscard]] std::unique_ptr<StopRule> make_sprt_rule(const SprtSettings& settings);
[[nodiscard]] std::unique_ptr<StopRule> make_evidence_rule(const EvidenceSettings& settings);
/// Decides after exactly `pairs` pairs by the sign of the score if the two-sided p-value of the
/// sign-flip test is at most alpha; otherwise it never decides.
[[nodiscard]] std::unique_ptr<StopRule> make_fixed_rule(double alpha, std::int64_t pairs);

}  // namespace assay::stats
