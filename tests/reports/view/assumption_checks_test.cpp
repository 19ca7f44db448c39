#include "reports/view/assumption_checks.h"

#include <cmath>
#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <doctest/doctest.h>

#include "reports/files/run_json.h"
#include "reports/text/markdown.h"
#include "reports/text/match/match_summary.h"
#include "reports/view/machine_rows.h"
#include "tests/reports/report_samples.h"
#include "tests/reports/sample_run.h"
#include "tests/support/sample_tally.h"

using namespace assay;
using namespace assay::harness;

TEST_CASE("Checks: what a verdict takes for granted stands in text, Markdown and JSON alike") {
    test::ReportSample sample;
    // Slot 3 loses what the others win, and the first move is worth less later on.
    for (int i = 0; i < 200; ++i) {
        const int slot = i % 4;
        const int wins = slot == 3 ? 0 : 2;
        PairDigest pair = i < 100 ? test::pair_of(i, wins, 1) : test::pair_of(i, 1, wins);
        pair.slot = slot;
        pair.opening_index = static_cast<std::uint64_t>(i);
        pair.games[0].moves_hash = static_cast<std::uint64_t>(i);
        sample.tally.add(pair);
    }
    const std::string text = reports::match_summary(sample.view(), 0, false);
    const std::string markdown = reports::markdown_report(sample.view());
    const auto json = reports::checks_json(sample.tally, sample.run);
    const std::vector<reports::Check> checks = reports::checks_of(sample.tally, sample.run);
    CHECK(checks.size() == 8);
    int alarms = 0;
    for (const reports::Check& check : checks) {
        CAPTURE(check.name);
        CHECK(markdown.find("| " + check.name + " | " + check.value + " | ") != std::string::npos);
        if (!check.is_alarm) continue;
        ++alarms;
        CHECK(text.find("  check: " + check.reading + "\n") != std::string::npos);
        CHECK(markdown.find("- check: ") != std::string::npos);
    }
    CHECK(alarms >= 2);
    CHECK(text.find("check: results differ between slots (p < 1e-6), most on slot 3") !=
          std::string::npos);
    CHECK(text.find("check: the first move scored ") != std::string::npos);
    CHECK(json.at("slots").at("worst") == 3);
    CHECK(json.at("slots").at("p_value").to_number<double>() < 1e-6);
    CHECK(std::abs(json.at("first_move").at("z").to_number<double>()) > 3.29);
}

TEST_CASE("Checks: one failure is a failure, and no failures") {
    harness::MatchTally tally(test::report_run().plan.matches[0]);
    test::add_pairs(tally, {1, 2, 4, 2, 1});
    tally.add(test::failed_pair(10, 0, harness::Termination::Crash, 1));
    CHECK(reports::failure_scores_lines(tally).find("\n  1 failure against 0: p = 1.00 were") !=
          std::string::npos);
}

TEST_CASE("Checks: a run on several machines says so, and compares them") {
    test::ReportSample sample;
    const harness::MachineRecord other{"bench-2", "Another CPU", "Linux 6.1", 4, 2, 1};
    sample.run.other_machines.emplace(other.id(), other);
    for (int i = 0; i < 200; ++i) {
        PairDigest pair = test::pair_of(i, i % 3, (i / 3) % 3);
        pair.machine = i < 150 ? 0 : other.id();
        pair.games[0].moves_hash = static_cast<std::uint64_t>(i);
        sample.tally.add(pair);
    }
    CHECK(reports::match_summary(sample.view(), 0, false)
              .find("  check: played on 2 machines: bench-host (150 pairs), bench-2 (50 pairs); "
                    "results as alike as chance has it (p") != std::string::npos);
    const auto alike = reports::checks_json(sample.tally, sample.run);
    CHECK(alike.at("machines").at("p_value").to_number<double>() > 0.001);
    CHECK(alike.at("played_on").at(1).at("cpu") == "Another CPU");
    for (int i = 200; i < 300; ++i) {
        PairDigest pair = test::pair_of(i, 0, 0);
        pair.machine = other.id();
        pair.games[0].moves_hash = static_cast<std::uint64_t>(i);
        sample.tally.add(pair);
    }
    CHECK(reports::match_summary(sample.view(), 0, false)
              .find("  check: results differ between machines (p < 1e-6): bench-host (150 pairs), "
                    "bench-2 (150 pairs); most on bench-") != std::string::npos);
    CHECK(reports::checks_json(sample.tally, sample.run).at("machines").at("degrees") == 2);
}

TEST_CASE("Machines: every report has a row of each, and names the one that is unlike the others") {
    test::ReportSample sample;
    harness::MachineRecord odd{"node<2>", "Another CPU", "Linux 6.1", 4, 2, 1};
    odd.worker = "gpu";
    odd.nps = 1'234'567;
    odd.factor = 1.25;
    odd.trouble = "it got slower";
    harness::MachineRecord third{"bench-3", "A CPU", "Linux 6.1", 4, 2, 1};
    third.skew_us = 3'000'000;
    for (const harness::MachineRecord& machine : {odd, third})
        sample.run.other_machines.emplace(machine.id(), machine);
    CHECK(reports::machine_rows(sample.tally, sample.run).empty());
    for (int i = 0; i < 300; ++i) {
        const int kind = i < 200 ? i % 3 : 2;
        PairDigest pair = test::pair_of(i, kind, i < 200 ? (i / 3) % 3 : 2);
        pair.machine = i < 100 ? 0 : i < 200 ? third.id() : odd.id();
        pair.games[0].moves_hash = static_cast<std::uint64_t>(i);
        sample.tally.add(pair);
    }
    harness::AttemptRecord attempt;
    attempt.machine = harness::kNoMachine;
    for (int i = 0; i < 10; ++i) sample.tally.add_attempt(attempt);
    CHECK(sample.tally.is_tainted());
    const auto rows = reports::machine_rows(sample.tally, sample.run);
    REQUIRE(rows.size() == 4);
    CHECK(rows[1].trouble == "its clock is 3 s ahead");
    CHECK(rows[2].name == "node<2> gpu");
    CHECK(rows[2].trouble == "it got slower");
    CHECK(rows[2].unlike == "results unlike the others' (p < 1e-6)");
    CHECK(rows[3].name == "not known");
    const auto has = [](const std::string& text, const std::string& part) {
        CHECK_MESSAGE(text.find(part) != std::string::npos, part, text);
    };
    const std::string summary = reports::match_summary(sample.view(), 0, false);
    has(summary,
        "  check: node<2> gpu: results unlike the others' (p < 1e-6); its games count, and the run "
        "is tainted\n");
    has(summary, "it got slower; results unlike the others' (p < 1e-6)\n");
    has(summary,
        "machine      pairs  games    nodes/s  clocks  time losses  crashes  late  lost  ");
    has(summary, "node<2> gpu    100    200  1,234,567  × 1.25");
    has(summary, "tainted: 10 attempts were lost, for 300 pairs that count, more than 2 %");
    const std::string markdown = reports::markdown_report(sample.view());
    has(markdown, "<summary>machines</summary>");
    CHECK(markdown.find("node<2>") == std::string::npos);
    const auto machines =
        boost::json::parse(reports::run_json(sample.view())).at("machines").as_array();
    REQUIRE(machines.size() == 4);
    CHECK(machines[2].at("factor") == 1.25);
    CHECK(machines[2].at("unlike") == true);
    CHECK(machines[0].at("nps").is_null());
    CHECK(machines[3].at("lost") == 10);
    const auto few = reports::shown_machines(rows, 2);
    REQUIRE(few.size() == 2);
    CHECK(few[0].name == "bench-3");  // it has trouble
    CHECK(few[1].name == "3 more");
    CHECK(few[1].count.games == 400);
}
