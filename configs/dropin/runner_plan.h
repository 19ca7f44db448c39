#pragma once
#include <cstdint>
#include <string>

#include "configs/dropin/runner_settings.h"
#include "harness/plan/plan.h"

namespace assay::configs::dropin {

/// All games, with those of an earlier session.
[[nodiscard]] std::int64_t games_of(const RunnerSettings& settings);

/// How many games in a row have the same opening.
[[nodiscard]] int games_an_opening(const RunnerSettings& settings);

/// Whether the run is a tournament: of more than two engines, or a knockout.
[[nodiscard]] bool is_tournament(const RunnerSettings& settings);

/// What no run can have of these settings, in one sentence with what to use; empty: nothing.
[[nodiscard]] std::string not_planned(const RunnerSettings& settings);

/// The run that the settings ask for, by the rules of their runner. Paths become absolute; relative
/// ones begin in `folder`. Settings with earlier results (RunnerSettings::earlier) give a run of
/// what is left. REQUIRES: 2 to harness::kMostEntrants engines.
[[nodiscard]] harness::RunPlan runner_plan(const RunnerSettings& settings,
                                           const Surroundings& surroundings,
                                           const std::string& folder);

}  // namespace assay::configs::dropin
