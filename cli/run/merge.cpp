#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "cli/frame/commands.h"
#include "harness/store/merge/store_merge.h"

namespace assay::cli {

namespace {

constexpr const char* kMergeExamples = R"(examples:
  assay merge ci-1.db ci-2.db -o all.db
  assay merge history.db tonight.db -o history-2.db
  assay merge shard-*.db -o all.db && assay gate gate.yaml --db all.db --resume

Runs get new numbers, in the order in which they started. Copies of one run in several stores, and
its shards (run --shard), become one run with the games of all; if two copies differ, nothing is
written. The packed trees of suites
are in STORE.trees beside a store: move them together with it.

exit codes: 0 merged · 2 wrong flags, no store, or copies of a run that differ ·
4 the machine failed)";

struct MergeFlags {
    std::vector<std::string> inputs;
    std::string output;
};

void print(const harness::MergeResult& merged, const MergeFlags& flags) {
    std::int64_t games = 0;
    for (const harness::MergedRun& run : merged.runs) {
        games += run.games;
        std::string from;
        for (const harness::MergedRun::Origin& origin : run.from) {
            if (!from.empty()) from += " and ";
            from += fmt::format("{} run {}", printable_utf8(origin.store), origin.run);
        }
        fmt::print("run {}: {}, {} from {}\n", run.run, printable_utf8(run.name),
                   counted(run.games, "game"), from);
        for (const harness::MergedRun::Lack& lack : run.lacks) {
            fmt::print(
                "  lacks {} of {} of '{}', the first is pair {}; --resume plays what a verdict "
                "needs\n",
                lack.pairs, counted(lack.of, "pair"), printable_utf8(lack.match), lack.first + 1);
        }
    }
    for (const std::string& warning : merged.warnings) fmt::print(stderr, "warning: {}\n", warning);
    if (merged.missing_trees > 0) {
        fmt::print("{} that the stores name {} missing\n",
                   counted(merged.missing_trees, "packed tree"),
                   plural(merged.missing_trees, "is", "are"));
    }
    fmt::print("{}: {}, {}\n", printable_utf8(flags.output), counted(merged.runs.size(), "run"),
               counted(games, "game"));
}

}  // namespace

void add_merge(Command& app, Exit&) {
    const auto flags = std::make_shared<MergeFlags>();
    Command* const command =
        app.add_subcommand("merge", "merge several stores into a new one, with checks");
    command->add_option("stores", flags->inputs, "the stores to merge; they are not changed")
        ->type_name("STORE")
        ->required();
    command->add_option("-o,--output", flags->output, "the new store")
        ->type_name("FILE")
        ->required();
    command->footer(kMergeExamples);
    command->callback(
        [flags] { print(harness::merge_stores(flags->inputs, flags->output), *flags); });
}

}  // namespace assay::cli
