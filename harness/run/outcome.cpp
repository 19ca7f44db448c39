// How a run ended: one decision for the process's exit code and for every report.
//
// A run that this process has played and a run that is read from a store end in the same
// function, outcome_of(OutcomeFacts). The store does not keep the flag `--inconclusive`; it keeps
// the exit code that the command returned, and the flag is the one under which the facts give that
// code. Where no flag gives it, the code was changed behind the decision (a report that could not
// be written makes it 4), or the store is of an assay that decided otherwise; then the code stands,
// and the word follows it.
#include "harness/run/outcome.h"

#include <algorithm>
#include <array>

#include "base/enum_names.h"
#include "harness/run/run.h"

namespace assay::harness {

namespace {

using End = OutcomeFacts::End;

bool passes(const MatchFacts& match) {
    return match.verdict == Verdict::Accepted && !match.is_tainted;
}

template <class Predicate>
std::optional<std::size_t> first_match(const OutcomeFacts& facts, Predicate is_wanted) {
    const auto found = std::ranges::find_if(facts.matches, is_wanted);
    if (found == facts.matches.end()) return std::nullopt;
    return static_cast<std::size_t>(found - facts.matches.begin());
}

/// The first match that did not pass, else the last one. The control, and matches without a rule
/// beside others that have one, decide nothing.
std::optional<std::size_t> deciding_match(const OutcomeFacts& facts) {
    const bool has_rules = std::ranges::any_of(facts.matches, &MatchFacts::has_rule);
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < facts.matches.size(); ++i) {
        const MatchFacts& match = facts.matches[i];
        if (match.is_control || (has_rules && !match.has_rule)) continue;
        last = i;
        if (!passes(match)) break;
    }
    return last;
}

int code_of_open(InconclusiveAs inconclusive) {
    switch (inconclusive) {
        case InconclusiveAs::Pass:
            return 0;
        case InconclusiveAs::Fail:
            return kExitRejected;
        case InconclusiveAs::Code3:
            break;
    }
    return kExitUndecided;
}

/// What a gate that came to its end says of its matches. `deciding`: for what no match decides.
Outcome end_of_gate(const OutcomeFacts& facts, std::optional<std::size_t> deciding) {
    if (facts.has_odd_control) {
        const auto control =
            first_match(facts, [](const MatchFacts& match) { return match.is_control; });
        return {OutcomeWord::Tainted, OutcomeReason::Control, control ? control : deciding,
                kExitUndecided};
    }
    if (const auto match = first_match(facts, [](const MatchFacts& one) { return one.is_tainted; }))
        return {OutcomeWord::Tainted, OutcomeReason::Taint, match, kExitUndecided};
    const Outcome open{OutcomeWord::Inconclusive, OutcomeReason::Verdict, deciding,
                       code_of_open(facts.inconclusive)};
    // A pass or a fail in place of 3 does not end the search for a match that is rejected.
    const bool is_three = facts.inconclusive == InconclusiveAs::Code3;
    Outcome open_suite = open;
    open_suite.reason = OutcomeReason::OpenSuite;
    if (facts.is_suite_open && is_three) return open_suite;
    bool has_open_match = false;
    for (std::size_t i = 0; i < facts.matches.size(); ++i) {
        const MatchFacts& match = facts.matches[i];
        if (match.is_control || match.verdict == Verdict::Accepted) continue;
        if (match.verdict == Verdict::Rejected)
            return {OutcomeWord::Rejected, OutcomeReason::Verdict, i, kExitRejected};
        has_open_match = true;
        if (is_three) break;
    }
    if (facts.is_suite_open) return open_suite;
    if (has_open_match) return open;
    const auto speed =
        first_match(facts, [](const MatchFacts& match) { return match.is_speed_open; });
    if (speed) {
        Outcome open_speed = open;
        open_speed.reason = OutcomeReason::OpenSpeed;
        open_speed.match = speed;
        return open_speed;
    }
    return {OutcomeWord::Accepted, OutcomeReason::Verdict, deciding, 0};
}

/// What the conditions on a tournament say that came to its end, of which none is broken.
Outcome end_of_tournament(const OutcomeFacts& facts) {
    const int open = code_of_open(facts.inconclusive);
    if (facts.is_tournament_tainted)
        return {OutcomeWord::Tainted, OutcomeReason::Taint, std::nullopt, kExitUndecided};
    if (facts.is_suite_open)
        return {OutcomeWord::Inconclusive, OutcomeReason::OpenSuite, std::nullopt, open};
    if (facts.conditions != ConditionState::Holds)
        return {OutcomeWord::Inconclusive, OutcomeReason::OpenCondition, std::nullopt, open};
    return {OutcomeWord::Accepted, OutcomeReason::Conditions, std::nullopt, 0};
}

Outcome outcome_of_blame(Blame blame, std::optional<std::size_t> match) {
    if (blame == Blame::FirstProgram)
        return {OutcomeWord::Rejected, OutcomeReason::FirstProgram, match, kExitRejected};
    if (blame == Blame::NotPlayed)
        return {OutcomeWord::NoVerdict, OutcomeReason::NotPlayed, match, kExitNoVerdict};
    return {OutcomeWord::NoVerdict, OutcomeReason::Failure, match, kExitNoVerdict};
}

/// The outcome by the facts alone; its word is that of a gate.
Outcome decide(const OutcomeFacts& facts) {
    const std::optional<std::size_t> deciding = deciding_match(facts);
    switch (facts.end) {
        case End::Open:
            return {OutcomeWord::None, OutcomeReason::None, deciding, std::nullopt};
        case End::Stopped: {
            // A process ended by signal n has the code 128 + n, as shells report it.
            const auto code =
                facts.signal ? std::optional(kExitSignal + *facts.signal) : facts.returned;
            return {OutcomeWord::Stopped, OutcomeReason::Signal, deciding, code};
        }
        case End::Failed:
            return outcome_of_blame(facts.blame, deciding);
        case End::Finished:
            break;
    }
    if (facts.is_unchanged)
        return {OutcomeWord::NoChange, OutcomeReason::SamePrograms, std::nullopt, 0};
    if (facts.search_blame != Blame::Nobody) return outcome_of_blame(facts.search_blame, deciding);
    if (facts.is_suite_broken)
        return {OutcomeWord::Rejected, OutcomeReason::Expectation, deciding, kExitRejected};
    if (const auto match = first_match(facts, [](const MatchFacts& one) { return one.is_broken; }))
        return {OutcomeWord::Rejected, OutcomeReason::Requirement, match, kExitRejected};
    if (facts.conditions == ConditionState::Broken)
        return {OutcomeWord::Rejected, OutcomeReason::Requirement, std::nullopt, kExitRejected};
    if (facts.conditions) {
        Outcome outcome = end_of_tournament(facts);
        if (!facts.is_gate) outcome.exit_code = 0;  // a run is done, whatever is left open
        return outcome;
    }
    if (facts.is_gate) return end_of_gate(facts, deciding);
    return {OutcomeWord::None, OutcomeReason::None, deciding, 0};
}

/// Of a run whose command returned a code that the facts do not give.
Outcome outcome_by_code(const OutcomeFacts& facts, int code) {
    Outcome outcome = decide(facts);
    const bool is_over = facts.end == End::Finished;
    outcome.exit_code = code;
    if (is_over && code == kExitNoVerdict) {
        outcome.word = OutcomeWord::NoVerdict;
        outcome.reason = OutcomeReason::Output;
    }
    if (is_over && code == kExitRejected) outcome.word = OutcomeWord::Rejected;
    if (is_over && code == kExitUndecided) outcome.word = OutcomeWord::Inconclusive;
    return outcome;
}

Outcome outcome_with_code(OutcomeFacts facts, int code) {
    for (const InconclusiveAs one :
         {InconclusiveAs::Code3, InconclusiveAs::Pass, InconclusiveAs::Fail}) {
        facts.inconclusive = one;
        const Outcome outcome = decide(facts);
        if (outcome.exit_code == code) return outcome;
    }
    facts.inconclusive = InconclusiveAs::Code3;
    return outcome_by_code(facts, code);
}

RunState state_of(End end) {
    switch (end) {
        case End::Open:
            return RunState::Running;
        case End::Stopped:
            return RunState::Interrupted;
        case End::Failed:
            return RunState::Failed;
        case End::Finished:
            break;
    }
    return RunState::Finished;
}

/// Whether a run was stopped before each of its matches was over.
bool is_cut_short(const OutcomeFacts& facts) {
    return facts.end == End::Stopped &&
           std::ranges::any_of(facts.matches, [](const MatchFacts& match) {
               return !match.is_control && match.verdict == Verdict::None;
           });
}

/// Outside a gate the exit code says whether the run is done, and the word what its match says.
void take_word_of_match(Outcome& outcome, const OutcomeFacts& facts) {
    if (outcome.reason == OutcomeReason::FirstProgram) return;
    if (outcome.reason == OutcomeReason::SamePrograms) return;
    if (facts.conditions && facts.end == End::Finished) return;
    outcome.match = deciding_match(facts);
    const MatchFacts match = outcome.match ? facts.matches[*outcome.match] : MatchFacts();
    outcome.word = match_word(match, false, state_of(facts.end));
    const bool is_passed =
        outcome.word == OutcomeWord::Accepted || outcome.word == OutcomeWord::Inconclusive;
    if (is_passed && is_cut_short(facts)) outcome.word = OutcomeWord::Stopped;
    if (outcome.reason == OutcomeReason::None && outcome.word != OutcomeWord::None) {
        outcome.reason =
            outcome.word == OutcomeWord::Tainted ? OutcomeReason::Taint : OutcomeReason::Verdict;
    }
}

}  // namespace

std::string_view name_of(OutcomeWord word) {
    return enum_names<OutcomeWord>("", "accepted", "rejected", "inconclusive", "tainted",
                                   "no verdict", "stopped", "no change")
        .of(word);
}

OutcomeWord word_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::Accepted:
            return OutcomeWord::Accepted;
        case Verdict::Rejected:
            return OutcomeWord::Rejected;
        case Verdict::Inconclusive:
            return OutcomeWord::Inconclusive;
        case Verdict::None:
            break;
    }
    return OutcomeWord::None;
}

std::string_view name_of(OutcomeReason reason) {
    return enum_names<OutcomeReason>("", "verdict", "requirement", "expectation", "first_program",
                                     "failure", "signal", "taint", "control", "open_suite",
                                     "open_speed", "output", "same_programs", "conditions",
                                     "open_condition", "not_played")
        .of(reason);
}

std::string_view text_of(OutcomeReason reason) {
    constexpr std::array<std::string_view, 16> kTexts{
        "",
        "the verdict of the match",
        "a part of 'require' is broken",
        "an expectation of the suite does not hold",
        "the program under test failed",
        "a program or the machine failed",
        "a signal stopped the run",
        "failures of the programs or delays of the harness make the verdict unreliable",
        "the control match differs",
        "an expectation of the suite is not settled",
        "the requirement of speed is not settled",
        "a report could not be written",
        "both programs are the same",
        "the conditions on the tournament hold",
        "a condition on the tournament is not settled",
        "games are lacking, and --no-play plays none"};
    return kTexts[static_cast<std::size_t>(reason)];
}

Outcome outcome_of(const OutcomeFacts& facts) {
    Outcome outcome = facts.returned ? outcome_with_code(facts, *facts.returned) : decide(facts);
    if (!facts.is_gate) take_word_of_match(outcome, facts);
    return outcome;
}

Outcome outcome_of(const RunOutcome& played, InconclusiveAs inconclusive) {
    // There was nothing to do.
    if (played.before == RunOutcome::Before::Skipped && played.signal == 0)
        return {OutcomeWord::None, OutcomeReason::None, std::nullopt, 0};
    OutcomeFacts facts = played_facts(played);
    facts.inconclusive = inconclusive;
    return outcome_of(facts);
}

OutcomeWord match_word(const MatchFacts& match, bool gate, RunState state) {
    if (gate && !match.is_control && match.is_broken) return OutcomeWord::Rejected;
    if (match.is_tainted) return OutcomeWord::Tainted;
    if (match.verdict == Verdict::Rejected) return OutcomeWord::Rejected;
    if (match.verdict == Verdict::Accepted) {
        const bool is_open = gate && !match.is_control && match.is_speed_open;
        return is_open ? OutcomeWord::Inconclusive : OutcomeWord::Accepted;
    }
    if (state == RunState::Failed) return OutcomeWord::NoVerdict;
    if (match.verdict == Verdict::None && state == RunState::Interrupted)
        return OutcomeWord::Stopped;
    return word_of(match.verdict);
}

}  // namespace assay::harness
