#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapters/process/program_spec.h"
#include "base/clock.h"
#include "harness/executor/local_executor.h"
#include "harness/executor/program_pool.h"
#include "harness/machine/machine.h"
#include "harness/match/match_setting.h"
#include "harness/match/pairing.h"
#include "harness/program/program_loop.h"
#include "harness/record/listener.h"
#include "harness/run/match_runner.h"
#include "harness/run/run.h"
#include "harness/store/live_file.h"
#include "harness/store/store.h"
#include "harness/store/store_writer.h"
#include "harness/tournament/tournament_pairing.h"

namespace assay::harness {

/// One session of a run: an event loop, a store writer, and the matches one after the other, or a
/// tournament. One thread.
class MatchSession {
public:
    /// All outlive the session. `settings`: one of each match; of a tournament one.
    MatchSession(RunOutcome& outcome, const std::vector<MatchSetting>& settings,
                 const RunOptions& options, Store& store, LiveFile& live,
                 const std::vector<Listener*>& listeners, const Clock& clock);
    MatchSession(const MatchSession&) = delete;
    MatchSession& operator=(const MatchSession&) = delete;
    ~MatchSession();

    /// Plays a match to its end, which is added to the outcome.
    void play(std::size_t match);
    /// The same of all matches of the plan's tournament. The outcome gets its end, and no tallies.
    void play_tournament();

    /// Nothing follows: programs that were kept end.
    void finish();

    /// That stopped it; 0: none.
    [[nodiscard]] int signal() const { return loop_.signal(); }

private:
    using Specs = std::map<std::size_t, adapters::ProgramSpec>;
    using NeededPrograms = std::vector<std::pair<adapters::ProgramSpec, int>>;

    /// What is needed to start these programs of the plan for a match, by program.
    [[nodiscard]] Specs specs_of(const std::vector<std::size_t>& programs,
                                 const MatchPlan& match) const;
    [[nodiscard]] NeededPrograms needed_after(std::size_t match) const;
    void keep_programs_of_tournament(const Specs& specs, const MatchPlan& match);
    /// The runner and the executor of `pairing_`, with what earlier sessions have played of these
    /// matches; first of all the one whose settings all share. Returns the open games of that.
    std::vector<GameRecord> begin(Specs specs, std::map<std::size_t, TimeControl> time,
                                  MatchRunner::Setup setup,
                                  const std::vector<std::size_t>& restored);
    void tell_restored(const std::vector<std::size_t>& matches);
    void run_to_end();
    void save(GameRecord game, const std::optional<PairDigest>& pair);
    void on_written(const Written& written);
    void on_store_error(const std::string& error);
    void show_games();
    void show_progress();
    void interrupt(TimePoint now);
    void on_tick(TimePoint now);
    void write_end(const std::vector<std::size_t>& programs);

    RunOutcome& outcome_;
    const std::vector<MatchSetting>& settings_;
    const RunOptions& options_;
    Store& store_;
    LiveFile& live_;
    const std::vector<Listener*>& listeners_;
    const Clock& clock_;
    long long epoch_us_;  // LiveState::epoch_us
    RunQueueMeter queue_meter_;
    ProgramLoop loop_;
    ProgramPool pool_;
    std::unique_ptr<Pairing> pairing_;
    TournamentPairing* tournament_ = nullptr;  // the pairing, if it is one of a tournament
    std::unique_ptr<LocalExecutor> executor_;
    std::unique_ptr<MatchRunner> runner_;
    StoreWriter writer_;
    std::size_t match_ = 0;
    TimePoint next_meters_{};
    TimePoint next_shown_{};
    TimePoint next_progress_{};
};

}  // namespace assay::harness
