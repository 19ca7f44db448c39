#include "reports/text/markdown.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/build/bench_run.h"
#include "harness/build/build_versions.h"
#include "harness/run/same_programs.h"
#include "reports/text/suite_text.h"
#include "reports/text/tournament_report.h"
#include "reports/view/assumption_checks.h"
#include "reports/view/escape.h"
#include "reports/view/estimates.h"
#include "reports/view/machine_rows.h"
#include "reports/view/number_text.h"
#include "reports/view/outcome_words.h"
#include "reports/view/verdict_text.h"
#include "reports/view/version_text.h"

namespace assay::reports {

namespace {

constexpr std::size_t kMostFailedGames = 10;
constexpr std::size_t kMostWarnings = 10;
/// A match takes at most 21 KB and the rest 20 KB, so that the whole stays below 64 KB.
constexpr std::size_t kMatchesBytes = 40'000;

std::string row(std::string_view label, std::string_view value) {
    return fmt::format("| {} | {} |\n", label, value);
}

std::string pentanomial_text(const stats::Pentanomial& pairs) {
    return fmt::format("LL {}, LD {}, DD+WL {}, WD {}, WW {}", grouped(pairs[0]), grouped(pairs[1]),
                       grouped(pairs[2]), grouped(pairs[3]), grouped(pairs[4]));
}

std::string test_text(const stats::TestState& test) {
    const auto bounds = bounds_of(test);
    if (!test.llr || !bounds) return std::string(rule_words(test.rule));
    return fmt::format("{:+.2f} in [{:.2f}, {:+.2f}], {} between {} and {} {}", *test.llr,
                       bounds->lower, bounds->upper, rule_words(test.rule),
                       plain_number(test.elo0, 3), plain_number(test.elo1, 3),
                       elo_unit(test.model));
}

std::string both(std::int64_t first, std::int64_t second) {
    return fmt::format("{} / {}", grouped(first), grouped(second));
}

std::string table(const MatchView& match, const Estimates& estimates, const std::string& first,
                  const std::string& second) {
    const harness::MatchTally& tally = *match.tally;
    const Figures figures = figures_of(tally);
    const auto failures = tally.all_failures();
    std::string out = row("", fmt::format("{} against {}", first, second)) + "| --- | --- |\n";
    const KindOfEstimate& quoted = estimates.quoted;
    const std::string kind =
        quoted.kind == EstimateKind::Fixed ? "" : fmt::format(" ({})", words_of(quoted.kind));
    out += row("Elo" + kind, estimate_text(quoted.elo));
    if (quoted.has_nelo() || tally.pairs() == 0)
        out += row("nElo" + kind, estimate_text(quoted.nelo));
    if (const auto test = test_state(tally))
        out += row(test->llr ? "LLR" : "rule", test_text(*test));
    out += row("games", grouped(tally.games()));
    out += row("W / D / L", fmt::format("{} / {} / {}", grouped(tally.wdl().wins),
                                        grouped(tally.wdl().draws), grouped(tally.wdl().losses)));
    out += row("pairs", pentanomial_text(tally.pentanomial()));
    if (tally.pairs() > 0 && !is_cut_short(tally)) {
        out += row("tests of equality",
                   fmt::format("trinomial {}, sign-flip {}", p_value(figures.trinomial.p_value),
                               p_value(figures.sign_flip.p_value)));
    }
    out += row("losses on time", both(failures[0].time_losses, failures[1].time_losses));
    out += row("crashes", both(failures[0].crashes, failures[1].crashes));
    out += row("illegal moves", both(failures[0].illegal_moves, failures[1].illegal_moves));
    if (failures[0].stalls + failures[1].stalls > 0)
        out += row("stalls", both(failures[0].stalls, failures[1].stalls));
    const std::int64_t first_elsewhere = failures_elsewhere(tally, 0);
    const std::int64_t second_elsewhere = failures_elsewhere(tally, 1);
    if (first_elsewhere + second_elsewhere > 0)
        out += row("of these not in counted games", both(first_elsewhere, second_elsewhere));
    return out;
}

/// The other estimates, folded.
std::string other_estimates(const Estimates& estimates) {
    if (estimates.others.empty()) return "";
    std::string out =
        "\n<details><summary>other estimates</summary>\n\n| kind | Elo | nElo | when it is right "
        "|\n| --- | --- | --- | --- |\n";
    for (const KindOfEstimate& other : estimates.others) {
        out +=
            fmt::format("| {} | {} | {} | {} |\n", words_of(other.kind), estimate_text(other.elo),
                        other.has_nelo() ? estimate_text(other.nelo) : "–", other.meaning);
    }
    return out + "\n</details>\n";
}

/// The checks of assumptions, folded; alarms stand outside the fold.
std::string checks_text(const harness::MatchTally& tally, const harness::RunRecord& run) {
    const std::vector<Check> checks = checks_of(tally, run);
    std::string alarms;
    std::string out =
        "\n<details><summary>checks</summary>\n\n| check | value | reading |\n| --- | --- | --- |\n";
    for (const Check& check : checks) {
        if (check.is_alarm) alarms += fmt::format("- check: {}\n", markdown(check.reading));
        out += fmt::format("| {} | {} | {} |\n", markdown(check.name), check.value,
                           markdown(check.reading));
    }
    if (!alarms.empty()) alarms = "\n" + alarms;
    return alarms + out + "\n</details>\n";
}

/// A row a machine, folded, where several played, and the hours of slots that they took.
std::string machine_table(const harness::MatchTally& tally, const harness::RunRecord& run) {
    const auto cells = machine_cells(shown_machines(machine_rows(tally, run), kMostMachines));
    const std::string hours = slot_hours_text(tally, run);
    const std::string last = hours.empty() ? "" : "\n" + hours + "\n";
    if (cells.empty()) return last;
    std::string out = "\n<details><summary>machines</summary>\n\n";
    for (std::size_t i = 0; i < cells.size(); ++i) {
        for (const std::string& cell : cells[i]) out += fmt::format("| {} ", markdown(cell));
        out += "|\n";
        if (i > 0) continue;
        for (const bool is_number : is_machine_number()) out += is_number ? "| ---: " : "| --- ";
        out += "|\n";
    }
    return out + last + "\n</details>\n";
}

/// Flaws of the lines of moves that the programs said, folded.
std::string pv_table(const RunView& view, const harness::MatchTally& tally) {
    std::string out;
    for (const PvRow& row : pv_rows(view.run, tally)) {
        if (out.empty()) {
            out =
                "\n<details><summary>lines of moves (pv) with flaws</summary>\n\n| program | the "
                "line | lines | games | first |\n| --- | --- | --- | --- | --- |\n";
        }
        const auto& examples = row.counts->examples;
        out += fmt::format("| {} | {} | {} | {} | {} |\n", markdown(row.program),
                           adapters::words_of(row.flaw), grouped(row.counts->count),
                           grouped(row.counts->games),
                           examples.empty() ? "–" : markdown(place_text(examples.front())));
    }
    return out.empty() ? out : out + "\n</details>\n";
}

std::string failed_list(const RunView& view, const MatchView& match) {
    std::string out;
    std::size_t shown = 0;
    for (const FailedGame& game : match.failed) {
        if (shown++ == kMostFailedGames) {
            out += fmt::format("- and {} more\n", match.failed.size() - kMostFailedGames);
            break;
        }
        const std::string_view words = game.reason.empty() ? harness::words_of(game.termination)
                                                           : std::string_view(game.reason);
        out += fmt::format("- game {}, ply {}: {}; `{}`\n", grouped(game.number), game.ply,
                           markdown(shortened(words, 300)),
                           replay_command(view.run, game, view.store_path));
    }
    return out.empty() ? out : "\n" + out;
}

/// The commits of the programs.
std::string sources_list(const RunView& view, const harness::MatchPlan& plan) {
    std::string out;
    for (const std::size_t program : plan.between) {
        if (program >= view.run.versions.size() || plan.is_control) continue;
        const harness::VersionRecord& version = view.run.versions[program];
        if (!version.source) continue;
        out += fmt::format("- {}: {}, {}\n", markdown(shortened(version.name, 80)),
                           markdown(shortened(harness::source_text(version), 200)),
                           markdown(shortened(version.source->subject, 200)));
    }
    return out.empty() ? out : "\n" + out;
}

std::string match_section(const RunView& view, const MatchView& match) {
    const harness::MatchPlan& plan = match.tally->plan();
    const auto name = [&](std::size_t index) {
        return markdown(shortened(program_name(view.run, plan, index), 80));
    };
    std::string out;
    if (view.matches.size() > 1 && !plan.name.empty())
        out += fmt::format("\n#### {}\n", markdown(shortened(plan.name, 200)));
    if (is_unplayed(*match.tally)) {
        return out + fmt::format("\n**not played**: {} against {}: {}\n", name(0), name(1),
                                 unplayed_reason(view, match));
    }
    const std::string_view word = verdict_word(*match.tally);
    if (!word.empty()) {
        const std::string sentence = verdict_sentence(view, match).substr(word.size());
        out += fmt::format("\n**{}**{}\n", word, markdown(shortened(sentence, 600)));
    } else if (is_undecided(view, match)) {
        out += fmt::format("\n**no verdict**: {}\n",
                           markdown(shortened(undecided_reason(view, match), 600)));
    }
    const Estimates estimates = estimates_of(*match.tally);
    out += "\n" + table(match, estimates, name(0), name(1));
    const auto index = static_cast<std::size_t>(&match - view.matches.data());
    if (const std::string bench = bench_text(view.run, plan); !bench.empty())
        out += row("bench", markdown(shortened(bench, 300)));
    if (const auto* const speed = harness::speed_of_match(view.run.findings, index))
        out += row("speed", harness::speed_text(*speed));
    if (const std::string same = harness::sameness_text(view.run, plan); !same.empty())
        out += row("programs", markdown(shortened(same, 300)));
    if (const std::string note = interval_note(match, figures_of(*match.tally), estimates.quoted);
        !note.empty())
        out += "\n" + note + "\n";
    return out + sources_list(view, plan) + failed_list(view, match) + other_estimates(estimates) +
           checks_text(*match.tally, view.run) + machine_table(*match.tally, view.run) +
           pv_table(view, *match.tally);
}

/// Of a gate that has ended.
std::string outcome_line(const RunView& view) {
    const harness::Outcome outcome = outcome_of(view);
    if (!is_gate(view.run) || !view.exit_code || outcome.word == harness::OutcomeWord::None)
        return "";
    return fmt::format("\ngate: **{}**, exit {}: {}\n", harness::name_of(outcome.word),
                       *view.exit_code, harness::text_of(outcome.reason));
}

}  // namespace

std::string markdown_report(const RunView& view) {
    std::string out = fmt::format("### assay: {}\n", markdown(shortened(view.run.name, 200)));
    out += outcome_line(view);
    const std::vector<std::string> broken = broken_requirements(view);
    if (!broken.empty()) out += "\n**fails**, whatever the games say:\n";
    for (std::size_t i = 0; i < broken.size() && i < kMostWarnings; ++i)
        out += fmt::format("- required: {}\n", markdown(shortened(broken[i], 300)));
    const std::vector<std::string> open = open_requirements(view);
    if (broken.empty() && !open.empty() && is_gate(view.run))
        out += fmt::format("\n**{}**, whatever the games say:\n", outcome_word(view));
    for (std::size_t i = 0; i < open.size() && i < kMostWarnings; ++i)
        out += fmt::format("- required: {}\n", markdown(shortened(open[i], 300)));
    if (view.tournament != nullptr) out += tournament_markdown(*view.tournament);
    for (std::size_t i = 0; i < view.matches.size() && view.tournament == nullptr; ++i) {
        const std::string section = match_section(view, view.matches[i]);
        if (i > 0 && out.size() + section.size() > kMatchesBytes) {
            out +=
                fmt::format("\n{} more matches are in the full report.\n", view.matches.size() - i);
            break;
        }
        out += section;
    }
    if (view.suite != nullptr) out += suite_markdown(view);
    // What taints the run comes first: there may be many warnings.
    std::vector<std::string> warnings = view.run.findings.drift;
    if (!view.run.findings.control.empty())
        warnings.insert(warnings.begin(), view.run.findings.control);
    warnings.insert(warnings.end(), view.warnings.begin(), view.warnings.end());
    if (!warnings.empty()) out += "\n";
    for (std::size_t i = 0; i < warnings.size() && i < kMostWarnings; ++i)
        out += fmt::format("- warning: {}\n", markdown(shortened(warnings[i], 300)));
    if (view.run.state == harness::RunState::Failed)
        out += fmt::format("\n{}: {}\n", end_word(view),
                           each_line(trim(shortened(view.run.end_reason, 600)), "<br>", markdown));
    return out + fmt::format("\n<sub>run {} · seed {} · `assay report {}{}`</sub>\n", view.run.id,
                             view.run.plan.seed.value_or(0), view.run.id,
                             store_flag(view.store_path));
}

std::string markdown_error(const std::string& text) {
    std::string out = "### assay\n\n**error**: there is no verdict.\n\n";
    std::string_view rest = text;
    constexpr int kMostLines = 40;
    for (int line = 0; line < kMostLines && !rest.empty(); ++line) {
        out += fmt::format("- {}\n", markdown(shortened(take_line(rest), 300)));
    }
    return out;
}

std::string markdown_skipped(const std::string& reason) {
    return fmt::format("### assay\n\n**skipped**: {}\n", markdown(shortened(reason, 600)));
}

}  // namespace assay::reports
