#pragma once
#include <functional>
#include <string>

#include "reports/history/history.h"

namespace assay::reports::web {

struct HistoryOptions {
    std::string store_path = "assay.db";
    /// Where a run's page is, for the links of its night; empty: nowhere.
    std::function<std::string(std::int64_t run)> link_of;
};

/// The history as one HTML document that needs no network and reads whole without script.
[[nodiscard]] std::string history_page(const History& history, const HistoryOptions& options = {});

}  // namespace assay::reports::web
