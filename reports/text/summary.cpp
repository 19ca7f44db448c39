#include "reports/text/summary.h"

#include <fmt/format.h>

#include "base/text.h"
#include "reports/text/match/failed_games.h"
#include "reports/text/match/match_summary.h"
#include "reports/text/painted.h"
#include "reports/text/suite_text.h"
#include "reports/text/tournament_report.h"
#include "reports/view/escape.h"
#include "reports/view/number_text.h"
#include "reports/view/outcome_words.h"
#include "reports/view/verdict_text.h"

namespace assay::reports {

namespace {

std::string indented_lines(std::string_view text) {
    return each_line(trim(text), "\n  ", printable_utf8);
}

/// The tests of several matches after Holm's correction.
std::string holm_lines(const RunView& view) {
    const std::vector<ListedTest> tests = holm_of(view);
    if (tests.empty()) return "";
    std::string text = fmt::format("{} at once, corrected by Holm at 5 %:\n",
                                   grouped(static_cast<std::int64_t>(tests.size()), "test"));
    for (const ListedTest& test : tests) {
        const harness::MatchPlan& plan = view.matches[test.match].tally->plan();
        const auto name = [&](std::size_t index) {
            return printable_utf8(program_name(view.run, plan, index));
        };
        text += fmt::format("  {} against {}{}: ", name(0), name(1),
                            plan.name.empty() ? "" : " (" + printable_utf8(plan.name) + ")");
        text += test.is_claim()
                    ? fmt::format("{}, corrected {}: {}\n", p_value(*test.p_value),
                                  p_value(*test.adjusted), test.holds ? "holds" : "does not hold")
                    : std::string("not decided, so that it claims nothing\n");
    }
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

}  // namespace

std::string run_summary(const RunView& view, bool colour, int width) {
    std::string text;
    if (view.tournament != nullptr) {
        text += tournament_line(view) + "\n";
        text += tournament_report(*view.tournament, {width, colour}) +
                failed_games_text(view, view.matches) + "\n";
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

}  // namespace assay::reports
