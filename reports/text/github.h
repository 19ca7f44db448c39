#pragma once
#include <string>

#include "base/diagnostic.h"
#include "reports/view/figures.h"

namespace assay::reports {

/// One workflow command that annotates the job (::error title=…::…), with its line end: why the
/// gate ended with this exit code, and the line that shows more. GitHub shows ten annotations a
/// kind and step, so there is one. Empty where the code is 0 or a signal's.
[[nodiscard]] std::string github_annotation(const RunView& view, int exit_code);

/// The same for what is wrong in a config, at its line: at most ten.
[[nodiscard]] std::string github_annotations(const SyntaxError& error);

/// What later steps of a job may read (the file that $GITHUB_OUTPUT names): verdict, tainted,
/// exit_code, run, pairs, elo, elo_low, elo_high, nelo, llr; one "name=value" a line, the value
/// empty where there is none. Of the first match that did not pass, else of the last.
[[nodiscard]] std::string github_outputs(const RunView& view, int exit_code);

}  // namespace assay::reports
