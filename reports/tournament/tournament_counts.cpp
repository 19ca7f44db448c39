#include "reports/tournament/tournament_counts.h"

#include "base/check.h"
#include "harness/tournament/version_pool.h"

namespace assay::reports {

namespace {

/// `half_points`: 0 lost, 1 drawn, 2 won.
void count_result(stats::Wdl& counts, int half_points) {
    ++(half_points == 2 ? counts.wins : half_points == 1 ? counts.draws : counts.losses);
}

}  // namespace

TournamentCounts::TournamentCounts(std::size_t programs, int openings)
    : openings_(openings), sides_(programs), failures_(programs) {
    ASSAY_CHECK(openings >= 1);
}

void TournamentCounts::add(std::size_t low, std::size_t high, const harness::PairDigest& pair) {
    ASSAY_CHECK(low < high && high < sides_.size());
    MeetingCount& meeting = meetings_[{low, high, static_cast<int>(pair.pair / openings_)}];
    ++meeting.pairs;
    ++pairs_;
    std::array<harness::Failures, 2> failures{};
    for (const harness::GameDigest& game : pair.games) {
        const stats::ListedGame listed = harness::listed_game(game, {low, high});
        count_result(meeting.games, half_points(game, 0));
        count_result(first_player_, listed.half_points);
        count_result(sides_[listed.first][0], listed.half_points);
        count_result(sides_[listed.second][1], 2 - listed.half_points);
        harness::count_failure(failures, game);
    }
    failures_[low] += failures[0];
    failures_[high] += failures[1];
    rated_.add(harness::listed_game(pair.games[0], {low, high}),
               harness::listed_game(pair.games[1], {low, high}));
}

}  // namespace assay::reports
