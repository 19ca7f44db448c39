#include "cli/run/run_to_end.h"

#include <cstdio>
#include <string>

#include "cli/frame/standard_output.h"
#include "cli/run/explain.h"
#include "reports/files/run_json.h"
#include "reports/view/outcome_words.h"

namespace assay::cli {

void run_to_end(const harness::RunPlan& plan, const PlayFlags& flags, Exit& exit) {
    if (flags.explain) {
        explain(plan, flags.options.store, flags.json, flags.options.add);
        return;
    }
    check_targets(flags, plan);
    harness::RunOutcome outcome = play(plan, flags);
    exit.code = code_after_output(exit_code_of(outcome, flags));
    if (was_skipped(outcome, flags)) return;
    store_exit_code(outcome, flags, exit.code);
    if (flags.json) {
        const auto stored =
            reports::StoredRun::load(flags.options.store, std::to_string(outcome.run.id));
        std::fputs(reports::run_json(stored->view()).c_str(), stdout);
    }
    if (const int after = code_after_output(exit.code); after != exit.code) {
        exit.code = after;
        store_exit_code(outcome, flags, exit.code);
    }
    for (const harness::MatchTally& tally : outcome.matches) {
        for (const std::string& broken : harness::broken_requirements(tally, outcome.run)) {
            std::fprintf(stderr, "required: %s\n", broken.c_str());
        }
    }
    if (outcome.judged)
        for (const std::string& broken : outcome.judged->sentences(harness::ConditionState::Broken))
            std::fprintf(stderr, "required: %s\n", broken.c_str());
    run_at_end(outcome, flags, exit.code);
}

}  // namespace assay::cli
