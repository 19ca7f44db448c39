#include "harness/plan/suite_plan.h"

#include <algorithm>

#include "base/enum_names.h"

namespace assay::harness {

std::string_view name_of(SuiteMeasure measure) {
    return enum_names<SuiteMeasure>("query", "solved", "solution_depth", "solution_nodes",
                                    "solution_time")
        .of(measure);
}

bool SuitePlan::is_solving() const {
    return std::any_of(expectations.begin(), expectations.end(),
                       [](const SuiteExpectation& one) { return !one.is_query(); });
}

std::optional<std::size_t> SuitePlan::expectation_of(SuiteMeasure measure) const {
    for (std::size_t i = 0; i < expectations.size(); ++i)
        if (expectations[i].measure == measure) return i;
    return std::nullopt;
}

std::unique_ptr<rules::Game> game_of(const SuitePlan& suite) {
    return rules::make_game(suite.game);
}

}  // namespace assay::harness
