#pragma once
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/plan.h"
#include "harness/record/suite.h"

namespace assay::test {

/// A plan of programs "head" and "base" (the baseline) with positions p1, p2 ... and one
/// expectation, "size".
inline harness::RunPlan suite_plan(std::size_t positions) {
    harness::RunPlan plan;
    plan.name = "suite";
    plan.programs.resize(2);
    plan.programs[0].name = "head";
    plan.programs[1].name = "base";
    harness::SuitePlan& suite = plan.suite.emplace();
    suite.source = "suites/tactics.epd";
    suite.programs = {0, 1};
    suite.limit.kind = harness::TimeControl::Kind::Depth;
    suite.limit.depth = 8;
    for (std::size_t i = 0; i < positions; ++i)
        suite.positions.push_back(
            {"p" + std::to_string(i + 1),
             "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 " + std::to_string(i + 1),
             {},
             {},
             ""});
    suite.expectations.resize(1);
    suite.expectations[0].name = "size";
    suite.expectations[0].query = "node: count(*)";
    return plan;
}

/// A finished search whose only query answered `value`.
inline harness::SearchRecord search_of(std::size_t program, std::size_t position,
                                       std::optional<double> value) {
    harness::SearchRecord search;
    search.program = program;
    search.position = position;
    search.nodes = 1000;
    search.iteration = 8;
    search.answers.push_back({value, value ? "" : "no number", {}});
    return search;
}

/// All searches of a suite of two programs: by position what head and base answered.
inline std::vector<harness::SearchRecord> searches_of(const std::vector<double>& head,
                                                      const std::vector<double>& base) {
    std::vector<harness::SearchRecord> out;
    for (std::size_t i = 0; i < head.size(); ++i) {
        out.push_back(search_of(0, i, head[i]));
        out.push_back(search_of(1, i, base[i]));
    }
    return out;
}

/// A suite of nine positions on the two programs of a plan, of whose expectations "quiescence
/// <explosion>" fails at the fourth position, with a node, and "size" holds; with its searches.
inline std::vector<harness::SearchRecord> add_sample_suite(harness::RunPlan& plan) {
    plan.suite = suite_plan(9).suite;
    std::vector<harness::SuiteExpectation>& expectations = plan.suite->expectations;
    expectations[0].against_baseline.emplace().most = 10;
    harness::SuiteExpectation explosion;
    explosion.name = "quiescence <explosion>";
    explosion.query = "node: flags & QRootNode; subtree: count(*) > 200";
    explosion.max = 0;
    expectations.push_back(explosion);
    std::vector<harness::SearchRecord> searches;
    for (std::size_t position = 0; position < 9; ++position) {
        for (std::size_t program = 0; program < 2; ++program) {
            searches.push_back(search_of(program, position, program == 0 ? 950 : 1000));
            const bool is_guilty = program == 0 && position == 3;
            harness::QueryAnswer answer;
            answer.value = is_guilty ? 4 : 0;
            if (is_guilty)
                answer.nodes.push_back(
                    {1'204'331, 840, "a5c7 d2b3",
                     "r4rk1/p1q1bppp/1pn1b3/8/1P1Pp3/1N1B1N1P/2PQ1PP1/R1B3K1 w - - 0 16"});
            searches.back().answers.push_back(answer);
        }
    }
    return searches;
}

}  // namespace assay::test
