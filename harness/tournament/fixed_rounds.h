#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "harness/rounds/rounds.h"
#include "harness/tournament/tournament.h"

namespace assay::harness {

/// Round robin, gauntlet and pyramid: rounds that no result changes, in `rounds` cycles. Sides are
/// swapped from cycle to cycle. Beside the current round it keeps only the meetings that it was
/// given as played and has not passed yet.
class FixedTournament final : public Tournament {
public:
    FixedTournament(const TournamentSetup& setup, const std::vector<MeetingResult>& played);

    [[nodiscard]] std::optional<Meeting> next() override;
    void finished(const MeetingResult& result) override;
    [[nodiscard]] bool is_over() const override;
    [[nodiscard]] std::optional<std::int64_t> meetings() const override;

private:
    [[nodiscard]] Meeting meeting_of(const Opponents& opponents) const;
    [[nodiscard]] std::optional<Meeting> lacking();
    void step();

    TournamentSetup setup_;
    std::unique_ptr<Rounds> rounds_;
    std::set<MeetingKey> played_;
    int cycle_ = 0;
    std::int64_t round_ = 0;  // of the cycle
    std::vector<Opponents> current_;
    std::size_t place_ = 0;        // in the current round
    std::optional<Meeting> next_;  // found ahead, so that the end is known when it is reached
    std::int64_t in_play_ = 0;
};

}  // namespace assay::harness
