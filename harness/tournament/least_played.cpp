// The couples are passed in their fixed order again and again. `level_` is the least number of
// games of all couples when a pass begins, and a pass gives out whoever has no more. Numbers of
// games only grow, so that whoever is passed stays above the level, and a pass costs one step a
// couple however many meetings it gives out.
#include "harness/tournament/least_played.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/check.h"
#include "harness/rounds/rounds.h"

namespace assay::harness {

LeastPlayed::LeastPlayed(const TournamentSetup& setup, const std::vector<MeetingResult>& played)
    : setup_(setup) {
    const auto rounds = round_robin_rounds(setup_.programs.size());
    for (std::int64_t round = 0; round < rounds->count(); ++round) {
        for (const Opponents& two : rounds->at(round)) {
            couples_.push_back({setup_.programs[two.first], setup_.programs[two.second]});
        }
    }
    std::map<MeetingKey, std::int64_t> games;
    for (const MeetingResult& result : played) games[result.key()] = result.games.games();
    for (Couple& couple : couples_) {
        const MeetingKey from{std::min(couple.first, couple.second),
                              std::max(couple.first, couple.second), 0};
        MeetingKey to = from;
        to.encounter = std::numeric_limits<int>::max();
        const auto end = games.upper_bound(to);
        for (auto at = games.lower_bound(from); at != end; ++at) {
            couple.games += at->second;
            couple.played.insert(at->first.encounter);
        }
        while (couple.played.erase(couple.encounter) > 0) ++couple.encounter;
    }
    place_ = couples_.size();  // a pass begins
}

bool LeastPlayed::is_wanted(const Couple& couple) const {
    return setup_.rounds == 0 || couple.encounter < setup_.rounds;
}

LeastPlayed::Couple* LeastPlayed::least() {
    for (; place_ < couples_.size(); ++place_) {
        Couple& couple = couples_[place_];
        if (couple.games <= level_ && is_wanted(couple)) return &couple;
    }
    const Couple* fewest = nullptr;
    for (const Couple& couple : couples_) {
        if (is_wanted(couple) && (fewest == nullptr || couple.games < fewest->games)) {
            fewest = &couple;
        }
    }
    if (fewest == nullptr) return nullptr;
    level_ = fewest->games;
    place_ = 0;
    return least();
}

Meeting LeastPlayed::give_out(Couple& couple) {
    Meeting meeting;
    meeting.round = couple.encounter;
    meeting.first = couple.first;
    meeting.second = couple.second;
    if (couple.encounter % 2 == 1) std::swap(meeting.first, meeting.second);
    meeting.encounter = couple.encounter;
    meeting.openings = setup_.openings;
    meeting.games = setup_.games;
    // A function of the two programs and their encounter, so that a resumed tournament has it
    // again, and so has one that programs were added to.
    const std::int64_t block = setup_.policy == OpeningPolicy::Encounter
                                   ? own_openings_of(setup_, meeting.key())
                                   : std::int64_t{couple.encounter};
    meeting.opening = block * setup_.openings;
    couple.games += std::int64_t{setup_.openings} * setup_.games;
    ++couple.encounter;
    while (couple.played.erase(couple.encounter) > 0) ++couple.encounter;
    return meeting;
}

std::optional<Meeting> LeastPlayed::next() {
    Couple* const couple = least();
    if (couple == nullptr) return std::nullopt;
    ++in_play_;
    return give_out(*couple);
}

void LeastPlayed::finished(const MeetingResult& /*result*/) {
    ASSAY_CHECK(in_play_ > 0);
    --in_play_;
}

bool LeastPlayed::is_over() const {
    return in_play_ == 0 && std::none_of(couples_.begin(), couples_.end(),
                                         [this](const Couple& c) { return is_wanted(c); });
}

std::optional<std::int64_t> LeastPlayed::meetings() const {
    if (setup_.rounds == 0) return std::nullopt;
    return static_cast<std::int64_t>(couples_.size()) * setup_.rounds;
}

}  // namespace assay::harness
