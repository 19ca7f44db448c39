#pragma once
#include <string>

#include "adapters/protocol/search.h"

namespace assay::adapters {

/// "position … \n go … \n" into `out`, whose capacity is kept. Times are told in whole
/// milliseconds, rounded down, and at least 1.
void compose_search(std::string& out, const SearchRequest& request);

}  // namespace assay::adapters
