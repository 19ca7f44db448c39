#pragma once
#include <span>
#include <string_view>

namespace assay::rules::multigame {

/// A function of the C file that is the same for all programs, and is left out where nothing behind
/// it calls it, so that no compiler warns of it.
struct RuntimeFunction {
    std::string_view name;
    std::string_view text;
};

/// Types, behind the constants of the program.
extern const std::string_view kRuntimeTypes;

/// Functions that the derivations call, in the order in which they stand before them.
[[nodiscard]] std::span<const RuntimeFunction> runtime_functions();

/// Functions of the interface, behind the derivations.
extern const std::string_view kRuntimeGame;

/// The table of the interface, at the end.
extern const std::string_view kRuntimeTable;

}  // namespace assay::rules::multigame
