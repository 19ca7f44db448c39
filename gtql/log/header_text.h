#pragma once
#include <string_view>

namespace assay::gtql {

/// The text of treelog.h, put into the program when it was built: engines copy it from there.
[[nodiscard]] std::string_view treelog_header();

}  // namespace assay::gtql
