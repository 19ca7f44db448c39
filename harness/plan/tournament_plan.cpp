#include "harness/plan/tournament_plan.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/check.h"
#include "base/enum_names.h"

namespace assay::harness {

namespace {

constexpr auto kKinds = enum_names<TournamentKind>("round_robin", "gauntlet", "pyramid",
                                                   "least_played", "knockout", "swiss");

/// How many meetings two programs can have; 0: they do not meet, or results decide.
std::int64_t meetings_of(const TournamentPlan& plan, std::size_t low, std::size_t high) {
    const auto is_out = [&plan](std::size_t program) {
        return std::ranges::binary_search(plan.left_out, program);
    };
    if (is_out(low) || is_out(high)) return 0;
    // The seeds are the first of those that play.
    const auto is_seed = [&plan](std::size_t program) {
        const auto before = std::ranges::lower_bound(plan.left_out, program);
        return program - static_cast<std::size_t>(before - plan.left_out.begin()) < plan.seeds;
    };
    switch (plan.kind) {
        case TournamentKind::RoundRobin:
        case TournamentKind::Pyramid:
        case TournamentKind::LeastPlayed:
            return plan.rounds;
        case TournamentKind::Gauntlet:
            // The seeds of fastchess meet, and cutechess-cli has one whatever it is told.
            if (plan.order == PairingOrder::Fastchess) return is_seed(low) ? plan.rounds : 0;
            if (plan.order == PairingOrder::Cutechess) return low == 0 ? plan.rounds : 0;
            return is_seed(low) && !is_seed(high) ? plan.rounds : 0;
        case TournamentKind::Knockout:
        case TournamentKind::Swiss:
            break;
    }
    return 0;
}

/// The first rounds of a knockout and of a swiss that says nothing else.
std::int64_t rounds_of_halves(std::size_t programs) {
    return static_cast<std::int64_t>(std::bit_width(programs - 1));
}

std::int64_t swiss_rounds(const RunPlan& plan) {
    return plan.tournament->rounds > 0 ? plan.tournament->rounds
                                       : rounds_of_halves(entrants_of(plan).size());
}

/// That a tie of a knockout can come to.
std::int64_t openings_of_tie(const TournamentPlan& plan) {
    return std::int64_t{plan.replays + 1} * plan.openings + (plan.armageddon ? 1 : 0);
}

/// One more than the highest index in the book that a knockout can come to.
std::int64_t openings_of_knockout(const RunPlan& plan) {
    const TournamentPlan& tournament = *plan.tournament;
    const std::int64_t rounds = rounds_of_halves(entrants_of(plan).size());
    const std::int64_t last_block = tournament.policy == OpeningPolicy::Encounter
                                        ? (std::int64_t{1} << rounds) - 2  // the final's tie
                                        : rounds - 1;
    // Knockout::meeting_of() reserves so many for each.
    return (last_block + 1) * openings_of_tie(tournament);
}

/// One more than the highest index in the book of all meetings; 0: results decide.
std::int64_t openings_of(const RunPlan& plan) {
    const TournamentPlan& tournament = *plan.tournament;
    // fastchess takes as many openings from the book as there are rounds.
    if (tournament.order == PairingOrder::Fastchess) return tournament.rounds;
    if (tournament.order == PairingOrder::Cutechess) return 0;
    if (tournament.kind == TournamentKind::Knockout) return openings_of_knockout(plan);
    if (tournament.kind == TournamentKind::Swiss)
        return tournament.policy == OpeningPolicy::Encounter
                   ? 0
                   : swiss_rounds(plan) * tournament.openings;
    if (tournament.policy == OpeningPolicy::Cycle)
        return std::int64_t{tournament.rounds} * tournament.openings;
    if (tournament.policy == OpeningPolicy::Round) return 0;
    if (tournament.kind == TournamentKind::Gauntlet) {
        std::int64_t all = 0;
        for (const MatchPlan& match : plan.matches) all += match.pairs;
        return all;
    }
    // Those of programs that are left out by now stay theirs.
    return static_cast<std::int64_t>(couple_of(0, plan.programs.size())) * tournament.rounds *
           tournament.openings;
}

}  // namespace

std::string_view name_of(TournamentKind kind) {
    return kKinds.of(kind);
}

std::optional<TournamentKind> tournament_kind_of(std::string_view name) {
    return kKinds.find(name);
}

std::string_view name_of(OpeningPolicy policy) {
    return enum_names<OpeningPolicy>("cycle", "round", "encounter").of(policy);
}

std::string_view name_of(Seeding seeding) {
    return enum_names<Seeding>("list", "lot").of(seeding);
}

std::string_view name_of(PairingOrder order) {
    return enum_names<PairingOrder>("own", "fastchess", "cutechess").of(order);
}

bool is_left_out(const RunPlan& plan, std::size_t program) {
    return plan.tournament && std::ranges::binary_search(plan.tournament->left_out, program);
}

std::vector<std::size_t> entrants_of(const RunPlan& plan) {
    ASSAY_CHECK(plan.tournament.has_value());
    std::vector<std::size_t> entrants;
    for (std::size_t program = 0; program < plan.programs.size(); ++program) {
        if (!is_left_out(plan, program)) entrants.push_back(program);
    }
    return entrants;
}

std::vector<MatchPlan> distinct_matches(const RunPlan& plan) {
    if (!plan.tournament) return plan.matches;
    MatchPlan match = plan.matches.front();
    match.name = plan.name;
    match.pairs = openings_of(plan);
    return {match};
}

std::int64_t least_pairs_of(const RunPlan& plan) {
    ASSAY_CHECK(plan.tournament.has_value());
    const auto entrants = static_cast<std::int64_t>(entrants_of(plan).size());
    const TournamentPlan& tournament = *plan.tournament;
    if (tournament.kind == TournamentKind::Knockout)
        return (entrants - 1) * (tournament.order == PairingOrder::Own
                                     ? tournament.openings
                                     : tournament.games_an_encounter / tournament.games);
    if (plan.tournament->kind == TournamentKind::Swiss)
        return swiss_rounds(plan) * (entrants / 2) * plan.tournament->openings;
    std::int64_t pairs = 0;
    for (const MatchPlan& match : plan.matches) pairs += match.pairs;
    return pairs;
}

std::optional<RunPlan> with_programs(const RunPlan& before, const RunPlan& now) {
    ASSAY_CHECK(before.tournament.has_value() && now.tournament.has_value());
    RunPlan merged = now;
    merged.programs = before.programs;
    TournamentPlan& tournament = *merged.tournament;
    tournament.time = before.tournament->time;
    tournament.left_out.clear();
    std::vector<bool> is_known(now.programs.size());
    for (std::size_t i = 0; i < before.programs.size(); ++i) {
        const auto found =
            std::ranges::find(now.programs, before.programs[i].name, &ProgramPlan::name);
        if (found == now.programs.end()) {
            tournament.left_out.push_back(i);
            continue;
        }
        const auto place = static_cast<std::size_t>(found - now.programs.begin());
        is_known[place] = true;
        merged.programs[i] = *found;
        tournament.time[i] = now.tournament->time[place];
    }
    for (std::size_t i = 0; i < now.programs.size(); ++i) {
        if (is_known[i]) continue;
        merged.programs.push_back(now.programs[i]);
        tournament.time.push_back(now.tournament->time[i]);
    }
    if (merged.programs.size() > kMostEntrants) return std::nullopt;
    expand_tournament(merged);
    return merged;
}

bool is_same_tournament(const RunPlan& before, const RunPlan& now) {
    const auto without_programs = [&now](RunPlan plan) {
        if (!now.seed) plan.seed.reset();
        plan.programs.clear();
        plan.matches.clear();
        plan.tournament->left_out.clear();
        plan.tournament->time.clear();
        plan.tournament->require.clear();  // what is asked changes no game
        return plan;
    };
    const std::size_t both = std::min(before.programs.size(), now.programs.size());
    return std::equal(before.programs.begin(), before.programs.begin() + std::ptrdiff_t(both),
                      now.programs.begin()) &&
           std::equal(before.tournament->time.begin(),
                      before.tournament->time.begin() + std::ptrdiff_t(both),
                      now.tournament->time.begin()) &&
           without_programs(before) == without_programs(now);
}

bool is_armageddon(const RunPlan& plan, std::int64_t pair) {
    if (!plan.tournament || !plan.tournament->armageddon) return false;
    return pair == std::int64_t{plan.tournament->openings} * (plan.tournament->replays + 1);
}

void expand_tournament(RunPlan& plan) {
    ASSAY_CHECK(plan.tournament.has_value());
    const TournamentPlan& tournament = *plan.tournament;
    const std::size_t programs = plan.programs.size();
    ASSAY_CHECK(programs >= 2 && programs <= kMostEntrants);
    ASSAY_CHECK(tournament.time.size() == programs);
    plan.matches.clear();
    plan.matches.reserve(couple_of(0, programs));
    for (std::size_t high = 1; high < programs; ++high) {
        for (std::size_t low = 0; low < high; ++low) {
            MatchPlan match = tournament.match;
            match.name = fmt::format("{} - {}", plan.programs[low].name, plan.programs[high].name);
            match.between = {low, high};
            match.time = {tournament.time[low], tournament.time[high]};
            match.pairs = meetings_of(tournament, low, high) * tournament.openings;
            // All games count for a place, those too that repeat earlier ones.
            match.deterministic = false;
            match.runner.counts_as_they_end = true;
            plan.matches.push_back(std::move(match));
        }
    }
}

}  // namespace assay::harness
