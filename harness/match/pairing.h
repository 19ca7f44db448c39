#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "harness/match/encounter.h"
#include "harness/match/schedule.h"
#include "harness/plan/plan.h"
#include "harness/record/game.h"
#include "openings/read/opening.h"

namespace assay::harness {

/// Where a match takes its openings from: a pure function of the opening's number, from 0. That is
/// the pair's, unless each game has an opening of its own.
using OpeningOf = std::function<openings::Opening(std::int64_t number)>;

/// Decides which programs meet next. Knows neither processes nor results.
class Pairing {
public:
    virtual ~Pairing() = default;

    /// The next encounter to be played; nullopt: none is to be started (now).
    [[nodiscard]] virtual std::optional<Encounter> next() = 0;
};

/// Two programs, pair after pair, in the order of a schedule.
class MatchPairing final : public Pairing {
public:
    MatchPairing(std::array<std::size_t, 2> between, Schedule schedule, OpeningOf opening_of,
                 const RunnerPlan& runner = {});

    [[nodiscard]] std::optional<Encounter> next() override;

    /// First games of pairs that an earlier session has not finished: only their second games are
    /// played. A later one of the same pair replaces an earlier one.
    void resume(std::vector<GameRecord> first_games);

    /// Those that next() has not handed out.
    [[nodiscard]] const std::map<std::int64_t, GameRecord>& first_games() const {
        return first_games_;
    }

    [[nodiscard]] Schedule& schedule() { return schedule_; }

    /// The last game of an odd number of games is still to be played, or is being played.
    [[nodiscard]] bool is_odd_game_open() const { return odd_game_ != OddGame::Over; }

    /// It is over.
    void end_odd_game() { odd_game_ = OddGame::Over; }

private:
    enum class OddGame : std::uint8_t { Open, Given, Over };

    [[nodiscard]] std::optional<Schedule::Assignment> next_assignment();

    std::array<std::size_t, 2> between_;
    Schedule schedule_;
    OpeningOf opening_of_;
    RunnerPlan runner_;
    OddGame odd_game_;
    std::map<std::int64_t, GameRecord> first_games_;  // by pair
};

}  // namespace assay::harness
