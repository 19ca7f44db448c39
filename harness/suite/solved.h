#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/plan/suite_plan.h"
#include "harness/record/suite.h"
#include "harness/suite/verdict.h"

namespace assay::harness {

/// What one program did at one position that has a solution.
struct SolvedPosition {
    bool is_known = false;  // false: the search failed, was cut, or is yet to be made
    bool is_solved = false;
    std::optional<double> depth;  // of the solution, where it is solved
    std::optional<double> nodes;
    std::optional<double> time_ms;
};

[[nodiscard]] SolvedPosition solved_position(const SuitePlan& suite, const SuiteResult& result,
                                             std::size_t program, std::size_t position);

/// What one program did over the suite. The sums and the mean are over the positions that it
/// solved, so that those of two programs are of different positions.
struct SolvedCount {
    std::size_t program = 0;  // index into SuitePlan::programs
    std::int64_t known = 0;
    std::int64_t solved = 0;
    double nodes = 0;
    double time_ms = 0;
    double mean_depth = 0;  // 0 where none is solved
};

/// By program of the suite; empty where the suite is not solving.
[[nodiscard]] std::vector<SolvedCount> solved_counts(const SuitePlan& suite,
                                                     const SuiteResult& result);

}  // namespace assay::harness
