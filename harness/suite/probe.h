#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/plan/plan.h"
#include "harness/record/suite.h"

namespace assay::harness {

/// The plan of a suite's probe: one short search of the first position, which shows what the
/// programs' logs hold. REQUIRES: plan.suite.
[[nodiscard]] RunPlan probe_plan(RunPlan plan);

/// Whether a suite is worth a probe: it has queries over trees, and the programs' protocols can
/// limit a search by its depth.
[[nodiscard]] bool can_probe(const RunPlan& plan);

/// A sentence for each query that the log of a program cannot answer, by the searches of a probe.
/// `plan`: the probe's.
[[nodiscard]] std::vector<std::string> unanswerable_queries(
    const RunPlan& plan, const std::vector<SearchRecord>& searches);

}  // namespace assay::harness
