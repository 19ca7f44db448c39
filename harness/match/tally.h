#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/machine_checks.h"
#include "harness/plan/plan.h"
#include "harness/record/game.h"
#include "harness/record/pair.h"
#include "harness/record/run.h"
#include "stats/data/counts.h"
#include "stats/estimate/diagnostics.h"
#include "stats/estimate/game_list.h"
#include "stats/stop/stop_rule.h"

namespace assay::harness {

/// So many pairs may be void for the harness's own delay without the run being tainted: 1 % of the
/// games, and one in any case.
[[nodiscard]] std::int64_t most_voided(std::int64_t games);

/// Failures of one program by kind.
struct Failures {
    std::int64_t time_losses = 0;
    std::int64_t crashes = 0;  // crash, disconnect, no start
    std::int64_t illegal_moves = 0;
    std::int64_t stalls = 0;

    [[nodiscard]] std::int64_t total() const {
        return time_losses + crashes + illegal_moves + stalls;
    }

    Failures& operator+=(const Failures& other);

    friend bool operator==(const Failures&, const Failures&) = default;
};

/// Counts a game in which a program failed for that program; not a loss on time that the harness
/// caused.
void count_failure(std::array<Failures, 2>& failures, const GameDigest& game);

/// A game between the two programs of a match, which have these numbers in a list.
[[nodiscard]] stats::ListedGame listed_game(const GameDigest& game,
                                            const std::array<std::size_t, 2>& programs);

/// What the stop rule would have said of the other ways to score games in which a program failed;
/// None: it would still go on.
struct ScenarioVerdicts {
    Verdict without_failures = Verdict::None;
    Verdict best_case = Verdict::None;
    Verdict worst_case = Verdict::None;
};

/// All that is known of one match at one moment, fed with pairs in schedule order; live views and
/// reports from a store are made from the same object, fed the same way. Pure.
/// Scores are of the first program of `between`.
class MatchTally {
public:
    /// Throws Error where the plan's stop rule cannot be made.
    explicit MatchTally(const MatchPlan& plan);
    /// The same with a rule of this plan that has seen no pair (stats::StopRule::fresh), for many
    /// runs of one plan: it is calibrated once.
    MatchTally(const MatchPlan& plan, std::unique_ptr<stats::StopRule> rule);
    MatchTally(const MatchTally&) = delete;
    MatchTally& operator=(const MatchTally&) = delete;
    MatchTally(MatchTally&&) noexcept;
    MatchTally& operator=(MatchTally&&) noexcept;
    ~MatchTally();

    /// REQUIRES: counted and duplicate pairs come in schedule order; after-stop and void pairs in
    /// any. The stop rule sees counted pairs only, and none after its decision.
    void add(const PairDigest& pair);

    /// An attempt at a pair of this match that did not count.
    void add_attempt(const AttemptRecord& attempt) { machine_counts_.add(attempt); }

    void set_meters(const RunMeters& meters) { meters_ = meters; }

    /// The run ended without the rule's decision (budget, book, signal): the verdict of a match
    /// that has a rule becomes inconclusive.
    void close(bool book_exhausted, bool out_of_time);

    [[nodiscard]] const stats::Pentanomial& pentanomial() const { return pentanomial_; }

    [[nodiscard]] const std::array<std::int64_t, 9>& cells() const { return cells_; }

    [[nodiscard]] const stats::Wdl& wdl() const { return wdl_; }

    [[nodiscard]] std::int64_t pairs() const;  // counted

    /// Counted games that belong to no pair (PairDigest::is_single). They stand in wdl() and what
    /// is counted by game, and in nothing that is of pairs.
    [[nodiscard]] std::int64_t single_games() const { return singles_; }

    [[nodiscard]] std::int64_t games() const { return 2 * pairs() + singles_; }

    [[nodiscard]] std::int64_t duplicates() const { return duplicates_; }

    [[nodiscard]] std::int64_t after_stop() const { return after_stop_; }

    [[nodiscard]] std::int64_t voided() const { return voided_; }

    /// Played by a worker that was not waited for any more; another attempt stands for each.
    [[nodiscard]] std::int64_t late() const { return late_; }

    /// Finished pairs of a stored run that wait behind one that is not (after a kill).
    [[nodiscard]] std::int64_t waiting() const { return waiting_; }

    void set_waiting(std::int64_t pairs) { waiting_ = pairs; }

    [[nodiscard]] const std::map<Termination, std::int64_t>& terminations() const {
        return terminations_;
    }

    /// In counted pairs.
    [[nodiscard]] const std::array<Failures, 2>& failures() const { return failures_; }

    /// In all games, also in void pairs, in duplicates, after the stop and in pairs that wait or
    /// have one game, and between games; without losses on time that the harness caused. What a
    /// program did wrong, whether or not the score asks for it.
    [[nodiscard]] std::array<Failures, 2> all_failures() const;

    /// The part of them in games whose pair has not been added, and will not be before the end.
    void set_failures_in_open_pairs(const std::array<Failures, 2>& failures) {
        failures_in_open_pairs_ = failures;
    }

    /// Losses on time by the harness's own delay that stand in counted pairs, because the pairs
    /// could not be voided any more.
    [[nodiscard]] std::int64_t harness_losses() const { return harness_losses_; }

    /// The pentanomial without the pairs in which a program failed, and with every failure turned
    /// into a win of the one side or the other: best and worst case of the first program.
    [[nodiscard]] const stats::Pentanomial& without_failures() const { return without_failures_; }

    [[nodiscard]] const stats::Pentanomial& best_case() const { return best_case_; }

    [[nodiscard]] const stats::Pentanomial& worst_case() const { return worst_case_; }

    /// Wins of the player who moves first in the game's start, over all counted games.
    [[nodiscard]] std::int64_t first_player_wins() const { return first_player_wins_; }

    /// The counted pairs in schedule order, for checks of what the statistics take for granted.
    [[nodiscard]] const std::vector<stats::ObservedPair>& observed() const { return observed_; }

    /// The machines that counted pairs were played on (PairDigest::machine), in the order in which
    /// they came; observed() has indices into it. From the 65,535th on they are one.
    [[nodiscard]] const std::vector<std::int64_t>& machines() const { return machines_; }

    /// By machine, for checks of the machines. Pairs that wait are not in it.
    [[nodiscard]] const MachineCounts& machine_counts() const { return machine_counts_; }

    [[nodiscard]] std::int64_t plies() const { return plies_; }

    [[nodiscard]] const RunMeters& meters() const { return meters_; }

    /// Flaws of the lines that the programs said in all games, in those too that do not count.
    [[nodiscard]] const PvSummary& pv() const { return pv_; }

    void set_pv(PvSummary pv) { pv_ = std::move(pv); }

    /// Of a game that is over; see PvSummary::add().
    void add_pv(std::vector<PvCount>& counts) { pv_.add(counts); }

    /// The stop rule's decision so far; None while it goes on or where there is no rule.
    /// Inconclusive once all planned pairs have been counted and it has not decided.
    [[nodiscard]] Verdict verdict() const { return verdict_; }

    /// The same for the other scores of failures. Equal to verdict() where no program failed.
    [[nodiscard]] ScenarioVerdicts scenario_verdicts() const;

    /// The harness's own delay lost too many games on time: more were voided than most_voided()
    /// allows, or one had to be counted.
    [[nodiscard]] bool is_voided_too_often() const;
    /// Some of the ways to score failures contradicts the verdict.
    [[nodiscard]] bool is_changed_by_failures() const;

    /// The verdict must not be relied on, for one of these reasons.
    [[nodiscard]] bool is_tainted() const {
        return is_voided_too_often() || is_changed_by_failures() || machine_counts_.is_tainting();
    }

    [[nodiscard]] bool is_book_exhausted() const { return book_exhausted_; }

    [[nodiscard]] bool is_out_of_time() const { return out_of_time_; }

    [[nodiscard]] const stats::StopRule* rule() const { return rule_.get(); }

    [[nodiscard]] const MatchPlan& plan() const { return plan_; }

private:
    /// Rules fed with the other scores of failures, from the first failure on.
    struct Scenarios;

    void add_counted(const PairDigest& pair);
    [[nodiscard]] std::uint16_t machine_index(std::int64_t machine);
    void count_scenarios(const PairDigest& pair);
    void feed_rules(const PairDigest& pair);
    void decide_at_the_end();

    MatchPlan plan_;
    std::unique_ptr<stats::StopRule> rule_;
    std::unique_ptr<Scenarios> scenarios_;  // null: no program has failed
    std::vector<std::uint8_t> history_;     // cells of the pairs before that, for the rules
    stats::Pentanomial pentanomial_{};
    stats::Pentanomial without_failures_{};
    stats::Pentanomial best_case_{};
    stats::Pentanomial worst_case_{};
    std::array<std::int64_t, 9> cells_{};
    stats::Wdl wdl_{};
    std::map<Termination, std::int64_t> terminations_;
    std::array<Failures, 2> failures_{};
    std::array<Failures, 2> all_failures_{};
    std::array<Failures, 2> failures_in_open_pairs_{};
    std::int64_t harness_losses_ = 0;
    std::int64_t singles_ = 0;
    std::int64_t duplicates_ = 0;
    std::int64_t after_stop_ = 0;
    std::int64_t voided_ = 0;
    std::int64_t late_ = 0;
    std::int64_t waiting_ = 0;
    std::int64_t first_player_wins_ = 0;
    std::int64_t plies_ = 0;
    std::vector<stats::ObservedPair> observed_;
    std::vector<std::int64_t> machines_;
    MachineCounts machine_counts_;
    RunMeters meters_;
    PvSummary pv_;
    Verdict verdict_ = Verdict::None;
    bool book_exhausted_ = false;
    bool out_of_time_ = false;
};

}  // namespace assay::harness
