#pragma once
#include "configs/dropin/runner_settings.h"
#include "reports/dropin/runner_screen.h"

namespace assay::cli {

/// What a runner's command line wants to be shown and written.
[[nodiscard]] reports::dropin::ScreenSettings screen_of(
    const configs::dropin::RunnerSettings& settings);

}  // namespace assay::cli
