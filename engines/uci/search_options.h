#pragma once
#include <cstddef>
#include <string>

#include "engines/search/settings.h"
#include "engines/uci/option_table.h"

namespace assay::engines {

/// What UCI can set on every player that searches.
struct SearchOptions {
    Settings search;
    std::size_t hash_mb = 16;
    int lines = 1;
    int overhead_ms = 10;
    std::string tree_log;
    int threads = 1;       // no player has more
    bool ponders = false;  // says that the GUI may ponder; needs no action
};

/// REQUIRES: `options` outlives the table.
void add_search_options(OptionTable& table, SearchOptions& options);

}  // namespace assay::engines
