#pragma once
#include <cstdint>
#include <string>

#include "configs/dropin/runner_settings.h"
#include "harness/plan/plan.h"

namespace assay::configs::dropin {

/// All games, with those of an earlier session.
[[nodiscard]] std::int64_t games_of(const RunnerSettings& settings);

/// The games of one opening: 1 or 2.
[[nodiscard]] int games_an_opening(const RunnerSettings& settings);

/// The run that the settings ask for, by the rules of their runner. Paths become absolute; relative
/// ones begin in `folder`. Settings with earlier results (RunnerSettings::earlier) give a run of
/// what is left. REQUIRES: two engines.
[[nodiscard]] harness::RunPlan runner_plan(const RunnerSettings& settings,
                                           const Surroundings& surroundings,
                                           const std::string& folder);

}  // namespace assay::configs::dropin
