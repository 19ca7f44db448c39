#pragma once
#include <string>

#include "harness/store/store.h"
#include "reports/view/run_view.h"

namespace assay::reports::web {

/// Options of the page.
struct PageOptions {
    bool is_live = false;    // the page is served by `assay serve` and updates itself
    std::string games = {};  // live_games() of it
    long long now_us = 0;    // the wall clock when they were made
};

/// The report of a run as one HTML document that needs no network and is complete without scripts.
/// `store` holds the pairs and games of `view`. A run of 100,000 games takes about a second,
/// because the moves of only some thousand games are read.
[[nodiscard]] std::string run_page(const RunView& view, const harness::Store& store,
                                   const PageOptions& options = {});

}  // namespace assay::reports::web
