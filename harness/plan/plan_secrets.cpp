#include "harness/plan/plan_secrets.h"

#include <algorithm>

#include "base/credentials.h"

namespace assay::harness {

bool has_secrets(const RunPlan& plan) {
    return std::ranges::any_of(plan.programs, [](const ProgramPlan& program) {
        return !program.env.empty() ||
               (program.git && without_credentials(program.git->repo) != program.git->repo);
    });
}

void hide_secrets(RunPlan& plan) {
    for (ProgramPlan& program : plan.programs) {
        for (auto& [name, value] : program.env) value = kHiddenValue;
        if (program.git) program.git->repo = without_credentials(program.git->repo);
    }
}

}  // namespace assay::harness
