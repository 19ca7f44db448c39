#include "reports/view/outcome_words.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/view/escape.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"

namespace assay::reports {

namespace {

std::size_t index_of(const RunView& view, const MatchView& match) {
    const auto at = std::ranges::find(view.matches, match.tally, &MatchView::tally);
    return static_cast<std::size_t>(at - view.matches.begin());
}

/// Of a tournament that has not ended nothing is decided yet.
void add_conditions(std::vector<std::string>& all, const RunView& view,
                    harness::ConditionState state) {
    const bool has_ended = view.run.state == harness::RunState::Finished;
    if (!has_ended || view.tournament == nullptr || !view.tournament->judged) return;
    for (std::string& sentence : view.tournament->judged->sentences(state))
        all.push_back(std::move(sentence));
}

}  // namespace

harness::Outcome outcome_of(const RunView& view) {
    harness::OutcomeFacts facts = harness::stored_facts(view.run, view.suite, view.exit_code);
    for (std::size_t i = 0; i < view.matches.size(); ++i)
        facts.matches.push_back(harness::match_facts(*view.matches[i].tally, view.run, i));
    if (view.tournament != nullptr) harness::add_conditions(facts, view.tournament->judged);
    return harness::outcome_of(facts);
}

std::string_view outcome_word(const RunView& view) {
    return harness::name_of(outcome_of(view).word);
}

std::string_view match_word(const RunView& view, const MatchView& match) {
    if (!view.run.findings.unchanged.empty())
        return harness::name_of(harness::OutcomeWord::NoChange);
    const harness::MatchFacts facts =
        harness::match_facts(*match.tally, view.run, index_of(view, match));
    return harness::name_of(harness::match_word(facts, harness::is_gate(view.run), view.run.state));
}

std::string_view end_word(const RunView& view) {
    const harness::Outcome outcome = outcome_of(view);
    return outcome.reason == harness::OutcomeReason::FirstProgram ? harness::name_of(outcome.word)
                                                                  : "stopped";
}

const MatchView* deciding_match(const RunView& view) {
    const harness::Outcome outcome = outcome_of(view);
    return outcome.match ? &view.matches.at(*outcome.match) : nullptr;
}

std::vector<std::string> broken_requirements(const RunView& view) {
    std::vector<std::string> all;
    for (const MatchView& match : view.matches) {
        for (std::string& broken : harness::broken_requirements(*match.tally, view.run))
            all.push_back(std::move(broken));
    }
    add_conditions(all, view, harness::ConditionState::Broken);
    return all;
}

std::vector<std::string> open_requirements(const RunView& view) {
    std::vector<std::string> all = harness::open_requirements(view.run);
    add_conditions(all, view, harness::ConditionState::Undecided);
    return all;
}

bool is_unplayed(const harness::MatchTally& tally) {
    return tally.games() == 0 && tally.pairs() == 0 && tally.meters().wall_us == 0;
}

std::string unplayed_reason(const RunView& view, const MatchView& match) {
    if (!view.run.findings.unchanged.empty())
        return "no change: " + printable_utf8(view.run.findings.unchanged);
    const bool is_first = !view.matches.empty() && match.tally == view.matches.front().tally;
    if (is_first || view.run.state != harness::RunState::Finished) return "it was not begun";
    return "it was not begun: the match before it was not accepted";
}

bool is_undecided(const RunView& view, const MatchView& match) {
    if (!verdict_word(*match.tally).empty()) return false;
    return match.tally->plan().stop.rule != harness::StopPlan::Rule::None ||
           view.run.state != harness::RunState::Finished;
}

std::string undecided_reason(const RunView& view, const MatchView& match) {
    const std::string state = undecided_state(view, match);
    if (state.empty() || view.run.state != harness::RunState::Interrupted) return state;
    return fmt::format("{}; resume with {}", state, resume_command(view.run));
}

std::string undecided_state(const RunView& view, const MatchView& match) {
    const harness::MatchTally& tally = *match.tally;
    if (!verdict_word(tally).empty()) return "";
    const std::string progress = fmt::format("after {} of at most {}", grouped(tally.pairs()),
                                             grouped(tally.plan().pairs, "pair"));
    const std::string reason = printable_utf8(first_line(view.run.end_reason));
    switch (view.run.state) {
        case harness::RunState::Failed:
            return fmt::format("{}: {}", end_word(view), reason);
        case harness::RunState::Interrupted:
            return fmt::format("{} {}", reason.empty() ? "stopped" : reason, progress);
        case harness::RunState::Running:
            return "not finished, so far " + progress;
        case harness::RunState::Finished:
            break;
    }
    if (is_unplayed(tally)) return unplayed_reason(view, match);
    if (tally.plan().stop.rule == harness::StopPlan::Rule::None)
        return "no stop rule, so no verdict";
    return "the rule has not decided " + progress;
}

}  // namespace assay::reports
