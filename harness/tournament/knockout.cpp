// The bracket is a row of ties: those of the first round, then half as many, up to the final. The
// winner of tie i of a round enters tie i / 2 of the next one. The seeds of the first round are
// laid out by doubling: a bracket of 2 is (1, 2), and in a bracket of twice the size each seed s
// gets 2 * size + 1 - s as its opponent. So the best seed meets the worst one, and the best half of
// the seeds meets only in the second round. Seeds that do not exist are byes, and as they are the
// worst ones, the best seeds have them.
#include "harness/tournament/knockout.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/random.h"

namespace assay::harness {

namespace {

/// Seeds, from 0, in the order of the first round: places 2i and 2i + 1 meet.
std::vector<std::size_t> layout(std::size_t bracket) {
    std::vector<std::size_t> seeds{0};
    while (seeds.size() < bracket) {
        const std::size_t size = 2 * seeds.size();
        std::vector<std::size_t> wider;
        for (const std::size_t seed : seeds) {
            wider.push_back(seed);
            wider.push_back(size - 1 - seed);
        }
        seeds = std::move(wider);
    }
    return seeds;
}

}  // namespace

Knockout::Knockout(const TournamentSetup& setup, const std::vector<MeetingResult>& played)
    : setup_(setup), programs_(seeded_programs(setup)) {
    while (bracket_ < programs_.size()) {
        bracket_ *= 2;
        ++rounds_;
    }
    ties_.resize(bracket_ - 1);
    for (const MeetingResult& result : played) played_[result.key()] = result;
    const std::vector<std::size_t> seeds = layout(bracket_);
    for (std::size_t place = 0; place < bracket_ / 2; ++place) {
        for (const std::size_t seed : {seeds[2 * place], seeds[2 * place + 1]}) {
            if (seed < programs_.size()) enter(0, place, seed);
        }
    }
    // Nobody has entered against those, and nobody will.
    for (std::size_t place = 0; place < bracket_ / 2; ++place) {
        Place& tie = ties_[place];
        if (tie.worse) continue;
        tie.winner = tie.better;
        if (rounds_ > 1) enter(1, place / 2, *tie.winner);
    }
}

std::size_t Knockout::index_of(std::size_t round, std::size_t place) const {
    return bracket_ - (bracket_ >> round) + place;
}

void Knockout::enter(std::size_t round, std::size_t place, std::size_t seed) {
    Place& tie = ties_[index_of(round, place)];
    if (!tie.better) {
        tie.better = seed;
        return;
    }
    tie.worse = seed;
    if (*tie.better > *tie.worse) std::swap(tie.better, tie.worse);
    settle(round, place);
}

/// Takes up what has been played of a tie earlier.
void Knockout::settle(std::size_t round, std::size_t place) {
    Place& tie = ties_[index_of(round, place)];
    while (!tie.winner) {
        const auto found = played_.find(meeting_of(index_of(round, place)).key());
        if (found == played_.end()) return;
        judge(tie, found->second);
        played_.erase(found);
    }
    if (round + 1 < rounds_) enter(round + 1, place / 2, *tie.winner);
}

void Knockout::judge(Place& tie, const MeetingResult& result) const {
    const std::int64_t better = result.half_points(programs_[*tie.better]);
    const std::int64_t worse = result.half_points(programs_[*tie.worse]);
    tie.is_in_play = false;
    if (better != worse) {
        tie.winner = better > worse ? tie.better : tie.worse;
        return;
    }
    if (is_armageddon(tie)) {
        // Whoever had the first move had to win.
        tie.winner = has_better_first_move(tie) ? tie.worse : tie.better;
    } else if (tie.encounter == setup_.replays && !setup_.has_armageddon) {
        // The next round needs somebody: the seed stands for what the games did not show.
        tie.winner = tie.better;
    } else {
        ++tie.encounter;
    }
}

bool Knockout::is_armageddon(const Place& tie) const {
    return tie.encounter == setup_.size().armageddon;
}

/// As a rule sides change from a meeting to the next one. Of an armageddon the lot decides, which
/// the seed and the two programs draw.
bool Knockout::has_better_first_move(const Place& tie) const {
    if (!is_armageddon(tie)) return tie.encounter % 2 == 0;
    const MeetingKey key =
        MeetingResult{programs_[*tie.better], programs_[*tie.worse], 0, {}, 0}.key();
    return mix64(setup_.seed, key.couple()) % 2 == 0;
}

Meeting Knockout::meeting_of(std::size_t index) const {
    const Place& tie = ties_[index];
    std::size_t round = 0;
    while (index >= index_of(round + 1, 0)) ++round;
    Meeting meeting;
    meeting.round = static_cast<std::int64_t>(round);
    meeting.first = programs_[*tie.better];
    meeting.second = programs_[*tie.worse];
    meeting.encounter = tie.encounter;
    if (!has_better_first_move(tie)) std::swap(meeting.first, meeting.second);
    meeting.is_armageddon = is_armageddon(tie);
    meeting.openings = setup_.size().at(tie.encounter);
    meeting.games = meeting.is_armageddon ? 1 : setup_.games;
    // Openings are reserved for each replay, so that they do not depend on other ties.
    const std::int64_t block = setup_.policy == OpeningPolicy::Encounter
                                   ? static_cast<std::int64_t>(index)
                                   : meeting.round;
    const std::int64_t each =
        std::int64_t{setup_.replays + 1} * setup_.openings + (setup_.has_armageddon ? 1 : 0);
    meeting.opening = block * each + std::int64_t{tie.encounter} * setup_.openings;
    return meeting;
}

std::optional<Meeting> Knockout::next() {
    for (std::size_t index = 0; index < ties_.size(); ++index) {
        Place& tie = ties_[index];
        if (!tie.worse || tie.winner || tie.is_in_play) continue;
        tie.is_in_play = true;
        return meeting_of(index);
    }
    return std::nullopt;
}

void Knockout::finished(const MeetingResult& result) {
    bool is_known = false;
    for (std::size_t round = 0; round < rounds_; ++round) {
        const std::size_t count = bracket_ >> (round + 1);
        for (std::size_t place = 0; place < count; ++place) {
            Place& tie = ties_[index_of(round, place)];
            if (!tie.is_in_play) continue;
            const Meeting meeting = meeting_of(index_of(round, place));
            if (meeting.key() != result.key()) continue;
            played_[result.key()] = result;
            tie.is_in_play = false;
            settle(round, place);
            is_known = true;
        }
    }
    ASSAY_CHECK(is_known);
}

std::vector<Bye> Knockout::byes() const {
    std::vector<Bye> out;
    for (std::size_t place = 0; place < bracket_ / 2; ++place) {
        if (!ties_[place].worse) out.push_back({0, programs_[*ties_[place].better], 0});
    }
    return out;
}

std::vector<Tie> Knockout::ties() const {
    std::vector<Tie> out;
    const auto program = [this](const std::optional<std::size_t>& seed) {
        return seed ? std::optional(programs_[*seed]) : std::nullopt;
    };
    for (std::size_t round = 0; round < rounds_; ++round) {
        for (std::size_t index = index_of(round, 0); index < index_of(round + 1, 0); ++index) {
            const Place& tie = ties_[index];
            const bool is_bye = round == 0 && !tie.worse;
            if (!tie.better || (!tie.worse && !is_bye)) continue;
            out.push_back({static_cast<std::int64_t>(round), programs_[*tie.better],
                           program(tie.worse), program(tie.winner)});
        }
    }
    return out;
}

std::optional<std::size_t> Knockout::winner() const {
    const std::optional<std::size_t>& seed = ties_.back().winner;
    if (!seed) return std::nullopt;
    return programs_[*seed];
}

}  // namespace assay::harness
