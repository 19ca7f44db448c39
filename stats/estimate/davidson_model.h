#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "stats/data/connection.h"
#include "stats/data/matrix.h"
#include "stats/estimate/davidson.h"

namespace assay::stats {

/// The field of average programs, of strength 0: the opponent of the prior's games. It has no
/// parameter.
inline constexpr std::size_t kField = static_cast<std::size_t>(-1);

/// All games of one kind: who was first, who second, and whether sides are known.
struct DavidsonCell {
    std::size_t first = 0;
    std::size_t second = 0;
    bool has_side = true;
    double wins = 0;
    double draws = 0;
    double losses = 0;

    [[nodiscard]] double games() const { return wins + draws + losses; }
};

/// Of the log-likelihood of some games, at one u and ln nu.
struct DavidsonSlope {
    double u = 0;       // derivative of the log-likelihood by u
    double log_nu = 0;  // and by ln nu
    double uu = 0;      // minus the second derivatives
    double u_log_nu = 0;
    double nu_nu = 0;
};

[[nodiscard]] DavidsonSlope slope_of(const DavidsonLaw& law, double wins, double draws,
                                     double losses);

struct DavidsonParameters {
    std::vector<double> strength;
    double eta = 0;
    double log_nu = 0;
};

/// The likelihood of games under the Davidson model, with the prior's games that it needs, and its
/// maximum. The parameters are numbered: the strengths, then n for eta and n + 1 for ln nu.
class DavidsonModel {
public:
    /// As of fit_davidson(). `connection` outlives it.
    DavidsonModel(std::size_t programs, const std::vector<RatedGames>& games,
                  const std::vector<RatedPairs>& pairs, const Connection& connection);

    /// Fits the model, and adds more of the prior until the parameters stay finite.
    [[nodiscard]] DavidsonParameters fit();

    [[nodiscard]] bool has_eta() const { return has_eta_; }

    [[nodiscard]] bool has_nu() const { return draws_ > 0; }

    [[nodiscard]] const std::vector<bool>& prior() const { return prior_; }

    [[nodiscard]] bool first_move_prior() const { return first_move_prior_; }

    [[nodiscard]] std::size_t size() const { return programs_ + 2; }

    /// Whether the errors of these games come from the model rather than from their scores.
    [[nodiscard]] bool is_model_based(std::size_t a, std::size_t b) const;

    /// Programs with too few clusters, or too equal ones, for an error from their scatter.
    void set_thin(std::vector<bool> programs) { is_thin_ = std::move(programs); }

    [[nodiscard]] double u_of(const DavidsonParameters& at, std::size_t first, std::size_t second,
                              bool has_side) const;

    [[nodiscard]] double nu_of(const DavidsonParameters& at) const;

    /// Every kind of games, the prior's included, with a flag for those.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const DavidsonCell& cell : cells_) visit(cell, false);
        for (std::size_t i = 0; i < programs_; ++i) {
            if (prior_[connection_.component_of(i)])
                visit(DavidsonCell{i, kField, false, .5, 0, .5}, true);
        }
        if (first_move_prior_) visit(DavidsonCell{kField, kField, true, .5, 0, .5}, true);
    }

    /// Adds the information of games at u to `matrix`.
    void add_information(Matrix& matrix, const DavidsonCell& cell,
                         const DavidsonSlope& slope) const;

    /// Adds the first derivatives of games to `gradient`.
    void add_gradient(std::vector<double>& gradient, const DavidsonCell& cell,
                      const DavidsonSlope& slope) const;

    /// Minus the second derivatives, made regular. The games do not determine the zero of a
    /// component's strengths; no gradient points in that direction, so that any value on it may be
    /// added. Parameters that are not fitted have a 1 on the diagonal.
    [[nodiscard]] Matrix information(const DavidsonParameters& at) const;

private:
    struct Indices {
        std::array<std::size_t, 3> at{};
        std::array<double, 3> sign{};
        std::size_t count = 0;
    };

    [[nodiscard]] Indices indices_of(const DavidsonCell& cell) const;

    /// Whether the games separate the first move's advantage from the strengths: no strengths alone
    /// would explain a constant shift of all first players.
    [[nodiscard]] bool tells_first_move() const;

    [[nodiscard]] double value(const DavidsonParameters& at) const;

    /// Nullopt where the parameters diverge or the steps do not converge.
    [[nodiscard]] std::optional<DavidsonParameters> newton() const;

    /// Halves the step until the likelihood rises; updates `best`.
    [[nodiscard]] std::optional<DavidsonParameters> better(const DavidsonParameters& from,
                                                           const std::vector<double>& move,
                                                           double& best) const;

    /// Whether the maximum is at infinity: the likelihood is then flat where the steps end, whereas
    /// a parameter that is bounded by results has a variance of at most about 10.
    [[nodiscard]] std::optional<DavidsonParameters> settled(const DavidsonParameters& at,
                                                            const Matrix& variance) const;

    /// 25 in natural units is 4300 Elo: no possible number of games could determine it.
    [[nodiscard]] bool has_run_away(const DavidsonParameters& at) const;

    std::size_t programs_;
    const Connection& connection_;
    std::vector<DavidsonCell> cells_;
    std::vector<bool> prior_;
    double draws_ = 0;
    double games_ = 0;
    bool has_eta_ = false;
    bool first_move_prior_ = false;
    bool is_model_based_ = false;
    std::vector<bool> is_thin_;
};

}  // namespace assay::stats
