#pragma once
#include <string>
#include <vector>

#include "reports/view/figures.h"

namespace assay::reports {

/// JUnit XML as GitLab, Jenkins and GitHub actions read it: a suite a match, a case for its verdict
/// and one for each thing that the plan requires. `failure`: the first program's fault; `error`:
/// the machine's or a program that never started; `skipped`: no verdict, with the reason. Names of
/// cases are unique, and all figures stand in the elements' text. `attachments`: paths of files
/// that every verdict's case and every case that did not pass names, each on a line of its
/// system-out as GitLab and Jenkins look for them (GitLab shows the first, of failures).
[[nodiscard]] std::string junit_report(const RunView& view,
                                       const std::vector<std::string>& attachments = {});

/// A report of a gate that ended by an error: one error with this text.
[[nodiscard]] std::string junit_error(const std::string& text);

/// A report of a gate that had nothing to play: one skipped case with the reason.
[[nodiscard]] std::string junit_skipped(const std::string& reason);

}  // namespace assay::reports
