#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "harness/conditions/judgement.h"
#include "harness/match/tally.h"
#include "harness/plan/plan.h"
#include "harness/record/game.h"
#include "harness/record/listener.h"
#include "harness/record/run.h"
#include "harness/run/match_runner.h"
#include "harness/run/outcome.h"
#include "harness/suite/run.h"
#include "openings/book.h"

namespace assay::harness {

/// A batch of a fleet's run, which is played into a store of its own: a part of that run.
struct BatchOptions {
    RunRecord whole;  // the run, as its coordinator began it
    Shard::Window window;
    int attempt = 0;        // the number of its claim among all of its pairs
    int games = 1;          // at once
    std::string worker;     // MachineRecord::worker
    double nps = 0;         // MachineRecord::nps
    double factor = 0;      // MachineRecord::factor
    std::string trouble{};  // MachineRecord::trouble
    /// Gives the programs the paths that they have here; the part keeps those of the run.
    std::function<void(RunRecord&)> place{};
};

struct RunOptions {
    std::string store = "assay.db";
    bool resume = false;         // the newest unfinished run of this plan, or a new one
    bool add = false;            // the newest run of this tournament, with other programs
    std::int64_t extend = 0;     // so many more pairs for the newest run of this plan
    std::optional<Shard> shard;  // only this part of the run is played (docs/ci-matrix.md)
    std::string shard_key;       // tells two runs of equal programs apart that are played in shards
    std::optional<BatchOptions> batch;  // only this is played, of a plan that is the run's
    /// How long pairs in play may go on when the first stop signal comes; unset: not at all.
    std::function<Micros()> drain;
    bool plays = true;    // false: a resumed run is judged by the games that it has
    bool gate = false;    // a later match is only played if the earlier was accepted
    std::string log_dir;  // every protocol line; empty: none
    adapters::LineObserver* line_observer = nullptr;  // sees them too, of matches; outlives the run
    std::vector<std::string> outputs;      // files that the command writes, the store apart
    std::vector<std::string> games_files;  // of these, those to which games are appended
    std::stop_token stop = {};             // once it is requested the run ends as by a SIGINT
    std::string assay_version;
    std::string command_line;
    RecordWishes wishes;
    InconclusiveAs inconclusive = InconclusiveAs::Code3;  // for the exit code of a gate
};

/// What became of a run; everything else is in the store.
struct RunOutcome {
    /// Whether it came to games at all.
    enum class Before : std::uint8_t {
        Ready,
        Skipped,        // nothing to do; no run was begun
        Unchanged,      // nothing to do by `skip_if`; the run is finished without a game
        CannotPlay,     // a program from git does not build, or a benchmark cannot be run
        BenchMismatch,  // the first program is not the one that its signature declares
        Interrupted,    // by a signal, while it was built or benchmarked
    };

    Before before = Before::Ready;
    std::string before_reason;  // one sentence; empty where it was ready
    bool is_machines = false;   // CannotPlay: the machine failed (a full disk), not a program
    RunRecord run;
    std::vector<MatchTally> matches;            // those that were begun
    std::vector<MatchEnd> ends;                 // by match
    std::optional<SuiteOutcome> suite;          // where it was begun
    std::optional<TournamentJudgement> judged;  // of a tournament that came to its end
    int signal = 0;                             // that stopped it
    std::int64_t machine = 0;                   // of this session: GameRecord::machine
};

/// Plays a plan to its end, a signal, or a failure, on the calling thread. The stop signals
/// (base/stop_signals.h) are taken over meanwhile: the first stops within two seconds with all
/// finished games stored, the second, where it is no SIGHUP, at once; after a SIGHUP further ones
/// are ignored. Throws Error where nothing can be started: the store, the book, a program that
/// is no file, a program that changed since the run to be resumed.
[[nodiscard]] RunOutcome execute(const RunPlan& plan, const RunOptions& options,
                                 const std::vector<Listener*>& shown_by, const Clock& clock);

}  // namespace assay::harness
