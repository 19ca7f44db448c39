#include "reports/text/github.h"

#include <cmath>

#include <fmt/format.h>

#include "reports/view/escape.h"
#include "reports/view/requirements.h"
#include "reports/view/verdict.h"
#include "reports/view/words.h"

namespace assay::reports {

namespace {

constexpr std::size_t kMostAnnotations = 10;

/// The first match that did not pass, else the last; null where none was begun.
const MatchView* deciding(const RunView& view) {
    for (const MatchView& match : view.matches) {
        const harness::MatchTally& tally = *match.tally;
        if (tally.verdict() != harness::Verdict::Accepted || tally.is_tainted()) return &match;
    }
    return view.matches.empty() ? nullptr : &view.matches.back();
}

std::string number(std::optional<double> value) {
    return value && std::isfinite(*value) ? fmt::format("{:.2f}", *value) : "";
}

std::string_view kind_of(int exit_code) {
    return exit_code == 3 ? "warning" : "error";
}

std::string_view title_of(int exit_code) {
    switch (exit_code) {
        case 1:
            return "assay gate: stopped";
        case 3:
            return "assay gate: undecided";
        default:
            return "assay gate: no verdict";
    }
}

/// Why an accepted match is not enough.
std::string broken_text(const RunView& view) {
    const std::vector<std::string> broken = broken_requirements(view);
    std::string text;
    for (const std::string& one : broken) text += " Required: " + one + ".";
    return text.empty() ? " But an expectation on the search does not hold." : text;
}

std::string reason_of(const RunView& view, int exit_code) {
    const MatchView* const match = deciding(view);
    std::string text = match != nullptr ? verdict_sentence(view, *match) : "";
    if (exit_code == 4 && !view.run.end_reason.empty()) text = view.run.end_reason;
    if (exit_code == 1 && match != nullptr && match->tally->verdict() == harness::Verdict::Accepted)
        text += broken_text(view);
    if (exit_code == 3 && match != nullptr &&
        match->tally->verdict() == harness::Verdict::Accepted) {
        for (const std::string& open : open_requirements(view))
            text += " Required, but " + open + ".";
    }
    if (text.empty()) text = "the gate ended without a verdict";
    return shortened(text, 800);
}

}  // namespace

std::string github_annotation(const RunView& view, int exit_code) {
    if (exit_code == 0 || exit_code > 128) return "";
    const std::string text =
        fmt::format("{} assay report {} shows more.", reason_of(view, exit_code), view.run.id);
    return fmt::format("::{} title={}::{}\n", kind_of(exit_code),
                       github_property(title_of(exit_code)), github_message(text));
}

std::string github_annotations(const SyntaxError& error) {
    std::string out;
    std::size_t count = 0;
    for (const Diagnostic& one : error.diagnostics()) {
        if (count++ == kMostAnnotations) break;
        out += fmt::format("::error file={},line={},col={}::{}\n", github_property(one.path),
                           one.line, one.column, github_message(one.message));
    }
    return out;
}

std::string github_outputs(const RunView& view, int exit_code) {
    RunView ended = view;
    ended.exit_code = exit_code;
    const std::string outcome = outcome_word(ended);
    std::string out = fmt::format("exit_code={}\nrun={}\n", exit_code, view.run.id);
    const MatchView* const match = deciding(view);
    if (match == nullptr) return out + fmt::format("verdict=\noutcome={}\n", outcome);
    const harness::MatchTally& tally = *match->tally;
    const Figures figures = figures_of(tally);
    const auto test = test_state(tally);
    const auto& elo = figures.strength.elo;
    out +=
        fmt::format("verdict={}\ntainted={}\noutcome={}\npairs={}\n",
                    harness::name_of(tally.verdict()), tally.is_tainted(), outcome, tally.pairs());
    return out + fmt::format("elo={}\nelo_low={}\nelo_high={}\nnelo={}\nllr={}\n",
                             number(elo.value), number(elo.ci95.low), number(elo.ci95.high),
                             number(figures.strength.nelo.value),
                             number(test ? test->llr : std::nullopt));
}

}  // namespace assay::reports
