// The page's headline: what the outcome means, in one sentence of words that a reader who knows no
// statistics understands. The words of the outcome itself are in view/outcome_words.
#include <fmt/format.h>

#include "reports/text/suite_text.h"
#include "reports/view/escape.h"
#include "reports/view/machine_rows.h"
#include "reports/view/number_text.h"
#include "reports/view/outcome_words.h"
#include "reports/view/verdict_text.h"
#include "reports/web/run_parts.h"

namespace assay::reports::web {

namespace {

using harness::MatchTally;
using harness::RunState;
using harness::StopPlan;
using harness::Verdict;

/// "after 1,944 of 5,000 pairs".
std::string progress(const MatchTally& tally) {
    return fmt::format("after {} of {}", grouped(tally.pairs()),
                       grouped(tally.plan().pairs, "pair"));
}

/// What the verdict means for the first program.
std::string accepted_headline(const MatchPage& match, bool gate) {
    const std::string end = gate ? fmt::format("{} passes.", match.names[0])
                                 : fmt::format("{} is no weaker than {}, within the bound.",
                                               match.names[0], match.names[1]);
    if (match.tally().plan().stop.rule == StopPlan::Rule::Fixed)
        return fmt::format("Better: {} is stronger than {}.", match.names[0], match.names[1]);
    const double elo0 = match.test ? match.test->elo0 : 0;
    if (elo0 < 0) return "Not worse: " + end;
    return gate ? fmt::format("Better: {} passes.", match.names[0])
                : fmt::format("Better: {} is stronger than {}.", match.names[0], match.names[1]);
}

std::string rejected_headline(const MatchPage& match, bool gate) {
    const std::string stopped = fmt::format("{} is stopped.", match.names[0]);
    const std::string weaker =
        fmt::format("Worse: {} is weaker than {}.", match.names[0], match.names[1]);
    if (match.tally().plan().stop.rule == StopPlan::Rule::Fixed) return weaker;
    const double elo1 = match.test ? match.test->elo1 : 0;
    if (elo1 <= 0) return gate ? "Worse: " + stopped : weaker;
    return gate ? "No gain shown: " + stopped
                : fmt::format("No gain of {} over {} is shown.", match.names[0], match.names[1]);
}

std::string open_headline(const MatchPage& match) {
    const MatchTally& tally = match.tally();
    if (tally.pairs() == 0)
        return fmt::format("{} against {}: the first games are being played.", match.names[0],
                           match.names[1]);
    return fmt::format("Still playing: {} scores {} of {} against {} so far.", match.names[0],
                       score_text(half_points(tally)), grouped(tally.games()), match.names[1]);
}

/// For a match without a stop rule: what the score shows.
std::string plain_headline(const RunView& view, const MatchPage& match) {
    const MatchTally& tally = match.tally();
    const bool is_left_out = is_unplayed(tally) && view.matches.size() > 1;
    if (view.run.state == RunState::Interrupted || is_left_out)
        return fmt::format("No verdict: {}.", undecided_state(view, *match.view));
    if (tally.pairs() == 0) return "No pair is finished, so nothing is known.";
    if (view.run.state == RunState::Failed)
        return fmt::format("No verdict: {}", first_line(view.run.end_reason));
    const bool is_shown = match.figures.sign_flip.p_value <= 0.05;
    const std::size_t better = match.figures.balance > 0 ? 0 : 1;
    const std::string score =
        fmt::format("{} scores {} of {} against {}", match.names[0], score_text(half_points(tally)),
                    grouped(tally.games()), match.names[1]);
    return is_shown ? fmt::format("{}: {} is the stronger one.", score, match.names[better])
                    : score + ": no difference is shown.";
}

std::string headline(const RunView& view, const MatchPage& match) {
    const MatchTally& tally = match.tally();
    const bool gate = is_gate(view.run);
    if (tally.is_tainted())
        return fmt::format("Not to be trusted: {}.",
                           tally.is_voided_too_often() ? "the harness was too late too often"
                           : tally.is_changed_by_failures()
                               ? "the games in which a program failed decide this"
                               : machines_reason(tally, view.run));
    switch (tally.verdict()) {
        case Verdict::Accepted:
            return accepted_headline(match, gate);
        case Verdict::Rejected:
            return rejected_headline(match, gate);
        case Verdict::Inconclusive:
            if (view.run.state == RunState::Failed) break;
            return fmt::format("Undecided: the {} ended {}.",
                               view.matches.size() > 1 ? "match" : "run", progress(tally));
        case Verdict::None:
            if (is_open(view)) return open_headline(match);
            break;
    }
    if (view.run.state == RunState::Failed && tally.verdict() != Verdict::None)
        return fmt::format("No verdict: {}", first_line(view.run.end_reason));
    return plain_headline(view, match);
}

std::size_t broken_conditions(const RunView& view, const std::vector<MatchPage>& matches) {
    std::size_t count = 0;
    for (const MatchPage& match : matches)
        for (const Condition& condition : conditions_of(view, match.index))
            count += condition.holds || condition.is_open ? 0 : 1;
    return count;
}

/// "one condition fails and 2 search expectations fail"; empty: none does.
std::string broken_words(std::size_t conditions, std::size_t expectations) {
    std::string text;
    if (conditions > 0)
        text =
            conditions == 1 ? "one condition fails" : fmt::format("{} conditions fail", conditions);
    if (expectations > 0) {
        text += (text.empty() ? "" : " and ") +
                (expectations == 1 ? std::string("one search expectation fails")
                                   : fmt::format("{} search expectations fail", expectations));
    }
    return text;
}

/// Where a requirement or an expectation does not hold.
std::string broken_headline(const RunView& view, const MatchPage& match, const std::string& but) {
    const MatchTally& tally = match.tally();
    if (tally.verdict() == Verdict::Accepted && !tally.is_tainted()) {
        const double elo0 = match.test ? match.test->elo0 : 0;
        return fmt::format("{} {}: it plays {} than {}, but {}.",
                           is_gate(view.run) ? "The gate stops" : "Mixed for", match.names[0],
                           elo0 < 0 ? "no worse" : "better", match.names[1], but);
    }
    const bool is_over = is_gate(view.run) && view.run.state == RunState::Finished;
    if (!is_over || (tally.verdict() == Verdict::Rejected && !tally.is_tainted()))
        return headline(view, match);
    return fmt::format("The gate stops {}: {}; the match is {}.", match.names[0], but,
                       tally.is_tainted() ? "not to be trusted" : "undecided");
}

/// The end reason of the run's record; otherwise the reason of the outcome.
std::string failure_text(const RunView& view, const harness::Outcome& outcome) {
    if (!view.run.end_reason.empty()) return std::string(first_line(view.run.end_reason));
    return std::string(harness::text_of(outcome.reason)) + ".";
}

std::string whole_headline(const RunView& view, const harness::Outcome& outcome,
                           const std::vector<MatchPage>& matches) {
    using Reason = harness::OutcomeReason;
    const MatchPage& match = deciding(outcome, matches);
    switch (outcome.reason) {
        case Reason::Requirement:
        case Reason::Expectation:
            return broken_headline(
                view, match,
                broken_words(broken_conditions(view, matches), failed_expectations(view)));
        case Reason::FirstProgram:
            return fmt::format("The gate stops {}: {}", match.names[0],
                               failure_text(view, outcome));
        case Reason::Failure:
        case Reason::NotPlayed:
        case Reason::Output:
            // headline() covers a failed run whose match has no decision.
            if (view.run.state == RunState::Failed && match.tally().verdict() == Verdict::None)
                break;
            if (outcome.word != harness::OutcomeWord::NoVerdict) break;
            return "No verdict: " + failure_text(view, outcome);
        case Reason::Control:
            return "Not to be trusted: the control match differs.";
        case Reason::SamePrograms:
            return "no change: " + view.run.findings.unchanged + ".";
        case Reason::OpenSuite:
            return "Undecided: an expectation of the suite is not settled.";
        case Reason::OpenSpeed: {
            const double elo0 = match.test ? match.test->elo0 : 0;
            return fmt::format("Undecided: {} plays {} than {}, but its speed is not settled.",
                               match.names[0], elo0 < 0 ? "no worse" : "better", match.names[1]);
        }
        case Reason::Signal:
            // Without a verdict headline() says it.
            if (match.tally().verdict() == Verdict::None) break;
            return "The run was stopped. " + headline(view, match);
        case Reason::Conditions:
        case Reason::OpenCondition:
            break;  // of a tournament, which has a head of its own
        case Reason::Verdict:
        case Reason::Taint:
        case Reason::None:
            break;
    }
    return headline(view, match);
}

std::string suite_headline(const RunView& view) {
    if (view.suite == nullptr) return "The run has no match.";
    const std::string sentence = suite_sentence(view);
    return fmt::format("Suite {}: {}.", suite_name(view),
                       sentence.empty() ? "no expectation has a bound" : sentence);
}

}  // namespace

const MatchPage& deciding(const harness::Outcome& outcome, const std::vector<MatchPage>& matches) {
    return matches.at(outcome.match.value_or(matches.size() - 1));
}

std::string headline_of(const RunView& view, const harness::Outcome& outcome,
                        const std::vector<MatchPage>& matches) {
    if (matches.empty()) return suite_headline(view);
    std::string text = whole_headline(view, outcome, matches);
    // A gate that passes speaks of all matches.
    const bool is_of_all = is_gate(view.run) && outcome.word == harness::OutcomeWord::Accepted;
    if (matches.size() < 2 || is_of_all || !text.ends_with('.')) return text;
    text.pop_back();
    return fmt::format("{} ({}).", text, match_name(deciding(outcome, matches)));
}

bool is_open(const RunView& view) {
    return view.run.state == RunState::Running;
}

}  // namespace assay::reports::web
