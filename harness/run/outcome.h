#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/run/outcome_facts.h"

namespace assay::harness {

/// The word for a run as a whole.
enum class OutcomeWord : std::uint8_t {
    None,  // the run goes on, or has no stop rule
    Accepted,
    Rejected,
    Inconclusive,
    Tainted,
    NoVerdict,  // a program or the machine failed
    Stopped,    // by a signal
    NoChange,   // nothing was played, because the programs are the same (`skip_if`)
};

/// "accepted", "rejected", "inconclusive", "tainted", "no verdict", "stopped", "no change"; None:
/// "".
[[nodiscard]] std::string_view name_of(OutcomeWord word);

[[nodiscard]] OutcomeWord word_of(Verdict verdict);

/// What decided the outcome.
enum class OutcomeReason : std::uint8_t {
    None,          // the run goes on, or nothing was asked of it
    Verdict,       // the stop rule of the deciding match
    Requirement,   // a part of `require` is broken
    Expectation,   // an expectation of the suite does not hold
    FirstProgram,  // the program under test kept failing, crashed in a search, or is another build:
                   // of a match the first, of a tournament those that conditions are about
    Failure,       // another program, or the machine
    Signal,
    Taint,          // failures, or delays of the harness, make a verdict unreliable
    Control,        // the control match differs
    OpenSuite,      // an expectation of the suite is not settled
    OpenSpeed,      // a requirement of speed is not settled
    Output,         // a report could not be written
    SamePrograms,   // `skip_if`
    Conditions,     // those of a tournament hold
    OpenCondition,  // one of them is not settled
    NotPlayed,      // games are lacking, and none was to be played (`--no-play`)
};

/// A word for scripts: "verdict", "requirement", "expectation", "first_program", "failure",
/// "signal", "taint", "control", "open_suite", "open_speed", "output", "same_programs",
/// "conditions", "open_condition", "not_played"; None: "".
[[nodiscard]] std::string_view name_of(OutcomeReason reason);

/// The same for people, a clause: "a part of 'require' is broken"; None: "".
[[nodiscard]] std::string_view text_of(OutcomeReason reason);

/// How a run ended. Every report shows this one value, and the process returns its exit code.
struct Outcome {
    OutcomeWord word = OutcomeWord::None;
    OutcomeReason reason = OutcomeReason::None;
    std::optional<std::size_t> match;  // the deciding one; nullopt: the run has no match
    std::optional<int> exit_code;      // nullopt: the run goes on, or the signal is not known

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Pure. Where several reasons apply, the first of these decides: a signal; a failure of a program
/// or the machine; an expectation or a requirement that does not hold; and in a gate the control
/// match, a taint, an open expectation, the verdicts of the matches or the conditions on the
/// tournament, an open requirement of speed.
/// Outside a gate the word is that of the first match that was not accepted, whatever the exit
/// code; where a signal left a match that is not over and none was rejected, it is "stopped".
[[nodiscard]] Outcome outcome_of(const OutcomeFacts& facts);

/// Of a run that this process has played.
[[nodiscard]] Outcome outcome_of(const RunOutcome& played,
                                 InconclusiveAs inconclusive = InconclusiveAs::Code3);

/// The word of one match in a run that is in `state`: its verdict; in a gate also what `require`
/// makes of it. None where it has no rule, and while it goes on.
[[nodiscard]] OutcomeWord match_word(const MatchFacts& match, bool is_gate, RunState state);

}  // namespace assay::harness
