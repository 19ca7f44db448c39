#include "reports/text/tournament_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/text/table_text.h"
#include "reports/view/number_text.h"
#include "reports/view/run_view.h"

namespace assay::reports {

namespace {

using harness::StandingRow;
using harness::TieBreak;
using harness::TournamentKind;

/// "round robin".
std::string kind_text(TournamentKind kind) {
    std::string text(harness::name_of(kind));
    std::ranges::replace(text, '_', ' ');
    return text;
}

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

std::string value_of(const StandingRow& row, TieBreak tie_break) {
    switch (tie_break) {
        case TieBreak::LastRound:
            return std::to_string(row.last_round + 1);
        case TieBreak::BuchholzCut1:
            return plain_number(row.buchholz_cut1);
        case TieBreak::Buchholz:
            return plain_number(row.buchholz);
        case TieBreak::SonnebornBerger:
            return plain_number(row.sonneborn_berger);
        case TieBreak::Wins:
            break;
    }
    return std::to_string(row.games.wins);
}

}  // namespace

std::string tournament_header(const harness::RunRecord& run, const harness::TournamentState& state,
                              const std::string& store, int concurrency) {
    const harness::TournamentPlan& plan = *run.plan.tournament;
    std::string text =
        fmt::format("{} · {} of {} · {}", printable_utf8(run.name), kind_text(plan.kind),
                    grouped(static_cast<std::int64_t>(state.setup.programs.size()), "program"),
                    printable_utf8(time_of_tournament(run)));
    if (concurrency > 0) text += fmt::format(" · {} at once", grouped(concurrency, "game"));
    if (run.plan.seed) text += fmt::format(" · seed {}", *run.plan.seed);
    if (run.id > 0) text += fmt::format(" · run {} in {}", run.id, printable_utf8(store));
    text += "\n";
    if (state.meetings) {
        const std::int64_t pairs = *state.meetings * plan.openings;
        text += fmt::format("{} of {} each: {}", grouped(*state.meetings, "meeting"),
                            grouped(plan.openings, "pair"), grouped(2 * pairs, "game"));
    } else {
        text += fmt::format("meetings of {} each, {}", grouped(plan.openings, "pair"),
                            plan.kind == TournamentKind::LeastPlayed
                                ? "without end"
                                : "as many as the results ask for");
    }
    if (state.complete > 0)
        text += fmt::format("; {} played before", grouped(state.complete, "meeting"));
    return text + "\n";
}

std::vector<std::string> tournament_facts(const harness::TournamentPlan& plan,
                                          const harness::TournamentProgress& progress,
                                          const MatchSpeed& speed) {
    std::vector<std::string> facts{meetings_text(progress.meetings, progress.planned),
                                   grouped(2 * progress.pairs, "game"),
                                   fmt::format("{} in play", grouped(progress.in_play))};
    if (progress.planned && speed.us_per_pair) {
        const std::int64_t left = *progress.planned * plan.openings - progress.pairs;
        const double time = *speed.us_per_pair * static_cast<double>(left);
        if (left > 0)
            facts.push_back(
                fmt::format("{} left", rough_duration(Micros(static_cast<std::int64_t>(time)))));
    }
    return facts;
}

std::string standings_text(const harness::RunRecord& run, const harness::TournamentState& state) {
    const std::vector<TieBreak> tie_breaks = harness::usual_tie_breaks(state.setup.kind);
    std::vector<std::vector<std::string>> table;
    std::vector<std::string> head{"rank", "program", "points", "games", "won", "drawn", "lost"};
    for (const TieBreak one : tie_breaks) {
        if (one != TieBreak::Wins) head.emplace_back(harness::name_of(one));
    }
    table.push_back(head);
    for (const StandingRow& row : harness::standings_of(state)) {
        const stats::Wdl& games = row.games;
        std::vector<std::string> line{std::to_string(row.rank),
                                      printable_utf8(run.plan.programs.at(row.program).name),
                                      fmt::format("{:.1f}", row.points()),
                                      std::to_string(games.wins + games.draws + games.losses),
                                      std::to_string(games.wins),
                                      std::to_string(games.draws),
                                      std::to_string(games.losses)};
        for (const TieBreak one : tie_breaks) {
            if (one != TieBreak::Wins) line.push_back(value_of(row, one));
        }
        table.push_back(std::move(line));
    }
    std::string text = meetings_text(state.complete, state.meetings) + "\n";
    std::vector<bool> is_right(head.size(), true);
    is_right[1] = false;
    return text + table_text(table, is_right);
}

}  // namespace assay::reports
