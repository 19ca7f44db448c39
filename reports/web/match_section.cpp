// The charts and tables of one match.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/plot/scale.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"
#include "reports/web/run_parts.h"
#include "stats/data/normal.h"
#include "stats/data/sample.h"

namespace assay::reports::web {

namespace {

using harness::MatchTally;
using harness::StopPlan;
using harness::Termination;
using harness::Verdict;
using plot::number_text;

std::string hypothesis_text(double elo) {
    std::string text = plain_number(std::abs(elo), 3);
    return elo < 0 ? "−" + text : text;
}

std::string no_test_caption(const MatchPage& match) {
    const MatchTally& tally = match.tally();
    if (tally.plan().stop.rule == StopPlan::Rule::Fixed)
        return fmt::format(
            "The rule looks once, after all {}: the sign-flip test with an error of {}. There is "
            "no path to draw.",
            grouped(tally.plan().pairs, "pair"), percent(tally.plan().stop.alpha.value_or(.05)));
    return "The match has no stop rule: it plays its pairs and gives the estimate.";
}

/// The bound that the LLR was compared with at its last look, where it is not the curve: pairs are
/// discrete, so a look decides slightly before the curve.
std::string compared_text(const stats::TestState& test) {
    const auto compared = reports::bounds_of(test);
    if (test.rule == "sprt" || !compared || !test.lower || !test.upper) return "";
    const double gap = std::max(compared->lower - *test.lower, *test.upper - compared->upper);
    if (gap < 0.05) return "";
    return fmt::format(
        " Pairs are discrete, so a look decides slightly before the curve: the last one at {} and {}.",
        number_text(compared->lower, 2, true), number_text(compared->upper, 2, true));
}

void add_test(Values& values, const MatchPage& match) {
    const MatchTally& tally = match.tally();
    const auto& looks = match.facts.looks;
    const bool has_path =
        std::ranges::any_of(looks, [](const LookPoint& look) { return look.llr.has_value(); });
    if (!match.test || !has_path || !match.test->lower) {
        values.set("test_title", fmt::format("Played {} of {}", grouped(tally.pairs()),
                                             grouped(tally.plan().pairs, "pair")));
        const bool too_early = match.test && tally.rule() && match.test->model.size() > 0;
        values.set("test_caption", too_early && tally.plan().stop.rule != StopPlan::Rule::Fixed
                                       ? "The rule has not looked yet: there is no LLR."
                                       : no_test_caption(match));
        values.set("test_chart", "");
        return;
    }
    const stats::TestState& test = *match.test;
    const bool decided =
        tally.verdict() == Verdict::Accepted || tally.verdict() == Verdict::Rejected;
    const std::optional<std::int64_t> cap = tally.rule()->cap();
    const std::int64_t stop = looks.back().pairs;
    values.set("test_title", fmt::format("The test {} {}{}", decided ? "ended after" : "stands at",
                                         grouped(stop, "pair"),
                                         cap ? fmt::format(" of at most {}", grouped(*cap)) : ""));
    const std::string unit(elo_unit(test.model));
    values.set("test_caption",
               fmt::format("LLR of {} against {} {}. {}{}", hypothesis_text(test.elo1),
                           hypothesis_text(test.elo0), unit,
                           cap ? fmt::format("The boundaries (errors {} and {}) end at the cap, so "
                                             "the test always ends.",
                                             percent(test.alpha), percent(test.beta))
                               : fmt::format("Straight boundaries (errors {} and {}): the test "
                                             "has no end of its own.",
                                             percent(test.alpha), percent(test.beta)),
                           decided ? compared_text(test) : ""));
    LlrWords words;
    words.accept = test.elo0 < 0 ? "accept: not worse" : "accept: better";
    words.reject = test.elo1 <= 0 ? "reject: worse" : "reject: no gain shown";
    words.now = grouped(stop, "pair");
    double last = 0;
    for (const LookPoint& look : looks) last = look.llr.value_or(last);
    words.llr = "LLR " + number_text(last, 2, true);
    const auto until = static_cast<std::int64_t>(std::ceil(1.1 * static_cast<double>(stop)));
    values.set("test_chart", llr_chart(looks, bounds_of(tally, until), cap.has_value(), words));
}

void add_elo(Values& values, const MatchPage& match) {
    values.lists["others"] = {};
    if (match.tally().pairs() == 0) {
        values.set("elo_title", "Elo: no pair yet").set("elo_caption", "").set("elo_chart", "");
        return;
    }
    const KindOfEstimate& quoted = match.estimates.quoted;
    const stats::Estimate& elo = quoted.elo;
    const int decimals = decimals_for(elo);
    if (elo.value && elo.ci95.low && elo.ci95.high) {
        values.set("elo_title", fmt::format("Elo {}, with 95 % between {} and {}",
                                            number_text(*elo.value, decimals, true),
                                            number_text(*elo.ci95.low, decimals, true),
                                            number_text(*elo.ci95.high, decimals, true)));
    } else {
        values.set("elo_title", "Elo " + shown(elo));
    }
    std::string caption =
        "Line and band: as if the match had been planned to end there (naive). Dashed: the "
        "interval that holds at every look.";
    if (quoted.kind != EstimateKind::Fixed)
        caption += fmt::format(" At the right: the estimate to quote ({}).", words_of(quoted.kind));
    values.set("elo_caption", caption);
    values.set("elo_chart", elo_chart(match.facts.elo, elo));
    if (match.estimates.others.empty()) return;
    Values table;
    for (const KindOfEstimate& other : match.estimates.others) {
        Values row;
        row.set("kind", std::string(words_of(other.kind))).set("elo", shown(other.elo));
        row.set("nelo", other.has_nelo() ? shown(other.nelo) : "–").set("meaning", other.meaning);
        table.lists["estimates"].push_back(row);
    }
    std::string text = "Elo " + shown(elo);
    if (quoted.has_nelo()) text += ", nElo " + shown(quoted.nelo);
    table.set("s", match.suffix);
    table.set("quoted", fmt::format("{} ({}: {})", text, words_of(quoted.kind), quoted.meaning));
    values.lists["others"] = {table};
}

void add_pairs(Values& values, const MatchPage& match) {
    const stats::Pentanomial& pairs = match.tally().pentanomial();
    if (pairs.pairs() == 0) {
        values.set("pairs_title", "Pairs: none yet").set("pairs_caption", "");
        values.set("pairs_chart", "");
        return;
    }
    values.set("pairs_title",
               fmt::format("Pairs: {} for {}, {} for {}, {} split", grouped(pairs[3] + pairs[4]),
                           match.names[0], grouped(pairs[0] + pairs[1]), match.names[1],
                           grouped(pairs[2])));
    const auto& cells = match.tally().cells();
    values.set("pairs_caption",
               fmt::format("Bars: observed. Ticks: what equal programs would give for pairs as "
                           "decisive as these, with the range of 95 %.{}",
                           pairs[2] > 0 ? fmt::format(" Of {}, {} had one win each.",
                                                      grouped(pairs[2], "split pair"),
                                                      grouped(cells[2] + cells[6]))
                                        : ""));
    values.set("pairs_chart", pair_chart(pairs));
}

double score_of(const stats::Wdl& counts) {
    const auto games = static_cast<double>(std::max<std::int64_t>(1, counts.games()));
    return (static_cast<double>(counts.wins) + static_cast<double>(counts.draws) / 2) / games;
}

double variance_of(const stats::Wdl& counts) {
    const auto games = static_cast<double>(std::max<std::int64_t>(1, counts.games()));
    const double score = score_of(counts);
    return (static_cast<double>(counts.wins) + static_cast<double>(counts.draws) / 4) / games -
           score * score;
}

void add_sides(Values& values, const MatchPage& match) {
    const std::array<stats::Wdl, 2>& as_first = match.facts.as_first;
    const std::string& first_side = match.sides[0];
    const stats::Wdl both{as_first[0].wins + as_first[1].wins,
                          as_first[0].draws + as_first[1].draws,
                          as_first[0].losses + as_first[1].losses};
    if (both.games() == 0) {
        values.set("sides_title", "Sides: no games yet").set("sides_caption", "");
        values.set("sides_chart", "").set("sides_note", "");
        return;
    }
    values.set("sides_title", fmt::format("{} scores {}", first_side, percent(score_of(both), 0)));
    values.set(
        "sides_caption",
        "Each opening is played twice with sides swapped, so what it favours cancels within a "
        "pair.");
    values.set("sides_chart", side_chart(as_first, match.names, match.sides));
    std::string note = fmt::format("{} as {} {}, {} as {} {}.", match.names[0], first_side,
                                   percent(score_of(as_first[0]), 1), match.names[1], first_side,
                                   percent(score_of(as_first[1]), 1));
    const auto& halves = match.facts.halves;
    const double spread = std::sqrt(
        variance_of(halves[0]) / std::max<double>(1, static_cast<double>(halves[0].games())) +
        variance_of(halves[1]) / std::max<double>(1, static_cast<double>(halves[1].games())));
    if (spread > 0 && halves[1].games() > 0)
        note +=
            fmt::format(" First half against second half of the run: z = {}.",
                        number_text((score_of(halves[1]) - score_of(halves[0])) / spread, 1, true));
    values.set("sides_note", note);
}

Values ending_row(const Ending& ending) {
    Values row;
    row.set("words", std::string(short_words(ending.termination)));
    row.set("name", std::string(harness::name_of(ending.termination)));
    row.set("css", ending.games() == 0 ? "z" : "");
    row.set("games", grouped(ending.games())).set("first_won", grouped(ending.first_won));
    row.set("drawn", grouped(ending.drawn)).set("second_won", grouped(ending.second_won));
    row.show("linked", ending.games() > 0);
    return row;
}

void add_endings(Values& values, const MatchPage& match) {
    std::vector<Ending> endings = match.facts.endings;
    std::erase_if(endings, [](const Ending& ending) {
        return ending.games() == 0 && (harness::is_failure(ending.termination) ||
                                       ending.termination.cause > Termination::Length ||
                                       ending.termination.cause == Termination::Tablebase);
    });
    std::ranges::stable_sort(endings, std::greater{}, &Ending::games);
    Ending sum;
    for (const Ending& ending : endings) {
        values.lists["endings"].push_back(ending_row(ending));
        sum.first_won += ending.first_won;
        sum.drawn += ending.drawn;
        sum.second_won += ending.second_won;
    }
    Values row = ending_row(sum);
    row.set("words", "all").set("css", "sum").show("linked", false);
    values.lists["endings"].push_back(row);
    values.set("ends_caption",
               "Grey rows: no game ended this way. A row opens examples of its games below.");
}

void add_failure(Values& values, const MatchPage& match, std::string_view words,
                 std::string_view name, std::int64_t harness::Failures::*kind) {
    const auto failures = match.tally().all_failures();
    const std::int64_t first = failures[0].*kind;
    const std::int64_t second = failures[1].*kind;
    Values row;
    row.set("words", std::string(words)).set("name", std::string(name));
    const bool is_of_games =
        match.tally().failures()[0].*kind + match.tally().failures()[1].*kind > 0;
    row.set("css", first + second == 0 ? "z" : "").show("linked", is_of_games);
    row.set("first_count", grouped(first)).set("second_count", grouped(second));
    row.set("p", first + second == 0
                     ? "–"
                     : probability(stats::fair_coin_p_value(static_cast<double>(first),
                                                            static_cast<double>(first + second))));
    values.lists["failures"].push_back(row);
}

void add_scenarios(Values& values, const MatchPage& match) {
    const MatchTally& tally = match.tally();
    const harness::ScenarioVerdicts verdicts = tally.scenario_verdicts();
    const auto add = [&](std::string name, const stats::Pentanomial& pairs, Verdict verdict) {
        const stats::Strength strength = stats::estimate_strength(stats::sample_of(pairs));
        const Mark mark = mark_of(harness::word_of(verdict));
        Values row;
        row.set("name", std::move(name)).set("nelo", shown(strength.nelo));
        row.set("css", mark.css).set("word", mark.word);
        values.lists["scenarios"].push_back(row);
    };
    if (tally.failures()[0].total() + tally.failures()[1].total() == 0 || !tally.rule()) return;
    const std::string name = shortened_name(match.names[0]);
    add("scored", tally.pentanomial(), tally.verdict());
    add("without the pairs", tally.without_failures(), verdicts.without_failures);
    add(fmt::format("best case for {}", name), tally.best_case(), verdicts.best_case);
    add(fmt::format("worst case for {}", name), tally.worst_case(), verdicts.worst_case);
    values.show("scenarios_shown", true);
    values.set("scenarios_title", tally.is_changed_by_failures()
                                      ? "Would they change the verdict? Yes"
                                      : "Would they change the verdict? No");
}

void add_failures(Values& values, const MatchPage& match) {
    const MatchTally& tally = match.tally();
    const auto failures = tally.all_failures();
    const std::int64_t first = failures[0].total();
    const std::int64_t second = failures[1].total();
    std::string title = "Failures: none";
    if (first + second > 0)
        title = fmt::format("Failures: {} of {}, {} of {}", grouped(first), match.names[0],
                            grouped(second), match.names[1]);
    values.set("failures_title", title);
    const std::int64_t elsewhere = failures_elsewhere(tally, 0) + failures_elsewhere(tally, 1);
    values.set(
        "failures_caption",
        fmt::format(
            "Charged to the side at fault. {}Pairs voided because the harness or "
            "the machine caused a loss on time: {}.",
            elsewhere == 0 ? "" : fmt::format("Not in counted games: {}. ", grouped(elsewhere)),
            grouped(tally.voided())));
    add_failure(values, match, "lost on time", "time", &harness::Failures::time_losses);
    add_failure(values, match, "crash, disconnect", "crash", &harness::Failures::crashes);
    add_failure(values, match, "illegal move", "illegal_move", &harness::Failures::illegal_moves);
    add_failure(values, match, "stall", "stall", &harness::Failures::stalls);
    add_scenarios(values, match);
}

/// Flaws of the lines of moves that the programs said; there is no such section without any.
void add_pv_rows(Values& values, const MatchPage& match) {
    for (std::size_t program = 0; program < match.names.size(); ++program) {
        for (std::size_t flaw = 0; flaw < harness::kPvFlaws; ++flaw) {
            const auto kind = static_cast<harness::PvFlaw>(flaw);
            const auto& counts = match.tally().pv().row(static_cast<int>(program), kind);
            if (counts.count == 0) continue;
            Values row;
            row.set("name", match.names[program]);
            row.set("words", std::string(adapters::words_of(kind)));
            row.set("count", grouped(counts.count)).set("games", grouped(counts.games));
            const bool has_example = !counts.examples.empty();
            row.set("place", has_example ? place_text(counts.examples.front()) : "–");
            row.set("said", has_example ? counts.examples.front().line : "");
            values.lists["pv_rows"].push_back(row);
        }
    }
    values.show("pv_shown", !match.tally().pv().is_empty());
}

std::string speed_text(double nodes_per_second) {
    if (nodes_per_second >= 1e6) return fmt::format("{:.2f} million", nodes_per_second / 1e6);
    return grouped(std::llround(nodes_per_second));
}

std::string speed_note(const MatchPage& match) {
    const auto first = match.survey.nodes_per_second(0);
    const auto second = match.survey.nodes_per_second(1);
    if (!first || !second) return "";
    std::string text =
        fmt::format("Nodes a second, median of the games: {} {}, {} {}", match.names[0],
                    speed_text(*first), match.names[1], speed_text(*second));
    if (*second > 0)
        text += fmt::format(" ({} %)", number_text(100 * (*first / *second - 1), 1, true));
    return text + ".";
}

std::string seen_games(const MatchPage& match) {
    const std::int64_t seen = match.survey.games();
    if (seen >= match.tally().games()) return "All games.";
    return fmt::format("{} games spread over the run.", grouped(seen));
}

/// Of a match whose records have no clock.
void add_no_clock(Values& values, const std::string& limit, const harness::MatchPlan& plan) {
    const bool has_move_time = std::ranges::any_of(plan.time, [](const harness::TimeControl& time) {
        return time.kind == harness::TimeControl::Kind::MoveTime;
    });
    const bool has_clock = std::ranges::any_of(plan.time, [](const harness::TimeControl& time) {
        using Kind = harness::TimeControl::Kind;
        return time.kind != Kind::Nodes && time.kind != Kind::Depth &&
               time.kind != Kind::Infinite && time.kind != Kind::MoveTime;
    });
    values.set("clock_chart", "");
    if (has_move_time) {
        values.set("clock_title", "Time: each move has its own limit");
        values.set(
            "clock_caption",
            fmt::format("The limit is {}. A move that takes longer is lost on time.", limit));
    } else if (has_clock) {
        values.set("clock_title", "Time: no game is recorded yet");
        values.set("clock_caption", fmt::format("The time control is {}.", limit));
    } else {
        values.set("clock_title", "Time: no clock ran");
        values.set("clock_caption",
                   fmt::format("The limit is {}, so no game can be lost on time.", limit));
    }
}

void add_clocks(Values& values, const RunView& view, const MatchPage& match) {
    const std::array<std::vector<ClockPoint>, 2> clocks{match.survey.clocks(0),
                                                        match.survey.clocks(1)};
    values.set("speed_note", speed_note(match));
    if (clocks[0].empty() && clocks[1].empty()) {
        add_no_clock(values, time_text(view.run, match.tally().plan()), match.tally().plan());
        return;
    }
    const auto least = [&](std::size_t program) {
        const auto left = match.survey.least_left(program);
        return left ? fmt::format("{} {:.2f} s", match.names[program], *left) : "";
    };
    std::string title = "Time left over the game";
    if (!clocks[0].empty() && !clocks[1].empty()) {
        const auto at = std::min<std::size_t>({19, clocks[0].size() - 1, clocks[1].size() - 1});
        const double head = clocks[0][at].median;
        const double base = clocks[1][at].median;
        const int move = clocks[0][at].move;
        if (std::abs(head - base) < 0.03 * std::max(head, base)) {
            title = fmt::format("Both use the same time up to move {}", move);
        } else {
            title = fmt::format("{} has used more time by move {}",
                                match.names[head < base ? 0 : 1], move);
        }
    }
    values.set("clock_title", title);
    values.set("clock_caption",
               fmt::format("{}. Median seconds left; band: 5–95 % of {}’s games. Least left: {}, "
                           "{}. {}",
                           time_text(view.run, match.tally().plan()), match.names[0], least(0),
                           least(1), seen_games(match)));
    values.set("clock_chart", clock_chart(clocks, match.names));
}

void add_delay(Values& values, const MatchPage& match) {
    const harness::DelayRecord& delay = match.tally().meters().delay;
    if (!(delay.max_us > 0)) {
        values.set("delay_title", "Harness delay: not measured yet");
        values.set("delay_caption", "It is stored as a match goes on.");
        values.set("delay_chart", "");
        return;
    }
    values.set("delay_title", fmt::format("Harness delay: {} or less in 99 % of the moves",
                                          milliseconds(delay.p99_us)));
    values.set(
        "delay_caption",
        fmt::format(
            "Time charged to a move that its program did not use; p50, p99 and the longest "
            "are of all moves. Bars: log scale, {}",
            match.survey.games() >= match.tally().games() ? "all games." : seen_games(match)));
    values.set("delay_chart", delay_chart(match.survey.delays(), delay));
}

void add_openings(Values& values, const MatchPage& match) {
    if (match.tally().games() == 0) {
        values.set("openings_title", "Openings: no games yet").set("openings_caption", "");
        values.set("openings_chart", "");
        return;
    }
    if (match.openings.size() < 2) {
        values.set("openings_title", "Openings: each was played once");
        values.set("openings_caption",
                   "With one pair for each opening, no opening can be distinguished from chance.");
        values.set("openings_chart", "");
        return;
    }
    double typical = 0;
    for (const OpeningRow& row : match.openings)
        typical +=
            static_cast<double>(row.pairs.pairs()) / static_cast<double>(match.openings.size());
    const double range = chance_range(match.openings, typical);
    std::string outside;
    int count = 0;
    for (const OpeningRow& row : match.openings) {
        const auto n = static_cast<double>(std::max<std::int64_t>(1, row.pairs.pairs()));
        if (std::abs(static_cast<double>(row.pairs.balance()) / (2 * n)) <= range) continue;
        if (++count == 1) outside = row.label;
    }
    values.set("openings_title", count == 0 ? "No opening decides alone"
                                 : count == 1
                                     ? fmt::format("{} lies outside chance", outside)
                                     : fmt::format("{} openings lie outside chance", count));
    values.set("openings_caption",
               fmt::format("{} {} Dots: mean result of {}’s pairs, −1 both lost, +1 both won; "
                           "lines: 95 %. “Decisive” is the share of pairs that were not split.",
                           match.openings_by_line ? "Grouped by their first moves."
                                                  : "One row for each opening.",
                           match.openings_by_line ? seen_games(match) : "", match.names[0]));
    values.set("openings_chart", opening_chart(match.openings, match.names));
}

}  // namespace

Values match_values(const RunView& view, const MatchPage& match) {
    Values values;
    values.set("s", match.suffix);
    values.set("first", shortened_name(match.names[0]));
    values.set("second", shortened_name(match.names[1]));
    const bool is_long = std::max(match.names[0].size(), match.names[1].size()) > 10;
    values.set("long", is_long ? "long" : "");
    const bool is_titled = view.matches.size() > 1;
    values.show("titled", is_titled);
    if (is_titled) {
        const std::string& name = match.tally().plan().name;
        values.lists["titled"][0].set(
            "title", fmt::format("Match {}{}: {} against {}", match.index + 1,
                                 name.empty() ? "" : " " + name, match.names[0], match.names[1]));
    }
    add_test(values, match);
    add_elo(values, match);
    add_pairs(values, match);
    add_sides(values, match);
    add_endings(values, match);
    add_failures(values, match);
    add_pv_rows(values, match);
    add_clocks(values, view, match);
    add_delay(values, match);
    add_openings(values, match);
    return values;
}

}  // namespace assay::reports::web
