#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/machine.h"

namespace assay::harness {

/// A logical processor and where it is.
struct Processor {
    int number = 0;
    CoreId core;
    int node = 0;  // of NUMA
};

/// Numbers as the kernel and taskset write them, "0,2,4-7": each once, in the text's order; none of
/// an empty text. Throws Error where it is no such list.
[[nodiscard]] std::vector<int> processor_list(std::string_view text);

/// What the kernel says of these processors, in their order; one that it does not know is a core of
/// its own on node 0.
[[nodiscard]] std::vector<Processor> processors_of(const std::vector<int>& numbers,
                                                   const TextReader& read);

/// In an order in which the first ones share the least: all nodes in turn, and of each core its
/// first thread before any second one.
[[nodiscard]] std::vector<Processor> spread(std::vector<Processor> processors);

/// Groups of `threads` processors, as many as there are, each within one node where the node has
/// enough left; processors are taken in the given order. REQUIRES: threads > 0.
[[nodiscard]] std::vector<std::vector<int>> processor_groups(
    const std::vector<Processor>& processors, int threads);

}  // namespace assay::harness
