#include "reports/text/match/match_summary.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/build/bench_run.h"
#include "harness/build/build_versions.h"
#include "harness/run/same_programs.h"
#include "reports/text/match/failed_games.h"
#include "reports/text/match/rule_header.h"
#include "reports/text/painted.h"
#include "reports/text/table_text.h"
#include "reports/view/assumption_checks.h"
#include "reports/view/escape.h"
#include "reports/view/estimates.h"
#include "reports/view/machine_rows.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"
#include "reports/view/version_text.h"

namespace assay::reports {

namespace {

using harness::MatchTally;

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
    return text + failed_games_text(view, {&match, 1});
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

}  // namespace

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

}  // namespace assay::reports
