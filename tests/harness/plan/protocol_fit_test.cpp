#include "harness/plan/protocol_fit.h"

#include <doctest/doctest.h>

#include "base/diagnostic.h"

using assay::Error;
using assay::harness::check_protocols;
using assay::harness::is_single_threaded;
using assay::harness::MatchPlan;
using assay::harness::ProgramPlan;
using assay::harness::protocol_problems;
using assay::harness::RunPlan;
using assay::harness::threads_of;

namespace {

RunPlan plan_of(const std::string& first, const std::string& second) {
    RunPlan plan;
    plan.programs.resize(2);
    plan.programs[0].name = "a";
    plan.programs[0].protocol = first;
    plan.programs[1].name = "b";
    plan.programs[1].protocol = second;
    MatchPlan match;
    match.between = {0, 1};
    plan.matches.push_back(match);
    return plan;
}

}  // namespace

TEST_CASE("Protocol fit: what a protocol cannot do is said of each program that speaks it") {
    RunPlan plan = plan_of("uci", "json");
    CHECK(protocol_problems(plan, plan.matches[0]).empty());
    plan.matches[0].ponder = true;
    plan.programs[1].ping_before_go = true;
    const auto problems = protocol_problems(plan, plan.matches[0]);
    REQUIRE(problems.size() == 2);
    CHECK(problems[0].key == "ponder");
    CHECK(problems[0].program == 1);
    CHECK(problems[0].text ==
          "program 'b' cannot keep 'ponder': its protocol, JSON lines, lacks pondering");
    CHECK(problems[1].key == "ping_before_go");
    CHECK_THROWS_WITH_AS(check_protocols(plan), problems[0].text.c_str(), Error);
    plan.programs[1].protocol = "jsn";
    CHECK_THROWS_WITH_AS(
        check_protocols(plan),
        "unknown protocol 'jsn' of program 'b'; there is: uci, json; did you mean 'json'?", Error);
}

TEST_CASE("Protocol fit: threads are those of the protocol's option") {
    ProgramPlan program;
    CHECK(threads_of(program) == 1);
    CHECK(is_single_threaded(program));
    program.options = {{"Hash", "3"}, {"threads", " 4 "}};
    CHECK(threads_of(program) == 4);
    CHECK_FALSE(is_single_threaded(program));
    program.options = {{"Threads", "many"}};
    CHECK(threads_of(program) == 1);
    CHECK_FALSE(is_single_threaded(program));
}
