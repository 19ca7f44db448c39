#include <memory>

#include "cli/frame/commands.h"
#include "cli/run/play.h"
#include "cli/run/run_to_end.h"

namespace assay::cli {

namespace {

constexpr const char* kRunExamples = R"(examples:
  assay run configs/quickstart.yaml
  assay run nightly.yaml --resume
  assay run --program ./new --program ./old --time 10+0.1 --pairs 200
  assay run match.yaml --set match.pairs=20 --set programs.base.options.Hash=1 --json
  assay run match.yaml --explain
  assay run --program ./a --program ./b --program ./c --tournament round_robin --time 10+0.1
  assay run tournament.yaml --add

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
        run_to_end(plan_of(*command, *flags), *flags, exit);
    });
}

}  // namespace assay::cli
