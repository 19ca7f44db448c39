#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "harness/rounds/rounds.h"
#include "harness/tournament/tournament.h"

namespace assay::harness {

/// Round robin, gauntlet and pyramid in the order of fastchess or cutechess-cli
/// (TournamentSetup::order), with their sides, openings and numbers of games: the same command
/// line gives the same games in the same order. Sees no results.
class RunnerTournament final : public Tournament {
public:
    RunnerTournament(const TournamentSetup& setup, const std::vector<MeetingResult>& played);

    [[nodiscard]] std::optional<Meeting> next() override;
    void finished(const MeetingResult& result) override;
    [[nodiscard]] bool is_over() const override;
    [[nodiscard]] std::optional<std::int64_t> meetings() const override;

private:
    /// Two programs that meet.
    struct Couple {
        std::size_t first = 0;  // has the first move when they meet next
        std::size_t second = 0;
        int met = 0;
    };

    [[nodiscard]] Meeting meeting_of(const Opponents& opponents);
    void choose_sides(Couple& couple, bool is_new_couple);
    [[nodiscard]] std::optional<Meeting> lacking();
    void step();

    TournamentSetup setup_;
    std::unique_ptr<Rounds> rounds_;
    std::set<MeetingKey> played_;
    std::map<std::size_t, Couple> couples_;  // that have met, by couple_of()
    std::optional<std::size_t> last_couple_;
    int cycle_ = 0;
    std::int64_t round_ = 0;  // of the cycle
    std::vector<Opponents> current_;
    std::size_t place_ = 0;  // in the current round
    std::int64_t next_number_ = 1;
    std::int64_t next_opening_ = 0;
    std::optional<Meeting> next_;  // found ahead, so that the end is known when it is reached
    std::int64_t in_play_ = 0;
};

}  // namespace assay::harness
