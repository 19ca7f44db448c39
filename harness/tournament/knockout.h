#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "harness/tournament/tournament.h"

namespace assay::harness {

/// Who loses a tie is out. The bracket keeps the best seeds apart as long as possible: first and
/// second can only meet in the final. Where the number of programs is no power of two, the best
/// seeds have a bye in the first round. A tie can start as soon as both its programs are known.
///
/// Who decides a tie: the points of its meeting. If they are level, the meeting is replayed, up to
/// `replays` times, with other openings and sides swapped. If it is level after that, the better
/// seed goes on, or one more game decides in which a draw counts for the second player; who that is
/// is drawn by lot. A result without games is level.
class Knockout final : public Tournament {
public:
    Knockout(const TournamentSetup& setup, const std::vector<MeetingResult>& played);

    [[nodiscard]] std::optional<Meeting> next() override;
    void finished(const MeetingResult& result) override;

    [[nodiscard]] bool is_over() const override { return winner().has_value(); }

    /// One fewer than programs where no tie is replayed.
    [[nodiscard]] std::optional<std::int64_t> meetings() const override { return std::nullopt; }

    [[nodiscard]] std::vector<Bye> byes() const override;
    [[nodiscard]] std::vector<Tie> ties() const override;
    [[nodiscard]] std::optional<std::size_t> winner() const override;

private:
    /// Two seeds, by their places in the order of seeds.
    struct Place {
        std::optional<std::size_t> better;
        std::optional<std::size_t> worse;
        int encounter = 0;  // of the meeting that is next or in play
        bool is_in_play = false;
        std::optional<std::size_t> winner;
    };

    [[nodiscard]] std::size_t index_of(std::size_t round, std::size_t place) const;
    void enter(std::size_t round, std::size_t place, std::size_t seed);
    void settle(std::size_t round, std::size_t place);
    void judge(Place& tie, const MeetingResult& result) const;
    [[nodiscard]] bool is_armageddon(const Place& tie) const;
    [[nodiscard]] bool has_better_first_move(const Place& tie) const;
    [[nodiscard]] Meeting meeting_of(std::size_t index) const;

    TournamentSetup setup_;
    std::vector<std::size_t> programs_;  // by seed
    std::size_t rounds_ = 0;
    std::size_t bracket_ = 1;                     // programs and byes of the first round
    std::vector<Place> ties_;                     // round by round, the final last
    std::map<MeetingKey, MeetingResult> played_;  // earlier results that no tie has asked for yet
};

}  // namespace assay::harness
