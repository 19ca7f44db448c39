#include "harness/machine/processor_groups.h"

#include <map>

#include <doctest/doctest.h>

#include "base/diagnostic.h"

namespace assay::harness {

namespace {

using Groups = std::vector<std::vector<int>>;

/// Two nodes of two cores with two threads each: cores 0 to 3 are processors 0 to 3, and their
/// second threads 4 to 7.
std::optional<std::string> two_nodes(const std::string& path) {
    static const std::map<std::string, std::string> files = [] {
        std::map<std::string, std::string> all{
            {"/sys/devices/system/node/online", "0-1\n"},
            {"/sys/devices/system/node/node0/cpulist", "0-1,4-5\n"},
            {"/sys/devices/system/node/node1/cpulist", "2-3,6-7\n"}};
        for (int cpu = 0; cpu < 8; ++cpu) {
            const std::string folder =
                "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
            all[folder + "physical_package_id"] = std::to_string(cpu % 4 / 2);
            all[folder + "core_id"] = std::to_string(cpu % 4);
        }
        return all;
    }();
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Processor> all_of_two_nodes() {
    return processors_of({0, 1, 2, 3, 4, 5, 6, 7}, two_nodes);
}

}  // namespace

TEST_CASE("Processors: a list is read as the kernel writes it") {
    CHECK(processor_list("0,2,4-7") == std::vector<int>{0, 2, 4, 5, 6, 7});
    CHECK(processor_list("7-8,3,7") == std::vector<int>{7, 8, 3});
    CHECK(processor_list("").empty());
    CHECK(processor_list("0-65535,0-65535").size() == 65536);
    for (const char* const bad : {",", "1,", ",1", "a", "3-1", "-1", "1-", "1--2", "99999999"}) {
        CAPTURE(bad);
        CHECK_THROWS_AS((void)processor_list(bad), Error);
    }
}

TEST_CASE("Processors: games spread over cores and nodes before two share a core") {
    CHECK(processor_groups(spread(all_of_two_nodes()), 1) ==
          Groups{{0}, {2}, {1}, {3}, {4}, {6}, {5}, {7}});
}

TEST_CASE("Processors: a game of several threads has processors of one node") {
    CHECK(processor_groups(spread(all_of_two_nodes()), 2) ==
          Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}});
    // What nodes have left over is put together last.
    CHECK(processor_groups(spread(all_of_two_nodes()), 3) == Groups{{0, 1, 4}, {2, 3, 6}});
    CHECK(processor_groups(processors_of({0, 2, 1, 3, 4, 6}, two_nodes), 3) ==
          Groups{{0, 1, 4}, {2, 3, 6}});
    CHECK(processor_groups(processors_of({0, 2}, two_nodes), 2) == Groups{{0, 2}});
    CHECK(processor_groups(processors_of({0}, two_nodes), 2).empty());
}

TEST_CASE("Processors: a list keeps its order, and a silent kernel has one node") {
    const auto nothing = [](const std::string&) { return std::optional<std::string>(); };
    CHECK(processor_groups(processors_of({3, 1, 2, 0}, nothing), 2) == Groups{{3, 1}, {2, 0}});
    CHECK(processor_groups(spread(processors_of({3, 1}, nothing)), 1) == Groups{{3}, {1}});
}

}  // namespace assay::harness
