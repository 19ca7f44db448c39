#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "harness/match/tally.h"
#include "harness/record/pair.h"
#include "harness/tournament/meeting.h"
#include "stats/data/counts.h"
#include "stats/estimate/game_list.h"

namespace assay::reports {

/// A meeting so far.
struct MeetingCount {
    stats::Wdl games;  // of MeetingKey::low
    int pairs = 0;
};

/// The games of a tournament, counted as they come: all that its reports show of them. Memory grows
/// with the meetings, not with the games. Programs are numbers of the plan. Pure.
class TournamentCounts {
public:
    /// `openings`: pairs of a meeting, at least 1.
    TournamentCounts(std::size_t programs, int openings);

    /// A pair that counts, of the match of two programs: program 0 of the pair is `low`. Pairs come
    /// in any order. REQUIRES: low < high, and both are programs.
    void add(std::size_t low, std::size_t high, const harness::PairDigest& pair);

    [[nodiscard]] const std::map<harness::MeetingKey, MeetingCount>& meetings() const {
        return meetings_;
    }

    [[nodiscard]] std::int64_t pairs() const { return pairs_; }

    /// For ratings.
    [[nodiscard]] std::vector<stats::RatedPairs> rated() const { return rated_.rows(); }

    /// Of the program in the games in which it was the first player, and in the others.
    [[nodiscard]] const std::array<stats::Wdl, 2>& sides(std::size_t program) const {
        return sides_.at(program);
    }

    /// Of the first player, over all games.
    [[nodiscard]] const stats::Wdl& first_player() const { return first_player_; }

    [[nodiscard]] const harness::Failures& failures(std::size_t program) const {
        return failures_.at(program);
    }

private:
    int openings_;
    std::map<harness::MeetingKey, MeetingCount> meetings_;
    stats::PairRows rated_;
    std::vector<std::array<stats::Wdl, 2>> sides_;
    std::vector<harness::Failures> failures_;
    stats::Wdl first_player_;
    std::int64_t pairs_ = 0;
};

}  // namespace assay::reports
