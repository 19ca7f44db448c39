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

}  // namespace

FixedTournament::FixedTournament(const TournamentSetup& setup,
                                 const std::vector<MeetingResult>& played)
    : setup_(setup), rounds_(rounds_of(setup)), current_(rounds_->at(0)) {
    for (const MeetingResult& result : played) played_.insert(result.key());
    next_ = lacking();
}

Meeting FixedTournament::meeting_of(const Opponents& opponents) const {
    Meeting meeting;
    meeting.round = cycle_ * rounds_->count() + round_;
    meeting.first = setup_.programs[opponents.first];
    meeting.second = setup_.programs[opponents.second];
    // Single games of an even number of cycles give everyone both sides against everyone.
    if (cycle_ % 2 == 1) std::swap(meeting.first, meeting.second);
    meeting.encounter = cycle_;
    meeting.openings = setup_.openings;
    meeting.games = setup_.games;
    const std::int64_t block = setup_.policy == OpeningPolicy::Cycle ? cycle_
                               : setup_.policy == OpeningPolicy::Round
                                   ? meeting.round
                                   : own_openings_of(setup_, meeting.key());
    meeting.opening = block * setup_.openings;
    return meeting;
}

void FixedTournament::step() {
    if (++place_ < current_.size()) return;
    place_ = 0;
    if (++round_ == rounds_->count()) {
        round_ = 0;
        ++cycle_;
    }
    current_ = rounds_->at(round_);
}

/// The next one that has not been played.
std::optional<Meeting> FixedTournament::lacking() {
    while (cycle_ < setup_.rounds) {
        const Meeting meeting = meeting_of(current_[place_]);
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
    return setup_.rounds * rounds_->meetings();
}

}  // namespace assay::harness
