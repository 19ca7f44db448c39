#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "harness/executor/folder/coordinator_lock.h"
#include "harness/executor/local_executor.h"
#include "harness/executor/program_pool.h"
#include "harness/machine/machine.h"
#include "harness/match/match_setting.h"
#include "harness/match/pairing.h"
#include "harness/program/program_loop.h"
#include "harness/record/listener.h"
#include "harness/run/match_runner.h"
#include "harness/run/run.h"
#include "harness/run/session/session_programs.h"
#include "harness/store/live_file.h"
#include "harness/store/store.h"
#include "harness/store/store_writer.h"
#include "harness/tournament/tournament_pairing.h"

namespace assay::harness {

/// One session of a run: an event loop, a store writer, and its matches, or a tournament. One
/// thread.
class MatchSession {
public:
    /// All outlive the session. `settings`: one of each match; of a tournament one. `coordinator`:
    /// of the run's fleet; null where it has none.
    MatchSession(RunOutcome& outcome, const std::vector<MatchSetting>& settings,
                 const RunOptions& options, Store& store, LiveFile& live,
                 const std::vector<Listener*>& listeners, const Clock& clock,
                 std::shared_ptr<CoordinatorLock> coordinator);
    MatchSession(const MatchSession&) = delete;
    MatchSession& operator=(const MatchSession&) = delete;
    ~MatchSession();

    /// Plays the matches from `first` until before `last` to their ends, which are added to the
    /// outcome in their order. A match begins when those before it leave a place free, and gets
    /// what they leave; one that fails ends the others too, and those behind it are not begun.
    /// REQUIRES: end_of_sharing(first) >= last > first.
    void play(std::size_t first, std::size_t last);
    /// Plays all matches of the plan's tournament. The outcome gets its end, and no tallies.
    void play_tournament();

    /// Nothing follows: programs that were kept end.
    void finish();

    /// That stopped it; 0: none.
    [[nodiscard]] int signal() const { return loop_.signal(); }

private:
    /// A match that is played, or will be; or a tournament.
    struct Played {
        std::size_t match = 0;  // of a tournament the first
        std::unique_ptr<Pairing> pairing;
        std::unique_ptr<Executor> executor;
        std::unique_ptr<MatchRunner> runner;
        std::vector<PairDigest> restored;  // of earlier sessions, until it begins
        std::vector<GameRecord> open;      // likewise: first games of pairs that are not over
        bool is_over = false;              // the outcome has its end, or will get it
    };

    /// Of played_, those that have begun.
    [[nodiscard]] std::span<const Played> begun() const { return {played_.data(), begun_}; }

    /// All that a match needs to begin. `last`: as of play().
    [[nodiscard]] Played prepared(std::size_t match, std::size_t last);
    /// The runner and the executor of its pairing, with what earlier sessions have played of these
    /// matches; first of all the one whose settings all share.
    void prepare(Played& played, ProgramSpecs specs, std::map<std::size_t, TimeControl> time,
                 MatchRunner::Setup setup, const std::vector<std::size_t>& restored);
    void add_writes(MatchRunner::Setup& setup);
    void restore(Played& played, const std::vector<std::size_t>& matches);
    [[nodiscard]] std::unique_ptr<Executor> executor_of(const MatchRunner::Setup& setup,
                                                        ProgramSpecs specs,
                                                        std::map<std::size_t, TimeControl> time);
    [[nodiscard]] MatchRunner* runner_of(std::size_t match);
    [[nodiscard]] std::size_t first_in_play() const;
    [[nodiscard]] bool has_failed() const;
    [[nodiscard]] bool is_done() const;
    void begin_next();
    void fill_places();
    void end_done_matches();
    void write_meters(const Played& played);
    void end_match(Played& played);
    void tell_of_machines();
    void tell_restored(const std::vector<std::size_t>& matches);
    void run_to_end();
    void forget_played();
    void save(GameRecord game, const std::optional<PairDigest>& pair);
    void on_written(const Written& written);
    void on_store_error(const std::string& error);
    void show_games();
    void show_progress();
    void on_signal();
    void interrupt(TimePoint now);
    void on_tick(TimePoint now);
    void name_version(std::size_t program, const adapters::Identity& identity);
    void take_identities(const Played& played);
    [[nodiscard]] std::vector<VersionRecord> versions_to_store() const;
    void write_end();

    RunOutcome& outcome_;
    const std::vector<MatchSetting>& settings_;
    const RunOptions& options_;
    Store& store_;
    LiveFile& live_;
    const std::vector<Listener*>& listeners_;
    const Clock& clock_;
    std::shared_ptr<CoordinatorLock> coordinator_;
    long long epoch_us_;  // LiveState::epoch_us
    RunQueueMeter queue_meter_;
    ProgramLoop loop_;
    ProgramPool pool_;
    SessionPrograms programs_;
    TournamentPairing* tournament_ = nullptr;  // the pairing, if it is one of a tournament
    std::optional<Places> places_;
    std::vector<Played> played_;  // of one call of play(); does not grow while they are played
    std::size_t begun_ = 0;       // of these
    bool is_stopping_ = false;    // no further one begins
    std::optional<TimePoint> drained_by_;  // what is played then is not waited for
    StoreWriter writer_;
    TimePoint next_meters_{};
    TimePoint next_shown_{};
    TimePoint next_progress_{};
};

}  // namespace assay::harness
