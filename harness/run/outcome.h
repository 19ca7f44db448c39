#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/conditions/judgement.h"
#include "harness/match/match_summary.h"
#include "harness/match/tally.h"
#include "harness/record/run.h"
#include "harness/suite/verdict.h"

namespace assay::harness {

struct RunOutcome;

/// The exit code of a gate that ends undecided (`--inconclusive`): 3, 0 or 1. Its word stays
/// "inconclusive".
enum class InconclusiveAs : std::uint8_t { Code3, Pass, Fail };

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

/// What of one match matters for the outcome.
struct MatchFacts {
    bool is_control = false;
    bool has_rule = false;
    Verdict verdict = Verdict::None;
    bool is_tainted = false;
    bool is_broken = false;      // a part of `require`
    bool is_speed_open = false;  // the benchmarks did not settle the requirement of speed
};

/// `match`: the index in the run's plan.
[[nodiscard]] MatchFacts match_facts(const MatchTally& tally, const RunRecord& run,
                                     std::size_t match);
[[nodiscard]] MatchFacts match_facts(const MatchSummary& summary, const RunRecord& run,
                                     std::size_t match);

/// Who is to blame for what did not work.
enum class Blame : std::uint8_t { Nobody, FirstProgram, Other, NotPlayed };

/// Everything that the outcome depends on.
struct OutcomeFacts {
    enum class End : std::uint8_t { Open, Stopped, Failed, Finished };

    bool is_gate = false;
    InconclusiveAs inconclusive = InconclusiveAs::Code3;
    End end = End::Finished;
    Blame blame = Blame::Nobody;           // where `end` is Failed
    Blame search_blame = Blame::Nobody;    // for searches of the suite that left no tree
    bool is_suite_broken = false;          // an expectation does not hold
    bool is_suite_open = false;            // an expectation is not settled
    bool has_odd_control = false;          // the control match differs
    bool is_unchanged = false;             // nothing was played, by `skip_if`
    std::vector<MatchFacts> matches = {};  // in the order of the plan
    /// Of a tournament with conditions, which has no matches here; nullopt: there are none.
    std::optional<ConditionState> conditions = {};
    bool is_tournament_tainted = false;
    std::optional<int> signal = {};    // that stopped the run, where it is known
    std::optional<int> returned = {};  // the exit code that the command returned, of a stored
                                       // run
};

/// The facts of a run in the store but for its matches, which the caller adds. `suite`: null where
/// there is none.
[[nodiscard]] OutcomeFacts stored_facts(const RunRecord& run, const SuiteResult* suite,
                                        std::optional<int> returned);

/// Adds what the conditions on a tournament came to. Does nothing where there are none.
void add_conditions(OutcomeFacts& facts, const std::optional<TournamentJudgement>& judged);

/// Whether the run was last played by `assay gate`.
[[nodiscard]] bool is_gate(const RunRecord& run);

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
