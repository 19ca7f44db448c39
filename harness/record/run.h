#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/plan.h"
#include "harness/plan/shard.h"
#include "harness/record/version.h"

namespace assay::harness {

/// What a paired benchmark of a match's programs found.
struct SpeedFinding {
    enum class State : std::uint8_t { Holds, Broken, Undecided };

    std::size_t match = 0;
    int pairs = 0;       // benchmark runs of each program
    double percent = 0;  // how much faster the first program is; below 0: slower
    double low = 0;      // an interval of 98.3 %, so that three looks err in 5 % together
    double high = 0;
    double seconds = 0;                        // that it took; 0 in older stores
    double limit = 0;                          // what `require.speed` asks
    std::array<double, 2> nodes_per_second{};  // medians
    State state = State::Undecided;
};

[[nodiscard]] std::string_view name_of(SpeedFinding::State state);

/// A file to which games are appended as they end.
struct GamesFile {
    std::string path;        // its place_of()
    std::uint64_t size = 0;  // when the run began
};

/// The file's path without links and detours.
[[nodiscard]] std::string place_of(const std::string& file);

/// What was found out beside the games, before or after them.
struct RunFindings {
    std::optional<bool> is_gate;         // the last session was `assay gate`; unset in older stores
    std::optional<int> exit_code;        // that the last session's command returned; unset where a
                                         // signal stopped it
    std::optional<bool> failed_program;  // set where a program, not the machine, ended the run
    /// By match, where --extend or --add gave minutes anew: RunMeters::wall_us until then, which
    /// does not count. Missing ones: 0.
    std::vector<std::int64_t> budget_from_us;
    std::vector<SpeedFinding> speed;
    std::string unchanged;  // why nothing was played (`skip_if`); empty: it was, or had no reason
    std::string control;    // a sentence where the control differs; empty: none, or as it should
    std::vector<std::string> drift;     // sentences on speeds that changed
    std::vector<std::string> warnings;  // those that listeners were told of, but for the two above
    std::optional<bool> is_of_shards;   // it was put together from shards, whose matches were all
                                        // played at once; unset: it was not
    int extensions = 0;                 // how often `--extend` has added pairs
    std::vector<GamesFile> games_files;
    std::optional<bool> is_unplayed;  // set where games are lacking, and --no-play played none

    std::string fleet;  // the folder through which workers play it, or did; empty: none

    /// Of a tournament: by --add, which alone begins its budget anew.
    [[nodiscard]] bool was_added_to() const { return !budget_from_us.empty(); }

    /// Where in that file the run began to write; nullopt: it did not write there.
    [[nodiscard]] std::optional<std::uint64_t> begin_in(const std::string& file) const;
};

/// A machine that a run was played on.
struct MachineRecord {
    std::string host;
    std::string cpu;
    std::string kernel;
    int logical_cores = 0;
    int physical_cores = 0;
    std::uint64_t memory_bytes = 0;

    // Of a worker of a fleet; what nobody measured is 0 or empty.
    std::string worker{};      // tells apart workers of one host, "n1/2"
    int slots = 0;             // games at once
    double nps = 0;            // of the second program, all slots searching at once (calibration.h)
    double factor = 0;         // by which clocks were multiplied; 0: they were not scaled
    std::int64_t skew_us = 0;  // its wall clock minus the coordinator's
    std::string assay_version{};  // that played there
    std::string trouble{};        // a sentence on what is wrong with it

    /// Tells machines apart, by host, processor and worker: never 0. Stored for ever.
    [[nodiscard]] std::int64_t id() const;
};

enum class Verdict : std::uint8_t { None, Accepted, Rejected, Inconclusive };
[[nodiscard]] std::string_view name_of(Verdict verdict);  // None: ""
[[nodiscard]] std::optional<Verdict> verdict_of(std::string_view name);

/// Harness's own delay over a run's moves, microseconds, from a fixed-size histogram (within 2 %).
struct DelayRecord {
    double p50_us = 0;
    double p99_us = 0;
    double max_us = 0;
    double cpu_us_per_ply = 0;
};

enum class RunState : std::uint8_t {
    Running,      // being played, or left behind by a kill: resumable
    Interrupted,  // stopped by a signal: resumable
    Finished,     // all it was asked is done, or its minutes are over
    Failed,       // a program or the machine failed; resumable
};

[[nodiscard]] std::string_view name_of(RunState state);
[[nodiscard]] std::optional<RunState> run_state_of(std::string_view name);

/// The end_reason of a run whose budget of minutes was used up.
inline constexpr std::string_view kOutOfTime = "the minutes were over";

/// One execution of a config.
struct RunRecord {
    std::int64_t id = 0;  // from 1
    std::string uid;      // 32 hexadecimal digits, the same in every store that has it
    std::string name;
    RunPlan plan;                // resolved: the seed is set; of a shard plan_of_shard()
    std::optional<Shard> shard;  // the part of a run that this is; unset: all of it
    std::optional<SuitePlan>
        suite_of_whole;  // of a stored shard: the run's, which it does not play
    std::string plan_hash;
    RunState state = RunState::Running;
    std::vector<VersionRecord> versions;                   // by program of the plan
    MachineRecord machine;                                 // where it began
    std::map<std::int64_t, MachineRecord> other_machines;  // of later sessions, by id()
    std::vector<std::string> book_hashes;                  // see book_hash()
    std::string assay_version;
    std::string command_line;
    long long started_us = 0;
    long long ended_us = 0;  // 0: not yet
    std::string end_reason;  // one sentence; empty where it simply finished
    RunFindings findings;

    /// By GameRecord::machine.
    [[nodiscard]] const MachineRecord& machine_of(std::int64_t number) const;

    /// The hash of a match's book, which the matches of a tournament share; empty: no book.
    [[nodiscard]] std::string book_hash(std::size_t match) const {
        const std::size_t index = plan.tournament ? 0 : match;
        return index < book_hashes.size() ? book_hashes[index] : "";
    }
};

/// What a program did wrong when no game was lost by it: between two games, or when it was told to
/// stop at the end of one.
struct FaultsBetweenGames {
    std::int64_t crashes = 0;
    std::int64_t stalls = 0;

    friend bool operator==(const FaultsBetweenGames&, const FaultsBetweenGames&) = default;
};

/// A run's figures that only the process that played it knows; stored as it goes.
struct RunMeters {
    DelayRecord delay;
    long long wall_us = 0;                          // time played, all sessions together
    std::int64_t voided = 0;                        // pairs replayed for the harness's own delay
    std::vector<FaultsBetweenGames> between_games;  // by program of `between`; missing ones: none
};

}  // namespace assay::harness
