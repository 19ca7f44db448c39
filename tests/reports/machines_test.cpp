// A run on more machines than a table for people has rows.
#include <cstdint>
#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "reports/files/run_json.h"
#include "reports/text/markdown.h"
#include "reports/text/match/match_summary.h"
#include "reports/view/machine_rows.h"
#include "tests/reports/sample_run.h"
#include "tests/support/contains.h"
#include "tests/support/sample_tally.h"

namespace assay::reports {

namespace {

constexpr int kMachines = 25;  // with the one that the run began on
constexpr int kTroubled = 24;

/// Ten pairs a machine; the last machine but one has trouble.
struct LargeFleet {
    LargeFleet() : run(test::report_run()), tally(run.plan.matches[0]) {
        std::vector<std::int64_t> machines{0};
        for (int i = 1; i < kMachines; ++i) {
            harness::MachineRecord machine{
                fmt::format("node{:02}", i), "A CPU", "Linux 6.1", 4, 2, 1};
            if (i == kTroubled) machine.trouble = "it got slower";
            machines.push_back(machine.id());
            run.other_machines.emplace(machine.id(), machine);
        }
        for (int i = 0; i < 10 * kMachines; ++i) {
            harness::PairDigest pair = test::pair_of(i, i % 3, (i / 3) % 3);
            pair.machine = machines[static_cast<std::size_t>(i % kMachines)];
            pair.games[0].moves_hash = static_cast<std::uint64_t>(i);
            tally.add(pair);
        }
    }

    [[nodiscard]] RunView view() const { return {run, {{&tally, {}}}, {}, "assay.db"}; }

    harness::RunRecord run;
    harness::MatchTally tally;
};

}  // namespace

TEST_CASE("Machines: of more than 20 those with trouble are shown, and the rest in one row") {
    const LargeFleet fleet;
    const std::vector<MachineRow> all = machine_rows(fleet.tally, fleet.run);
    REQUIRE(all.size() == kMachines);
    const std::vector<MachineRow> shown = shown_machines(all, kMostMachines);
    REQUIRE(shown.size() == kMostMachines);
    CHECK(shown.front().name == "node24");
    CHECK(shown.back().name == "6 more");
    std::int64_t pairs = 0;
    for (const MachineRow& row : shown) pairs += row.count.pairs();
    CHECK(pairs == 10 * kMachines);

    for (const std::string& text :
         {match_summary(fleet.view(), 0, false), markdown_report(fleet.view())}) {
        INFO(text);
        CHECK(test::contains(text, "6 more"));
        CHECK(test::contains(text, "it got slower"));
        CHECK(test::contains(text, "node17 "));
        CHECK_FALSE(test::contains(text, "node18 "));
    }
    const auto machines = boost::json::parse(run_json(fleet.view())).at("machines").as_array();
    CHECK(machines.size() == kMachines);
    CHECK(machines.back().at("name") == "node24");
}

}  // namespace assay::reports
