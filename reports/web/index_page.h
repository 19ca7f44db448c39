#pragma once
#include <string>
#include <vector>

#include "reports/view/run_view.h"

namespace assay::reports::web {

/// One run of the list; `view` is null where only the record was read.
struct IndexRun {
    const harness::RunRecord* run = nullptr;
    const RunView* view = nullptr;
};

/// The list of the runs in a store, newest first, with links to their pages and histories on the
/// local server.
[[nodiscard]] std::string index_page(const std::vector<IndexRun>& runs, const std::string& store);

}  // namespace assay::reports::web
