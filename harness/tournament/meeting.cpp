#include "harness/tournament/meeting.h"

#include <algorithm>
#include <map>

#include "base/check.h"

namespace assay::harness {

namespace {

MeetingKey key_of(std::size_t first, std::size_t second, int encounter) {
    return {std::min(first, second), std::max(first, second), encounter};
}

}  // namespace

MeetingKey Meeting::key() const {
    return key_of(first, second, encounter);
}

MeetingKey MeetingResult::key() const {
    return key_of(first, second, encounter);
}

std::int64_t MeetingResult::half_points(std::size_t program) const {
    ASSAY_CHECK(program == first || program == second);
    return 2 * (program == first ? games.wins : games.losses) + games.draws;
}

std::size_t MeetingResult::opponent_of(std::size_t program) const {
    ASSAY_CHECK(program == first || program == second);
    return program == first ? second : first;
}

std::vector<MeetingResult> complete_meetings(std::size_t low, std::size_t high, int openings,
                                             const std::vector<PairDigest>& pairs) {
    struct Played {
        int pairs = 0;
        stats::Wdl games;
    };

    std::map<int, Played> encounters;
    for (const PairDigest& pair : pairs) {
        Played& played = encounters[static_cast<int>(pair.pair / openings)];
        ++played.pairs;
        for (const GameDigest& game : pair.games) {
            const int result = half_points(game, 0);
            ++(result == 2   ? played.games.wins
               : result == 1 ? played.games.draws
                             : played.games.losses);
        }
    }
    std::vector<MeetingResult> results;
    for (const auto& [encounter, played] : encounters) {
        if (played.pairs == openings) results.push_back({low, high, encounter, played.games, 0});
    }
    return results;
}

}  // namespace assay::harness
