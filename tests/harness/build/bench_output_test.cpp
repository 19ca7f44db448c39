#include "harness/build/bench_output.h"

#include <string>

#include <doctest/doctest.h>

#include "harness/build/bench_run.h"

namespace assay::harness {

namespace {

BenchSaid said(const std::string& output, const BenchPlan& plan = {}) {
    return BenchReader(plan).read(output);
}

}  // namespace

TEST_CASE("Bench: the usual ways to say nodes and speed are known without a pattern") {
    struct Case {
        const char* what;
        const char* output;
        std::uint64_t nodes;
        double speed;
    };

    const Case cases[] = {
        {"Stockfish",
         "Total time (ms) : 500\nNodes searched  : 2593605\nNodes/second    : 5187210\n", 2593605,
         5187210},
        {"OpenBench", "4567890 nodes 1234567 nps\n", 4567890, 1234567},
        {"info lines", "info depth 8 nodes 100 nps 5\nNodes: 1,234,567\nNPS: 890,123\n", 1234567,
         890123},
        {"CR LF", "Nodes searched: 12\r\nnps 34\r\n", 12, 34},
        {"no last line end", "12 nodes\n34 nps", 12, 34},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        const BenchSaid found = said(c.output);
        CHECK(found.nodes == c.nodes);
        CHECK(found.nodes_per_second == c.speed);
    }
}

TEST_CASE("Bench: of several lines the last counts, and what says nothing gives nothing") {
    CHECK(said("5 nodes\n7 nodes\n").nodes == 7);
    CHECK_FALSE(said("").nodes);
    CHECK_FALSE(said("nodes are fine\nnps: many\n").nodes_per_second);
    CHECK_FALSE(said("99999999999999999999999 nodes\n").nodes);
    CHECK_FALSE(said("nps: 0\n").nodes_per_second);
}

TEST_CASE("Bench: a pattern of the config stands in place of the usual ways") {
    BenchPlan plan;
    plan.nodes = R"(sum=(\d+))";
    plan.nodes_per_second = R"(^(?:speed|rate) (\d+)$)";
    const BenchSaid found = said("12 nodes\nsum=9\nrate 80\nspeed 70 more\n", plan);
    CHECK(found.nodes == 9);
    CHECK(found.nodes_per_second == 80);
}

TEST_CASE("Bench: a line of a million bytes is cut, and costs no stack") {
    const std::string flood(1U << 20U, '1');
    CHECK_FALSE(said(flood + " nodes\n").nodes);
    CHECK(said("5 nodes " + flood + "\n").nodes == 5);
}

TEST_CASE("Bench: a pattern must be one, with one group") {
    CHECK(problem_of_pattern(R"(nps: (\d+))").empty());
    CHECK(problem_of_pattern("nps") ==
          "it has 0 groups; write (?: ) for those that are not the number");
    CHECK(problem_of_pattern("(a)(b)") ==
          "it has 2 groups; write (?: ) for those that are not the number");
    CHECK_FALSE(problem_of_pattern("(").empty());
}

TEST_CASE("Bench: a commit's message declares the signature on a line of its own") {
    CHECK(declared_signature("Subject\n\nBench: 4567890\n") == 4567890);
    CHECK(declared_signature("bench 123456") == 123456);
    CHECK(declared_signature("Bench: 111\n\nBench: 222\n") == 222);
    CHECK_FALSE(declared_signature("the bench is 55 now"));
    CHECK_FALSE(declared_signature("Bench: none"));
}

}  // namespace assay::harness

TEST_CASE("Speed: its text says where it is inconclusive, as a gate's exit code does") {
    assay::harness::SpeedFinding speed;
    speed.percent = -0.5;
    speed.low = -5.3;
    speed.high = 1.8;
    speed.limit = -3;
    speed.state = assay::harness::SpeedFinding::State::Holds;
    const std::string figures = "-0.5 % [-5.3, +1.8] (limit -3 %)";
    CHECK(assay::harness::speed_text(speed) == figures);
    speed.state = assay::harness::SpeedFinding::State::Undecided;
    CHECK(assay::harness::speed_text(speed) ==
          figures + ": inconclusive, the interval contains the limit");
}
