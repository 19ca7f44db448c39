#pragma once
#include <string_view>

namespace assay::configs::dropin {

/// What the runner's -help prints; without the last line end.
[[nodiscard]] std::string_view fastchess_help();
[[nodiscard]] std::string_view cutechess_help();

}  // namespace assay::configs::dropin
