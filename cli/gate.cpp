#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "base/diagnostic.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/explain.h"
#include "cli/play.h"
#include "reports/github.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/requirements.h"
#include "reports/run_json.h"
#include "reports/web/run_page.h"

namespace assay::cli {

namespace {

constexpr const char* kExamples = R"(examples:
  assay gate gate.yaml
  assay gate gate.yaml --out artefacts --inconclusive pass
  assay gate gate.yaml --junit gate.xml --markdown gate.md --json > gate.json

exit codes: 0 accepted · 1 rejected (also a first program that started well and keeps failing), or
a requirement or an expectation failed · 2 wrong flags or config ·
3 inconclusive within the budget, or tainted · 4 no verdict, a program or the machine failed ·
130/143 stopped by a signal; --resume goes on)";

struct GateFlags {
    PlayFlags play;
    std::string junit;
    std::string markdown;
    std::string out;
    std::string inconclusive = "3";
};

InconclusiveAs inconclusive_of(const std::string& word) {
    if (word == "pass") return InconclusiveAs::Pass;
    if (word == "fail") return InconclusiveAs::Fail;
    return InconclusiveAs::Code3;
}

constexpr int kArtefactFailed = 4;

constexpr std::array<const char*, 5> kArtefacts{"report.html", "junit.xml", "report.md",
                                                "result.json", "games.pgn"};

void make_folder(const std::string& path) {
    if (path.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw Error(path + ": cannot make the folder: " + error.message());
}

void check_gate_targets(const GateFlags& flags) {
    check_targets(flags.play);
    check_writable(flags.junit);
    check_writable(flags.markdown);
    if (flags.out.empty()) return;
    for (const char* const name : kArtefacts) check_writable(flags.out + "/" + name);
}

/// Writes each of what was asked for; one that cannot be written is said on standard error and
/// keeps none of the others from being written.
class ArtefactWriter {
public:
    void operator()(const std::function<void()>& write) {
        try {
            write();
        } catch (const Error& error) {
            std::fprintf(stderr, "%s\n", error.what());
            has_failed_ = true;
        }
    }

    /// Nothing where `path` is empty.
    void put(const std::string& path, const std::string& text) {
        if (!path.empty()) (*this)([&] { write_file(path, text); });
    }

    [[nodiscard]] bool has_failed() const { return has_failed_; }

private:
    bool has_failed_ = false;
};

/// What an earlier run left would pass for this one's.
void remove_old(const GateFlags& flags) {
    if (flags.out.empty()) return;
    std::error_code ignored;
    std::filesystem::create_directories(flags.out, ignored);
    for (const char* const name : kArtefacts) {
        std::filesystem::remove(flags.out + "/" + name, ignored);
    }
}

/// The short reports of a gate that has no run to report. False where one cannot be written.
bool write_short(const GateFlags& flags, const std::string& junit, const std::string& markdown) {
    remove_old(flags);
    ArtefactWriter write;
    write.put(flags.junit, junit);
    write.put(flags.markdown, markdown);
    if (!flags.out.empty()) {
        write.put(flags.out + "/junit.xml", junit);
        write.put(flags.out + "/report.md", markdown);
    }
    return !write.has_failed();
}

/// Appends to the file that a variable of the environment names; nothing where there is none.
void append_to_named(const char* variable, const std::string& text) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing in this process changes the environment
    const char* const path = std::getenv(variable);
    if (path == nullptr || *path == '\0') return;
    std::ofstream file(path, std::ios::app);
    if (!(file << text << std::flush))
        std::fprintf(stderr, "warning: %s: cannot write to '%s'\n", variable, path);
}

/// The exit code of a gate that had nothing to play.
int write_skipped(const GateFlags& flags, const std::string& reason) {
    const std::string markdown = reports::markdown_skipped(reason);
    const bool is_written = write_short(flags, reports::junit_skipped(reason), markdown);
    append_to_named("GITHUB_STEP_SUMMARY", markdown);
    return is_written ? 0 : kArtefactFailed;
}

void tell_github(const reports::RunView& view, const std::string& markdown, int exit_code,
                 std::FILE* people) {
    append_to_named("GITHUB_STEP_SUMMARY", markdown);
    append_to_named("GITHUB_OUTPUT", reports::github_outputs(view, exit_code));
    if (is_github_action()) {
        std::fputs(reports::github_annotation(view, exit_code).c_str(), people);
    }
}

/// The exit code after it: that of the verdict, or that the machine failed.
int write_artefacts(const GateFlags& flags, const harness::RunOutcome& outcome, int exit_code) {
    const auto stored = StoredRun::load(flags.play.options.store, std::to_string(outcome.run.id));
    const reports::RunView view = stored->view();
    const std::string markdown = reports::markdown_report(view);
    const std::string junit = reports::junit_report(view);
    const std::string json = reports::run_json(view);
    remove_old(flags);
    ArtefactWriter write;
    write.put(flags.junit, junit);
    write.put(flags.markdown, markdown);
    if (flags.play.json) std::fputs(json.c_str(), stdout);
    if (!flags.out.empty()) {
        write.put(flags.out + "/junit.xml", junit);
        write.put(flags.out + "/report.md", markdown);
        write.put(flags.out + "/result.json", json);
        write([&] {
            write_file(flags.out + "/report.html", reports::web::run_page(view, stored->store()));
        });
        write([&] { print_games(*stored, flags.out + "/games.pgn", GameFormat::Pgn); });
    }
    const int code = write.has_failed() && exit_code < 128 ? kArtefactFailed : exit_code;
    tell_github(view, markdown, code, flags.play.json ? stderr : stdout);
    return code;
}

void run_gate(const CLI::App& command, GateFlags& flags, Exit& exit) {
    flags.play.options.gate = true;
    flags.play.plan.is_gate = true;
    flags.play.options.command_line = exit.command_line;
    const harness::RunPlan plan = plan_of(command, flags.play);
    if (flags.play.explain) {
        explain(plan, flags.play.json);
        return;
    }
    make_folder(flags.out);
    check_gate_targets(flags);
    const harness::RunOutcome outcome = play(plan, flags.play);
    exit.code = exit_code_of(outcome, true, inconclusive_of(flags.inconclusive));
    if (was_skipped(outcome, flags.play)) {
        exit.code = write_skipped(flags, outcome.before_reason);
        return;
    }
    exit.code = write_artefacts(flags, outcome, exit.code);
    std::FILE* const people = flags.play.json ? stderr : stdout;
    for (const harness::MatchTally& tally : outcome.matches) {
        for (const std::string& broken : reports::broken_requirements(tally, outcome.run)) {
            std::fprintf(people, "required: %s\n", broken.c_str());
        }
    }
    run_at_end(outcome, flags.play, exit.code);
    std::fprintf(people, "exit %d\n", exit.code);
}

}  // namespace

void add_gate(CLI::App& app, Exit& exit) {
    const auto flags = std::make_shared<GateFlags>();
    CLI::App* const command = app.add_subcommand(
        "gate", "the same as run, for CI: the exit code is the verdict on the first program");
    add_play_flags(*command, flags->play);
    command->add_option("--junit", flags->junit, "a JUnit report")->type_name("FILE");
    command->add_option("--markdown", flags->markdown, "a short report")->type_name("FILE");
    command->add_option("--out", flags->out, "all artefacts, also on failure and TERM")
        ->type_name("DIR");
    command->add_option("--inconclusive", flags->inconclusive, "what an inconclusive end is to CI")
        ->type_name("pass|fail")
        ->check(CLI::IsMember({"pass", "fail"}));
    command->footer(kExamples);
    command->callback([command, flags, &exit] {
        try {
            run_gate(*command, *flags, exit);
        } catch (const std::exception& error) {
            write_short(*flags, reports::junit_error(error.what()),
                        reports::markdown_error(error.what()));
            throw;
        }
    });
}

}  // namespace assay::cli
