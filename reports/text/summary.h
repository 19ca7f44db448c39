#pragma once
#include <string>

#include "reports/view/run_view.h"

namespace assay::reports {

/// The texts of the terminal; `assay run` and `assay report` print the same ones. Lines end with a
/// newline, nothing is wrapped. Colours are ANSI sequences around verdict words alone.

/// How the run ended, if it did not simply finish, with the line that resumes it; its warnings; and
/// where to read more.
[[nodiscard]] std::string run_end(const RunView& view, bool colour);

/// Of a gate that has ended: its word, exit code and reason, a line or two; else empty.
[[nodiscard]] std::string outcome_lines(const RunView& view, bool colour);

/// All of a stored run. `width`: the terminal's columns, 0: unlimited.
[[nodiscard]] std::string run_summary(const RunView& view, bool colour, int width = 0);

}  // namespace assay::reports
