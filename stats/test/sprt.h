#pragma once
#include <array>
#include <optional>
#include <string_view>

#include "stats/data/counts.h"
#include "stats/estimate/likelihood_ratio.h"

namespace assay::stats {

/// Wald's sequential probability ratio test between H0: strength = elo0 and H1: strength = elo1,
/// on the generalised likelihood ratio (docs/statistics.md section 5).
struct SprtSettings {
    Model model = Model::Normalized;
    double elo0 = 0;
    double elo1 = 2;
    double alpha = 0.05;  // chance to accept H1 at elo0
    double beta = 0.05;   // chance to accept H0 at elo1
    /// Corrects for the overshoot past a bound by the ladder records of the path (Siegmund).
    bool ladder = true;
    /// Pairs between two looks at the data, at least 1.
    int pairs_per_look = 1;
    /// As other tools do it: zero counts become 0.001, no ladder.
    bool compat = false;
    /// Games are the units, not pairs, as other tools count where they have no pairs.
    bool by_games = false;
    /// Results that came before the first pair, and are part of the data from the first look on.
    Pentanomial pairs_before = {};
    Wdl games_before = {};
};

/// What a test says after a pair. H1: the first program is better by the test's measure (the run is
/// accepted); H0: it is not (rejected).
enum class Decision { Continue, AcceptH0, AcceptH1 };

/// "continue", "accepted H0" or "accepted H1".
[[nodiscard]] std::string_view name_of(Decision decision);

/// Throws Error unless elo0 < elo1 (finite), alpha and beta are in (0, 1) with a sum below 1, and
/// pairs_per_look >= 1.
void check_settings(const SprtSettings& settings);

/// ln(beta / (1 - alpha)) and ln((1 - beta) / alpha).
[[nodiscard]] double wald_lower(double alpha, double beta);
[[nodiscard]] double wald_upper(double alpha, double beta);

/// A test that receives pairs one by one, in schedule order. Once it has accepted a hypothesis its
/// state is final, and pairs added later are ignored. Value type; an update that is a look costs
/// about 1 us.
class Sprt {
public:
    /// Throws as check_settings does.
    explicit Sprt(const SprtSettings& settings);

    /// Adds one pair of the given category, 0 to 4. `draws` is the number of drawn games in it,
    /// which Model::Bayesian needs; by default 1 for categories 1 and 3, 2 for category 2.
    Decision add(int category, int draws = -1);

    [[nodiscard]] Decision state() const { return state_; }

    /// At the last look.
    [[nodiscard]] const Llr& llr() const { return llr_; }

    [[nodiscard]] double lower() const { return lower_; }

    [[nodiscard]] double upper() const { return upper_; }

    /// The corrected bounds, with which the LLR was compared.
    [[nodiscard]] double corrected_lower() const;
    [[nodiscard]] double corrected_upper() const;
    /// The draw parameter of Model::Bayesian from the pairs so far; nullopt for other models.
    [[nodiscard]] std::optional<double> draw_elo() const;

    [[nodiscard]] const Pentanomial& pairs() const { return pairs_; }

    [[nodiscard]] const SprtSettings& settings() const { return settings_; }

private:
    /// Sums over the records of the path in one direction.
    struct Ladder {
        double reference = 0;
        double sum = 0;
        double squares = 0;

        void climb(double height);
        [[nodiscard]] double overshoot() const;
    };

    void look();
    [[nodiscard]] Wdl games() const;
    [[nodiscard]] Pentanomial all_pairs() const;

    SprtSettings settings_;
    double lower_;
    double upper_;
    Pentanomial pairs_;
    double draws_ = 0;
    Decision state_ = Decision::Continue;
    Llr llr_{std::nullopt, "no data"};
    std::array<GlrStart, 2> starts_;
    Ladder up_;
    Ladder down_;
    bool restart_ = false;
};

/// The LLR of final counts and its position between the bounds. Counts have no path, so that there
/// is no correction for the overshoot. Throws as check_settings does.
struct SprtResult {
    Llr llr;
    double lower = 0;
    double upper = 0;
    Decision state = Decision::Continue;
};

[[nodiscard]] SprtResult sprt_of_counts(const Sample& sample, const SprtSettings& settings,
                                        std::optional<double> draw_elo = std::nullopt);

}  // namespace assay::stats
