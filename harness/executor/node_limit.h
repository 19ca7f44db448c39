#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"

namespace assay::harness {

/// What a program did that was asked to search so many nodes.
struct NodesSearched {
    std::uint64_t asked = 0;            // 0: it has no such limit
    std::optional<std::uint64_t> said;  // as it reported last
    Micros used{0};
    bool was_stopped = false;  // by a limit of time, as it did not end by itself
};

/// What is said of a program that does not keep to its limit of nodes. Such a one searches until it
/// is stopped, minutes for each position, so that the run would seem to hang. Empty for any other.
[[nodiscard]] std::string ignored_nodes_text(const NodesSearched& search);

}  // namespace assay::harness
