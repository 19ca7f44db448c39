#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "harness/tournament/tournament.h"

namespace assay::harness {

/// A knockout as cutechess-cli plays it. Of two that meet, who has more than half the points of
/// `games` * `openings` games goes on; whose points are level then play on until one is ahead. That
/// program has no limit for this, so that two that repeat their games never end: here the one of
/// higher rank goes on when `kMostReplays` more meetings have left them level. A round begins when
/// the one before it is over. The first `seeds` of the list keep their places, the others are drawn
/// by lot, and the best have byes. A meeting is one opening: two games, or one where an odd number
/// of games is played.
class RunnerKnockout final : public Tournament {
public:
    static constexpr int kMostReplays = 100;

    /// REQUIRES: setup.openings == 1; setup.games_an_encounter says how many games a tie has.
    RunnerKnockout(const TournamentSetup& setup, const std::vector<MeetingResult>& played);

    [[nodiscard]] std::optional<Meeting> next() override;
    void finished(const MeetingResult& result) override;
    [[nodiscard]] bool is_over() const override;

    /// Results decide.
    [[nodiscard]] std::optional<std::int64_t> meetings() const override { return std::nullopt; }

    [[nodiscard]] std::vector<Bye> byes() const override;
    [[nodiscard]] std::vector<Tie> ties() const override;
    [[nodiscard]] std::optional<std::size_t> winner() const override;

private:
    /// Two places of a round, of which one may be empty.
    struct TieState {
        std::size_t first = 0;  // in the order of the bracket
        std::optional<std::size_t> second;
        std::int64_t first_half_points = 0;
        std::int64_t second_half_points = 0;
        bool is_first_higher = true;  // in rank
        int begun = 0;                // meetings
        int in_play = 0;              // of these
        std::deque<int> lacking{};    // of an earlier session: begun then, and to be played again

        [[nodiscard]] bool is_level() const {
            return second && first_half_points == second_half_points;
        }

        /// Who goes on where nothing more is played.
        [[nodiscard]] std::size_t leader() const;
    };

    [[nodiscard]] bool is_open(const TieState& tie) const;
    void begin_round(std::vector<TieState> ties);
    void try_next_round();
    void count(TieState& tie, const MeetingResult& result) const;
    [[nodiscard]] bool may_replay(const TieState& tie) const;
    [[nodiscard]] bool needs_more(const TieState& tie) const;
    [[nodiscard]] int games_an_opening() const;
    [[nodiscard]] std::int64_t first_opening_of(const TieState& tie) const;
    [[nodiscard]] Meeting meeting_of(const TieState& tie, int encounter) const;

    TournamentSetup setup_;
    std::vector<std::size_t> ranked_;
    std::vector<std::vector<TieState>> rounds_;
    std::map<MeetingKey, MeetingResult> played_;  // of earlier sessions, by rounds to come
};

}  // namespace assay::harness
