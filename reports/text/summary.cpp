#include "reports/text/summary.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/build/bench_run.h"
#include "harness/build/build_versions.h"
#include "harness/match/budget.h"
#include "harness/plan/resolved_stop.h"
#include "harness/run/same_programs.h"
#include "reports/text/suite_text.h"
#include "reports/text/table_text.h"
#include "reports/text/tournament_report.h"
#include "reports/view/assumption_checks.h"
#include "reports/view/escape.h"
#include "reports/view/estimates.h"
#include "reports/view/machine_rows.h"
#include "reports/view/number_text.h"
#include "reports/view/outcome_words.h"
#include "reports/view/verdict_text.h"
#include "reports/view/version_text.h"
#include "stats/data/elo.h"
#include "stats/data/sample.h"
#include "stats/plan/sample_size.h"

namespace assay::reports {

namespace {

using harness::MatchTally;
using harness::StopPlan;

constexpr std::size_t kFailedGamesInSummary = 5;

std::string name(const RunView& view, const harness::MatchPlan& plan, std::size_t index) {
    return printable_utf8(program_name(view.run, plan, index));
}

/// "head a1b2c3d (HEAD)": the name with the commit that it was built from.
std::string name_and_source(const RunView& view, const harness::MatchPlan& plan,
                            std::size_t index) {
    std::string text = name(view, plan, index);
    const std::size_t program = plan.between[index];
    if (program >= view.run.versions.size()) return text;
    const std::string source = harness::source_text(view.run.versions[program]);
    return source.empty() ? text : text + " " + source;
}

std::string indented_lines(std::string_view text) {
    return each_line(trim(text), "\n  ", printable_utf8);
}

/// "needs 81,000 to 121,000 pairs on average, at most 301,777".
std::string need_text(const stats::TestPlan& plan) {
    const double least = std::min(plan.at_e0.mean_pairs, plan.at_e1.mean_pairs);
    std::string text = fmt::format("needs {} to {} pairs on average", grouped(rough(least)),
                                   grouped(rough(plan.middle.mean_pairs)));
    if (plan.cap) text += ", at most " + grouped(*plan.cap);
    return text;
}

/// The planner works on the normalized scale. A logistic bound is converted for games of which half
/// are drawn, with openings that favour no side.
double planned_bound(double bound, stats::Model model) {
    if (model == stats::Model::Normalized) return bound;
    const double variance = stats::game_variance(0.5, 0).value_or(0.125);
    return stats::kElo * (stats::score_of_elo(bound) - 0.5) / std::sqrt(variance);
}

/// " in 1:00 h, which hold about 430" where a match's minutes end it before its pairs do.
/// `needed`: pairs without which there is no verdict.
std::string allowance_text(const harness::MatchPlan& match, int concurrency, double needed) {
    constexpr double kSurelyLess = 0.67;  // games may be shorter than the estimate
    std::string text;
    double allowed = static_cast<double>(match.pairs);
    if (match.stop.minutes && concurrency > 0) {
        const auto held = harness::pairs_within(match, *match.stop.minutes, concurrency);
        if (held && *held < kSurelyLess * needed && *held < allowed) {
            allowed = *held;
            text = fmt::format(" in {}, which hold about {}", duration(*match.stop.minutes),
                               grouped(std::max<std::int64_t>(1, std::llround(*held))));
        }
    }
    return allowed < needed ? text + ": will most likely end inconclusive" : text;
}

std::string sequential_header(const harness::MatchPlan& match, int concurrency) {
    const harness::ResolvedStop stop = harness::resolve_stop(match);
    const std::string model(stats::name_of(stop.model));
    const bool is_wald = stop.rule == StopPlan::Rule::Sprt;
    std::string text = fmt::format("{} between {} and {} {}, errors {} and {}",
                                   is_wald ? "sprt" : rule_words(stats::name_of(stop.shape)),
                                   plain_number(stop.elo0), plain_number(stop.elo1),
                                   elo_unit(model), percent(stop.alpha), percent(stop.beta));
    // The conversion depends on the share of draws, which is not known beforehand.
    if (stop.model == stats::Model::Bayesian)
        return text + fmt::format("; at most {}", grouped(match.pairs, "pair"));
    const double e0 = planned_bound(stop.elo0, stop.model);
    const double e1 = planned_bound(stop.elo1, stop.model);
    const stats::TestPlan plan =
        is_wald ? stats::plan_wald(e0, e1, stop.alpha, stop.beta)
                : stats::plan_boundary(stop.shape, e0, e1, stop.alpha, stop.beta);
    const bool is_guess = stop.model == stats::Model::Logistic;
    text += fmt::format(": {}{}; you allow {}", need_text(plan),
                        is_guess ? ", if half of the games are drawn" : "", grouped(match.pairs));
    const double least = std::min(plan.at_e0.mean_pairs, plan.at_e1.mean_pairs);
    return text + allowance_text(match, concurrency, least);
}

std::string rule_header(const harness::MatchPlan& match, int concurrency) {
    const std::string half_width =
        match.pairs > 0
            ? plain_number(stats::half_width_of_pairs(static_cast<double>(match.pairs)), 2)
            : "nothing";
    switch (match.stop.rule) {
        case StopPlan::Rule::None:
            return fmt::format("no stop rule: {} can resolve about {} nElo (95 %, power 50 %)",
                               grouped(match.pairs, "pair"), half_width);
        case StopPlan::Rule::Fixed:
            return fmt::format(
                       "fixed: the sign-flip test at {} after all {}, which can resolve about {} nElo "
                       "(95 %, power 50 %)",
                       percent(match.stop.alpha.value_or(0.05)), grouped(match.pairs, "pair"),
                       half_width) +
                   allowance_text(match, concurrency, static_cast<double>(match.pairs));
        case StopPlan::Rule::Capped: {
            if (harness::is_too_short(match)) {
                return fmt::format("capped: {} cannot decide anything; it takes {} at least",
                                   grouped(match.pairs, "pair"), harness::kFewestCapped);
            }
            const harness::ResolvedStop stop = harness::resolve_stop(match);
            std::string budget = grouped(match.pairs, "pair");
            if (match.stop.minutes) budget += " in " + duration(*match.stop.minutes);
            return fmt::format("capped, {}: {} can resolve {} nElo; errors {} and {}",
                               stop.elo0 < 0 ? "not worse than" : "better than", budget,
                               plain_number(stop.elo1 - stop.elo0, 3), percent(stop.alpha),
                               percent(stop.beta));
        }
        case StopPlan::Rule::Anytime: {
            const harness::ResolvedStop stop = harness::resolve_stop(match);
            return fmt::format(
                "anytime: evidence between {} and {} Elo that holds at every look, errors {} "
                "and {}; at most {}",
                plain_number(stop.elo0), plain_number(stop.elo1), percent(stop.alpha),
                percent(stop.beta), grouped(match.pairs, "pair"));
        }
        case StopPlan::Rule::Closing:
        case StopPlan::Rule::Sprt:
            break;
    }
    return sequential_header(match, concurrency);
}

std::string pairs_line(const MatchTally& tally) {
    const stats::Pentanomial& pairs = tally.pentanomial();
    return fmt::format(
        "  pairs  LL {}  LD {}  DD+WL {}  WD {}  WW {}     games  W {}  D {}  L {}\n",
        grouped(pairs[0]), grouped(pairs[1]), grouped(pairs[2]), grouped(pairs[3]),
        grouped(pairs[4]), grouped(tally.wdl().wins), grouped(tally.wdl().draws),
        grouped(tally.wdl().losses));
}

std::string tests_lines(const RunView& view, const MatchView& match, const Figures& figures) {
    if (match.tally->pairs() == 0) return "";
    if (is_cut_short(*match.tally)) return "  " + test_sentence(view, match, figures) + "\n";
    std::string text = fmt::format(
        "  trinomial test: between equal engines a score of {} or more either way has {}; sign-flip "
        "(exact) {}\n",
        grouped(std::abs(figures.balance)), p_value(figures.trinomial.p_value),
        p_value(figures.sign_flip.p_value));
    const std::string sentence =
        match.tally->plan().stop.is_sequential()
            ? "Both take the number of pairs as fixed beforehand; the verdict is the stop rule's."
            : test_sentence(view, match, figures);
    return text + "  " + sentence + "\n";
}

/// The estimate to quote: the same line in all reports.
std::string quoted_line(const MatchTally& tally, const KindOfEstimate& quoted) {
    std::string text = "  " + quoted_text(quoted, tally.pairs());
    if (quoted.kind != EstimateKind::Fixed) text += fmt::format("   ({})", words_of(quoted.kind));
    return text + "\n";
}

/// The other estimates, each with its kind and when it is right.
std::string other_estimates_lines(const Estimates& estimates) {
    std::string text;
    for (const KindOfEstimate& other : estimates.others) {
        text += text.empty() ? "  other estimates\n" : "";
        text += fmt::format("    {}: Elo {}", words_of(other.kind), estimate_text(other.elo));
        if (other.has_nelo()) text += ", nElo " + estimate_text(other.nelo);
        text += fmt::format("\n      {}\n", other.meaning);
    }
    return text;
}

std::string llr_line(const MatchTally& tally) {
    const auto test = test_state(tally);
    if (!test || !tally.plan().stop.is_sequential() || tally.pairs() == 0) return "";
    if (test->llr && test->rule == "anytime") {
        return fmt::format("  evidence (ln E) {:+.2f} between {:+.2f} and {:+.2f}, {} to {} Elo\n",
                           *test->llr, *test->lower, *test->upper, plain_number(test->elo0, 3),
                           plain_number(test->elo1, 3));
    }
    if (const auto bounds = bounds_of(*test); test->llr && bounds) {
        const bool is_outside = *test->llr <= bounds->lower || *test->llr >= bounds->upper;
        const std::string why =
            is_outside && harness::is_too_short(tally.plan())
                ? fmt::format(": beyond a bound, which decides from {} pairs on",
                              harness::kFewestCapped)
                : "";
        return fmt::format("  LLR {:+.2f} between {:+.2f} and {:+.2f}, {} from {} to {} {}{}\n",
                           *test->llr, bounds->lower, bounds->upper, rule_words(test->rule),
                           plain_number(test->elo0, 3), plain_number(test->elo1, 3),
                           elo_unit(test->model), why);
    }
    return test->reason.empty() ? "" : fmt::format("  no LLR: {}\n", test->reason);
}

std::string time_losses_text(const RunView& view, const MatchTally& tally) {
    const auto failures = tally.all_failures();
    const std::int64_t first = failures[0].time_losses;
    const std::int64_t second = failures[1].time_losses;
    std::string text = "lost on time " + grouped(first + second);
    if (first + second > 0) {
        text += fmt::format(" ({} {}, {} {})", name(view, tally.plan(), 0), grouped(first),
                            name(view, tally.plan(), 1), grouped(second));
    }
    return text;
}

std::string endings_line(const RunView& view, const MatchTally& tally) {
    using Kind = std::pair<harness::Termination, std::int64_t>;
    std::vector<Kind> kinds(tally.terminations().begin(), tally.terminations().end());
    std::ranges::stable_sort(kinds, std::greater{}, &Kind::second);
    std::string text;
    for (const auto& [termination, games] : kinds) {
        text += fmt::format("{}{} {}", text.empty() ? "  ended by: " : ", ",
                            short_words(termination), grouped(games));
    }
    if (text.empty()) return "";
    text += " · " + time_losses_text(view, tally);
    if (tally.meters().delay.max_us > 0)
        text += " · harness delay p99 " + milliseconds(tally.meters().delay.p99_us);
    return text + "\n";
}

std::string not_counted_line(const MatchTally& tally) {
    std::string text;
    const auto add = [&](std::int64_t count, std::string_view what) {
        if (count == 0) return;
        text += fmt::format("{}{} {}", text.empty() ? "  not counted: " : ", ",
                            grouped(count, "pair"), what);
    };
    add(tally.duplicates(), "equal to an earlier one");
    add(tally.after_stop(), "finished after the stop");
    add(tally.voided(), "voided for the harness's own delay and replayed");
    add(tally.late(), "played by a worker that was not waited for any more");
    add(tally.waiting(), "after one that is not finished, which --resume plays");
    return text.empty() ? text : text + "\n";
}

/// A row a machine where several played, and the hours of slots that they took.
std::string machines_table(const MatchTally& tally, const harness::RunRecord& run) {
    const auto cells = machine_cells(shown_machines(machine_rows(tally, run), kMostMachines));
    const std::string hours = slot_hours_text(tally, run);
    return (cells.empty() ? "" : table_text(cells, is_machine_number(), 2)) +
           (hours.empty() ? "" : "  " + hours + "\n");
}

std::string failures_lines(const RunView& view, const MatchView& match) {
    std::string text;
    for (std::size_t program = 0; program < 2; ++program) {
        if (match.tally->all_failures()[program].total() == 0) continue;
        text += fmt::format("  failures of {}: {}\n", name(view, match.tally->plan(), program),
                            failures_text(*match.tally, program));
    }
    for (std::size_t i = 0; i < match.failed.size() && i < kFailedGamesInSummary; ++i)
        text += failed_game_text(view.run, match.failed[i], view.store_path);
    if (match.failed.size() > kFailedGamesInSummary)
        text += fmt::format("  and {} more\n", match.failed.size() - kFailedGamesInSummary);
    return text;
}

/// Flaws of the lines of moves that the programs said, a line a kind.
std::string pv_lines(const RunView& view, const MatchTally& tally) {
    std::string text;
    for (const PvRow& row : pv_rows(view.run, tally)) {
        if (text.empty()) text = "  lines of moves (pv) with flaws\n";
        text += fmt::format("    {}, {} in {}: {}", printable_utf8(row.program),
                            counted(row.counts->count, "line"), counted(row.counts->games, "game"),
                            adapters::words_of(row.flaw));
        if (!row.counts->examples.empty())
            text += fmt::format(" ({})", place_text(row.counts->examples.front()));
        text += "\n";
    }
    return text;
}

std::string gauge(double llr, double lower, double upper) {
    constexpr int kCells = 12;
    const double share = (llr - lower) / (upper - lower);
    const int at = std::clamp(static_cast<int>(share * kCells), 0, kCells - 1);
    std::string cells;
    for (int i = 0; i < kCells; ++i) cells += i == at ? "●" : " ";
    return fmt::format("LLR {:+.2f}  [{:+.1f} ▏{}▏ {:+.1f}]", llr, lower, cells, upper);
}

/// What the match still needs; a fixed number of pairs is known already.
void add_left(std::vector<std::string>& facts, const MatchTally& tally, const MatchSpeed& speed) {
    const std::optional<MatchLeft> left = left_of(tally, speed);
    if (!left) return;
    if (!tally.plan().stop.is_sequential()) {
        if (left->most_time) facts.push_back(rough_duration(*left->most_time) + " left");
        return;
    }
    if (const std::string expected = expected_left_text(*left); !expected.empty())
        facts.push_back(expected);
    facts.push_back(most_left_text(*left));
}

/// Up to `most` lines of a text in quotes, under each other behind `title`.
std::string indented(std::string_view title, std::string_view rest, int most,
                     std::string_view quote) {
    std::string text;
    for (int lines = 0; lines < most && !rest.empty(); ++lines) {
        const std::string line = printable_utf8(trim(take_line(rest)));
        const std::string before = lines == 0 ? std::string(title) : std::string(title.size(), ' ');
        if (!line.empty()) {
            text += fmt::format("    {}{}{}{}\n", before, quote, shortened(line, 200), quote);
        }
    }
    return text;
}

}  // namespace

std::string painted(std::string_view word, bool colour) {
    const char* code = word == "accepted"                            ? "32"
                       : word == "rejected" || word == "stopped"     ? "31"
                       : word == "inconclusive" || word == "tainted" ? "33"
                       : word == "warning"                           ? "33"
                                                                     : nullptr;
    if (!colour || code == nullptr) return std::string(word);
    return fmt::format("\x1b[{}m{}\x1b[0m", code, word);
}

std::string match_header(const RunView& view, std::size_t match, int concurrency) {
    const harness::MatchPlan& plan = view.run.plan.matches.at(match);
    std::string text = printable_utf8(view.run.name);
    if (!plan.name.empty() && plan.name != view.run.name) {
        text += " · " + printable_utf8(plan.name);
    }
    text += fmt::format(" · {} against {} · {} · {}", name_and_source(view, plan, 0),
                        name_and_source(view, plan, 1), grouped(plan.pairs, "pair"),
                        printable_utf8(time_text(view.run, plan)));
    if (concurrency > 0) text += fmt::format(" · {} at once", grouped(concurrency, "game"));
    if (view.run.plan.seed) text += fmt::format(" · seed {}", *view.run.plan.seed);
    if (view.run.id > 0) {
        text += fmt::format(" · run {} in {}", view.run.id, printable_utf8(view.store_path));
    }
    return text + "\n" + rule_header(plan, concurrency) + "\n";
}

std::string match_summary(const RunView& view, std::size_t match, bool colour) {
    const MatchView& shown = view.matches.at(match);
    const MatchTally& tally = *shown.tally;
    const Figures figures = figures_of(tally);
    const Estimates estimates = estimates_of(tally);
    std::string text;
    const std::string_view word = verdict_word(tally);
    if (!word.empty()) {
        text += painted(word, colour) + verdict_sentence(view, shown).substr(word.size()) + "\n";
    } else if (const std::string end = early_end_sentence(shown); !end.empty()) {
        text += end + "\n";
    }
    const std::string first = name(view, tally.plan(), 0);
    const std::string second = name(view, tally.plan(), 1);
    const std::string score =
        tally.games() == 0
            ? fmt::format("{} against {}: no games yet.", first, second)
            : fmt::format("{} scores {} of {} against {}.", first, score_text(half_points(tally)),
                          grouped(tally.games()), second);
    text += (word.empty() ? "" : "  ") + score + "\n";
    if (tally.pairs() > 0) {
        text += quoted_line(tally, estimates.quoted);
        if (const std::string note = interval_note(shown, figures, estimates.quoted); !note.empty())
            text += "  " + note + "\n";
        text += llr_line(tally);
        text += pairs_line(tally) + tests_lines(view, shown, figures);
    } else if (word.empty()) {
        text += "  " + test_sentence(view, shown, figures) + "\n";
    }
    if (const std::string bench = bench_text(view.run, tally.plan()); !bench.empty())
        text += fmt::format("  bench {}\n", printable_utf8(bench));
    if (const auto* const speed = harness::speed_of_match(view.run.findings, match))
        text += fmt::format("  speed {}\n", harness::speed_text(*speed));
    if (const std::string same = harness::sameness_text(view.run, tally.plan()); !same.empty())
        text += fmt::format("  {}\n", same);
    return text + endings_line(view, tally) + not_counted_line(tally) +
           other_estimates_lines(estimates) + checks_lines(tally, view.run) +
           machines_table(tally, view.run) + failure_scores_lines(tally) +
           failures_lines(view, shown) + pv_lines(view, tally);
}

namespace {

/// The tests of several matches after Holm's correction.
std::string holm_lines(const RunView& view) {
    const std::vector<ListedTest> tests = holm_of(view);
    if (tests.empty()) return "";
    std::string text = fmt::format("{} at once, corrected by Holm at 5 %:\n",
                                   grouped(static_cast<std::int64_t>(tests.size()), "test"));
    for (const ListedTest& test : tests) {
        const harness::MatchPlan& plan = view.matches[test.match].tally->plan();
        text += fmt::format("  {} against {}{}: ", name(view, plan, 0), name(view, plan, 1),
                            plan.name.empty() ? "" : " (" + printable_utf8(plan.name) + ")");
        text += test.is_claim()
                    ? fmt::format("{}, corrected {}: {}\n", p_value(*test.p_value),
                                  p_value(*test.adjusted), test.holds ? "holds" : "does not hold")
                    : std::string("not decided, so that it claims nothing\n");
    }
    return text;
}

/// The first games in which programs of a tournament failed.
std::string failed_games_text(const RunView& view) {
    std::string text;
    std::size_t shown = 0;
    std::size_t all = 0;
    for (const MatchView& match : view.matches) {
        for (const FailedGame& game : match.failed) {
            ++all;
            if (shown == kFailedGamesInSummary) continue;
            ++shown;
            text += failed_game_text(view.run, game, view.store_path);
        }
    }
    if (all > shown) text += fmt::format("  and {} more\n", all - shown);
    return text;
}

/// At most `count` lines from the end of the text.
std::string_view last_lines_of(std::string_view text, int count) {
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    std::size_t begin = text.size();
    for (int i = 0; i < count && begin != std::string_view::npos; ++i) {
        begin = begin == 0 ? std::string_view::npos : text.rfind('\n', begin - 1);
    }
    return begin == std::string_view::npos ? text : text.substr(begin + 1);
}

}  // namespace

std::string failed_game_text(const harness::RunRecord& run, const FailedGame& game,
                             const std::string& store) {
    const std::string what = game.reason.empty() ? fmt::format("{}: {}", game.program,
                                                               harness::words_of(game.termination))
                                                 : game.reason;
    // A tournament has many games of one number.
    const harness::MatchPlan& plan = run.plan.matches.at(game.match);
    const std::string meeting = run.plan.tournament
                                    ? printable_utf8(program_name(run, plan, 0) + " against " +
                                                     program_name(run, plan, 1) + ", ")
                                    : "";
    const bool is_of_games = run.plan.tournament && run.plan.tournament->games == 1;
    const std::string place = is_of_games ? ""
                                          : fmt::format(" (pair {}, {} game)", game.pair + 1,
                                                        game.game == 0 ? "first" : "second");
    std::string text = fmt::format("  {}game {}{}, ply {}: {}\n", meeting, game.number, place,
                                   game.ply, printable_utf8(what));
    // The position and the command that started the search.
    text += indented("after ", game.last_command, 2, "'");
    text += indented("it had said: ", last_lines_of(game.last_lines, 4), 4, "");
    return text + fmt::format("    again: {}\n", replay_command(run, game, store));
}

std::string run_end(const RunView& view, bool colour) {
    std::string text = holm_lines(view);
    for (const std::string& warning : view.warnings)
        text += painted("warning", colour) + ": " + indented_lines(warning) + "\n";
    const harness::RunState state = view.run.state;
    if (state == harness::RunState::Interrupted || state == harness::RunState::Failed) {
        const std::string reason = view.run.end_reason.empty()
                                       ? std::string(harness::name_of(state))
                                       : indented_lines(view.run.end_reason);
        const std::string_view word =
            state == harness::RunState::Failed ? end_word(view) : std::string_view("stopped");
        // "stopped by a signal" says its word already.
        const bool is_said = reason.starts_with(std::string(word) + " ");
        const std::string said = is_said ? reason.substr(word.size()) : ": " + reason;
        text += fmt::format("{}{}\nresume: {}\n", painted(word, colour), said,
                            resume_command(view.run));
    }
    // A match says itself why it has no verdict; others come to an end of which nothing is seen.
    const bool is_early = state == harness::RunState::Finished && !view.run.end_reason.empty();
    if (is_early && view.run.findings.unchanged.empty())
        text += fmt::format("ended: {}\n", indented_lines(view.run.end_reason));
    if (!view.run.findings.unchanged.empty())
        text +=
            fmt::format("skipped: no change: {}\n", indented_lines(view.run.findings.unchanged));
    return text +
           fmt::format("report: assay report {}{}\n", view.run.id, store_flag(view.store_path));
}

std::string outcome_lines(const RunView& view, bool colour) {
    const harness::Outcome outcome = outcome_of(view);
    if (!is_gate(view.run) || !view.exit_code || outcome.word == harness::OutcomeWord::None)
        return "";
    std::string text = fmt::format(
        "gate: {}, exit {}\n", painted(harness::name_of(outcome.word), colour), *view.exit_code);
    // The match has said its own reason.
    if (outcome.reason != harness::OutcomeReason::Verdict)
        text += fmt::format("reason: {}\n", harness::text_of(outcome.reason));
    return text;
}

namespace {

/// What a run warned of at its end; a run that is played has said it already.
std::string finding_lines(const RunView& view, bool colour) {
    std::vector<std::string> found = view.run.findings.drift;
    if (!view.run.findings.control.empty()) found.insert(found.begin(), view.run.findings.control);
    std::string text;
    for (const std::string& sentence : found)
        text += fmt::format("{}: {}\n", painted("warning", colour), indented_lines(sentence));
    return text;
}

/// The run of a tournament, and where it is stored.
std::string tournament_line(const RunView& view) {
    std::string text = printable_utf8(view.run.name);
    if (view.run.plan.seed) text += fmt::format(" · seed {}", *view.run.plan.seed);
    if (view.run.id > 0)
        text += fmt::format(" · run {} in {}", view.run.id, printable_utf8(view.store_path));
    return text + "\n";
}

}  // namespace

std::string run_summary(const RunView& view, bool colour, int width) {
    std::string text;
    if (view.tournament != nullptr) {
        text += tournament_line(view) + "\n";
        text +=
            tournament_report(*view.tournament, {width, colour}) + failed_games_text(view) + "\n";
    }
    for (std::size_t i = 0; i < view.matches.size() && view.tournament == nullptr; ++i) {
        text += match_header(view, i, view.matches[i].tally->plan().concurrency) + "\n";
        text += match_summary(view, i, colour) + "\n";
    }
    if (view.suite != nullptr) text += suite_summary(view, colour) + "\n";
    for (const std::string& broken : broken_requirements(view))
        text += fmt::format("{}: {}\n", painted("required", colour), indented_lines(broken));
    for (const std::string& open : open_requirements(view))
        text += fmt::format("{}: {}\n", painted("required", colour), indented_lines(open));
    return text + outcome_lines(view, colour) + finding_lines(view, colour) + run_end(view, colour);
}

std::vector<std::string> live_facts(const MatchTally& tally, const MatchSpeed& speed) {
    const harness::MatchPlan& plan = tally.plan();
    std::vector<std::string> facts;
    facts.push_back(fmt::format("pairs {}/{}", grouped(tally.pairs()), grouped(plan.pairs)));
    if (tally.pairs() == 0) return facts;
    // Where all pairs are duplicates, nothing else in the block changes.
    if (tally.duplicates() > 0) facts.push_back(grouped(tally.duplicates(), "duplicate"));
    const auto test = test_state(tally);
    const auto bounds = test && test->llr ? bounds_of(*test) : std::nullopt;
    if (bounds && bounds->lower < bounds->upper)
        facts.push_back(gauge(*test->llr, bounds->lower, bounds->upper));
    if (!tally.plan().stop.is_sequential()) {
        facts.push_back(fmt::format("{} W {} D {} L", grouped(tally.wdl().wins),
                                    grouped(tally.wdl().draws), grouped(tally.wdl().losses)));
        facts.push_back(
            fmt::format("score {}/{}", score_text(half_points(tally)), grouped(tally.games())));
    }
    const stats::Strength strength =
        stats::estimate_strength(stats::sample_of(tally.pentanomial()));
    facts.push_back("Elo " + estimate_text(strength.elo, 0));
    // With few pairs the interval of nElo is too narrow: it may exclude 0 although that of Elo does
    // not.
    if (tally.pairs() >= stats::kLeastUnits)
        facts.push_back("nElo " + estimate_text(strength.nelo, 0));
    auto [failures, of_second] = tally.all_failures();
    failures += of_second;
    facts.push_back(grouped(failures.time_losses) + " lost on time");
    failures.time_losses = 0;
    if (failures.total() > 0) facts.push_back(failures_text(failures));
    if (tally.meters().delay.max_us > 0)
        facts.push_back("delay " + milliseconds(tally.meters().delay.p50_us));
    add_left(facts, tally, speed);
    return facts;
}

}  // namespace assay::reports
