#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "harness/tournament/tournament.h"

namespace assay::harness {

/// A result that depends on the meeting and the seed alone: the program of the lower number wins a
/// little more often.
inline MeetingResult played_result(const Meeting& meeting, std::uint64_t seed) {
    const MeetingKey key = meeting.key();
    Random random(
        mix64(mix64(seed, key.low), mix64(key.high, static_cast<std::uint64_t>(key.encounter))));
    MeetingResult result{meeting.first, meeting.second, meeting.encounter, {}, meeting.round};
    for (int game = 0; game < meeting.openings * meeting.games; ++game) {
        const std::uint64_t x = random.below(10);
        const bool low_wins = x < 4;
        if (x >= 7) {
            ++result.games.draws;
        } else if (low_wins == (meeting.first == key.low)) {
            ++result.games.wins;
        } else {
            ++result.games.losses;
        }
    }
    return result;
}

struct PlayedTournament {
    std::vector<Meeting> meetings;  // in the order in which they were given out
    std::vector<MeetingResult> results;
    std::vector<Bye> byes;
    std::optional<std::size_t> winner;
    bool is_over = false;
};

/// Plays with `places` meetings at once, which end in an order by lot; stops when `most` results
/// are there, and forgets what is still being played.
inline PlayedTournament play_tournament(const TournamentSetup& setup,
                                        const std::vector<MeetingResult>& before,
                                        std::uint64_t seed, std::size_t places = 1,
                                        std::size_t most = 1'000'000) {
    const auto tournament = make_tournament(setup, before);
    PlayedTournament played;
    played.results = before;
    Random random(mix64(seed, 77));
    std::deque<Meeting> in_play;
    while (played.results.size() < most) {
        while (in_play.size() < places) {
            const std::optional<Meeting> meeting = tournament->next();
            if (!meeting) break;
            ASSAY_CHECK(!tournament->is_over());
            in_play.push_back(*meeting);
            played.meetings.push_back(*meeting);
        }
        if (in_play.empty()) break;
        const auto ended =
            in_play.begin() + static_cast<std::ptrdiff_t>(random.below(in_play.size()));
        const MeetingResult result = played_result(*ended, seed);
        in_play.erase(ended);
        played.results.push_back(result);
        tournament->finished(result);
    }
    played.is_over = tournament->is_over();
    played.byes = tournament->byes();
    played.winner = tournament->winner();
    return played;
}

/// The meetings without the order in which they were given out.
inline std::vector<Meeting> sorted(std::vector<Meeting> meetings) {
    std::sort(meetings.begin(), meetings.end(),
              [](const Meeting& a, const Meeting& b) { return a.key() < b.key(); });
    return meetings;
}

inline TournamentSetup setup_of(TournamentKind kind, std::size_t programs, int rounds = 1) {
    TournamentSetup setup;
    setup.kind = kind;
    for (std::size_t i = 0; i < programs; ++i) setup.programs.push_back(i);
    setup.rounds = rounds;
    return setup;
}

}  // namespace assay::harness
