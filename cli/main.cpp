#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "base/credentials.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/parser.h"
#include "cli/frame/standard_output.h"
#include "cli/match/match.h"
#include "harness/program/confinement/confinement.h"
#include "harness/program/table_reader.h"
#include "reports/text/github.h"

namespace {

/// 'git bisect run' takes codes from 1 to 124 as "bad" and stops at 128 and above.
constexpr int kAbortBisect = 128;

bool is_bisect_step(int argc, char** argv) {
    const std::vector<std::string_view> words(argv + 1, argv + argc);
    return !words.empty() && words.front() == "bisect" &&
           std::find(words.begin(), words.end(), "--step") != words.end();
}

struct Known {
    std::string_view name;
    void (*add)(assay::cli::Command&, assay::cli::Exit&);
};

constexpr Known kCommands[] = {  // NOLINT(modernize-avoid-c-arrays): its size is its content's
    {"run", assay::cli::add_run},       {"gate", assay::cli::add_gate},
    {"report", assay::cli::add_report}, {"bisect", assay::cli::add_bisect},
    {"book", assay::cli::add_book},     {"check", assay::cli::add_check},
    {"doctor", assay::cli::add_doctor}, {"help-page", assay::cli::add_help_page},
    {"init", assay::cli::add_init},     {"match", assay::cli::add_match},
    {"merge", assay::cli::add_merge},   {"query", assay::cli::add_query},
    {"replay", assay::cli::add_replay}, {"rules", assay::cli::add_rules},
    {"runs", assay::cli::add_runs},     {"serve", assay::cli::add_serve},
    {"stats", assay::cli::add_stats},   {"suite", assay::cli::add_suite},
    {"tree", assay::cli::add_tree},     {"work", assay::cli::add_work},
    {"fleet", assay::cli::add_fleet}};

/// Adds the command that was typed alone, if there is one, so that the program starts sooner; else,
/// and for a page about all commands, all of them.
void add_commands(assay::cli::Command& app, assay::cli::Exit& exit, std::string_view typed) {
    const auto is_typed = [typed](const Known& command) { return command.name == typed; };
    const bool is_one =
        typed != "help-page" && std::any_of(std::begin(kCommands), std::end(kCommands), is_typed);
    for (const Known& command : kCommands) {
        if (!is_one || is_typed(command)) command.add(app, exit);
    }
}

/// Output that could not be written is a failure, as on a full disk.
int code_after_flush(int code) {
    const int after = assay::cli::code_after_output(code);
    if (after != code) std::fputs("assay: cannot write to standard output\n", stderr);
    return after;
}

/// Memory or threads may run out where no exception may leave, as in a thread: that is the
/// machine's failure too, and no abort.
[[noreturn]] void end_without_memory() {
    const auto say = [](std::string_view text) {
        static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
    };
    try {
        if (const std::exception_ptr error = std::current_exception())
            std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
        say("assay: out of memory\n");
        ::_exit(4);
    } catch (const std::system_error&) {
        say("assay: the system refused\n");
        ::_exit(4);
    } catch (...) {
        say("assay: internal error: an exception that nothing expects\n");
    }
    std::abort();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 2 && std::string_view(argv[1]) == assay::harness::kStartConfined) {
        const std::string why = assay::harness::start_confined({argv + 2, argv + argc});
        std::fprintf(stderr, "assay: %s\n", why.c_str());
        return 127;
    }
    if (argc > 2 && std::string_view(argv[1]) == assay::harness::kReadTables) {
        assay::harness::read_tables({argv + 2, argv + argc});
        return 0;
    }
    std::set_terminate(end_without_memory);
    assay::cli::open_standard_descriptors();
    // At a limit on the size of files a write fails, instead of the process being killed.
    std::signal(SIGXFSZ, SIG_IGN);
    assay::cli::Command app("assay",
                            "assay tests game-playing programs: paired matches with a verdict.");
    app.add_version("--version", "assay " ASSAY_VERSION, "print the version");
    app.require_subcommand(1);
    assay::cli::Exit exit;
    exit.command_line = assay::cli::shown_command_line({argv + 1, argv + argc});
    const bool is_step = is_bisect_step(argc, argv);
    const auto code_of = [&](int code) { return is_step ? kAbortBisect : code; };
    try {
        if (const auto code = assay::cli::match_as_runner({argv, argv + argc}))
            return code_after_flush(*code);
        add_commands(app, exit, argc > 1 ? argv[1] : "");
        assay::cli::run_command_line(app, {argv + 1, argv + argc});
        return code_after_flush(exit.code);
    } catch (const assay::SyntaxError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        if (assay::reports::is_github_action())
            std::fputs(assay::reports::github_annotations(error).c_str(), stderr);
        return code_of(error.exit_code());
    } catch (const assay::Error& error) {
        // It may quote a store or a file that came from elsewhere.
        const std::string text = assay::without_credentials(error.what());
        std::fprintf(stderr, "%s\n", assay::printable_lines(text).c_str());
        return code_of(error.exit_code());
    } catch (const std::bad_alloc&) {
        std::fputs("assay: out of memory\n", stderr);
        return code_of(4);
    } catch (const std::system_error& error) {
        std::fprintf(stderr, "assay: the system refused: %s\n", error.what());
        return code_of(4);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "assay: internal error: %s\n", error.what());
        return code_of(4);
    }
}
