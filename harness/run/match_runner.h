#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/executor/executor.h"
#include "harness/match/pair_counter.h"
#include "harness/match/pairing.h"
#include "harness/match/tally.h"
#include "harness/record/game.h"
#include "harness/record/listener.h"
#include "harness/record/pair.h"
#include "harness/record/run.h"
#include "harness/run/score_view.h"

namespace assay::harness {

/// Hands a finished game to the store; with the second game of a pair (or a void game) comes the
/// pair. Called on the runner's thread, must not block.
using SaveGame = std::function<void(GameRecord game, std::optional<PairDigest> pair)>;

/// A stored pair's state has become another: a duplicate, or behind the decision.
using SavePairState = std::function<void(const PairDigest& pair)>;

/// Why a match ended.
struct MatchEnd {
    enum class Cause : std::uint8_t {
        Played,         // all pairs
        Decided,        // the stop rule
        BookExhausted,  // deterministic programs and no opening left
        OutOfTime,      // the budget of minutes
        Interrupted,    // by the user, or beside another match, which failed
        CannotStart,    // a program never completed its handshake, or its file was replaced
        KeepsFailing,   // a program failed too often in a row
        MachineFailed,  // the system did not manage to start programs
        StoreFailed,    // a game could not be made durable
        NotPlayed,      // pairs lack, and none were to be played
    };

    Cause cause = Cause::Played;
    /// For CannotStart and KeepsFailing: 0/1 of `between`; of a tournament, of the plan.
    int program = -1;
    std::string message;     // a sentence with the program's last lines; empty where all is well
    bool is_silent = false;  // CannotStart: the program is there, but its handshake took too long
};

/// Nothing stopped the match and nothing failed: others may follow.
[[nodiscard]] bool has_come_to_its_end(const MatchEnd& end);

/// Referees one match, or all those of a tournament: offers the encounters of a pairing to an
/// executor, takes what it plays to the store, counts pairs when they are durable and the pairing
/// says so, and stops by the rule. Passive: driven by the executor's events, by tick() and by
/// on_durable(). One thread.
class MatchRunner final : public ExecutorEvents {
public:
    struct Setup {
        std::span<const MatchPlan> matches;  // of the run, and outlive the runner
        std::size_t match = 0;               // the one that is played; of a tournament the first
        bool is_tournament = false;          // all matches are played
        std::vector<std::string> names;      // of `between`; of a tournament all of the plan
        std::int64_t games = 0;              // that are planned, as far as is known
        int failures_in_a_row = 5;
        /// What a program calls itself is known; `program` as in `names`.
        std::function<void(std::size_t program, const adapters::Identity&)> on_identity;
        /// The meters of a match have a failure between games that they had not: no game tells of
        /// it, so that a kill would forget it.
        std::function<void(std::size_t match)> on_fault_between_games = {};
        Micros budget_from{0};                   // RunFindings::budget_from_us of its match
        std::function<void()> on_all_idle = {};  // nothing is played until the store has answered
        /// A place is free, which the matches that share it may have in their order; in place of
        /// offer_work(). Unset: it shares with none.
        std::function<void()> on_free_place = {};
        bool is_followed = false;  // another match waits for places that this one leaves free
        /// Games that are over and not stored, beyond which no more is begun; 0: any number.
        std::int64_t most_unsaved = 0;
        /// Plies that all matches of the session have played; unset: there is this one.
        std::function<std::int64_t()> plies_of_all = {};
    };

    /// The pairing and the executor outlive the runner.
    MatchRunner(Setup setup, Pairing& pairing, Executor& executor, const Clock& clock,
                SaveGame save, SavePairState save_state, std::vector<Listener*> listeners);
    MatchRunner(const MatchRunner&) = delete;
    MatchRunner& operator=(const MatchRunner&) = delete;
    ~MatchRunner() override;

    /// Takes up earlier sessions of a match, without a word to listeners. Call before start().
    void restore(std::size_t match, std::vector<PairDigest> pairs,
                 std::vector<GameRecord> half_pairs, const RunMeters& meters, PvSummary pv = {});
    /// Attempts at pairs of its matches that did not count: before start() those of earlier
    /// sessions.
    void add_attempts(const std::vector<AttemptRecord>& attempts);
    void start(TimePoint now);
    void tick(TimePoint now);
    /// Begins as many encounters as there are places for. REQUIRES: start().
    void offer_work();
    /// The pair that save() was given is in the file.
    void on_durable(const PairDigest& pair);
    /// A game that was not a pair's last is in the file.
    void on_game_durable();
    /// A game that save() was given could not be written: the run ends.
    void on_not_durable(const std::string& reason);
    /// The same of anything else that the store was given.
    void on_store_failed(const std::string& reason);
    /// Ends without finishing games; programs get `grace` after quit and after TERM.
    void interrupt(TimePoint now, Micros grace);
    /// Begins nothing more, and ends when what is being played is over.
    void drain();

    /// Nothing is played, nothing is unsaved, no program is left.
    [[nodiscard]] bool is_done() const;

    /// It has ended, and nothing is unsaved; programs may still be ending.
    [[nodiscard]] bool is_saved() const { return is_ending_ && unsaved_ == 0; }

    /// Nothing more is begun; what end() says is known.
    [[nodiscard]] bool is_ending() const { return is_ending_; }

    [[nodiscard]] const MatchEnd& end() const { return end_; }

    /// In this session.
    [[nodiscard]] std::int64_t plies() const { return plies_; }

    /// Of Setup::match.
    [[nodiscard]] const MatchTally& tally() const { return first_.counter.tally(); }

    /// REQUIRES: is_done(), or that no more calls follow.
    [[nodiscard]] MatchTally take_tally() { return std::move(first_.counter.tally()); }

    /// The matches that have something to tell: those with games, and Setup::match.
    [[nodiscard]] std::vector<std::size_t> begun_matches() const;

    /// Those whose meters have changed since the last call; Setup::match is always one of them.
    [[nodiscard]] std::vector<std::size_t> take_changed_matches();

    /// Of a match that has begun. The time played is that of all, and Setup::match has it.
    [[nodiscard]] RunMeters meters(std::size_t match, TimePoint now) const;

    /// In the order of Setup::names.
    [[nodiscard]] const std::vector<std::optional<adapters::Identity>>& identities() const {
        return identities_;
    }

    void on_game_started(const GameStarted& game) override;
    void on_pv_finding(const PvFinding& finding) override;
    [[nodiscard]] bool on_game(GameRecord record, bool is_void) override;
    [[nodiscard]] bool may_void(std::int64_t pair, int attempt) override;
    void on_idle() override;
    void on_trouble(const Trouble& trouble) override;
    void on_started(Participant who, const adapters::Identity& identity) override;
    void on_play_warning(Participant who, std::string_view kind, std::string text) override;
    void on_fault_between_games(Participant who, bool is_stall, const std::string& last) override;
    void on_hang(Participant who) override;
    void on_late(Participant who) override;
    void on_part(std::size_t match, std::vector<PairDigest> pairs,
                 std::vector<GameRecord> games) override;
    void on_faults_elsewhere(std::size_t match,
                             const std::vector<FaultsBetweenGames>& faults) override;
    void on_fleet_note(std::string_view kind, std::string text) override;

private:
    /// What is known of one match.
    struct MatchState {
        explicit MatchState(const MatchPlan& plan) : counter(plan) {}

        PairCounter counter;
        std::map<std::int64_t, PairDigest> begun;  // pairs in play whose first game is over
        std::int64_t voided = 0;
        std::vector<FaultsBetweenGames> between_games = std::vector<FaultsBetweenGames>(2);
    };

    /// What is known of one program, whichever matches it plays.
    struct ProgramState {
        int failures_in_a_row = 0;
        int row_before_success = 0;     // failures_in_a_row that the last success ended
        std::string last_loss_on_time;  // the reason and the last lines
    };

    [[nodiscard]] const MatchPlan& plan() const { return setup_.matches[setup_.match]; }

    MatchState& state_of(std::size_t match);
    /// Its place in Setup::names.
    [[nodiscard]] std::size_t index_of(Participant who) const;
    [[nodiscard]] const std::string& name_of(Participant who) const;

    [[nodiscard]] ProgramState& program_of(Participant who) { return programs_[index_of(who)]; }

    void fill_free_places();
    void end_if_drained();
    void tell_if_all_idle();
    void count(const std::vector<PairDigest>& in_order);
    void count_one(const PairDigest& finished);
    void note_failures(const GameRecord& record);
    void note_failure(Participant who, const std::string& last);
    void note_success(Participant who);
    void end_by_failure(Participant who, std::string message);
    void finish(MatchEnd end);
    void close_if_saved();
    void close();
    [[nodiscard]] bool is_of_last_standstill() const;
    [[nodiscard]] bool is_out_of_time(TimePoint now) const;
    void check_complete();
    [[nodiscard]] std::int64_t plies_of_all() const;
    /// Of the process, in this session so far.
    [[nodiscard]] double cpu_us_per_ply() const;

    Setup setup_;
    Pairing& pairing_;
    Executor& executor_;
    const Clock& clock_;
    SaveGame save_;
    SavePairState save_state_;
    std::vector<Listener*> listeners_;
    std::map<std::size_t, MatchState> matches_;  // those that have begun, and Setup::match
    MatchState& first_;                          // of Setup::match
    ScoreViewCheck score_view_;
    std::vector<ProgramState> programs_;  // as Setup::names
    std::vector<std::optional<adapters::Identity>> identities_;
    std::int64_t voided_ = 0;              // in all matches
    std::set<std::size_t> changed_;        // matches with other meters, the time apart
    std::optional<TimePoint> standstill_;  // of the last void that was no part of an earlier one
    std::int64_t games_over_ = 0;
    std::int64_t unsaved_ = 0;
    RunMeters before_;  // of earlier sessions
    std::int64_t plies_before_ = 0;
    TimePoint started_{};
    TimePoint next_show_{};
    TimePoint ended_{};
    double cpu_started_us_ = 0;
    double cpu_us_per_ply_at_end_ = 0;  // cpu_us_per_ply(), where is_ending_
    std::int64_t plies_started_ = 0;    // of all matches, by then
    std::int64_t plies_ = 0;
    bool is_running_ = false;
    bool is_ending_ = false;
    bool is_closed_ = false;
    bool is_draining_ = false;
    MatchEnd end_;
};

}  // namespace assay::harness
