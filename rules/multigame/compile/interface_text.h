#pragma once
#include <string_view>

namespace assay::rules::multigame {

/// The text of rules/multigame/multigame.h.
[[nodiscard]] std::string_view interface_text();

/// Changes with every change of the sources that write C.
[[nodiscard]] std::string_view writer_hash();

}  // namespace assay::rules::multigame
