#pragma once
#include <string>
#include <vector>

#include "reports/view/run_view.h"

namespace assay::reports {

/// JUnit XML as GitLab, Jenkins and GitHub actions read it: one suite for each match, with one case
/// for its verdict and one for each requirement of the plan. `failure`: the first program is at
/// fault; `error`: the machine, or a program that never started; `skipped`: no verdict, with the
/// reason. The first suite of a gate has its outcome as properties. Names of cases are unique, and
/// the text of the elements has all figures. `attachments`: paths of files
/// that every verdict's case and every case that did not pass names, each on a line of its
/// system-out as GitLab and Jenkins look for them (GitLab shows the first, of failures).
[[nodiscard]] std::string junit_report(const RunView& view,
                                       const std::vector<std::string>& attachments = {});

/// A report of a gate that ended by an error: one error with this text.
[[nodiscard]] std::string junit_error(const std::string& text);

/// A report of a gate that had nothing to play: one skipped case with the reason.
[[nodiscard]] std::string junit_skipped(const std::string& reason);

}  // namespace assay::reports
