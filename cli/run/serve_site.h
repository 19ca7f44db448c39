#pragma once
#include <string>

#include "reports/live/server.h"

namespace assay::cli {

/// What `assay serve` shows of the store at `path`. Every request opens the store again, so that a
/// server that runs for weeks shows its current content. While the store is_awaited(), the index
/// says so, and loads itself again every other second.
[[nodiscard]] reports::live::Site site_of(const std::string& path);

/// The store does not exist yet, or a run is just making it, which begins with an empty file.
[[nodiscard]] bool is_awaited(const std::string& path);

/// Throws Error where no store can ever be at `path`: it is no store, or its folder is missing.
void check_servable(const std::string& path);

}  // namespace assay::cli
