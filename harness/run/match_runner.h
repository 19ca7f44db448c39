#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
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
        Interrupted,    // by the user
        CannotStart,    // a program never completed its handshake, or its file was replaced
        KeepsFailing,   // a program failed too often in a row
        MachineFailed,  // the system did not manage to start programs
        StoreFailed,    // a game could not be made durable
    };

    Cause cause = Cause::Played;
    int program = -1;     // 0/1 of `between`, for CannotStart and KeepsFailing
    std::string message;  // a sentence with the program's last lines; empty where all is well
    bool is_silent = false;  // CannotStart: the program is there, but its handshake took too long
};

/// Referees one match: offers encounters to an executor, takes what it plays to the store, counts
/// pairs in schedule order when they are durable, and stops by the rule. Passive: driven by the
/// executor's events, by tick() and by on_durable(). One thread.
class MatchRunner final : public ExecutorEvents {
public:
    struct Setup {
        const MatchPlan& plan;
        std::array<std::string, 2> names;
        OpeningOf opening_of;
        std::optional<std::int64_t> openings;  // how many there are, where none is played twice
        int failures_in_a_row = 5;
        bool has_new_budget = false;  // earlier sessions do not count against the minutes
        std::function<void()> on_all_idle = {};  // nothing is played until the store has answered
    };

    MatchRunner(const Setup& setup, Executor& executor, const Clock& clock, SaveGame save,
                SavePairState save_state, std::vector<Listener*> listeners);
    MatchRunner(const MatchRunner&) = delete;
    MatchRunner& operator=(const MatchRunner&) = delete;
    ~MatchRunner() override;

    /// Takes up earlier sessions, without a word to listeners. Call before start().
    void restore(std::vector<PairDigest> pairs, std::vector<GameRecord> half_pairs,
                 const RunMeters& meters, PvSummary pv = {});
    void start(TimePoint now);
    void tick(TimePoint now);
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

    /// Nothing is played, nothing is unsaved, no program is left.
    [[nodiscard]] bool is_done() const;

    [[nodiscard]] const MatchEnd& end() const { return end_; }

    [[nodiscard]] const MatchTally& tally() const { return counter_.tally(); }

    /// REQUIRES: is_done(), or that no more calls follow.
    [[nodiscard]] MatchTally take_tally() { return std::move(counter_.tally()); }

    [[nodiscard]] RunMeters meters(TimePoint now) const;

    [[nodiscard]] const std::array<std::optional<adapters::Identity>, 2>& identities() const {
        return identities_;
    }

    void on_game_started(std::int64_t number, int slot) override;
    void on_pv_finding(const PvFinding& finding) override;
    [[nodiscard]] bool on_game(GameRecord record, bool is_void) override;
    [[nodiscard]] bool may_void(std::int64_t pair, int attempt) override;
    void on_idle() override;
    void on_trouble(const Trouble& trouble) override;
    void on_started(int program, const adapters::Identity& identity) override;
    void on_play_warning(int program, std::string_view kind, std::string text) override;
    void on_fault_between_games(int program, bool is_stall, const std::string& last) override;
    void on_hang(int program) override;
    void on_late(int program) override;

private:
    void offer_work();
    void tell_if_all_idle();
    void count(const std::vector<PairDigest>& in_order);
    void count_one(const PairDigest& finished);
    void note_failures(const GameRecord& record);
    void note_failure(int program, const std::string& last);
    void note_success(int program);
    void end_by_failure(int program, std::string message);
    void finish(MatchEnd end);
    void close_if_saved();
    void close();
    [[nodiscard]] bool is_of_last_standstill() const;
    [[nodiscard]] bool is_out_of_time(TimePoint now) const;
    void check_complete();

    Setup setup_;
    Executor& executor_;
    const Clock& clock_;
    SaveGame save_;
    SavePairState save_state_;
    std::vector<Listener*> listeners_;
    MatchPairing pairing_;
    Schedule& schedule_;  // of the pairing
    PairCounter counter_;
    std::map<std::int64_t, PairDigest> begun_;  // pairs in play whose first game is over
    ScoreViewCheck score_view_;
    std::array<int, 2> failures_in_a_row_{};
    std::array<int, 2> row_before_success_{};  // failures_in_a_row_ that the last success ended
    std::vector<FaultsBetweenGames> between_games_ = std::vector<FaultsBetweenGames>(2);
    std::array<std::optional<adapters::Identity>, 2> identities_;
    std::array<std::string, 2> last_loss_on_time_;  // the reason and the last lines
    std::int64_t voided_ = 0;
    std::optional<TimePoint> standstill_;  // of the last void that was no part of an earlier one
    std::int64_t games_over_ = 0;
    std::int64_t unsaved_ = 0;
    RunMeters before_;  // of earlier sessions
    std::int64_t plies_before_ = 0;
    TimePoint started_{};
    TimePoint next_show_{};
    TimePoint ended_{};
    double cpu_started_us_ = 0;
    std::int64_t plies_ = 0;
    bool is_running_ = false;
    bool is_ending_ = false;
    bool is_closed_ = false;
    MatchEnd end_;
};

}  // namespace assay::harness
