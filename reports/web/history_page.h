#pragma once
#include <functional>
#include <string>

#include "reports/history/history.h"

namespace assay::reports::web {

struct HistoryOptions {
    std::string store_path = "assay.db";
    /// The address of a run's page, for the links of its night; empty: the run has no page.
    std::function<std::string(std::int64_t run)> link_of;
};

/// The history as one HTML document that needs no network and is complete without scripts.
[[nodiscard]] std::string history_page(const History& history, const HistoryOptions& options = {});

}  // namespace assay::reports::web
