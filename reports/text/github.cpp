#include "reports/text/github.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/view/escape.h"
#include "reports/view/estimates.h"
#include "reports/view/number_text.h"
#include "reports/view/outcome_words.h"
#include "reports/view/verdict_text.h"

namespace assay::reports {

namespace {

constexpr std::size_t kMostAnnotations = 10;

std::string number(std::optional<double> value) {
    return value && std::isfinite(*value) ? fmt::format("{:.2f}", *value) : "";
}

harness::Outcome outcome_with(const RunView& view, int exit_code) {
    RunView ended = view;
    ended.exit_code = exit_code;
    return outcome_of(ended);
}

const MatchView* match_of(const RunView& view, const harness::Outcome& outcome) {
    return outcome.match ? &view.matches.at(*outcome.match) : nullptr;
}

/// Why the gate did not pass, in sentences.
std::string reason_of(const RunView& view, const harness::Outcome& outcome) {
    using Reason = harness::OutcomeReason;
    const MatchView* const match = match_of(view, outcome);
    std::string text = match != nullptr ? verdict_sentence(view, *match) : "";
    const auto add = [&text](std::string_view sentence) {
        if (!text.empty()) text += ' ';
        text += sentence;
    };
    switch (outcome.reason) {
        case Reason::Failure:
        case Reason::NotPlayed:
        case Reason::FirstProgram:
            if (!view.run.end_reason.empty()) text = view.run.end_reason;
            break;
        case Reason::Requirement:
            for (const std::string& one : broken_requirements(view)) add("Required: " + one + ".");
            break;
        case Reason::Expectation:
            add("But an expectation on the search does not hold.");
            break;
        case Reason::OpenSpeed:
        case Reason::OpenCondition:
            for (const std::string& open : open_requirements(view))
                add("Required, but " + open + ".");
            break;
        case Reason::Control:
            text = view.run.findings.control;
            break;
        default:
            break;
    }
    if (text.empty()) text = harness::text_of(outcome.reason);
    if (text.empty()) text = "the gate ended without a verdict";
    return shortened(trim(text), 800);
}

}  // namespace

bool is_github_action() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing in this process changes the environment
    const char* const value = std::getenv("GITHUB_ACTIONS");
    return value != nullptr && std::string_view(value) == "true";
}

std::string github_annotation(const RunView& view, int exit_code) {
    if (exit_code == 0 || exit_code > 128) return "";
    const harness::Outcome outcome = outcome_with(view, exit_code);
    const std::string text =
        fmt::format("{} assay report {} shows more.", reason_of(view, outcome), view.run.id);
    return fmt::format(
        "::{} title={}::{}\n", exit_code == 3 ? "warning" : "error",
        github_property(fmt::format("assay gate: {}", harness::name_of(outcome.word))),
        github_message(text));
}

std::string github_annotations(const SyntaxError& error) {
    std::string out;
    std::size_t count = 0;
    for (const Diagnostic& one : error.diagnostics()) {
        if (count++ == kMostAnnotations) break;
        // "<command line>" is no file that GitHub could show.
        const std::string place =
            one.path.starts_with('<')
                ? "title=" + github_property(one.path.substr(1, one.path.size() - 2))
                : fmt::format("file={},line={},col={}", github_property(one.path), one.line,
                              one.column);
        out += fmt::format("::error {}::{}\n", place, github_message(one.message));
    }
    return out;
}

std::string github_outputs(const RunView& view, int exit_code) {
    const harness::Outcome outcome = outcome_with(view, exit_code);
    const std::string_view word = harness::name_of(outcome.word);
    std::string out = fmt::format("exit_code={}\nrun={}\n", exit_code, view.run.id);
    const MatchView* const match = match_of(view, outcome);
    if (match == nullptr) return out + fmt::format("verdict=\noutcome={}\n", word);
    const harness::MatchTally& tally = *match->tally;
    const KindOfEstimate quoted = estimates_of(tally).quoted;
    const auto test = test_state(tally);
    const stats::Estimate& elo = quoted.elo;
    out += fmt::format("verdict={}\ntainted={}\noutcome={}\npairs={}\n",
                       harness::name_of(tally.verdict()), tally.is_tainted(), word, tally.pairs());
    return out + fmt::format("elo={}\nelo_low={}\nelo_high={}\nnelo={}\nllr={}\nestimate={}\n",
                             number(elo.value), number(elo.ci95.low), number(elo.ci95.high),
                             number(quoted.nelo.value), number(test ? test->llr : std::nullopt),
                             name_of(quoted.kind));
}

}  // namespace assay::reports
