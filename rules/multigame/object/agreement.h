#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "rules/multigame/interpret/machine.h"
#include "rules/multigame/object/loader.h"

namespace assay::rules::multigame {

/// What differs first between the interpreter and compiled rules in so many positions of random
/// games, played side by side: lists of moves, names, keys, positions. Empty: nothing does.
[[nodiscard]] std::string disagreement(const std::shared_ptr<const Tables>& tables,
                                       const std::shared_ptr<const CompiledProgram>& compiled,
                                       int positions, std::uint64_t seed);

}  // namespace assay::rules::multigame
