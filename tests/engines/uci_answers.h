#pragma once
#include <string>

#include "engines/uci/backend.h"

namespace assay::test {

/// What a player says to these lines, all sent at once; the input then ends.
[[nodiscard]] std::string answers(engines::Backend& backend, const std::string& lines);

}  // namespace assay::test
