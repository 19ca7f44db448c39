#include "reports/text/tournament_text.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/plan/tournament_plan.h"
#include "harness/tournament/standings.h"
#include "reports/text/tournament_words.h"
#include "reports/view/escape.h"
#include "reports/view/number_text.h"
#include "reports/view/run_view.h"
#include "stats/stop/rating_stop.h"

namespace assay::reports {

namespace {

using harness::TournamentKind;

std::string meetings_text(std::int64_t complete, std::optional<std::int64_t> planned) {
    return planned ? fmt::format("meetings {}/{}", grouped(complete), grouped(*planned))
                   : fmt::format("meetings {}", grouped(complete));
}

std::string time_of_tournament(const harness::RunRecord& run) {
    const std::vector<harness::TimeControl>& times = run.plan.tournament->time;
    const std::string first = harness::to_text(times.front());
    for (const harness::TimeControl& time : times) {
        if (harness::to_text(time) != first) return "a time for each program";
    }
    return first;
}

}  // namespace

std::string tournament_header(const harness::RunRecord& run, const harness::TournamentState& state,
                              const std::string& store, int concurrency) {
    const harness::TournamentPlan& plan = *run.plan.tournament;
    std::string text =
        fmt::format("{} · {} of {} · {}", printable_utf8(run.name), words_of(plan.kind),
                    grouped(static_cast<std::int64_t>(state.setup.programs.size()), "program"),
                    printable_utf8(time_of_tournament(run)));
    if (concurrency > 0) text += fmt::format(" · {} at once", grouped(concurrency, "game"));
    if (run.plan.seed) text += fmt::format(" · seed {}", *run.plan.seed);
    if (run.id > 0) text += fmt::format(" · run {} in {}", run.id, printable_utf8(store));
    text += "\n";
    if (state.meetings) {
        const std::int64_t games = *state.meetings * plan.openings * plan.games;
        text += fmt::format("{} of {} each: {}", grouped(*state.meetings, "meeting"),
                            grouped(plan.openings, plan.games == 1 ? "single game" : "pair"),
                            grouped(games, "game"));
    } else {
        text += fmt::format("meetings of {} each, {}",
                            grouped(plan.openings, plan.games == 1 ? "single game" : "pair"),
                            plan.kind == TournamentKind::LeastPlayed
                                ? "without end"
                                : "as many as the results ask for");
    }
    if (plan.until.is_set())
        text += fmt::format("; ends when the ratings show {}", stats::text_of(plan.until));
    if (state.complete > 0)
        text += fmt::format("; {} played before", grouped(state.complete, "meeting"));
    return text + "\n";
}

std::vector<std::string> tournament_facts(const harness::TournamentPlan& plan,
                                          const harness::TournamentProgress& progress,
                                          const MatchSpeed& speed, const std::string& leader) {
    std::vector<std::string> facts{meetings_text(progress.meetings, progress.planned),
                                   grouped(plan.games * progress.pairs, "game"),
                                   fmt::format("{} in play", grouped(progress.in_play))};
    if (!leader.empty()) facts.insert(facts.begin() + 1, leader);
    if (progress.planned && speed.us_per_pair) {
        const std::int64_t left = *progress.planned * plan.openings - progress.pairs;
        const double time = *speed.us_per_pair * static_cast<double>(left);
        if (left > 0)
            facts.push_back(
                fmt::format("{} left", rough_duration(Micros(static_cast<std::int64_t>(time)))));
    }
    return facts;
}

std::string leader_text(const harness::RunRecord& run, const harness::PlayedMeetings& played,
                        const harness::TournamentProgress& progress) {
    if (played.pairs() == 0) return "";
    const harness::TournamentPlan& plan = *run.plan.tournament;
    const std::vector<std::size_t> programs = harness::entrants_of(run.plan);
    if (plan.kind == TournamentKind::Knockout)
        return grouped(static_cast<std::int64_t>(programs.size() - progress.out.size()),
                       "program") +
               " still in";
    std::vector<harness::StandingRow> rows;
    for (const std::size_t program : programs) {
        const auto [first, second] = played.sides(program);
        harness::StandingRow row;
        row.program = program;
        row.games = {first.wins + second.wins, first.draws + second.draws,
                     first.losses + second.losses};
        row.half_points = 2 * row.games.wins + row.games.draws;
        if (program < progress.bye_half_points.size())
            row.half_points += progress.bye_half_points[program];
        rows.push_back(row);
    }
    const auto text = [&run](std::string_view what, const harness::StandingRow& row) {
        return fmt::format("{} {} {}/{}", what,
                           shortened(printable_utf8(run.plan.programs[row.program].name), 24),
                           score_text(row.half_points), grouped(row.possible_points()));
    };
    if (plan.kind == TournamentKind::Gauntlet) {
        if (plan.seeds == 1) return text("seed", rows.front());
        std::int64_t half_points = 0;
        std::int64_t possible = 0;
        for (std::size_t i = 0; i < std::min(plan.seeds, rows.size()); ++i) {
            half_points += rows[i].half_points;
            possible += rows[i].possible_points();
        }
        return fmt::format("seeds {}/{}", score_text(half_points), grouped(possible));
    }
    const bool by_share = harness::usual_tie_breaks(plan.kind).front() == harness::TieBreak::Share;
    return text("first",
                *std::ranges::max_element(rows, {}, [by_share](const harness::StandingRow& row) {
                    return std::pair(by_share ? row.share() : 0.0, row.half_points);
                }));
}

}  // namespace assay::reports
