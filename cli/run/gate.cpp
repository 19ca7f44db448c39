#include <algorithm>
#include <cstdio>
#include <iterator>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "cli/frame/commands.h"
#include "cli/frame/standard_output.h"
#include "cli/frame/values.h"
#include "cli/run/explain.h"
#include "cli/run/gate_artefacts.h"
#include "cli/run/play.h"
#include "reports/view/outcome_words.h"

namespace assay::cli {

namespace {

constexpr const char* kGateExamples = R"(examples:
  assay gate gate.yaml
  assay gate gate.yaml --out artefacts --inconclusive pass
  assay gate gate.yaml --junit gate.xml --markdown gate.md --json > gate.json

exit codes: 0 accepted · 1 rejected (also a first program that started well and keeps failing), or
a requirement or an expectation failed · 2 wrong flags or config ·
3 inconclusive within the budget, or tainted · 4 no verdict, a program or the machine failed ·
129/130/143 stopped by a signal; --resume continues)";

struct GateFlags {
    PlayFlags play;
    ArtefactFiles files;
    std::string inconclusive = "3";
};

harness::InconclusiveAs inconclusive_of(const std::string& word) {
    if (word == "pass") return harness::InconclusiveAs::Pass;
    if (word == "fail") return harness::InconclusiveAs::Fail;
    return harness::InconclusiveAs::Code3;
}

/// Why the gate ends so, where the match has not said it. `is_written`: all files are.
std::string reason_line(const harness::Outcome& outcome, bool is_written) {
    using Reason = harness::OutcomeReason;
    const Reason reason = is_written ? outcome.reason : Reason::Output;
    if (reason == Reason::None || reason == Reason::Verdict || reason == Reason::Signal) return "";
    return fmt::format("reason: {}", harness::text_of(reason));
}

/// Plays, and gives the exit code.
int play_and_report(const harness::RunPlan& plan, GateFlags& flags, GateLog& log) {
    flags.play.log = log.stream();
    flags.play.options.inconclusive = inconclusive_of(flags.inconclusive);
    harness::RunOutcome outcome = play(plan, flags.play);
    if (was_skipped(outcome, flags.play))
        return write_skipped_artefacts(flags.files, outcome.before_reason, log);
    std::FILE* const people = flags.play.json ? stderr : stdout;
    for (const harness::MatchTally& tally : outcome.matches) {
        for (const std::string& broken : harness::broken_requirements(tally, outcome.run)) {
            const std::string line = "required: " + broken;
            std::fprintf(people, "%s\n", line.c_str());
            log.line(line);
        }
    }
    std::vector<std::string> open = harness::open_requirements(outcome.run);
    if (outcome.judged) {
        for (const auto state :
             {harness::ConditionState::Broken, harness::ConditionState::Undecided})
            std::ranges::move(outcome.judged->sentences(state), std::back_inserter(open));
    }
    for (const std::string& one : open) {
        const std::string line = "required: " + one;
        std::fprintf(people, "%s\n", line.c_str());
        log.line(line);
    }
    const int verdict_code = code_after_output(exit_code_of(outcome, flags.play));
    store_exit_code(outcome, flags.play, verdict_code);
    const int code = write_artefacts(flags.files, flags.play, outcome, verdict_code, log);
    if (code != verdict_code) store_exit_code(outcome, flags.play, code);
    run_at_end(outcome, flags.play, code);
    const std::string reason = reason_line(
        harness::outcome_of(outcome, flags.play.options.inconclusive), code == verdict_code);
    if (!reason.empty()) std::fprintf(people, "%s\n", reason.c_str());
    std::fprintf(people, "exit %d\n", code);
    const int after = code_after_output(code);
    if (after != code) store_exit_code(outcome, flags.play, after);
    return after;
}

void run_gate(const Command& command, GateFlags& flags, GateLog& log, Exit& exit) {
    flags.play.options.gate = true;
    flags.play.plan.is_gate = true;
    flags.play.options.command_line = exit.command_line;
    flags.play.options.outputs = names_of(flags.files);
    check_artefact_targets(flags.files, flags.play.plan.files);
    const harness::RunPlan plan = plan_of(command, flags.play);
    // A shard judges nothing: the merged run is the gate.
    if (flags.play.options.shard) flags.play.options.gate = false;
    if (flags.play.explain) {
        explain(plan, flags.play.options.store, flags.play.json);
        return;
    }
    check_targets(flags.play, plan);
    check_artefact_targets(flags.files, files_of(flags.play, plan));
    make_folder(flags.files);
    exit.code = play_and_report(plan, flags, log);
}

}  // namespace

void add_gate(Command& app, Exit& exit) {
    const auto flags = std::make_shared<GateFlags>();
    Command* const command = app.add_subcommand(
        "gate", "the same as run, for CI: the exit code is the verdict on the first program");
    add_play_flags(*command, flags->play);
    command->add_option("--junit", flags->files.junit, "also write a JUnit report")
        ->type_name("FILE")
        ->group(kOutput);
    command->add_option("--markdown", flags->files.markdown, "also write a short Markdown report")
        ->type_name("FILE")
        ->group(kOutput);
    command
        ->add_option("--out", flags->files.out,
                     "write all artefacts to DIR, also on failure and TERM")
        ->type_name("DIR")
        ->group(kOutput);
    command->add_option("--inconclusive", flags->inconclusive, "exit 0 or 1 instead of 3")
        ->type_name("pass|fail")
        ->transform(one_of({"pass", "fail"}))
        ->group(kOutput);
    command->footer(kGateExamples);
    command->callback([command, flags, &exit] {
        GateLog log(flags->files);
        try {
            run_gate(*command, *flags, log, exit);
        } catch (const std::exception& error) {
            write_error_artefacts(flags->files, error.what());
            log.line(error.what());
            throw;
        }
    });
}

}  // namespace assay::cli
