#pragma once
#include <string>

#include "reports/view/run_view.h"

namespace assay::reports {

/// A short report for a pull request or a job's summary: the verdict, a table of the figures, the
/// failures. Names and output of programs are escaped. The report stays below 64 KB, the limit of a
/// comment.
[[nodiscard]] std::string markdown_report(const RunView& view);

/// A report of a gate that ended by an error.
[[nodiscard]] std::string markdown_error(const std::string& text);

/// A report of a gate that had nothing to play.
[[nodiscard]] std::string markdown_skipped(const std::string& reason);

}  // namespace assay::reports
