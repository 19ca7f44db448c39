#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/match/encounter.h"
#include "harness/match/schedule.h"
#include "harness/plan/plan.h"
#include "harness/record/game.h"
#include "harness/record/pair.h"
#include "openings/read/opening.h"

namespace assay::harness {

/// Where a match takes its openings from: a pure function of the opening's number, from 0. That is
/// the pair's, unless each game has an opening of its own or a tournament gives them out.
using OpeningOf = std::function<openings::Opening(std::int64_t number)>;

/// Decides which programs meet next, and when a pair counts. Knows no processes. One thread.
class Pairing {
public:
    virtual ~Pairing() = default;

    /// What earlier sessions have played of a match: its pairs, void ones too, and first games of
    /// pairs that they have not finished, of which only the second games are played then; a later
    /// one of the same pair replaces an earlier one. Returns the pairs that count now. REQUIRES:
    /// once a match at most, before begin().
    virtual std::vector<PairDigest> restore(std::size_t match, std::vector<PairDigest> pairs,
                                            std::vector<GameRecord> first_games) = 0;

    /// All that there is of earlier sessions has been told.
    virtual void begin() {}

    /// The next encounter to be played; nullopt: none is to be started (now).
    [[nodiscard]] virtual std::optional<Encounter> next() = 0;

    /// A pair that next() gave out is durable. Returns the pairs that count now, in their order.
    virtual std::vector<PairDigest> finished(const PairDigest& pair) = 0;
    /// The pair was void: it is given out again, before new ones, with a new attempt.
    virtual void replay(const PairDigest& pair) = 0;

    /// A pair that counted repeats an earlier one and says nothing: one more may be played.
    virtual void extend() {}

    /// A game that is not the last of its encounter is over. Returns whether it belongs to no pair.
    [[nodiscard]] virtual bool end_single_game(const GameRecord& /*game*/) { return false; }

    /// The game is all of its encounter, which next() gave out: it counts by itself
    /// (PairDigest::is_single).
    [[nodiscard]] virtual bool is_single(const GameRecord& /*game*/) const { return false; }

    /// Nothing is left to be played, and all has been finished.
    [[nodiscard]] virtual bool is_complete() const = 0;

    /// It ended before its time, because there is no opening left.
    [[nodiscard]] virtual bool is_book_exhausted() const { return false; }

    /// Why it is complete, a sentence; empty: all has been played.
    [[nodiscard]] virtual std::string end_reason() const { return ""; }

    /// Pairs that are finished and wait for others to count, which nobody will play any more.
    [[nodiscard]] virtual std::vector<PairDigest> take_waiting() { return {}; }

    /// Each game that belongs to a pair which has not counted, and is not being played.
    virtual void visit_open(
        const std::function<void(std::size_t match, const GameDigest&)>& visit) const = 0;
};

/// Two programs, pair after pair, in the order of a schedule.
class MatchPairing final : public Pairing {
public:
    /// `match`: of the run's plan.
    MatchPairing(std::size_t match, std::array<std::size_t, 2> between, Schedule schedule,
                 OpeningOf opening_of, const RunnerPlan& runner = {});

    std::vector<PairDigest> restore(std::size_t match, std::vector<PairDigest> pairs,
                                    std::vector<GameRecord> first_games) override;
    [[nodiscard]] std::optional<Encounter> next() override;
    std::vector<PairDigest> finished(const PairDigest& pair) override;
    void replay(const PairDigest& pair) override;
    void extend() override;
    [[nodiscard]] bool end_single_game(const GameRecord& game) override;
    [[nodiscard]] bool is_complete() const override;
    [[nodiscard]] bool is_book_exhausted() const override;
    [[nodiscard]] std::vector<PairDigest> take_waiting() override;
    void visit_open(
        const std::function<void(std::size_t match, const GameDigest&)>& visit) const override;

private:
    /// The last game of an odd number of games, which has no pair.
    enum class OddGame : std::uint8_t { Open, Given, Over };

    [[nodiscard]] std::optional<Schedule::Assignment> next_assignment();

    std::size_t match_;
    std::array<std::size_t, 2> between_;
    Schedule schedule_;
    OpeningOf opening_of_;
    RunnerPlan runner_;
    OddGame odd_game_;
    std::map<std::int64_t, GameRecord> first_games_;  // by pair; those not handed out
};

}  // namespace assay::harness
