// A query names attributes and constants that a program's log may not have, and only a log says
// what it has: its head declares them before the first tree. A suite of hours would tell at its end
// that nothing was asked. So each program searches the first position to depth 1 first, and the
// queries are asked of that tree. The answers are thrown away; only names that are missing are
// told. A program that fails here says nothing: the searches of the suite judge it.
#include "harness/suite/probe.h"

#include <algorithm>

#include <fmt/format.h>

#include "adapters/protocols.h"

namespace assay::harness {

RunPlan probe_plan(RunPlan plan) {
    SuitePlan& suite = *plan.suite;
    suite.positions.resize(1);
    suite.limit = TimeControl();
    suite.limit.kind = TimeControl::Kind::Depth;
    suite.limit.depth = 1;
    suite.limit.wall_limit = std::chrono::seconds(5);
    std::erase_if(suite.expectations, [](const SuiteExpectation& one) { return !one.is_query(); });
    return plan;
}

bool can_probe(const RunPlan& plan) {
    const SuitePlan& suite = *plan.suite;
    const auto knows_depth = [&](std::size_t program) {
        return adapters::protocol_named(plan.programs.at(program).protocol).info.can.depth;
    };
    return suite.logs_trees && !suite.positions.empty() &&
           std::ranges::any_of(suite.expectations, &SuiteExpectation::is_query) &&
           std::ranges::all_of(suite.programs, knows_depth);
}

std::vector<std::string> unanswerable_queries(const RunPlan& plan,
                                              const std::vector<SearchRecord>& searches) {
    const SuitePlan& suite = *plan.suite;
    std::vector<std::string> sentences;
    for (std::size_t i = 0; i < suite.expectations.size(); ++i) {
        for (const SearchRecord& search : searches) {
            if (i >= search.answers.size() || !is_unanswerable(search.answers[i])) continue;
            const SuiteExpectation& one = suite.expectations[i];
            sentences.push_back(fmt::format(
                "{}: {}; '{}' will have no answer{}",
                plan.programs.at(suite.programs.at(search.program)).name, search.answers[i].trouble,
                one.name, one.is_report() ? "" : ", so it can neither hold nor fail"));
        }
    }
    return sentences;
}

}  // namespace assay::harness
