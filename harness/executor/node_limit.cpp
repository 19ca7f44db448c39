#include "harness/executor/node_limit.h"

#include <chrono>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/plan/time_control.h"

namespace assay::harness {

std::string ignored_nodes_text(const NodesSearched& search) {
    // Programs count nodes in steps, and finish what they have begun.
    constexpr std::uint64_t kMostTimes = 10;
    constexpr std::uint64_t kLeastOver = 100'000;
    if (search.asked == 0) return "";
    const bool is_over = search.said && *search.said / kMostTimes > search.asked &&
                         *search.said - search.asked > kLeastOver;
    if (!is_over && !search.was_stopped) return "";
    const Micros used = std::chrono::floor<std::chrono::milliseconds>(search.used);
    return fmt::format(
        "does not keep to its limit of nodes: asked for {}, it searched for {} {}{}",
        counted(static_cast<std::int64_t>(search.asked), "node"), duration_text(used),
        search.said ? "and reported " + counted(static_cast<std::int64_t>(*search.said), "node")
                    : "and reported no nodes",
        search.was_stopped ? ", until it was told to stop" : "");
}

}  // namespace assay::harness
