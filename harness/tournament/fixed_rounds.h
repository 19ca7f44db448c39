#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "harness/rounds/rounds.h"
#include "harness/tournament/tournament.h"

namespace assay::harness {

/// Rounds that no result changes, in some cycles. Walks through them, leaves out what has been
/// played, and knows when it is over; sides, openings and numbers of games are the maker's. Beside
/// the current round it keeps only the meetings that it was given as played and has not passed yet.
class FixedTournament final : public Tournament {
public:
    /// Where the walk is, all from 0.
    struct Place {
        int cycle = 0;
        std::int64_t round = 0;  // of all cycles
    };

    /// The meeting of two opponents. Called once for each two, in the order in which they meet,
    /// those that have been played included.
    using Maker = std::function<Meeting(const Opponents& opponents, const Place& place)>;

    FixedTournament(std::unique_ptr<Rounds> rounds, int cycles, Maker maker,
                    const std::vector<MeetingResult>& played);

    [[nodiscard]] std::optional<Meeting> next() override;
    void finished(const MeetingResult& result) override;
    [[nodiscard]] bool is_over() const override;
    [[nodiscard]] std::optional<std::int64_t> meetings() const override;

private:
    [[nodiscard]] std::optional<Meeting> lacking();
    void step();

    std::unique_ptr<Rounds> rounds_;
    int cycles_;
    Maker maker_;
    std::set<MeetingKey> played_;
    Place place_;
    std::vector<Opponents> current_;
    std::size_t next_of_round_ = 0;
    std::optional<Meeting> next_;  // found ahead, so that the end is known when it is reached
    std::int64_t in_play_ = 0;
};

/// Round robin, gauntlet and pyramid, in `rounds` cycles. Sides are swapped from cycle to cycle.
[[nodiscard]] std::unique_ptr<Tournament> make_fixed_tournament(
    const TournamentSetup& setup, const std::vector<MeetingResult>& played);

}  // namespace assay::harness
