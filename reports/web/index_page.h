#pragma once
#include <optional>
#include <string>
#include <vector>

#include "reports/view/run_view.h"

namespace assay::reports::web {

/// One run of the list; `view` is null where only the record was read.
struct IndexRun {
    const harness::RunRecord* run = nullptr;
    const RunView* view = nullptr;
    bool is_in_play = false;  // a process is playing it now
    /// The estimate to quote of the first match, where it is known already.
    std::optional<harness::MatchEstimate> quoted = std::nullopt;
};

/// The list of the runs in a store with links to their pages and histories on the local server:
/// what is in play first, then as `runs` has them. Each run has its config, what tells the versions
/// of its programs apart, and the word of its outcome.
[[nodiscard]] std::string index_page(const std::vector<IndexRun>& runs, const std::string& store);

/// The page that stands for the list while there is no such store; it loads itself again.
[[nodiscard]] std::string waiting_page(const std::string& store);

}  // namespace assay::reports::web
