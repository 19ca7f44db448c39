// Tournaments whose meetings are known beforehand: round robin, gauntlet, pyramid. The order is a
// function of the number of programs, so that a resume goes through it from the front and leaves
// out what was played; no state has to be stored.
//
// Openings of a meeting follow from the two programs and the encounter, not from a running number:
// a program that is added later must not move the openings of meetings that were played.
#include "harness/tournament/fixed_rounds.h"

#include <utility>

#include "base/check.h"

namespace assay::harness {

namespace {

std::unique_ptr<Rounds> rounds_of(const TournamentSetup& setup) {
    const std::size_t programs = setup.programs.size();
    if (setup.kind == TournamentKind::Gauntlet) return gauntlet_rounds(programs, setup.seeds);
    if (setup.kind == TournamentKind::Pyramid) return pyramid_rounds(programs);
    return round_robin_rounds(programs);
}

std::int64_t block_of_openings(const TournamentSetup& setup, const Meeting& meeting) {
    switch (setup.policy) {
        case OpeningPolicy::Cycle:
            return meeting.encounter;
        case OpeningPolicy::Round:
            return meeting.round;
        default:
            return own_openings_of(setup, meeting.key());
    }
}

Meeting meeting_of(const TournamentSetup& setup, const Opponents& opponents,
                   const FixedTournament::Place& place) {
    Meeting meeting;
    meeting.round = place.round;
    meeting.first = setup.programs[opponents.first];
    meeting.second = setup.programs[opponents.second];
    // Single games of an even number of cycles give everyone both sides against everyone.
    if (place.cycle % 2 == 1) std::swap(meeting.first, meeting.second);
    meeting.encounter = place.cycle;
    meeting.openings = setup.openings;
    meeting.games = setup.games;
    meeting.opening = block_of_openings(setup, meeting) * setup.openings;
    return meeting;
}

}  // namespace

FixedTournament::FixedTournament(std::unique_ptr<Rounds> rounds, int cycles, Maker maker,
                                 const std::vector<MeetingResult>& played)
    : rounds_(std::move(rounds)),
      cycles_(cycles),
      maker_(std::move(maker)),
      current_(rounds_->at(0)) {
    for (const MeetingResult& result : played) played_.insert(result.key());
    next_ = lacking();
}

void FixedTournament::step() {
    if (++next_of_round_ < current_.size()) return;
    next_of_round_ = 0;
    ++place_.round;
    place_.cycle = static_cast<int>(place_.round / rounds_->count());
    current_ = rounds_->at(place_.round % rounds_->count());
}

/// The next one that has not been played.
std::optional<Meeting> FixedTournament::lacking() {
    while (place_.cycle < cycles_) {
        Meeting meeting = maker_(current_[next_of_round_], place_);
        step();
        if (played_.erase(meeting.key()) == 0) return meeting;
    }
    return std::nullopt;
}

std::optional<Meeting> FixedTournament::next() {
    if (!next_) return std::nullopt;
    ++in_play_;
    return std::exchange(next_, lacking());
}

void FixedTournament::finished(const MeetingResult& /*result*/) {
    ASSAY_CHECK(in_play_ > 0);
    --in_play_;
}

bool FixedTournament::is_over() const {
    return !next_ && in_play_ == 0;
}

std::optional<std::int64_t> FixedTournament::meetings() const {
    return cycles_ * rounds_->meetings();
}

std::unique_ptr<Tournament> make_fixed_tournament(const TournamentSetup& setup,
                                                  const std::vector<MeetingResult>& played) {
    const auto maker = [setup](const Opponents& opponents, const FixedTournament::Place& place) {
        return meeting_of(setup, opponents, place);
    };
    return std::make_unique<FixedTournament>(rounds_of(setup), setup.rounds, maker, played);
}

}  // namespace assay::harness
