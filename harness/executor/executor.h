#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/protocol/player.h"
#include "base/clock.h"
#include "harness/match/encounter.h"
#include "harness/record/game.h"
#include "harness/record/listener.h"
#include "harness/record/live.h"
#include "harness/record/pair.h"
#include "harness/record/run.h"

namespace assay::harness {

/// One of those who play an encounter.
struct Participant {
    std::size_t match = 0;  // Encounter::match
    int number = 0;         // which of its entrants, from 0

    friend bool operator==(const Participant&, const Participant&) = default;
};

/// Why an executor can play nothing more.
struct Trouble {
    enum class Kind : std::uint8_t {
        CannotStart,    // a program that never completed a handshake has failed to, twice, or its
                        // file was replaced
        MachineFailed,  // the system does not manage to start programs
        KeepsFailing,   // a program failed too often in a row on all machines of a fleet
        FleetFailed,    // no machine of a fleet plays
        Stopped,        // nothing failed: another command has stopped the run
    };

    Kind kind = Kind::MachineFailed;
    std::optional<Participant> who;  // whose program; nullopt: no program in particular
    std::string why;                 // a sentence fragment
    bool is_silent = false;          // CannotStart: it is there, but said nothing within its limit
    bool names_program = false;      // CannotStart: `why` says whose program it is, and what failed
};

/// Why nothing more is to be played.
enum class Withdrawal : std::uint8_t {
    Over,    // what was asked is known, or will not be
    Paused,  // a later session goes on
};

/// What an executor tells those whose games it plays.
class ExecutorEvents {
public:
    virtual ~ExecutorEvents() = default;

    virtual void on_game_started(const GameStarted& game) = 0;
    /// A game is over; `is_void`: its pair does not count and is played again. Returns false where
    /// nothing more is to be played of its encounter.
    [[nodiscard]] virtual bool on_game(GameRecord record, bool is_void) = 0;
    /// May a loss on time that the harness caused void the pair (or must it be counted)?
    [[nodiscard]] virtual bool may_void(std::int64_t pair, int attempt) = 0;

    /// A line of moves that came with a move has a flaw; before on_game() of its game.
    virtual void on_pv_finding(const PvFinding& finding) { (void)finding; }

    /// An encounter is over (all its games, or void): appetite() has grown.
    virtual void on_idle() = 0;
    virtual void on_trouble(const Trouble& trouble) = 0;
    /// A program completed its first handshake here.
    virtual void on_started(Participant who, const adapters::Identity& identity) = 0;
    virtual void on_play_warning(Participant who, std::string_view kind, std::string text) = 0;
    /// A program ended, or with `is_stall` did not stop, when no game was lost by it: between two
    /// games, or when one was over. `last`: how, with its last lines.
    virtual void on_fault_between_games(Participant who, bool is_stall,
                                        const std::string& last) = 0;
    /// A program that had lost on time without an answer did not answer `stop` either, or ended.
    virtual void on_hang(Participant who) = 0;
    /// A program that had lost on time did answer, late or once it was told to stop.
    virtual void on_late(Participant who) = 0;

    /// Pairs that were played elsewhere are in the store with their games: some of those that were
    /// offered. With them come void attempts at them.
    virtual void on_part(std::size_t /*match*/, std::vector<PairDigest> /*pairs*/,
                         std::vector<GameRecord> /*games*/) {}

    /// What programs did wrong between games that were played elsewhere, by program of `between`.
    virtual void on_faults_elsewhere(std::size_t /*match*/,
                                     const std::vector<FaultsBetweenGames>& /*faults*/) {}

    /// A sentence on the fleet: a task that was lost, a node that is left out.
    virtual void on_fleet_note(std::string_view /*kind*/, std::string /*text*/) {}
};

/// Plays the encounters of one match, or of all matches of a tournament: takes them, gives back
/// games, and decides nothing about the matches. The schedule does not know which executor plays:
/// this machine is the first one, a fleet of machines can be another. Passive: driven by tick() and
/// by whatever it plays on. One thread.
class Executor {
public:
    virtual ~Executor() = default;

    /// REQUIRES: called once, before all else; `events` outlives the executor's last call.
    virtual void start(ExecutorEvents& events, TimePoint now) = 0;
    /// How many encounters more it could begin now.
    [[nodiscard]] virtual int appetite() const = 0;
    /// REQUIRES: appetite() > 0.
    virtual void offer(const Encounter& encounter) = 0;
    /// Nothing more will be offered, as far as is known: what idles may end. It comes back with the
    /// next offer().
    virtual void rest() = 0;
    /// Ends what is being played, without results, and all programs. Nothing is told any more, but
    /// for parts of a fleet that were played by then.
    virtual void withdraw(Withdrawal why) = 0;
    /// Programs that are ending get no more than `grace` after quit and after TERM.
    virtual void hurry(TimePoint now, Micros grace) = 0;
    virtual void tick(TimePoint now) = 0;

    /// Nothing is being played.
    [[nodiscard]] virtual bool is_idle() const = 0;
    /// No program is ending any more.
    [[nodiscard]] virtual bool is_settled() const = 0;
    /// Adds the games in play, no more than `most`, and how many there are.
    virtual void show_games(std::size_t most, LiveState& state) const = 0;

    /// The harness's own delay in the moves played so far; cpu_us_per_ply only where other
    /// processes play them.
    [[nodiscard]] virtual DelayRecord delays() const = 0;
};

}  // namespace assay::harness
