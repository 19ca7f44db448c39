#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "harness/plan/plan.h"
#include "harness/record/fleet.h"
#include "harness/record/pair.h"
#include "harness/record/run.h"
#include "harness/record/suite.h"

namespace assay::harness {

/// The machine failed a store: disk full or bad, file locked. The next write will not fare better.
/// Exit code 4.
class StoreFailure : public Error {
public:
    explicit StoreFailure(const std::string& message) : Error(message, 4) {}
};

/// Whether the file is one, by its first bytes. Never throws: what cannot be read is none.
[[nodiscard]] bool is_store(const std::string& path);

/// One SQLite file in WAL mode, for one process writing and any number reading. A schema with a
/// version; an older file is migrated in one transaction, a newer one is refused.
/// Throws Error with the path and SQLite's reason, StoreFailure where the machine is to blame.
/// Not thread-safe: one Store a thread.
class Store {
public:
    enum class Access : std::uint8_t { Write, Read };

    /// Which game of a match.
    struct GameOf {
        std::int64_t pair = 0;
        int game = 0;
        int attempt = 0;
    };

    /// Write creates the file; Read throws where it is missing. Read also works where nothing can
    /// be written (an archive), and while another process writes: it sees what is durable.
    Store(const std::string& path, Access access);
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;
    ~Store();

    /// A copy in memory of a store's file, brought to the present schema; `name` stands in
    /// messages. Throws as for a damaged file, whatever the bytes are: so too where it has what
    /// runs by itself (triggers, views, virtual tables), and where it makes SQLite do more than a
    /// store of its size needs, then or later.
    [[nodiscard]] static Store in_memory(const std::string& name, std::string_view bytes);

    [[nodiscard]] const std::string& path() const;

    /// Gives the run its id. The plan of a shard is that of the whole run here; what is read back
    /// is plan_of_shard().
    std::int64_t begin_run(const RunRecord& run);
    void set_state(std::int64_t run, RunState state, const std::string& reason);
    void set_versions(std::int64_t run, const std::vector<VersionRecord>& versions);
    /// A session begins on this machine. The number that its games get (GameRecord::machine): 0
    /// where it is the one that the run began on. What is known of it already is replaced by what
    /// this record says more (MachineRecord::slots and what follows).
    std::int64_t add_machine(std::int64_t run, const MachineRecord& machine);
    void set_meters(std::int64_t run, std::size_t match, const RunMeters& meters);
    /// What a history shows of a finished run's match (match_summary.h), as JSON; gone as soon as
    /// the run is no longer finished.
    void set_summary(std::int64_t run, std::size_t match, const std::string& summary);
    void forget_summaries(std::int64_t run);
    /// Those of all runs, by run and match.
    [[nodiscard]] std::map<std::pair<std::int64_t, std::size_t>, std::string> summaries() const;
    void set_findings(std::int64_t run, const RunFindings& findings);
    /// RunFindings::exit_code alone, so that whoever does not hold the run's lock changes nothing
    /// else of it. Nothing where the run is being played again, or is gone.
    void set_exit_code(std::int64_t run, int code);
    /// Of a run that was put together from shards: the command that goes on with it.
    void set_command_line(std::int64_t run, const std::string& command_line);
    /// A new limit of pairs after `--extend`; the plan's hash keeps its value of the start.
    void set_plan(std::int64_t run, const RunPlan& plan);
    /// A tournament with other programs (`--add`), which is asked for by another hash from now on.
    void set_plan(std::int64_t run, const RunPlan& plan, const std::string& plan_hash);

    /// Everything inside `work` is one transaction, durable when this returns; where `work` throws,
    /// nothing of it happened. A call inside another one's work is part of that.
    void transaction(const std::function<void()>& work);

    /// A finished game; writing the same (pair, game, attempt) twice is a bug and throws.
    void write_game(std::int64_t run, std::size_t match, const GameRecord& game);
    /// The same of a game whose moves have been packed, and may be gone from the record.
    void write_game(std::int64_t run, std::size_t match, const GameRecord& game,
                    const PackedMoves& moves);
    /// The pair's state; its games have been written, else it throws. May be written again with
    /// another state. In one transaction with its last game, or a kill in between leaves games that
    /// neither pairs() nor half_pairs() shows.
    void write_pair(std::int64_t run, std::size_t match, const PairDigest& pair);

    /// Of a fleet (fleet.h). What is there under the same key is replaced. An attempt has one fate:
    /// a lost one that comes is late and stays that, and what was given back or barred stays that
    /// if it comes after all.
    void write_build(std::int64_t run, const MachineBuild& build);
    void write_attempt(std::int64_t run, const AttemptRecord& attempt);
    /// By machine and program.
    [[nodiscard]] std::vector<MachineBuild> builds(std::int64_t run) const;
    /// By match, pair and attempt.
    [[nodiscard]] std::vector<AttemptRecord> attempts(std::int64_t run) const;

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
    /// The run of this identity (RunRecord::uid); of a store from before with several shards of it
    /// the oldest.
    [[nodiscard]] std::optional<RunRecord> find_uid(const std::string& uid) const;
    /// Newest first.
    [[nodiscard]] std::vector<RunRecord> runs() const;
    /// With all its games. The file keeps its size until prune().
    void delete_run(std::int64_t run);
    /// Gives the room of deleted runs back to the disk: writes the whole file anew. No transaction
    /// may be open.
    void prune();

    /// The matches of the run that have a game, rising.
    [[nodiscard]] std::vector<std::size_t> begun_matches(std::int64_t run) const;
    /// Finished pairs in the order of (pair, attempt).
    [[nodiscard]] std::vector<PairDigest> pairs(std::int64_t run, std::size_t match) const;
    /// Rows of pairs(), without reading them.
    [[nodiscard]] std::int64_t pair_count(std::int64_t run, std::size_t match) const;
    /// First games of pairs that have no second one (and no pair row) of the same attempt.
    [[nodiscard]] std::vector<GameRecord> half_pairs(std::int64_t run, std::size_t match) const;
    [[nodiscard]] RunMeters meters(std::int64_t run, std::size_t match) const;
    /// Of all games, those of void pairs too; not of late ones.
    [[nodiscard]] PvSummary pv_summary(std::int64_t run, std::size_t match) const;
    /// The newest attempt of that game number.
    [[nodiscard]] std::optional<GameRecord> game(std::int64_t run, std::size_t match,
                                                 std::int64_t number) const;
    /// The newest attempt of a pair's game, both from 0.
    [[nodiscard]] std::optional<GameRecord> game_of(std::int64_t run, std::size_t match,
                                                    std::int64_t pair, int game) const;
    /// Exactly that game; nullopt where it is not there.
    [[nodiscard]] std::optional<GameRecord> game_at(std::int64_t run, std::size_t match,
                                                    const GameOf& of) const;
    /// The attempts at a pair that have a row of pairs(), with their states.
    [[nodiscard]] std::map<int, PairState> attempts_at(std::int64_t run, std::size_t match,
                                                       std::int64_t pair) const;
    /// Pair and attempt of those that came late: their games count nowhere.
    [[nodiscard]] std::set<std::pair<std::int64_t, int>> late_attempts(std::int64_t run,
                                                                       std::size_t match) const;
    /// All games, in the order of (pair, game, attempt), without loading them all at once.
    void for_each_game(std::int64_t run, std::size_t match,
                       const std::function<void(const GameRecord&)>& visit) const;

    /// Flaws of the lines of all games (GameRecord::pv_counts), in that order of games.
    void for_each_pv_count(std::int64_t run, std::size_t match,
                           const std::function<void(const GameOf&, const PvCount&)>& visit) const;

private:
    struct Parts;

    explicit Store(std::unique_ptr<Parts> parts);

    std::unique_ptr<Parts> parts_;
};

}  // namespace assay::harness
