#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "harness/tournament/tournament.h"
#include "reports/tournament/tournament_view.h"
#include "stats/estimate/davidson.h"
#include "tests/support/sample_tally.h"

namespace assay::test {

/// A tournament that never was: program i is stronger than program i + 1. The same settings, the
/// same tournament.
struct SampleTournament {
    harness::TournamentKind kind = harness::TournamentKind::RoundRobin;
    std::size_t programs = 8;
    int rounds = 2;
    int openings = 4;
    std::int64_t most_meetings = std::numeric_limits<std::int64_t>::max();  // then it is stopped
    double step = 30;  // Elo between one program and the next
    std::uint64_t seed = 1;
    std::size_t crasher = std::numeric_limits<std::size_t>::max();  // loses games by crashes
};

/// 0, 1 or 2 half points of who moves first, `elo` better than its opponent.
inline int sample_result(double elo, Random& random) {
    const stats::DavidsonLaw law = stats::davidson_law((elo + 25) / 174 / 0.6, 1.2);
    const double x = static_cast<double>(random.below(1'000'000)) / 1e6;
    return x < law.win ? 2 : x < law.win + law.draw ? 1 : 0;
}

struct PlayedSample {
    reports::TournamentInput input;
    harness::PlayedMeetings counts{1};
};

inline PlayedSample played_sample(const SampleTournament& settings) {
    PlayedSample sample;
    sample.input.name = "spring";
    sample.input.first_side = "White";
    harness::TournamentSetup& setup = sample.input.setup;
    setup.kind = settings.kind;
    setup.rounds = settings.rounds;
    setup.openings = settings.openings;
    for (std::size_t i = 0; i < settings.programs; ++i) {
        setup.programs.push_back(i);
        constexpr const char* kNames[] = {"alpha",   "beta", "gamma", "delta",
                                          "epsilon", "zeta", "eta",   "theta"};
        sample.input.names.push_back(i < 8 ? kNames[i] : "engine-" + std::to_string(i + 1));
        sample.input.versions.push_back(std::to_string(1 + i % 3) + "." + std::to_string(i));
    }
    sample.counts = harness::PlayedMeetings(settings.openings);
    Random random(settings.seed);
    const auto tournament = harness::make_tournament(setup, {});
    std::int64_t played = 0;
    while (played < settings.most_meetings) {
        const auto meeting = tournament->next();
        if (!meeting) break;
        const harness::MeetingKey key = meeting->key();
        harness::MeetingResult result{meeting->first, meeting->second, meeting->encounter, {}, 0};
        const double elo = settings.step * static_cast<double>(key.high - key.low);
        for (int opening = 0; opening < meeting->openings; ++opening) {
            const int as_first = sample_result(elo, random);
            const int as_second = 2 - sample_result(-elo, random);
            const std::int64_t index =
                static_cast<std::int64_t>(meeting->encounter) * setup.openings + opening;
            harness::PairDigest pair = pair_of(index, as_first, as_second);
            const bool has_crasher = key.low == settings.crasher || key.high == settings.crasher;
            if (has_crasher && random.below(4) == 0) {
                const int side = key.low == settings.crasher ? 0 : 1;
                pair = failed_pair(index, side, harness::Termination::Crash, as_second);
            }
            (void)sample.counts.add(key.low, key.high, pair);
            for (const harness::GameDigest& game : pair.games) {
                const int of_low = harness::half_points(game, 0);
                const int of_first = meeting->first == key.low ? of_low : 2 - of_low;
                ++(of_first == 2   ? result.games.wins
                   : of_first == 1 ? result.games.draws
                                   : result.games.losses);
            }
        }
        tournament->finished(result);
        ++played;
    }
    sample.input.is_over = tournament->is_over();
    if (!sample.input.is_over) sample.input.us_per_pair = 2.5e6;
    return sample;
}

inline reports::TournamentView sample_view(const SampleTournament& settings) {
    const PlayedSample sample = played_sample(settings);
    return reports::tournament_view(sample.input, sample.counts);
}

}  // namespace assay::test
