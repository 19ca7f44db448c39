#pragma once
#include <string_view>

namespace assay::reports::web {

/// The text of a file of this folder that the build embedded in the program: a template, the style
/// sheet, a script. REQUIRES: the name is in CMakeLists.txt.
[[nodiscard]] std::string_view asset(std::string_view name);

}  // namespace assay::reports::web
