#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "harness/plan.h"
#include "harness/record.h"
#include "harness/suite_record.h"

namespace assay::harness {

enum class RunState : std::uint8_t {
    Running,      // being played, or left behind by a kill: resumable
    Interrupted,  // stopped by a signal: resumable
    Finished,     // all it was asked is done, or its minutes are over
    Failed,       // a program or the machine failed; resumable
};

[[nodiscard]] std::string_view name_of(RunState state);

/// The end_reason of a run whose budget of minutes was used up.
inline constexpr std::string_view kOutOfTime = "the minutes were over";

/// One execution of a config.
struct RunRecord {
    std::int64_t id = 0;  // from 1
    std::string name;
    RunPlan plan;  // resolved: the seed is set
    std::string plan_hash;
    RunState state = RunState::Running;
    std::vector<VersionRecord> versions;                   // by program of the plan
    MachineRecord machine;                                 // where it began
    std::map<std::int64_t, MachineRecord> other_machines;  // of later sittings, by id()
    std::vector<std::string> book_hashes;                  // by match; empty: no book
    std::string assay_version;
    std::string command_line;
    long long started_us = 0;
    long long ended_us = 0;  // 0: not yet
    std::string end_reason;  // one sentence; empty where it simply finished
    RunFindings findings;

    /// By GameRecord::machine.
    [[nodiscard]] const MachineRecord& machine_of(std::int64_t number) const;
};

/// What the statistics need of a finished game; the moves stay in the file.
struct GameDigest {
    rules::Scores scores;
    std::array<int, 2> program{0, 1};
    Termination termination = Termination::Interrupted;
    int guilty = -1;  // player
    int plies = 0;
    long long used_us = 0;         // both clocks together
    std::uint64_t moves_hash = 0;  // of start, opening and move names
    bool harness_caused = false;   // as in GameRecord
};

struct PairDigest {
    std::int64_t pair = 0;
    int attempt = 0;
    PairState state = PairState::Counted;
    std::uint64_t opening_index = 0;
    int slot = 0;              // where its first game was played, and
    std::int64_t machine = 0;  // on which machine (GameRecord::machine)
    std::array<GameDigest, 2> games;

    [[nodiscard]] int category() const;
    /// Index 0..8 in the table of (first game's, second game's) results of the first program:
    /// 3 * first + second with loss 0, draw 1, win 2.
    [[nodiscard]] int cell() const;
};

[[nodiscard]] GameDigest digest_of(const GameRecord& game);

/// The moves of a game as the store keeps them, an eighth of their size in a GameRecord, and what
/// is known of them.
struct PackedMoves {
    std::string blob;
    GameDigest digest;
};

[[nodiscard]] PackedMoves pack_moves(const GameRecord& game);
[[nodiscard]] PairDigest digest_of(const PairRecord& pair);

/// A run's figures that only the process that played it knows; stored as it goes.
struct RunMeters {
    DelayRecord delay;
    long long wall_us = 0;    // time played, all sittings together
    std::int64_t voided = 0;  // pairs replayed for the harness's own delay
};

/// The machine failed a store: disk full or bad, file locked. The next write will not fare better.
/// Exit code 4.
class StoreFailure : public Error {
public:
    explicit StoreFailure(const std::string& message) : Error(message, 4) {}
};

/// What an expectation's query answered over a run's suite.
struct AnswerSum {
    std::size_t program = 0;      // index into SuitePlan::programs
    std::size_t expectation = 0;  // index into SuitePlan::expectations
    std::int64_t known = 0;       // positions that have an answer
    double sum = 0;               // over these
};

/// One SQLite file in WAL mode, for one process writing and any number reading. A schema with a
/// version; an older file is migrated in one transaction, a newer one is refused.
/// Throws Error with the path and SQLite's reason, StoreFailure where the machine is to blame.
/// Not thread-safe: one Store a thread.
class Store {
public:
    enum class Access : std::uint8_t { Write, Read };

    /// Write creates the file; Read throws where it is missing. Read also works where nothing can
    /// be written (an archive), and while another process writes: it sees what is durable.
    Store(const std::string& path, Access access);
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;
    ~Store();

    [[nodiscard]] const std::string& path() const;

    /// Gives the run its id.
    std::int64_t begin_run(const RunRecord& run);
    void set_state(std::int64_t run, RunState state, const std::string& reason);
    void set_versions(std::int64_t run, const std::vector<VersionRecord>& versions);
    /// A sitting begins on this machine. The number that its games get (GameRecord::machine).
    std::int64_t add_machine(std::int64_t run, const MachineRecord& machine);
    void set_meters(std::int64_t run, std::size_t match, const RunMeters& meters);
    /// What a history shows of a finished run's match (match_summary.h), as JSON; gone as soon as
    /// the run is no longer finished.
    void set_summary(std::int64_t run, std::size_t match, const std::string& summary);
    /// Those of all runs, by run and match.
    [[nodiscard]] std::map<std::pair<std::int64_t, std::size_t>, std::string> summaries() const;
    void set_findings(std::int64_t run, const RunFindings& findings);
    /// RunFindings::exit_code alone, so that whoever does not hold the run's lock changes nothing
    /// else of it. Nothing where the run is being played again, or is gone.
    void set_exit_code(std::int64_t run, int code);
    /// A new limit of pairs after `--extend`; the plan's hash keeps its value of the start.
    void set_plan(std::int64_t run, const RunPlan& plan);

    /// Everything inside `work` is one transaction, durable when this returns; where `work` throws,
    /// nothing of it happened. A call inside another one's work is part of that.
    void transaction(const std::function<void()>& work);

    /// A finished game; writing the same (pair, game, attempt) twice is a bug and throws.
    void write_game(std::int64_t run, std::size_t match, const GameRecord& game);
    /// The same of a game whose moves have been packed, and may be gone from the record.
    void write_game(std::int64_t run, std::size_t match, const GameRecord& game,
                    const PackedMoves& moves);
    /// The pair's state; its two games have been written, else it throws. May be written again with
    /// another state. In one transaction with the second game, or a kill in between leaves two
    /// games that neither pairs() nor half_pairs() shows.
    void write_pair(std::int64_t run, std::size_t match, const PairDigest& pair);

    /// A search of the run's suite with its answers, in one transaction; an earlier one of the same
    /// program and position is replaced.
    void write_search(std::int64_t run, const SearchRecord& search);
    /// The tree of that search is no longer kept.
    void forget_tree(std::int64_t run, std::size_t program, std::size_t position);
    /// By position, then program.
    [[nodiscard]] std::vector<SearchRecord> searches(std::int64_t run) const;
    [[nodiscard]] std::vector<AnswerSum> answer_sums(std::int64_t run) const;

    /// `selector`: a number, "latest" (also empty), or a config's name (its newest run).
    [[nodiscard]] std::optional<RunRecord> find_run(const std::string& selector) const;
    /// Newest first.
    [[nodiscard]] std::vector<RunRecord> runs() const;
    /// With all its games. The file keeps its size until prune().
    void delete_run(std::int64_t run);
    /// Gives the room of deleted runs back to the disk: writes the whole file anew. No transaction
    /// may be open.
    void prune();

    /// Finished pairs in the order of (pair, attempt).
    [[nodiscard]] std::vector<PairDigest> pairs(std::int64_t run, std::size_t match) const;
    /// Rows of pairs(), without reading them.
    [[nodiscard]] std::int64_t pair_count(std::int64_t run, std::size_t match) const;
    /// First games of pairs that have no second one (and no pair row) of the same attempt.
    [[nodiscard]] std::vector<GameRecord> half_pairs(std::int64_t run, std::size_t match) const;
    [[nodiscard]] RunMeters meters(std::int64_t run, std::size_t match) const;
    /// The newest attempt of that game number.
    [[nodiscard]] std::optional<GameRecord> game(std::int64_t run, std::size_t match,
                                                 std::int64_t number) const;
    /// All games, in the order of (pair, game, attempt), without loading them all at once.
    void for_each_game(std::int64_t run, std::size_t match,
                       const std::function<void(const GameRecord&)>& visit) const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace assay::harness
