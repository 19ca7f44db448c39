#pragma once
#include <string>

#include "reports/view/run_view.h"

namespace assay::reports {

/// The run as scripts read it: one line of JSON, schema 1, with a line end. Keys are added in later
/// versions and never changed. The first match's figures stand at the top; where there are
/// several, "matches" has all of them. What is not known or not finite is null.
[[nodiscard]] std::string run_json(const RunView& view);

/// The same where nothing was played: {"schema":1,"run":null,"verdict":null,"skipped":REASON}.
[[nodiscard]] std::string skipped_json(const std::string& reason);

}  // namespace assay::reports
