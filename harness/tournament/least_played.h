#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "harness/tournament/tournament.h"

namespace assay::harness {

/// Next are those two programs that have met for the fewest games, those of meetings in play
/// counted; of several, in the order of a round robin's rounds, so that one program does not play
/// alone. Ends when all have met `rounds` times, or never. A meeting's round is the number of the
/// encounter of its two programs, which is its cycle too.
///
/// Memory: a few words for each two programs.
class LeastPlayed final : public Tournament {
public:
    LeastPlayed(const TournamentSetup& setup, const std::vector<MeetingResult>& played);

    [[nodiscard]] std::optional<Meeting> next() override;
    void finished(const MeetingResult& result) override;
    [[nodiscard]] bool is_over() const override;
    [[nodiscard]] std::optional<std::int64_t> meetings() const override;

private:
    struct Couple {
        std::size_t first = 0;
        std::size_t second = 0;
        std::int64_t games = 0;
        int encounter = 0;          // the first one that has neither been played nor given out
        std::set<int> played = {};  // later ones that have been played
    };

    [[nodiscard]] bool is_wanted(const Couple& couple) const;
    [[nodiscard]] Couple* least();
    [[nodiscard]] Meeting give_out(Couple& couple);

    TournamentSetup setup_;
    std::vector<Couple> couples_;  // in the order of the rounds of a round robin
    std::int64_t level_ = 0;       // couples before the place have met for more games
    std::size_t place_ = 0;
    std::int64_t in_play_ = 0;
};

}  // namespace assay::harness
