#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "stats/estimate/estimate.h"
#include "stats/plan/sample_size.h"
#include "stats/plan/simulate.h"
#include "stats/stop/after_stop.h"
#include "stats/stop/exit_law.h"
#include "stats/test/sign_flip.h"
#include "stats/test/sprt.h"
#include "stats/test/trinomial.h"

namespace assay::cli {

/// Each prints one answer of `assay stats` on standard output: figures and one plain sentence for
/// people, or one JSON object with stable keys. A value that does not exist is null.
void print_trinomial(std::int64_t pairs, std::int64_t score, const stats::TrinomialNull& null,
                     double level, const stats::TrinomialTest& test, bool is_json);
void print_sign_flip(const stats::Pentanomial& pairs, const stats::SignFlip& test, bool is_json);
void print_strength(const stats::Sample& sample, const stats::Strength& strength,
                    const std::optional<stats::SignFlip>& flip, bool is_json);
void print_sprt(const stats::SprtSettings& settings, const stats::SprtResult& result,
                const stats::Strength& naive, const std::optional<stats::AfterStop>& post,
                const std::optional<stats::DriftScale>& scale, bool is_json);
void print_boundary(const std::string& rule, const stats::Boundary& boundary,
                    const stats::ExitLaw& law, bool is_json);

struct PlanReport {
    std::string rule;
    double elo0 = 0;
    double elo1 = 0;
    double alpha = 0;
    double beta = 0;
    stats::EloPrior prior;
    stats::TestPlan plan;
    double hours_per_pair = 0;  // 0: unknown
};

void print_plan(const PlanReport& report, bool is_json);
void print_fixed_plan(double nelo, double alpha, double power, double hours_per_pair, bool is_json);
void print_simulation(const std::string& rule, const stats::SimulationSettings& settings,
                      const stats::SimulationResult& result, bool is_json);

}  // namespace assay::cli
