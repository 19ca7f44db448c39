#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tests/support/sample_suite.h"

namespace assay::test {

/// A plan of head and base with `positions` that have solutions (d2d4 or e2e4; of every third,
/// anything but g2g4) and all four measures, none with a bound.
inline harness::RunPlan solving_plan(std::size_t positions) {
    harness::RunPlan plan = suite_plan(positions);
    harness::SuitePlan& suite = *plan.suite;
    suite.logs_trees = false;
    suite.limit.kind = harness::TimeControl::Kind::Nodes;
    suite.limit.nodes = 200'000;
    suite.expectations.clear();
    for (const harness::SuiteMeasure measure : harness::kSolutionMeasures) {
        harness::SuiteExpectation one;
        one.measure = measure;
        one.name = harness::name_of(measure);
        if (measure == harness::SuiteMeasure::Solved)
            one.scope = harness::SuiteExpectation::Scope::Suite;
        suite.expectations.push_back(one);
    }
    for (std::size_t i = 0; i < positions; ++i) {
        if (i % 3 == 2)
            suite.positions[i].avoid = {"g2g4"};
        else
            suite.positions[i].best = {"d2d4", "e2e4"};
    }
    return plan;
}

/// A search that solved its position after so many nodes, or did not (nullopt).
inline harness::SearchRecord solving_search(std::size_t program, std::size_t position,
                                            std::optional<double> nodes) {
    harness::SearchRecord search;
    search.program = program;
    search.position = position;
    search.best_move = nodes ? "e2e4" : "g2g4";
    search.nodes = search.all_nodes = 200'000;
    search.iteration = 12;
    search.used_us = 250'000;
    search.answers.resize(4);
    search.answers[0].value = nodes ? 1 : 0;
    if (nodes) {
        search.answers[1].value = *nodes / 100;
        search.answers[2].value = *nodes;
        search.answers[3].value = 5 + *nodes / 1000;
    } else {
        for (std::size_t i = 1; i < 4; ++i) search.answers[i].trouble = "not solved";
    }
    return search;
}

/// All searches: by position the nodes of head's and of base's solutions.
inline std::vector<harness::SearchRecord> solving_searches(
    const std::vector<std::optional<double>>& head,
    const std::vector<std::optional<double>>& base) {
    std::vector<harness::SearchRecord> out;
    for (std::size_t i = 0; i < head.size(); ++i) {
        out.push_back(solving_search(0, i, head[i]));
        out.push_back(solving_search(1, i, base[i]));
    }
    return out;
}

}  // namespace assay::test
