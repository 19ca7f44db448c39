#include <cstdio>

#include "cli/frame/commands.h"
#include "cli/frame/standard_output.h"
#include "cli/run/explain.h"
#include "cli/run/play.h"
#include "reports/files/run_json.h"
#include "reports/view/outcome_words.h"

namespace assay::cli {

namespace {

constexpr const char* kRunExamples = R"(examples:
  assay run configs/quickstart.yaml
  assay run nightly.yaml --resume
  assay run --program ./new --program ./old --time 10+0.1 --pairs 200
  assay run match.yaml --set match.pairs=20 --set programs.base.options.Hash=1 --json
  assay run match.yaml --explain

exit codes: 0 done, whatever the verdict · 1 a requirement or an expectation failed ·
2 wrong flags or config · 4 a program or the machine failed ·
129/130/143 stopped by a signal; --resume continues)";

}  // namespace

void add_run(Command& app, Exit& exit) {
    const auto flags = std::make_shared<PlayFlags>();
    Command* const command =
        app.add_subcommand("run", "run everything in a config, with progress and a verdict");
    add_play_flags(*command, *flags);
    command->footer(kRunExamples);
    command->callback([command, flags, &exit] {
        flags->options.command_line = exit.command_line;
        const harness::RunPlan plan = plan_of(*command, *flags);
        if (flags->explain) {
            explain(plan, flags->options.store, flags->json);
            return;
        }
        check_targets(*flags, plan);
        harness::RunOutcome outcome = play(plan, *flags);
        exit.code = code_after_output(exit_code_of(outcome, *flags));
        if (was_skipped(outcome, *flags)) return;
        store_exit_code(outcome, *flags, exit.code);
        if (flags->json) {
            const auto stored =
                reports::StoredRun::load(flags->options.store, std::to_string(outcome.run.id));
            std::fputs(reports::run_json(stored->view()).c_str(), stdout);
        }
        if (const int after = code_after_output(exit.code); after != exit.code) {
            exit.code = after;
            store_exit_code(outcome, *flags, exit.code);
        }
        for (const harness::MatchTally& tally : outcome.matches) {
            for (const std::string& broken : harness::broken_requirements(tally, outcome.run)) {
                std::fprintf(stderr, "required: %s\n", broken.c_str());
            }
        }
        run_at_end(outcome, *flags, exit.code);
    });
}

}  // namespace assay::cli
