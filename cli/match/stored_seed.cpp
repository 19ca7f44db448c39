#include "cli/match/stored_seed.h"

#include <filesystem>
#include <system_error>

#include "base/diagnostic.h"
#include "harness/plan/plan.h"
#include "harness/store/store.h"

namespace assay::cli {

std::optional<std::uint64_t> stored_seed(const std::string& store, harness::RunPlan plan) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(store, error)) return std::nullopt;
    std::optional<std::uint64_t> named;
    try {
        const harness::Store opened(store, harness::Store::Access::Read);
        for (const harness::RunRecord& run : opened.runs()) {
            if (run.state == harness::RunState::Finished || !run.plan.seed) continue;
            plan.seed = run.plan.seed;
            if (run.plan_hash == harness::plan_hash(plan)) return plan.seed;
            if (!named && run.name == plan.name) named = run.plan.seed;
        }
    } catch (const Error&) {
        return std::nullopt;  // told when the run is opened
    }
    return named;
}

}  // namespace assay::cli
