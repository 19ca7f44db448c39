#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "cli/frame/commands.h"
#include "cli/run/play.h"
#include "cli/run/run_to_end.h"

namespace assay::cli {

namespace {

constexpr const char* kSuiteExamples = R"(examples:
  assay suite configs/suites/tactics.epd --program ./new --program ./old --nodes 200000
  assay suite configs/suites/endings.epd --program ./engine --time 1s --option Hash=64 --json
  assay suite positions.epd --program ./new --program ./old --depth 12 --concurrency 4
  assay suite my.epd --program ./new --nodes 1M --set 'suite.expect=[{measure: solved, min: 30}]'

Each program searches each position in a process of its own. A position is solved if the move that
is answered is one of 'bm' (if there are any) and none of 'am'. Time, nodes and depth are those of
the first moment from which the best move was a solution until the end. The last program is the
baseline.

exit codes: 0 done · 1 an expectation failed · 2 wrong flags or positions ·
4 a program or the machine failed · 129/130/143 stopped by a signal; --resume continues)";

struct SuiteFlags {
    PlayFlags play;
    std::string positions;
    std::optional<std::string> depth;
    std::optional<std::string> nodes;
    std::optional<std::string> time;
    std::optional<std::string> concurrency;
};

/// A value of --set as it stands, also where it begins like a list or a quoted text.
std::string plain_path(const std::string& path) {
    const bool is_special = path.find_first_of("[{\"'~") == 0 || path == "null";
    return is_special ? "./" + path : path;
}

/// Whether a --set is of this key or of one below it.
bool is_set(const SuiteFlags& flags, const std::string& key) {
    const auto& sets = flags.play.plan.sets;
    return std::any_of(sets.begin(), sets.end(),
                       [&](const std::string& one) { return one.starts_with(key); });
}

/// The sets that the flags stand for come first, so that a --set overrides them.
std::vector<std::string> sets_of(const SuiteFlags& flags) {
    std::vector<std::string> sets{"suite.positions=" + plain_path(flags.positions),
                                  "suite.expect=[{measure: solved}]"};
    const auto add_limit = [&](const char* kind, const std::optional<std::string>& value) {
        if (value) sets.push_back(std::string("suite.limit={") + kind + ": " + *value + "}");
    };
    add_limit("depth", flags.depth);
    add_limit("nodes", flags.nodes);
    add_limit("move", flags.time);
    if (flags.concurrency) sets.push_back("suite.concurrency=" + *flags.concurrency);
    sets.insert(sets.end(), flags.play.plan.sets.begin(), flags.play.plan.sets.end());
    return sets;
}

void check_flags(const SuiteFlags& flags) {
    if (flags.positions.ends_with(".yaml") || flags.positions.ends_with(".yml"))
        throw Error("suite: '" + flags.positions + "' is a config; run it with 'assay run " +
                    flags.positions + "'");
    if (flags.play.plan.programs.empty() && !is_set(flags, "programs"))
        throw Error("suite: name a program with --program, or several; the last is the baseline");
    const int limits = static_cast<int>(flags.depth.has_value()) +
                       static_cast<int>(flags.nodes.has_value()) +
                       static_cast<int>(flags.time.has_value());
    if (limits > 1) throw Error("suite: give one of --depth, --nodes and --time");
    if (limits == 0 && !is_set(flags, "suite.limit"))
        throw Error(
            "suite: there is no limit of a search; add --nodes 200000, --depth 12 or --time 1s");
}

}  // namespace

void add_suite(Command& app, Exit& exit) {
    const auto flags = std::make_shared<SuiteFlags>();
    Command* const command = app.add_subcommand(
        "suite", "solve the positions of an EPD file, and compare programs on them");
    command->add_option("positions", flags->positions, "EPD file with 'bm' or 'am'")
        ->type_name("FILE.epd")
        ->required();
    const std::string group = "search of a position";
    const auto add = [&](const char* name, std::optional<std::string>& value, const char* what) {
        command->add_option(name, value, what)->type_name("VALUE")->group(group);
    };
    add("--depth", flags->depth, "its depth (suite.limit)");
    add("--nodes", flags->nodes, "its nodes: 200000, 200k (suite.limit)");
    add("--time", flags->time, "its time: 1s, 500ms (suite.limit)");
    add("--concurrency", flags->concurrency, "searches at once, or auto (suite.concurrency)");
    add_program_flags(*command, flags->play, "a program; the last one is the baseline");
    add_store_flags(*command, flags->play);
    command->footer(kSuiteExamples);
    command->callback([flags, &exit] {
        check_flags(*flags);
        flags->play.options.command_line = exit.command_line;
        flags->play.plan.sets = sets_of(*flags);
        run_to_end(resolved_plan(flags->play), flags->play, exit);
    });
}

}  // namespace assay::cli
