#pragma once
#include <string_view>

#include "adapters/protocol/search.h"

namespace assay::adapters {

/// What was odd about an info line; views into the line or literals.
struct InfoWarning {
    std::string_view field;  // empty: nothing was odd
    std::string_view value;  // empty: the value is missing
};

/// Reads what follows `info` of a UCI line into `info`: fields that the line states are replaced,
/// others stay. Lines of a multipv other than 1 change nothing, nor does anything after `string`.
/// Depth and selective depth of a line without a score or pv (currmove and the like) are taken
/// only where none was known. Values that are missing or no numbers are left out and the first
/// is returned; numbers that overflow are the type's largest. Never throws or fails.
InfoWarning read_uci_info(std::string_view text, SearchInfo& info);

}  // namespace assay::adapters
