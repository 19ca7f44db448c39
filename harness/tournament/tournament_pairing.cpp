// From the meetings of a tournament to encounters. A pair of two programs is an
// opening of one of their meetings for ever (PlaceOfPair): so a store tells which meetings are
// complete, which openings of the others lack, and which pairs have one game, without anything else
// being stored. A tournament that is taken up is made anew from the complete meetings, and gives
// out the others again.
//
// A pair that an earlier session has begun keeps the opening and the sides of its first game,
// whatever the schedule says now: programs may have been added since, and a meeting may be in
// another round then.
//
// `until` looks at the first pairs of the schedule, not at the first that ended: short games have
// other results than long ones, and the pairs that happen to be over are no sample of all. The
// order is that of a tournament of which nothing was played, so that a session which takes up a run
// has the same one.
#include "harness/tournament/tournament_pairing.h"

#include <algorithm>

#include "base/check.h"
#include "harness/plan/tournament_plan.h"

namespace assay::harness {

TournamentPairing::TournamentPairing(const RunPlan& plan, OpeningOf opening_of, bool has_changed)
    : plan_(plan),
      opening_of_(std::move(opening_of)),
      has_changed_(has_changed || !plan.tournament->left_out.empty()),
      played_(setup_of(plan).size()),
      looked_at_(setup_of(plan).size()) {}

std::vector<PairDigest> TournamentPairing::restore(std::size_t match, std::vector<PairDigest> pairs,
                                                   std::vector<GameRecord> first_games) {
    const auto [low, high] = plan_.matches.at(match).between;
    std::erase_if(pairs, [&](const PairDigest& pair) {
        if (!is_replaced(pair.state)) return false;
        int& attempt = attempts_[{match, pair.pair}];
        attempt = std::max(attempt, attempt_after(pair.state, pair.attempt));
        return true;
    });
    for (const PairDigest& pair : pairs) {
        for (const GameDigest& game : pair.played())
            next_number_ = std::max(next_number_, game.number + 1);
        done_.emplace(match, pair.pair);
        (void)played_.add(low, high, pair);
        if (is_left_out(plan_, low) || is_left_out(plan_, high)) {
            ++left_out_pairs_;
            continue;
        }
        ++pairs_;
        if (plan_.tournament->until.is_set()) ahead_.emplace(PairKey{match, pair.pair}, pair);
    }
    for (GameRecord& game : first_games) {
        const PairKey key{match, game.pair};
        next_number_ = std::max(next_number_, game.number + 2);  // its partner's comes next
        first_games_.insert_or_assign(key, std::move(game));
    }
    return pairs;
}

void TournamentPairing::begin() {
    const std::vector<MeetingResult> complete = played_.complete();
    tournament_ = make_tournament(setup_of(plan_), complete);
    complete_ = state().complete;
    if (plan_.tournament->until.is_set()) begin_looks();
    for (const MeetingResult& result : complete) {
        const MeetingKey key = result.key();
        for (int opening = 0; opening < setup_of(plan_).size().at(key.encounter); ++opening)
            done_.erase({key.couple(), pair_of(key, opening)});
    }
}

void TournamentPairing::begin_looks() {
    schedule_ = make_tournament(setup_of(plan_), {});
    scheduled_ = schedule_->next();
    while (take_next_of_schedule()) {}
    // Before a change any of the pairs may have been part of a look; else those behind a gap have
    // not been.
    const std::int64_t played = has_changed_ ? pairs_ + left_out_pairs_ : pairs_of_looks();
    stop_.emplace(plan_.tournament->until, entrants_of(plan_), played, has_changed_);
}

/// Returns whether the next pair of the schedule is over.
bool TournamentPairing::take_next_of_schedule() {
    if (!scheduled_) return false;
    const MeetingKey key = scheduled_->key();
    const auto found = ahead_.find({key.couple(), pair_of(key, scheduled_opening_)});
    if (found == ahead_.end()) return false;
    (void)looked_at_.add(key.low, key.high, found->second);
    ahead_.erase(found);
    if (++scheduled_opening_ == scheduled_->openings) {
        scheduled_ = schedule_->next();
        scheduled_opening_ = 0;
    }
    return true;
}

std::int64_t TournamentPairing::pairs_of_looks() const {
    return looked_at_.pairs() + (has_changed_ ? left_out_pairs_ : 0);
}

void TournamentPairing::look() {
    while (!is_shown_ && take_next_of_schedule()) {
        if (!stop_->is_due(pairs_of_looks())) continue;
        is_shown_ = stop_->shows(pairs_of_looks(), plan_.programs.size(), looked_at_.rated(),
                                 looked_at_.rated_singles());
    }
}

std::int64_t TournamentPairing::pair_of(const MeetingKey& key, int opening) const {
    return PlaceOfPair{key.encounter, opening}.pair(plan_.tournament->openings);
}

/// Games are numbered by match; in the order of a runner all together, where results decide as
/// they begin.
std::int64_t TournamentPairing::number_of(const Meeting& meeting, int place) {
    if (meeting.number > 0) return meeting.number + std::int64_t{place} * meeting.games;
    if (plan_.tournament->order != PairingOrder::Own)
        return std::exchange(next_number_, next_number_ + meeting.games);
    return pair_of(meeting.key(), place) * plan_.tournament->games + 1;
}

/// Limits of an armageddon, by entrant.
std::vector<TimeControl> TournamentPairing::times_of(const Meeting& meeting) const {
    const TournamentPlan& plan = *plan_.tournament;
    if (!meeting.is_armageddon || !plan.armageddon_time) return {};
    const MeetingKey key = meeting.key();
    std::vector<TimeControl> times{plan.time[key.low], plan.time[key.high]};
    TimeControl& of_first = times[meeting.first == key.low ? 0 : 1];
    const TimeControl usual = std::exchange(of_first, *plan.armageddon_time);
    of_first.margin = usual.margin;
    of_first.wall_limit = usual.wall_limit;
    return times;
}

Encounter TournamentPairing::encounter_of(const Meeting& meeting, int place, int attempt) {
    const MeetingKey key = meeting.key();
    Encounter encounter;
    encounter.match = key.couple();
    encounter.pair = pair_of(key, place);
    encounter.attempt = attempt;
    encounter.games = meeting.games;
    encounter.round = meeting.round;
    encounter.times = times_of(meeting);
    encounter.swaps_sides = meeting.swaps_sides;
    encounter.entrants = {key.low, key.high};
    const auto opening_at = [&](int game) {
        return opening_of_(meeting.opening + meeting.opening_of(place, game));
    };
    if (meeting.games == 2 && meeting.opening_of(place, 0) != meeting.opening_of(place, 1))
        encounter.own_openings.push_back(opening_at(1));
    const auto first = first_games_.find({encounter.match, encounter.pair});
    if (first != first_games_.end() && first->second.attempt == attempt) {
        GameRecord& game = first->second;
        encounter.first_game = game.number;
        encounter.opening = {game.start, game.opening, game.opening_index, ""};
        encounter.begins_reversed = game.program_of(0) == 1;
        encounter.played = std::move(game);
        first_games_.erase(first);
    } else {
        // Single games of several openings have their sides in turn.
        const bool is_turned = meeting.swaps_sides && place * meeting.games % 2 == 1;
        encounter.first_game = number_of(meeting, place);
        encounter.opening = opening_at(0);
        encounter.begins_reversed = (meeting.first == key.high) != is_turned;
    }
    return encounter;
}

/// The next opening of the meeting that nobody has played.
std::optional<Encounter> TournamentPairing::next_of(const Meeting& meeting) {
    const MeetingKey key = meeting.key();
    while (opening_ < meeting.openings) {
        const int place = opening_++;
        const PairKey pair{key.couple(), pair_of(key, place)};
        if (done_.erase(pair) > 0) continue;
        const auto attempt = attempts_.find(pair);
        return encounter_of(meeting, place, attempt == attempts_.end() ? 0 : attempt->second);
    }
    return std::nullopt;
}

std::optional<Encounter> TournamentPairing::next() {
    ASSAY_CHECK(tournament_ != nullptr);
    if (is_shown_) return std::nullopt;
    if (!again_.empty()) {
        const auto [pair, attempt] = *again_.begin();
        again_.erase(again_.begin());
        const auto [low, high] = plan_.matches.at(pair.first).between;
        const PlaceOfPair place = place_of(pair.second, plan_.tournament->openings);
        const MeetingKey key{low, high, place.encounter};
        return encounter_of(in_play_.at(key), place.opening, attempt);
    }
    while (true) {
        if (current_) {
            if (auto encounter = next_of(*current_)) return encounter;
        }
        current_ = tournament_->next();
        opening_ = 0;
        if (!current_) return std::nullopt;
        in_play_.emplace(current_->key(), *current_);
    }
}

std::vector<PairDigest> TournamentPairing::finished(const PairDigest& pair) {
    const auto [low, high] = plan_.matches.at(pair.match).between;
    ++pairs_;
    if (auto result = played_.add(low, high, pair)) {
        ++complete_;
        const auto meeting = in_play_.extract(result->key());
        ASSAY_CHECK(!meeting.empty());
        result->set_meeting(meeting.mapped());
        tournament_->finished(*result);
    }
    if (stop_) {
        ahead_.emplace(PairKey{pair.match, pair.pair}, pair);
        look();
    }
    return {pair};
}

void TournamentPairing::replay(const PairDigest& pair) {
    again_[{pair.match, pair.pair}] = pair.attempt + 1;
}

bool TournamentPairing::is_single(const GameRecord& game) const {
    const auto [low, high] = plan_.matches.at(game.match).between;
    const int encounter = place_of(game.pair, plan_.tournament->openings).encounter;
    return in_play_.at({low, high, encounter}).games == 1;
}

bool TournamentPairing::is_complete() const {
    return is_shown_ || (again_.empty() && in_play_.empty() && tournament_->is_over());
}

std::string TournamentPairing::end_reason() const {
    return is_shown_ ? "the ratings show " + stats::text_of(plan_.tournament->until) : "";
}

void TournamentPairing::visit_open(
    const std::function<void(std::size_t match, const GameDigest&)>& visit) const {
    for (const auto& [pair, game] : first_games_) visit(pair.first, digest_of(game));
}

TournamentProgress TournamentPairing::progress() const {
    TournamentProgress progress{pairs_, complete_, tournament_->meetings(), 0, {}, {}};
    progress.bye_half_points.resize(plan_.programs.size());
    for (const Bye& bye : counted_byes(setup_of(plan_), complete_, tournament_->byes()))
        progress.bye_half_points[bye.program] += bye.half_points;
    for (const Tie& tie : tournament_->ties())
        if (const auto loser = tie.loser()) progress.out.push_back(*loser);
    return progress;
}

}  // namespace assay::harness
