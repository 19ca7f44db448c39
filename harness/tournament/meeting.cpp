// Sums pairs up to meetings, by the two programs and the encounter, in whatever order they come:
// the store has them by match, a session as they end. A meeting is complete when as many pairs are
// there as its size says. Counts by side and failures are kept beside them, for standings and
// reports, so that these need no second pass over all pairs.
#include "harness/tournament/meeting.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace assay::harness {

namespace {

/// `half_points`: 0 lost, 1 drawn, 2 won.
void count_result(stats::Wdl& counts, int half_points) {
    ++(half_points == 2 ? counts.wins : half_points == 1 ? counts.draws : counts.losses);
}

MeetingKey key_of(std::size_t first, std::size_t second, int encounter) {
    return {std::min(first, second), std::max(first, second), encounter};
}

}  // namespace

MeetingKey Meeting::key() const {
    return key_of(first, second, encounter);
}

MeetingKey MeetingResult::key() const {
    return key_of(first, second, encounter);
}

std::int64_t MeetingResult::half_points(std::size_t program) const {
    ASSAY_CHECK(program == first || program == second);
    return 2 * (program == first ? games.wins : games.losses) + games.draws;
}

std::size_t MeetingResult::opponent_of(std::size_t program) const {
    ASSAY_CHECK(program == first || program == second);
    return program == first ? second : first;
}

void MeetingResult::set_meeting(const Meeting& meeting) {
    ASSAY_CHECK(key() == meeting.key());
    round = meeting.round;
    // Sums are from the view of the program with the lower number; a schedule names the one that
    // has the first move.
    if (first == meeting.first) return;
    std::swap(first, second);
    std::swap(games.wins, games.losses);
}

std::optional<MeetingResult> PlayedMeetings::add(std::size_t low, std::size_t high,
                                                 const PairDigest& pair) {
    const MeetingKey key{low, high, place_of(pair.pair, size_.openings).encounter};
    Played& played = meetings_[key];
    ++played.pairs;
    ++pairs_;
    single_games_ += pair.is_single ? 1 : 0;
    programs_.resize(std::max(programs_.size(), high + 1));
    for (const GameDigest& game : pair.played()) {
        const stats::ListedGame listed = listed_game(game, {low, high});
        count_result(played.games, half_points(game, 0));
        count_result(first_player_, listed.half_points);
        count_result(programs_[listed.first].sides.first, listed.half_points);
        count_result(programs_[listed.second].sides.second, 2 - listed.half_points);
        add_failure(low, high, game);
        if (!game.harness_caused) continue;
        ++harness_losses_;
        const int loser = game.guilty < 0 ? 0 : game.program[static_cast<std::size_t>(game.guilty)];
        ++programs_[loser == 0 ? low : high].harness_losses;
    }
    if (pair.is_single)
        rated_.add(listed_game(pair.games[0], {low, high}));
    else
        rated_.add(listed_game(pair.games[0], {low, high}),
                   listed_game(pair.games[1], {low, high}));
    if (played.pairs != size_.at(key.encounter)) return std::nullopt;
    return result_of(key, played);
}

void PlayedMeetings::add_failure(std::size_t low, std::size_t high, const GameDigest& game) {
    std::array<Failures, 2> failures{};
    count_failure(failures, game);
    programs_.resize(std::max(programs_.size(), high + 1));
    programs_[low].failures += failures[0];
    programs_[high].failures += failures[1];
}

void PlayedMeetings::add_faults(std::size_t program, const FaultsBetweenGames& faults) {
    programs_.resize(std::max(programs_.size(), program + 1));
    programs_[program].failures.crashes += faults.crashes;
    programs_[program].failures.stalls += faults.stalls;
}

PlayedMeetings::BySide PlayedMeetings::sides(std::size_t program) const {
    return program < programs_.size() ? programs_[program].sides : BySide{};
}

Failures PlayedMeetings::failures(std::size_t program) const {
    return program < programs_.size() ? programs_[program].failures : Failures{};
}

std::int64_t PlayedMeetings::harness_losses(std::size_t program) const {
    return program < programs_.size() ? programs_[program].harness_losses : 0;
}

MeetingResult PlayedMeetings::result_of(const MeetingKey& key, const Played& played) {
    return {key.low, key.high, key.encounter, played.games, 0};
}

std::vector<MeetingResult> PlayedMeetings::complete() const {
    std::vector<MeetingResult> results;
    for (const auto& [key, played] : meetings_) {
        if (played.pairs == size_.at(key.encounter)) results.push_back(result_of(key, played));
    }
    return results;
}

std::vector<MeetingResult> PlayedMeetings::begun() const {
    std::vector<MeetingResult> results;
    for (const auto& [key, played] : meetings_) results.push_back(result_of(key, played));
    return results;
}

}  // namespace assay::harness
