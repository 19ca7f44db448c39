#pragma once
#include <span>

#include "rules/multigame/multigame.h"

namespace assay::rules::multigame {

/// mg_game_v1() of a program, under a name of its own.
using ShippedEntry = const mg_game* (*)();

/// Of all programs that the build compiled; it writes this function (rules/CMakeLists.txt).
[[nodiscard]] std::span<const ShippedEntry> shipped_table();

}  // namespace assay::rules::multigame
