#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "cli/frame/commands.h"
#include "cli/frame/values.h"
#include "harness/fleet/batch_work.h"
#include "harness/plan/time_control.h"

namespace assay::cli {

namespace {

constexpr const char* kWorkExamples = R"(examples:
  assay work --batch /shared/me/fleet/0123456789abcdef0123456789abcdef 7
  seq 0 99 | parallel assay work --batch /shared/me/fleet/0123456789abcdef0123456789abcdef

Plays one batch of a run whose config has 'executor: {slurm: …}' and hands it in; Slurm starts it
for each task of an array, with the number of the task as OFFSET. TERM ends it when
the pairs in play are over, a second one at once. Outside Slurm a batch that another worker has
claimed and not ended is left alone, unless --again: its first copy would come too late.

exit codes: 0 played, too late, or nothing to do · 2 wrong flags or folder ·
4 a program or the machine failed · 129/130/143 stopped by a signal)";

struct WorkFlags {
    harness::BatchWork work;
    std::string drain = "10min";
    std::int64_t offset = 0;
    bool again = false;
};

}  // namespace

void add_work(Command& app, Exit& exit) {
    const auto flags = std::make_shared<WorkFlags>();
    Command* const command =
        app.add_subcommand("work", "play one batch of a run that is played by many machines");
    command->add_option("--batch", flags->work.folder, "the run's folder")
        ->type_name("FOLDER")
        ->required();
    command->add_option("number", flags->work.batch, "the batch, from 0")
        ->type_name("NUMBER")
        ->transform(number(std::int64_t{0}, std::int64_t{1'000'000'000}))
        ->required();
    command
        ->add_option("offset", flags->offset, "added to it: the task's number in an array of Slurm")
        ->transform(number(std::int64_t{0}, std::int64_t{1'000'000'000}));
    command
        ->add_option("--slots", flags->work.slots,
                     "games at once; else by the processors that the task has")
        ->transform(number(1, 4096));
    command->add_option("--drain", flags->drain, "how long TERM lets pairs in play go on")
        ->type_name("TIME")
        ->capture_default_str();
    command->add_flag("--again", flags->again,
                      "play a batch that another worker has claimed and not ended: it is dead");
    command->footer(kWorkExamples);
    command->callback([flags, &exit] {
        const auto drain = harness::parse_duration(flags->drain, false);
        if (!drain)
            throw Error("work: --drain: '" + printable_utf8(flags->drain) +
                        "' is no time; for example 10min or 30s");
        flags->work.drain = *drain;
        flags->work.assay_version = ASSAY_VERSION;
        flags->work.command_line = exit.command_line;
        flags->work.batch += flags->offset;
        // Slurm begins a task anew where its node is gone, whatever the claim says.
        const bool is_task =
            std::getenv("SLURM_JOB_ID") != nullptr;  // NOLINT(concurrency-mt-unsafe)
        flags->work.takes_open = flags->again || is_task;
        const SteadyClock clock;
        const harness::BatchEnd end = harness::work_on_batch(flags->work, clock);
        std::printf("%s\n", end.sentence.c_str());
        exit.code = end.exit_code;
    });
}

}  // namespace assay::cli
