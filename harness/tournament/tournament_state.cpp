// The state of a tournament from its stored pairs alone, the same for a session and for a report.
// Results do not say in which round they were played; the schedule is gone through again with them,
// as a session would do it, and says so. That costs one pass over the meetings, and cannot disagree
// with what was played.
#include "harness/tournament/tournament_state.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/check.h"
#include "harness/plan/tournament_plan.h"

namespace assay::harness {

namespace {

/// Results say which round they were played in once the schedule has been gone through again.
/// Returns how many complete ones it asks for.
std::int64_t set_rounds(const TournamentSetup& setup, const PlayedMeetings& played,
                        std::vector<MeetingResult>& results) {
    const std::set<std::size_t> programs(setup.programs.begin(), setup.programs.end());
    std::map<MeetingKey, MeetingResult*> waiting;
    for (MeetingResult& result : results) {
        if (programs.contains(result.first) && programs.contains(result.second))
            waiting[result.key()] = &result;
    }
    std::set<MeetingKey> complete;
    for (const MeetingResult& result : played.complete()) complete.insert(result.key());
    const auto tournament = make_tournament(setup, {});
    std::int64_t asked = 0;
    while (!waiting.empty()) {
        const std::optional<Meeting> meeting = tournament->next();
        if (!meeting) return asked;
        const auto found = waiting.find(meeting->key());
        if (found == waiting.end()) continue;
        MeetingResult& result = *found->second;
        result.set_meeting(*meeting);
        if (complete.contains(meeting->key())) {
            ++asked;
            tournament->finished(result);
        }
        waiting.erase(found);
    }
    return asked;
}

}  // namespace

TournamentSetup setup_of(const RunPlan& plan) {
    ASSAY_CHECK(plan.tournament.has_value());
    const TournamentPlan& tournament = *plan.tournament;
    TournamentSetup setup;
    setup.kind = tournament.kind;
    setup.programs = entrants_of(plan);
    setup.rounds = tournament.rounds;
    setup.openings = tournament.openings;
    setup.policy = tournament.policy;
    setup.seeding = tournament.seeding;
    setup.seed = plan.seed.value_or(1);
    setup.seeds = tournament.seeds;
    setup.replays = tournament.replays;
    setup.games = tournament.games;
    setup.has_armageddon = tournament.armageddon;
    setup.order = tournament.order;
    setup.swaps_sides = tournament.match.runner.swaps_sides;
    setup.begins_reversed = tournament.match.runner.begins_reversed;
    setup.games_an_opening = tournament.games_an_opening;
    setup.games_an_encounter = tournament.games_an_encounter;
    return setup;
}

TournamentState tournament_state(const RunPlan& plan, const PlayedMeetings& played) {
    TournamentState state;
    state.setup = setup_of(plan);
    state.results = played.begun();
    state.played = played;
    const std::vector<MeetingResult> complete = played.complete();
    const auto tournament = make_tournament(state.setup, complete);
    state.byes = tournament->byes();
    state.winner = tournament->winner();
    for (const Tie& tie : tournament->ties())
        if (const auto loser = tie.loser()) state.out.push_back(*loser);
    state.meetings = tournament->meetings();
    state.is_over = tournament->is_over();
    state.complete = set_rounds(state.setup, played, state.results);
    return state;
}

TournamentState tournament_state(const Store& store, const RunRecord& run) {
    ASSAY_CHECK(run.plan.tournament.has_value());
    PlayedMeetings played(setup_of(run.plan).size());
    for (const std::size_t match : store.begun_matches(run.id)) {
        const auto [low, high] = run.plan.matches.at(match).between;
        for (const PairDigest& pair : store.pairs(run.id, match)) {
            if (!is_replaced(pair.state)) (void)played.add(low, high, pair);
        }
        for (const GameRecord& game : store.half_pairs(run.id, match))
            played.add_failure(low, high, digest_of(game));
        const std::vector<FaultsBetweenGames> faults = store.meters(run.id, match).between_games;
        for (std::size_t i = 0; i < std::min<std::size_t>(2, faults.size()); ++i)
            played.add_faults(i == 0 ? low : high, faults[i]);
    }
    return tournament_state(run.plan, played);
}

std::vector<Bye> counted_byes(const TournamentSetup& setup, std::int64_t complete,
                              std::vector<Bye> byes) {
    if (setup.kind != TournamentKind::Swiss) return byes;
    const auto meetings_a_round = static_cast<std::int64_t>(setup.programs.size() / 2);
    std::erase_if(byes,
                  [&](const Bye& bye) { return complete < (bye.round + 1) * meetings_a_round; });
    return byes;
}

std::vector<StandingRow> standings_of(const TournamentState& state) {
    StandingsInput input;
    input.programs = state.setup.programs;
    for (const MeetingResult& result : state.results) {
        for (const std::size_t program : {result.first, result.second}) {
            if (std::ranges::find(input.programs, program) == input.programs.end())
                input.programs.push_back(program);
        }
    }
    input.results = state.results;
    input.byes = counted_byes(state.setup, state.complete, state.byes);
    input.winner = state.winner;
    input.out = state.out;
    input.tie_breaks = usual_tie_breaks(state.setup.kind);
    return standings_of(input);
}

}  // namespace assay::harness
