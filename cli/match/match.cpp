#include "cli/match/match.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/match/match_run.h"
#include "configs/dropin/cutechess_flags.h"
#include "configs/dropin/fastchess_flags.h"

namespace assay::cli {

namespace {

using configs::dropin::Runner;

constexpr const char* kMatchExamples = R"(examples:
  assay match -engine cmd=./new -engine cmd=./old -each tc=8+0.08 proto=uci -rounds 1000 -recover
  assay match --db sprt.db -engine cmd=./new -engine cmd=./old -each tc=8+0.08 -sprt elo0=0 elo1=5
  assay match --as cutechess-cli -engine cmd=./new -engine cmd=./old -each proto=uci tc=40/60

FLAGS are those of fastchess, or of cutechess-cli with --as or where only that program has them
(-pgnout FILE, conf=NAME, ...). 'assay match -help' lists them. What is printed, the files and the
exit code are that program's; the run is stored as any other: see 'assay report' and 'assay serve'.
The program does the same without the word 'match' where its own name begins with fastchess or
cutechess-cli (a link is enough); it stores the run then only where ASSAY_DB names a store.)";

std::string time_stamp() {
    const std::time_t now = std::time(nullptr);
    std::tm t{};
    ::localtime_r(&now, &t);
    return fmt::format("{:04}{:02}{:02}_{:02}{:02}{:02}", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday,
                       t.tm_hour, t.tm_min, t.tm_sec);
}

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// Workers of test servers look for the version that they know. fishtest asks for a commit of
/// fastchess: it is told the one that ASSAY_FASTCHESS_SHA names, and only where that is set.
std::string version_of(Runner runner) {
    if (runner == Runner::Cutechess)
        return "cutechess-cli 1.5.1 (assay " ASSAY_VERSION ")\nUsing Qt version 0.0.0 (none)";
    const std::string sha = environment("ASSAY_FASTCHESS_SHA");
    const bool is_sha = sha.size() >= 7 && sha.size() <= 40 &&
                        sha.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (is_sha) return "fastchess alpha 1.8.2 01010101-" + sha;
    return "fastchess alpha 1.8.2 (assay " ASSAY_VERSION ")";
}

/// A little more than any file of settings may have, so that a larger one is seen to be so.
constexpr std::size_t kMostRead = std::size_t{17} << 20U;

std::optional<std::string> text_of(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
    try {
        return read_start(path, kMostRead);
    } catch (const Error&) {
        return std::nullopt;
    }
}

configs::dropin::Surroundings surroundings_of(Runner runner) {
    configs::dropin::Surroundings here;
    here.hardware_threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    here.exists = [](const std::string& path) {
        std::error_code error;
        return std::filesystem::exists(path, error);
    };
    here.is_file = [](const std::string& path) {
        std::error_code error;
        return std::filesystem::is_regular_file(path, error);
    };
    here.read = text_of;
    here.version = version_of(runner);
    here.time_stamp = time_stamp();
    std::string folder = environment("XDG_CONFIG_HOME");
    if (folder.empty()) folder = environment("HOME") + "/.config";
    here.engines_file = folder + "/cutechess/engines.json";
    if (here.exists("engines.json")) here.engines_file = "engines.json";
    return here;
}

std::optional<Runner> runner_named(std::string_view program) {
    const std::string_view name = program.substr(program.find_last_of('/') + 1);
    if (name.starts_with("fastchess")) return Runner::Fastchess;
    if (name.starts_with("cutechess-cli")) return Runner::Cutechess;
    return std::nullopt;
}

/// The flags that assay adds; the others stay in `words`.
struct OwnFlags {
    MatchOptions options;
    std::optional<Runner> runner;
    std::vector<std::string> words;
};

Runner runner_of_flag(const std::string& name) {
    if (const auto runner = runner_named(name)) return *runner;
    throw Error("match: --as is fastchess or cutechess-cli, not '" + printable_utf8(name) + "'");
}

OwnFlags own_flags(const std::vector<std::string>& words) {
    OwnFlags flags;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string name = words[i].substr(0, words[i].find('='));
        if (name == "--resume") {
            flags.options.resume = true;
            continue;
        }
        const bool is_own =
            name == "--db" || name == "--events" || name == "--log" || name == "--as";
        if (!is_own) {
            flags.words.push_back(words[i]);
            continue;
        }
        std::string value;
        if (name.size() < words[i].size()) {
            value = words[i].substr(name.size() + 1);
        } else {
            if (i + 1 == words.size()) throw Error("match: " + name + " wants a value");
            value = words[++i];
        }
        if (name == "--db") flags.options.store = value;
        if (name == "--events") flags.options.events = value;
        if (name == "--log") flags.options.log_dir = value;
        if (name == "--as") flags.runner = runner_of_flag(value);
    }
    return flags;
}

int run(Runner runner, const std::vector<std::string>& words, const MatchOptions& options) {
    const configs::dropin::Surroundings here = surroundings_of(runner);
    const configs::dropin::ParsedCommand command =
        runner == Runner::Fastchess ? configs::dropin::parse_fastchess(words, here)
                                    : configs::dropin::parse_cutechess(words, here);
    return run_match(runner, command, here, options);
}

}  // namespace

std::optional<int> match_as_runner(std::span<char* const> words) {
    if (words.empty()) return std::nullopt;
    const std::vector<std::string> all(words.begin() + 1, words.end());
    MatchOptions options;
    options.called_as = words.front();
    const std::vector<const char*> typed(words.begin() + 1, words.end());
    options.command_line = shown_command_line(typed);
    if (const auto runner = runner_named(words.front())) {
        constexpr std::string_view kOwnName = "assay";
        options.command_line.replace(0, kOwnName.size(), shell_word(words.front()));
        options.store = environment("ASSAY_DB");
        return run(*runner, all, options);
    }
    if (all.empty() || all.front() != "match") return std::nullopt;
    const bool asks_for_page = all.size() == 2 && (all[1] == "--help" || all[1] == "-h");
    if (asks_for_page) return std::nullopt;
    OwnFlags flags = own_flags({all.begin() + 1, all.end()});
    flags.options.called_as = options.called_as + " match";
    flags.options.command_line = options.command_line;
    if (flags.options.store.empty()) flags.options.store = "assay.db";
    const Runner runner = flags.runner.value_or(
        configs::dropin::is_for_cutechess(flags.words) ? Runner::Cutechess : Runner::Fastchess);
    return run(runner, flags.words, flags.options);
}

/// For help alone: match_as_runner() takes all other command lines of it.
void add_match(Command& app, Exit& /*exit*/) {
    Command* const command = app.add_subcommand(
        "match", "play a match with the command line of fastchess or cutechess-cli");

    struct Shown {
        std::string store = "assay.db";
        std::string events;
        std::string log_dir;
        std::string runner;
        bool resume = false;
    };

    const auto shown = std::make_shared<Shown>();
    command->add_option("--db", shown->store, "the store")
        ->type_name("FILE")
        ->capture_default_str();
    command->add_flag("--resume", shown->resume,
                      "continue the unfinished run of this command line, or start one");
    command
        ->add_option("--events", shown->events,
                     "write events as JSON lines, the harness's own warnings among them")
        ->type_name("FILE");
    command->add_option("--log", shown->log_dir, "write every protocol line to files in DIR")
        ->type_name("DIR");
    command
        ->add_option("--as", shown->runner, "whose command line it is, if its flags do not show it")
        ->type_name("fastchess|cutechess-cli");
    command->hand_on("FLAGS");
    command->footer(kMatchExamples);
    command->callback([shown] {});
}

}  // namespace assay::cli
