// The rounds of a tournament are not stored: it is played again from its results. It is asked for
// its meetings one by one, and is told the result of each one that is known; what it gives out is a
// function of these results, so that it gives out what was played.
#include "reports/tournament/tournament_view.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/tournament/tournament_state.h"
#include "reports/tournament/rated_list.h"

namespace assay::reports {

namespace {

using harness::Meeting;
using harness::MeetingKey;
using harness::MeetingResult;
using harness::TournamentKind;

bool has_rounds(TournamentKind kind) {
    return kind == TournamentKind::Swiss || kind == TournamentKind::Knockout;
}

/// What is known of the rounds.
struct Replayed {
    std::vector<TournamentRound> rounds;
    std::map<MeetingKey, std::int64_t> round_of;
    std::vector<harness::Bye> byes;
    std::optional<std::size_t> winner;
    std::vector<std::size_t> out;  // who lost a tie
    std::int64_t decided = 0;      // ties of a knockout
};

void add_meeting(Replayed& replayed, const Meeting& meeting,
                 const harness::PlayedMeetings& counts) {
    const auto index = static_cast<std::size_t>(meeting.round);
    while (replayed.rounds.size() <= index) {
        replayed.rounds.emplace_back();
        replayed.rounds.back().round = static_cast<std::int64_t>(replayed.rounds.size()) - 1;
    }
    RoundMeeting shown;
    shown.meeting = meeting;
    const auto found = counts.meetings().find(meeting.key());
    if (found != counts.meetings().end()) {
        const harness::PlayedMeetings::Played& count = found->second;
        shown.games = meeting.first == meeting.key().low ? count.games : count.games.mirrored();
        shown.is_complete = count.pairs >= meeting.openings;
    }
    replayed.rounds[index].meetings.push_back(shown);
}

/// Place of a program in the list; nullopt: it is left out.
std::optional<std::size_t> place_in(const harness::TournamentSetup& setup, std::size_t program) {
    const auto found = std::ranges::find(setup.programs, program);
    if (found == setup.programs.end()) return std::nullopt;
    return static_cast<std::size_t>(found - setup.programs.begin());
}

/// Whether both programs still play, so that the tournament gives the meeting out again.
bool is_known(const harness::TournamentSetup& setup, const MeetingKey& key) {
    return place_in(setup, key.low) && place_in(setup, key.high);
}

Replayed replayed_rounds(const harness::TournamentSetup& setup,
                         const harness::PlayedMeetings& counts) {
    Replayed replayed;
    const auto tournament = harness::make_tournament(setup, {});
    const bool shows_rounds = has_rounds(setup.kind);
    const auto known = static_cast<std::size_t>(std::ranges::count_if(
        counts.meetings(),
        [&setup](const auto& meeting) { return is_known(setup, meeting.first); }));
    while (shows_rounds || replayed.round_of.size() < known) {
        const std::optional<Meeting> meeting = tournament->next();
        if (!meeting) break;
        if (counts.meetings().contains(meeting->key()))
            replayed.round_of[meeting->key()] = meeting->round;
        if (!shows_rounds) continue;
        add_meeting(replayed, *meeting, counts);
        const RoundMeeting& last =
            replayed.rounds[static_cast<std::size_t>(meeting->round)].meetings.back();
        if (!last.is_complete) continue;
        tournament->finished(
            {meeting->first, meeting->second, meeting->encounter, last.games, meeting->round});
    }
    replayed.byes = tournament->byes();
    for (const harness::Bye& bye : replayed.byes) {
        const auto round = static_cast<std::size_t>(bye.round);
        if (round < replayed.rounds.size()) replayed.rounds[round].byes.push_back(bye);
    }
    replayed.winner = tournament->winner();
    for (const harness::Tie& tie : tournament->ties()) {
        if (!tie.winner) continue;
        if (const auto loser = tie.loser()) {
            ++replayed.decided;
            replayed.out.push_back(*loser);
        }
        const auto round = static_cast<std::size_t>(tie.round);
        if (round < replayed.rounds.size()) replayed.rounds[round].went_on.push_back(*tie.winner);
    }
    return replayed;
}

std::vector<MeetingResult> results_of(const harness::PlayedMeetings& counts,
                                      const Replayed& replayed) {
    std::vector<MeetingResult> results;
    for (const auto& [key, count] : counts.meetings()) {
        const auto round = replayed.round_of.find(key);
        results.push_back({key.low, key.high, key.encounter, count.games,
                           round == replayed.round_of.end() ? 0 : round->second});
    }
    return results;
}

/// Ratings of the programs that have games.
void add_ratings(TournamentView& view, const harness::PlayedMeetings& counts) {
    std::vector<stats::RatedPairs> pairs = counts.rated();
    std::vector<stats::RatedGames> singles = counts.rated_singles();
    if (pairs.empty() && singles.empty()) return;
    std::set<std::size_t> met;
    for (const stats::RatedPairs& row : pairs) met.insert({row.first, row.second});
    for (const stats::RatedGames& row : singles) met.insert({row.first, row.second});
    view.rated.assign(met.begin(), met.end());
    const auto place_of = [&view](std::size_t program) {
        return static_cast<std::size_t>(std::ranges::lower_bound(view.rated, program) -
                                        view.rated.begin());
    };
    const auto renumber = [&place_of](auto& row) {
        row.first = place_of(row.first);
        row.second = place_of(row.second);
    };
    std::ranges::for_each(pairs, renumber);
    std::ranges::for_each(singles, renumber);
    view.ratings.emplace(view.rated.size(), singles, pairs, stats::RatingSettings());
    view.first_move = view.ratings->first_move();
    view.equal_draws = view.ratings->draw_rate();
}

/// Place of a program in the ratings.
std::optional<std::size_t> rated_place(const TournamentView& view, std::size_t program) {
    const auto found = std::ranges::lower_bound(view.rated, program);
    if (found == view.rated.end() || *found != program) return std::nullopt;
    return static_cast<std::size_t>(found - view.rated.begin());
}

/// Which orders the ratings show.
void add_orders(TournamentView& view) {
    if (!view.ratings) return;
    const stats::RatingTable& table = *view.ratings;
    const ShownOrders orders = shown_orders(table);
    view.orders = static_cast<std::int64_t>(orders.shown);
    view.all_orders = static_cast<std::int64_t>(orders.all);
    // Nothing is known of a program without games.
    const bool is_all = view.rated.size() == view.rows.size();
    std::optional<std::size_t> above;
    for (std::size_t row = 0; row < view.rows.size(); ++row) {
        const auto place = rated_place(view, view.rows[row].standing.program);
        if (place && is_all && is_strongest(table, *place)) view.strongest = row;
        if (place && above) {
            const stats::RatingDifference next = table.difference(*above, *place);
            if (next.is_comparable) view.rows[row - 1].los_to_next = next.los;
        }
        above = place;
    }
}

std::string names_text(const TournamentView& view, const std::vector<std::size_t>& places) {
    constexpr std::size_t kMostNames = 8;
    std::string text;
    for (std::size_t i = 0; i < places.size() && i < kMostNames; ++i) {
        text += (i == 0 ? "" : ", ") + printable_utf8(view.names[view.rated[places[i]]]);
    }
    if (places.size() > kMostNames) text += fmt::format(" and {} more", places.size() - kMostNames);
    return text;
}

/// "a 2, b 1": the losses of each program that the harness caused, most first.
std::string harness_losses_text(const TournamentView& view, const harness::PlayedMeetings& counts) {
    constexpr std::size_t kMostNames = 8;
    std::vector<std::pair<std::int64_t, std::string>> losses;
    for (std::size_t program = 0; program < view.names.size(); ++program)
        if (const std::int64_t count = counts.harness_losses(program); count > 0)
            losses.emplace_back(count, printable_utf8(view.names[program]));
    std::ranges::stable_sort(losses, std::greater{}, &std::pair<std::int64_t, std::string>::first);
    std::string text;
    for (std::size_t i = 0; i < losses.size() && i < kMostNames; ++i)
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", losses[i].second, losses[i].first);
    if (losses.size() > kMostNames) text += fmt::format(" and {} more", losses.size() - kMostNames);
    return text;
}

void add_warnings(TournamentView& view, const harness::PlayedMeetings& counts) {
    if (counts.harness_losses() > 0)
        view.warnings.push_back(fmt::format(
            "{} lost on time because the harness was late ({}): the machine is too busy for "
            "these clocks, and points and ratings are not to be trusted.",
            counted(counts.harness_losses(), "game was", "games were"),
            harness_losses_text(view, counts)));
    if (!view.ratings) return;
    const auto& components = view.ratings->connection().components();
    for (std::size_t i = 1; i < components.size(); ++i) {
        view.warnings.push_back(
            fmt::format("No chain of games connects {} with the others: ratings of the groups "
                        "cannot be compared.",
                        names_text(view, components[i])));
    }
    for (std::size_t i = 0; i < components.size(); ++i) {
        if (!view.ratings->has_prior(i)) continue;
        view.warnings.push_back(fmt::format(
            "The results among {} are {}, so that the ratings rest on half a win and half a "
            "loss that were added for each.",
            names_text(view, components[i]), prior_cause(*view.ratings, i)));
    }
    if (view.ratings->has_first_move_prior())
        view.warnings.emplace_back(
            "The first player's advantage does not follow from these games alone: half a game that "
            "it won and half a game that it lost were added.");
}

/// How far it is, and how long the rest takes.
void add_progress(TournamentView& view, const TournamentInput& input,
                  const harness::PlayedMeetings& counts, const Replayed& replayed) {
    view.single_games = counts.single_games();
    view.pairs = counts.pairs() - view.single_games;
    std::int64_t complete = 0;
    std::int64_t began = 0;  // pairs of meetings that are not complete
    for (const auto& [key, count] : counts.meetings()) {
        if (!is_known(input.setup, key)) continue;
        if (count.pairs >= input.setup.size().at(key.encounter)) {
            ++complete;
        } else {
            began += count.pairs;
        }
    }
    const bool is_knockout = view.kind == TournamentKind::Knockout;
    view.done = is_knockout ? replayed.decided : complete;
    view.all = is_knockout ? static_cast<std::int64_t>(input.setup.programs.size()) - 1
                           : harness::make_tournament(input.setup, {})->meetings();
    if (!view.all || input.is_over || !input.us_per_pair) return;
    const std::int64_t left = (*view.all - view.done) * input.setup.openings - began;
    if (left > 0)
        view.left =
            Micros(static_cast<std::int64_t>(*input.us_per_pair * static_cast<double>(left)));
}

}  // namespace

std::optional<double> TournamentRow::score() const {
    if (games() == 0) return std::nullopt;
    return (static_cast<double>(standing.games.wins) +
            0.5 * static_cast<double>(standing.games.draws)) /
           static_cast<double>(games());
}

std::optional<double> TournamentView::draw_rate() const {
    if (games() == 0) return std::nullopt;
    return static_cast<double>(first_player.draws) / static_cast<double>(games());
}

harness::Failures TournamentView::failures() const {
    harness::Failures sum;
    for (const TournamentRow& row : rows) sum += row.failures;
    return sum;
}

std::string TournamentView::round_text(std::size_t low, std::size_t high, std::int64_t pair,
                                       int game) const {
    const harness::PlaceOfPair place = harness::place_of(pair, openings);
    const auto found = round_of.find({low, high, place.encounter});
    if (found == round_of.end()) return "?";
    // The replays of a tie are in one round, so that their games go on counting.
    const std::int64_t before = kind == TournamentKind::Knockout ? pair : place.opening;
    return fmt::format("{}.{}", found->second + 1, games_an_opening * before + game + 1);
}

TournamentView tournament_view(const TournamentInput& input,
                               const harness::PlayedMeetings& counts) {
    TournamentView view;
    view.name = input.name;
    view.kind = input.setup.kind;
    view.first_side = input.first_side;
    view.is_over = input.is_over;
    view.names = input.names;
    for (const harness::TieBreak one : harness::usual_tie_breaks(view.kind)) {
        const bool is_elsewhere = one == harness::TieBreak::Wins ||
                                  one == harness::TieBreak::LastRound ||
                                  one == harness::TieBreak::Share;
        if (!is_elsewhere) view.tie_breaks.push_back(one);
    }
    Replayed replayed = replayed_rounds(input.setup, counts);
    add_ratings(view, counts);

    harness::StandingsInput standings;
    standings.programs = input.setup.programs;
    for (const std::size_t program : view.rated) {
        if (!place_in(input.setup, program)) standings.programs.push_back(program);
    }
    standings.results = results_of(counts, replayed);
    standings.byes =
        harness::counted_byes(input.setup, std::ssize(counts.complete()), replayed.byes);
    standings.winner = replayed.winner;
    standings.out = replayed.out;
    standings.tie_breaks = harness::usual_tie_breaks(view.kind);
    for (std::size_t place = 0; place < view.rated.size(); ++place)
        standings.ratings[view.rated[place]] = view.ratings->ratings()[place].elo;
    for (const harness::StandingRow& standing : harness::standings_of(standings)) {
        TournamentRow row;
        row.name = input.names.at(standing.program);
        if (standing.program < input.versions.size())
            row.version = input.versions[standing.program];
        row.standing = standing;
        row.sides = counts.sides(standing.program);
        row.failures = counts.failures(standing.program);
        const auto entrant = place_in(input.setup, standing.program);
        row.is_left_out = !entrant;
        row.is_seed =
            view.kind == TournamentKind::Gauntlet && entrant && *entrant < input.setup.seeds;
        if (const auto place = rated_place(view, standing.program))
            row.rating = view.ratings->ratings()[*place];
        if (replayed.winner == standing.program) view.winner = view.rows.size();
        view.rows.push_back(std::move(row));
    }
    view.crosstable = harness::Crosstable(standings.results);
    view.openings = input.setup.openings;
    view.games_an_opening = input.setup.games;
    view.first_player = counts.first_player();
    add_progress(view, input, counts, replayed);
    view.rounds = std::move(replayed.rounds);
    view.round_of = std::move(replayed.round_of);
    add_orders(view);
    add_warnings(view, counts);
    return view;
}

}  // namespace assay::reports
