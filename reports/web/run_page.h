#pragma once
#include <string>

#include "harness/store/store.h"
#include "reports/view/figures.h"

namespace assay::reports::web {

/// How a page is looked at.
struct PageOptions {
    bool is_live = false;  // served: the page keeps itself up to date
};

/// The report of a run as one HTML document that needs no network and reads whole without script.
/// `store` gives the pairs and games of `view`. A run of 100,000 games takes about a second, as
/// only some thousand games are looked into.
[[nodiscard]] std::string run_page(const RunView& view, const harness::Store& store,
                                   const PageOptions& options = {});

}  // namespace assay::reports::web
