#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "harness/match/encounter.h"
#include "harness/match/schedule.h"
#include "harness/record/game.h"
#include "openings/read/opening.h"

namespace assay::harness {

/// Where a match takes its openings from: a pure function of the pair.
using OpeningOf = std::function<openings::Opening(std::int64_t pair)>;

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
    MatchPairing(std::array<std::size_t, 2> between, Schedule schedule, OpeningOf opening_of);

    [[nodiscard]] std::optional<Encounter> next() override;

    /// First games of pairs that an earlier session has not finished: only their second games are
    /// played. A later one of the same pair replaces an earlier one.
    void resume(std::vector<GameRecord> first_games);

    /// Those that next() has not handed out.
    [[nodiscard]] const std::map<std::int64_t, GameRecord>& first_games() const {
        return first_games_;
    }

    [[nodiscard]] Schedule& schedule() { return schedule_; }

private:
    std::array<std::size_t, 2> between_;
    Schedule schedule_;
    OpeningOf opening_of_;
    std::map<std::int64_t, GameRecord> first_games_;  // by pair
};

}  // namespace assay::harness
