// The bracket of the first round: ranks go to the left and the right half in turn, within a half
// again to its two halves, and so on; the second member of each two comes from the lower half of
// the ranks. Of eight: 1-5, 3-7, 2-6, 4-8. Empty places go to the best, and who should have met the
// best takes the place of who is missing.
#include "harness/tournament/runner_knockout.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/random.h"

namespace assay::harness {

namespace {

/// Where the program of this rank (from 1) stands among `size` places.
std::size_t place_of_rank(std::size_t rank, std::size_t size) {
    std::size_t place = 0;
    while (rank > 1) {
        size /= 2;
        if (rank % 2 == 0) {
            place += size;
            rank /= 2;
        } else {
            rank = rank / 2 + 1;
        }
    }
    return place;
}

/// By rank: the seeds, then the others by lot.
std::vector<std::size_t> ranked(const TournamentSetup& setup) {
    std::vector<std::size_t> order = setup.programs;
    const std::size_t seeds = std::min(setup.seeds, order.size());
    Random random(mix64(setup.seed));
    for (std::size_t i = order.size(); i > seeds + 1; --i)
        std::swap(order[i - 1], order[seeds + random.below(i - seeds)]);
    return order;
}

std::vector<std::optional<std::size_t>> bracket_of(const std::vector<std::size_t>& order) {
    std::size_t size = 1;
    while (size < order.size()) size *= 2;
    std::vector<std::optional<std::size_t>> bracket(size);
    for (std::size_t i = 0; i < order.size(); ++i) bracket[place_of_rank(i + 1, size)] = order[i];
    for (std::size_t missing = order.size(); missing < size; ++missing) {
        const std::size_t of_best = place_of_rank(missing - order.size() + 1, size) + 1;
        bracket[place_of_rank(missing + 1, size)] = std::exchange(bracket[of_best], std::nullopt);
    }
    return bracket;
}

}  // namespace

std::size_t RunnerKnockout::TieState::leader() const {
    if (!second) return first;
    if (is_level()) return is_first_higher ? first : *second;
    return first_half_points > second_half_points ? first : *second;
}

RunnerKnockout::RunnerKnockout(const TournamentSetup& setup,
                               const std::vector<MeetingResult>& played)
    : setup_(setup), ranked_(ranked(setup)) {
    for (const MeetingResult& result : played) played_[result.key()] = result;
    const auto bracket = bracket_of(ranked_);
    std::vector<TieState> ties;
    for (std::size_t i = 0; i < bracket.size(); i += 2) {
        TieState& tie = ties.emplace_back();
        ASSAY_CHECK(bracket[i] || bracket[i + 1]);
        tie.first = bracket[i] ? *bracket[i] : *bracket[i + 1];
        if (bracket[i] && bracket[i + 1]) tie.second = bracket[i + 1];
    }
    begin_round(std::move(ties));
}

/// Takes up what has been played of it earlier. What earlier sessions began and did not finish is
/// played before anything else.
void RunnerKnockout::begin_round(std::vector<TieState> ties) {
    for (TieState& tie : ties) {
        if (!tie.second) continue;
        const auto rank = [this](std::size_t program) {
            return std::ranges::find(ranked_, program);
        };
        tie.is_first_higher = rank(tie.first) < rank(*tie.second);
        const std::size_t low = std::min(tie.first, *tie.second);
        const std::size_t high = std::max(tie.first, *tie.second);
        int last = -1;
        for (const auto& [key, result] : played_)
            if (key.low == low && key.high == high) last = std::max(last, key.encounter);
        for (int encounter = 0; encounter <= last; ++encounter) {
            const auto found = played_.find({low, high, encounter});
            if (found == played_.end())
                tie.lacking.push_back(encounter);
            else
                count(tie, found->second);
        }
        tie.begun = last + 1;
    }
    rounds_.push_back(std::move(ties));
    try_next_round();
}

/// Whether it is not known yet who goes on.
bool RunnerKnockout::is_open(const TieState& tie) const {
    return tie.in_play > 0 || !tie.lacking.empty() || needs_more(tie);
}

void RunnerKnockout::try_next_round() {
    const std::vector<TieState>& last = rounds_.back();
    if (last.size() == 1) return;
    if (std::ranges::any_of(last, [this](const TieState& tie) { return is_open(tie); })) return;
    std::vector<TieState> ties;
    for (std::size_t i = 0; i < last.size(); i += 2) {
        TieState& tie = ties.emplace_back();
        tie.first = last[i].leader();
        tie.second = last[i + 1].leader();
    }
    begin_round(std::move(ties));
}

void RunnerKnockout::count(TieState& tie, const MeetingResult& result) const {
    tie.first_half_points += result.half_points(tie.first);
    tie.second_half_points += result.half_points(*tie.second);
}

/// Of who is level behind all games of an encounter.
bool RunnerKnockout::may_replay(const TieState& tie) const {
    const std::int64_t games = std::int64_t{setup_.games} * (tie.begun - kMostReplays);
    return games < setup_.games_an_encounter;
}

/// Points of what is in play count for whoever is ahead: it is played on only where even that would
/// not decide.
bool RunnerKnockout::needs_more(const TieState& tie) const {
    if (!tie.second) return false;
    const std::int64_t open =
        std::int64_t{2} * setup_.games * (tie.in_play + std::ssize(tie.lacking));
    const std::int64_t lead = std::max(tie.first_half_points, tie.second_half_points) + open;
    if (lead <= setup_.games_an_encounter) return true;
    return tie.is_level() && open == 0 && may_replay(tie);
}

int RunnerKnockout::games_an_opening() const {
    const int games = setup_.games_an_encounter;
    return setup_.games_an_opening > 0 ? std::min(setup_.games_an_opening, games) : games;
}

/// Each two go on in the book behind those before them, as if nobody played on.
std::int64_t RunnerKnockout::first_opening_of(const TieState& tie) const {
    const std::int64_t each =
        (setup_.games_an_encounter + games_an_opening() - 1) / games_an_opening();
    std::int64_t before = 0;
    for (const std::vector<TieState>& round : rounds_) {
        for (const TieState& other : round) {
            if (&other == &tie) return before * each;
            before += other.second ? 1 : 0;
        }
    }
    return before * each;
}

Meeting RunnerKnockout::meeting_of(const TieState& tie, int encounter) const {
    Meeting meeting;
    meeting.round = std::ssize(rounds_) - 1;
    // Sides go on from game to game.
    const bool is_turned =
        (setup_.swaps_sides && setup_.games * encounter % 2 == 1) != setup_.begins_reversed;
    meeting.first = is_turned ? *tie.second : tie.first;
    meeting.second = is_turned ? tie.first : *tie.second;
    meeting.encounter = encounter;
    meeting.games = setup_.games;
    meeting.games_an_opening = games_an_opening();
    meeting.swaps_sides = setup_.swaps_sides;
    meeting.games_before = encounter * setup_.games;
    meeting.opening = first_opening_of(tie) + meeting.games_before / meeting.games_an_opening;
    return meeting;
}

std::optional<Meeting> RunnerKnockout::next() {
    for (TieState& tie : rounds_.back()) {
        if (!tie.lacking.empty()) {
            const int encounter = tie.lacking.front();
            tie.lacking.pop_front();
            ++tie.in_play;
            return meeting_of(tie, encounter);
        }
        if (!needs_more(tie)) continue;
        ++tie.in_play;
        return meeting_of(tie, tie.begun++);
    }
    return std::nullopt;
}

void RunnerKnockout::finished(const MeetingResult& result) {
    const MeetingKey key = result.key();
    for (TieState& tie : rounds_.back()) {
        const bool is_it = tie.second && key.low == std::min(tie.first, *tie.second) &&
                           key.high == std::max(tie.first, *tie.second);
        if (!is_it) continue;
        --tie.in_play;
        count(tie, result);
        try_next_round();
        return;
    }
    ASSAY_CHECK(false);
}

bool RunnerKnockout::is_over() const {
    return winner().has_value();
}

std::vector<Bye> RunnerKnockout::byes() const {
    std::vector<Bye> byes;
    for (const TieState& tie : rounds_.front())
        if (!tie.second) byes.push_back({0, tie.first, 0});
    return byes;
}

std::vector<Tie> RunnerKnockout::ties() const {
    std::vector<Tie> ties;
    for (std::size_t round = 0; round < rounds_.size(); ++round) {
        for (const TieState& tie : rounds_[round]) {
            const bool is_over = !is_open(tie);
            ties.push_back({static_cast<std::int64_t>(round), tie.first, tie.second,
                            is_over ? std::optional(tie.leader()) : std::nullopt,
                            is_over && tie.is_level()});
        }
    }
    return ties;
}

std::optional<std::size_t> RunnerKnockout::winner() const {
    const std::vector<TieState>& last = rounds_.back();
    if (last.size() != 1) return std::nullopt;
    if (is_open(last.front())) return std::nullopt;
    return last.front().leader();
}

}  // namespace assay::harness
