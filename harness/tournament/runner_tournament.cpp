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
#include <utility>

#include "base/check.h"
#include "harness/plan/tournament_plan.h"

namespace assay::harness {

namespace {

std::unique_ptr<Rounds> rounds_of_runner(const TournamentSetup& setup) {
    const std::size_t programs = setup.programs.size();
    const bool is_gauntlet = setup.kind == TournamentKind::Gauntlet;
    if (setup.order == PairingOrder::Fastchess)
        return listed_rounds(programs, is_gauntlet ? setup.seeds : programs - 1);
    if (is_gauntlet) return listed_rounds(programs, 1);
    if (setup.kind == TournamentKind::Pyramid) return newcomer_rounds(programs);
    return circle_rounds(programs);
}

}  // namespace

RunnerTournament::RunnerTournament(const TournamentSetup& setup,
                                   const std::vector<MeetingResult>& played)
    : setup_(setup), rounds_(rounds_of_runner(setup)), current_(rounds_->at(0)) {
    for (const MeetingResult& result : played) played_.insert(result.key());
    next_ = lacking();
}

void RunnerTournament::choose_sides(Couple& couple, bool is_new_couple) {
    if (setup_.order == PairingOrder::Fastchess) {
        const bool is_turned = setup_.swaps_sides && next_number_ % 2 == 0;
        if (is_turned != setup_.begins_reversed) std::swap(couple.first, couple.second);
    } else if (setup_.begins_reversed && is_new_couple) {
        std::swap(couple.first, couple.second);
    }
}

Meeting RunnerTournament::meeting_of(const Opponents& opponents) {
    const std::size_t first = setup_.programs[opponents.first];
    const std::size_t second = setup_.programs[opponents.second];
    const std::size_t number = couple_of(std::min(first, second), std::max(first, second));
    Couple& couple = couples_.try_emplace(number, Couple{first, second}).first->second;
    const bool is_fastchess = setup_.order == PairingOrder::Fastchess;
    if (is_fastchess) couple = {first, second, couple.met};
    choose_sides(couple, last_couple_ != number);
    last_couple_ = number;
    Meeting meeting;
    meeting.round = cycle_ * rounds_->count() + round_;
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

void RunnerTournament::step() {
    if (++place_ < current_.size()) return;
    place_ = 0;
    if (++round_ == rounds_->count()) {
        round_ = 0;
        ++cycle_;
    }
    current_ = rounds_->at(round_);
}

/// The next one that has not been played.
std::optional<Meeting> RunnerTournament::lacking() {
    while (cycle_ < setup_.rounds) {
        const Meeting meeting = meeting_of(current_[place_]);
        step();
        if (played_.erase(meeting.key()) == 0) return meeting;
    }
    return std::nullopt;
}

std::optional<Meeting> RunnerTournament::next() {
    if (!next_) return std::nullopt;
    ++in_play_;
    return std::exchange(next_, lacking());
}

void RunnerTournament::finished(const MeetingResult& /*result*/) {
    ASSAY_CHECK(in_play_ > 0);
    --in_play_;
}

bool RunnerTournament::is_over() const {
    return !next_ && in_play_ == 0;
}

std::optional<std::int64_t> RunnerTournament::meetings() const {
    return setup_.rounds * rounds_->meetings();
}

}  // namespace assay::harness
