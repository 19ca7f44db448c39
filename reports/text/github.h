#pragma once
#include <string>

#include "base/diagnostic.h"
#include "reports/view/run_view.h"

namespace assay::reports {

/// Whether this process is a step of a GitHub workflow (GITHUB_ACTIONS=true).
[[nodiscard]] bool is_github_action();

/// One workflow command that annotates the job (::error title=…::…), with its line end: the outcome
/// of a gate that returns this exit code, the reason, and the command that shows more. GitHub shows
/// at most ten annotations of a kind for each step, so a gate writes only one. Empty where the code
/// is 0 or comes from a signal.
[[nodiscard]] std::string github_annotation(const RunView& view, int exit_code);

/// The errors of a config, each at its line; at most ten.
[[nodiscard]] std::string github_annotations(const SyntaxError& error);

/// What later steps of a job may read (the file that $GITHUB_OUTPUT names): verdict, tainted,
/// exit_code, run, pairs, elo, elo_low, elo_high, nelo, llr; one "name=value" a line, the value
/// empty where there is none. The figures are those of the match that decided the outcome.
[[nodiscard]] std::string github_outputs(const RunView& view, int exit_code);

}  // namespace assay::reports
