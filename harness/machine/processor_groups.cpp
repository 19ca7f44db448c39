// Which processors the programs of one game are pinned to.
//
// A game gets as many processors as its programs have threads that think at once. They come from
// one NUMA node as long as a node has that many left: a program whose threads lie on two nodes pays
// for each access to the other's memory. Two games share a physical core only when all cores have
// one, so that the second threads of cores come last. An explicit list is taken in its own order,
// as fastchess does: its user has thought about it.
#include "harness/machine/processor_groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::harness {

namespace {

constexpr int kMostProcessors = 1 << 16;

int processor_number(std::string_view digits, std::string_view list) {
    const auto number = to_number<int>(trim(digits));
    if (number && *number >= 0 && *number < kMostProcessors) return *number;
    throw Error(fmt::format("'{}' is no list of processors such as 0,2,4-7", printable_utf8(list)));
}

/// The node of each processor, from /sys/devices/system/node.
std::map<int, int> node_by_processor(const TextReader& read) {
    const std::string folder = "/sys/devices/system/node/";
    std::map<int, int> node_of;
    const auto online = read(folder + "online");
    if (!online) return node_of;
    for (const int node : processor_list(trim(*online))) {
        const auto list = read(fmt::format("{}node{}/cpulist", folder, node));
        if (!list) continue;
        for (const int processor : processor_list(trim(*list))) node_of[processor] = node;
    }
    return node_of;
}

}  // namespace

std::vector<int> processor_list(std::string_view text) {
    std::vector<int> numbers;
    std::set<int> known;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const std::string_view part = rest.substr(0, end);
        const std::size_t dash = std::min(part.find('-'), part.size());
        const int first = processor_number(part.substr(0, dash), text);
        const int last = dash < part.size() ? processor_number(part.substr(dash + 1), text) : first;
        if (last < first || end + 1 == rest.size()) (void)processor_number("", text);
        for (int one = first; one <= last; ++one)
            if (known.insert(one).second) numbers.push_back(one);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return numbers;
}

std::vector<Processor> processors_of(const std::vector<int>& numbers, const TextReader& read) {
    std::map<int, int> node_of;
    try {
        node_of = node_by_processor(read);
    } catch (const Error&) {
        node_of.clear();  // the kernel's text is none that is known
    }
    std::vector<Processor> processors;
    for (const int number : numbers) {
        const auto node = node_of.find(number);
        processors.push_back(
            {number, core_id(number, read), node == node_of.end() ? 0 : node->second});
    }
    return processors;
}

std::vector<Processor> spread(std::vector<Processor> processors) {
    // The place of each among the threads of its core, then among the cores of its node.
    struct Rank {
        int thread = 0;
        int core = 0;
        std::size_t index = 0;
    };

    std::map<std::pair<int, int>, int> threads_of_core;
    std::map<std::pair<int, int>, int> ranked_of_node;  // by thread and node
    std::vector<Rank> ranks;
    for (std::size_t i = 0; i < processors.size(); ++i) {
        const Processor& one = processors[i];
        const int own = -1 - one.number;  // of an unknown core
        const int thread =
            threads_of_core[{one.core.package.value_or(0), one.core.core.value_or(own)}]++;
        ranks.push_back({thread, ranked_of_node[{thread, one.node}]++, i});
    }
    std::ranges::stable_sort(ranks, [](const Rank& a, const Rank& b) {
        return std::pair(a.thread, a.core) < std::pair(b.thread, b.core);
    });
    std::vector<Processor> out;
    out.reserve(processors.size());
    for (const Rank& rank : ranks) out.push_back(processors[rank.index]);
    return out;
}

std::vector<std::vector<int>> processor_groups(const std::vector<Processor>& processors,
                                               int threads) {
    const auto size = static_cast<std::size_t>(threads);
    std::vector<std::vector<int>> groups;
    std::map<int, std::vector<int>> open;  // by node
    for (const Processor& one : processors) {
        std::vector<int>& group = open[one.node];
        group.push_back(one.number);
        if (group.size() == size) groups.push_back(std::exchange(group, {}));
    }
    std::vector<int> mixed;
    for (const auto& [node, rest] : open) {
        for (const int number : rest) {
            mixed.push_back(number);
            if (mixed.size() == size) groups.push_back(std::exchange(mixed, {}));
        }
    }
    return groups;
}

}  // namespace assay::harness
