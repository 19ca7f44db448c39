// Both runners make their schedule game by game, from counters that run through the whole
// tournament; here the same counters run through its meetings.
//
// fastchess: a cycle has all pairings in the order of the list, (0,1) (0,2) … (1,2) …; of a
// gauntlet those whose first member is one of the seeds, so that seeds meet each other once. Who is
// listed first has the first move in games of an odd number. Each meeting takes the next opening of
// a book that is as long as there are rounds.
//
// cutechess-cli: round robins turn a circle whose first member stands still; the first one of a
// gauntlet meets all others, whatever -seeds says; who joins a pyramid meets those before it. Two
// programs go on with the sides of their last game swapped, however long ago that was. With
// -reverse they are swapped once more whenever they meet after others have: so two that play a
// single game at a time always have the same sides then, as there.
#include "harness/tournament/runner_tournament.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "harness/plan/tournament_plan.h"
#include "harness/rounds/rounds.h"
#include "harness/tournament/fixed_rounds.h"

namespace assay::harness {

namespace {

std::unique_ptr<Rounds> runner_rounds(const TournamentSetup& setup) {
    const std::size_t programs = setup.programs.size();
    const bool is_gauntlet = setup.kind == TournamentKind::Gauntlet;
    if (setup.order == PairingOrder::Fastchess)
        return listed_rounds(programs, is_gauntlet ? setup.seeds : programs - 1);
    if (is_gauntlet) return listed_rounds(programs, 1);
    if (setup.kind == TournamentKind::Pyramid) return newcomer_rounds(programs);
    return circle_rounds(programs);
}

/// Sides, openings and numbers of games: the counters that run through the tournament.
class RunnerMeetings {
public:
    explicit RunnerMeetings(const TournamentSetup& setup) : setup_(setup) {}

    Meeting operator()(const Opponents& opponents, const FixedTournament::Place& place);

private:
    /// Two programs that meet.
    struct Couple {
        std::size_t first = 0;  // has the first move when they meet next
        std::size_t second = 0;
        int met = 0;
    };

    void choose_sides(Couple& couple, bool is_new_couple) const;

    TournamentSetup setup_;
    std::map<std::size_t, Couple> couples_;  // that have met, by couple_of()
    std::optional<std::size_t> last_couple_;
    std::int64_t next_number_ = 1;
    std::int64_t next_opening_ = 0;
};

void RunnerMeetings::choose_sides(Couple& couple, bool is_new_couple) const {
    if (setup_.order == PairingOrder::Fastchess) {
        const bool is_turned = setup_.swaps_sides && next_number_ % 2 == 0;
        if (is_turned != setup_.begins_reversed) std::swap(couple.first, couple.second);
    } else if (setup_.begins_reversed && is_new_couple) {
        std::swap(couple.first, couple.second);
    }
}

Meeting RunnerMeetings::operator()(const Opponents& opponents,
                                   const FixedTournament::Place& place) {
    const std::size_t first = setup_.programs[opponents.first];
    const std::size_t second = setup_.programs[opponents.second];
    const std::size_t number = couple_of(std::min(first, second), std::max(first, second));
    Couple& couple = couples_.try_emplace(number, Couple{first, second}).first->second;
    const bool is_fastchess = setup_.order == PairingOrder::Fastchess;
    if (is_fastchess) couple = {first, second, couple.met};
    choose_sides(couple, last_couple_ != number);
    last_couple_ = number;
    Meeting meeting;
    meeting.round = place.round;
    meeting.first = couple.first;
    meeting.second = couple.second;
    meeting.encounter = couple.met++;
    meeting.openings = setup_.openings;
    meeting.games = setup_.games;
    meeting.swaps_sides = setup_.swaps_sides;
    meeting.number = next_number_;
    const int games = setup_.openings * setup_.games;
    meeting.games_an_opening =
        setup_.games_an_opening > 0 ? std::min(setup_.games_an_opening, games) : games;
    meeting.opening = setup_.policy == OpeningPolicy::Round ? meeting.round : next_opening_;
    next_opening_ += (games + meeting.games_an_opening - 1) / meeting.games_an_opening;
    next_number_ += games;
    if (setup_.swaps_sides && games % 2 == 1) std::swap(couple.first, couple.second);
    return meeting;
}

}  // namespace

std::unique_ptr<Tournament> make_runner_tournament(const TournamentSetup& setup,
                                                   const std::vector<MeetingResult>& played) {
    return std::make_unique<FixedTournament>(runner_rounds(setup), setup.rounds,
                                             RunnerMeetings(setup), played);
}

}  // namespace assay::harness
