// What the kinds of tournaments share: checks, seeds, openings. An opening belongs to a couple of
// programs and an encounter by a fixed numbering, so that whoever plays the meeting, and whenever,
// plays the same openings, and two meetings do not share one unless the policy says so. With a
// known number of rounds the numbers are dense; without an end they must leave room for every
// couple.
//
// Seeds are shuffled by Fisher and Yates with a generator of the run's seed.
#include "harness/tournament/tournament.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/random.h"
#include "harness/tournament/fixed_rounds.h"
#include "harness/tournament/knockout.h"
#include "harness/tournament/least_played.h"
#include "harness/tournament/runner_knockout.h"
#include "harness/tournament/runner_tournament.h"
#include "harness/tournament/swiss.h"

namespace assay::harness {

namespace {

constexpr int kMostRounds = 1'000'000;
constexpr std::size_t kMostPrograms = 10'000;

void check_range(std::string_view what, int value, int low, int high) {
    if (value >= low && value <= high) return;
    throw Error(fmt::format("{}: expected {} to {}, found {}", what, low, high, value));
}

void check_programs(const TournamentSetup& setup) {
    const std::size_t count = setup.programs.size();
    if (count < 2 || count > kMostPrograms) {
        throw Error(
            fmt::format("a tournament needs 2 to {} programs, found {}", kMostPrograms, count));
    }
    const std::set<std::size_t> different(setup.programs.begin(), setup.programs.end());
    if (different.size() != count) throw Error("a tournament has each program once");
}

void check_setup(const TournamentSetup& setup) {
    const bool may_be_0 =
        setup.kind == TournamentKind::Swiss || setup.kind == TournamentKind::LeastPlayed;
    check_programs(setup);
    check_range("rounds", setup.rounds, may_be_0 ? 0 : 1, kMostRounds);
    check_range("openings of a meeting", setup.openings, 1, kMostRounds);
    check_range("games of an opening", setup.games, 1, 2);
    check_range("replays of a tie", setup.replays, 0, 1000);
    if (setup.kind == TournamentKind::Gauntlet &&
        (setup.seeds < 1 || setup.seeds >= setup.programs.size())) {
        throw Error(
            fmt::format("seeds of a gauntlet: expected 1 to {}, one less than the "
                        "programs, found {}",
                        setup.programs.size() - 1, setup.seeds));
    }
}

}  // namespace

std::int64_t own_openings_of(const TournamentSetup& setup, const MeetingKey& key) {
    if (setup.rounds == 0) {
        // No end: all encounters of a number come before those of the next one.
        constexpr auto kMostCouples = static_cast<std::int64_t>(couple_of(0, kMostEntrants));
        return key.encounter * kMostCouples + static_cast<std::int64_t>(key.couple());
    }
    std::size_t couple = key.couple();
    if (setup.kind == TournamentKind::Gauntlet) {
        // Without gaps, as most couples of a gauntlet never meet. Behind these come those of seeds
        // that took the place of one that was left out.
        couple = key.low < setup.seeds ? (key.high - setup.seeds) * setup.seeds + key.low
                                       : kMostEntrants * setup.seeds + couple;
    }
    return static_cast<std::int64_t>(couple) * setup.rounds + key.encounter;
}

std::vector<std::size_t> seeded_programs(const TournamentSetup& setup) {
    std::vector<std::size_t> order = setup.programs;
    if (setup.seeding == Seeding::List) return order;
    Random random(mix64(setup.seed));
    for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[random.below(i)]);
    }
    return order;
}

std::unique_ptr<Tournament> make_tournament(const TournamentSetup& setup,
                                            const std::vector<MeetingResult>& played) {
    check_setup(setup);
    if (setup.order != PairingOrder::Own) {
        if (setup.kind == TournamentKind::Knockout)
            return std::make_unique<RunnerKnockout>(setup, played);
        return make_runner_tournament(setup, played);
    }
    switch (setup.kind) {
        case TournamentKind::RoundRobin:
        case TournamentKind::Gauntlet:
        case TournamentKind::Pyramid:
            return make_fixed_tournament(setup, played);
        case TournamentKind::LeastPlayed:
            return std::make_unique<LeastPlayed>(setup, played);
        case TournamentKind::Knockout:
            return std::make_unique<Knockout>(setup, played);
        case TournamentKind::Swiss:
            return std::make_unique<Swiss>(setup, played);
    }
    return nullptr;
}

}  // namespace assay::harness
