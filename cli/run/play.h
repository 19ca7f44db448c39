#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/frame/command.h"
#include "configs/loader/loader.h"
#include "harness/run/run.h"
#include "reports/files/games.h"
#include "reports/view/stored_run.h"

namespace assay::cli {

/// The flags that `run` and `gate` share.
struct PlayFlags {
    configs::RunFlags plan;
    std::vector<std::optional<std::string>>
        shorthands;  // values, in the order of configs::shorthands()
    harness::RunOptions options;
    std::string events;                // file of JSON lines, "-" for standard output
    std::ostream* log = nullptr;       // takes what the terminal shows, in plain lines; null: none
    std::string rules = "auto";        // how files of rules are played: rules_mode.h
    std::optional<std::string> shard;  // "3/8", as written
    bool no_play = false;
    bool json = false;
    bool explain = false;
};

/// The heading of flags that write something, in --help of `run` and `gate`.
inline constexpr const char* kOutput = "output";

/// Adds the common flags, under the headings programs, match, stop, store and output. `flags`
/// outlives the command.
void add_play_flags(Command& command, PlayFlags& flags);

/// The flags that a command without a match shares with them: the programs (`what` describes
/// --program); the store and the output.
void add_program_flags(Command& command, PlayFlags& flags, const std::string& what);
void add_store_flags(Command& command, PlayFlags& flags);

/// The plan of flags.plan as it stands. Throws as configs::plan_from_flags().
[[nodiscard]] harness::RunPlan resolved_plan(PlayFlags& flags);

/// The plan that the flags ask for. Throws as configs::plan_from_flags().
[[nodiscard]] harness::RunPlan plan_of(const Command& command, PlayFlags& flags);

/// The files that a run with these flags and this plan reads or writes.
[[nodiscard]] std::vector<std::string> files_of(const PlayFlags& flags,
                                                const harness::RunPlan& plan);

/// Throws Error where the events or the protocol lines could not be written, or would destroy one
/// of the files of the run.
void check_targets(const PlayFlags& flags, const harness::RunPlan& plan);

/// Plays the plan with a terminal view (on standard error where standard output is for JSON) and,
/// if asked, an event file.
[[nodiscard]] harness::RunOutcome play(const harness::RunPlan& plan, const PlayFlags& flags);

/// True where there was nothing to do; that is said then, in JSON too where it is asked for.
[[nodiscard]] bool was_skipped(const harness::RunOutcome& outcome, const PlayFlags& flags);

/// Starts the plan's `at_end`, if any, once the run has come to its end, with the run's JSON on its
/// standard input; what it says goes to standard error, and its failure is a warning. `code`: the
/// exit code to be.
void run_at_end(const harness::RunOutcome& outcome, const PlayFlags& flags, int code);

/// Writes the exit code into the run's record, for reports made later; a store that does not take
/// it is a warning. Nothing where there is no run, a signal stopped it, or another process has
/// begun to go on with it.
void store_exit_code(harness::RunOutcome& outcome, const PlayFlags& flags, int code);

/// reports::write_games() to a file (whole or not at all; packed where its name ends in .gz or
/// .zst) or, for "-", to standard output. Throws Error where the file cannot be written.
void print_games(const reports::StoredRun& stored, const std::string& path,
                 reports::GameFormat format);

/// What the process is to return, before anything is written. REQUIRES: the run has ended.
[[nodiscard]] int exit_code_of(const harness::RunOutcome& outcome, const PlayFlags& flags);

}  // namespace assay::cli
