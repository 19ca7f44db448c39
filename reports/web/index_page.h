#pragma once
#include <string>
#include <vector>

#include "reports/view/figures.h"

namespace assay::reports::web {

/// One run of the list; `view` is null where no more is known than the record says.
struct IndexRun {
    const harness::RunRecord* run = nullptr;
    const RunView* view = nullptr;
};

/// The list of a store's runs, newest first, with links to their pages and histories as the local
/// server has them.
[[nodiscard]] std::string index_page(const std::vector<IndexRun>& runs, const std::string& store);

}  // namespace assay::reports::web
