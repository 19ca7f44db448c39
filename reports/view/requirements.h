#pragma once
#include <optional>
#include <string>
#include <vector>

#include "reports/view/figures.h"

namespace assay::reports {

/// What the plan's `require` asks of the match's first program and does not hold, a sentence each:
/// "head: 1 crash or stall, at most 0 allowed".
[[nodiscard]] std::vector<std::string> broken_requirements(const harness::MatchTally& tally,
                                                           const harness::RunRecord& run);

/// The same by the first program's failures (MatchTally::all_failures()).
[[nodiscard]] std::vector<std::string> broken_requirements(const harness::Failures& failures,
                                                           const harness::MatchPlan& plan,
                                                           const harness::RunRecord& run);

/// Those of all matches of the run.
[[nodiscard]] std::vector<std::string> broken_requirements(const RunView& view);

/// What of `require` could not be settled, a sentence each: "head: speed -2.9 % [-4.1, -0.7] …".
[[nodiscard]] std::vector<std::string> open_requirements(const RunView& view);

/// verdict_word() of a match of a gate, but "rejected" where what is required of it is broken, and
/// "inconclusive" where that is not settled.
[[nodiscard]] std::string match_word(const RunView& view, const MatchView& match);

/// What the word for a gate follows from.
struct GateFacts {
    harness::RunState state = harness::RunState::Finished;
    std::optional<int> exit_code;            // unset: not known
    bool is_broken = false;                  // a requirement or an expectation does not hold
    bool is_search_failed = false;           // one of the suite left no tree
    bool is_tainted = false;                 // a match, or the control differs
    bool is_suite_open = false;              // an expectation is not settled
    bool is_speed_open = false;              // a requirement of speed is not settled
    std::vector<harness::Verdict> verdicts;  // of the matches that are no controls, in order
};

/// The facts of the record and the suite (null: none); the matches' are left to the caller.
[[nodiscard]] GateFacts gate_facts(const harness::RunRecord& run, const harness::SuiteResult* suite,
                                   std::optional<int> exit_code);

/// As outcome_word() of such a run: what the exit code says, where it is known, in the order in
/// which the exit code is chosen.
[[nodiscard]] std::string gate_word(const GateFacts& facts);

/// The word for the run as a whole: of a gate what its exit code says, accepted, rejected,
/// inconclusive (whatever `--inconclusive` makes of it), tainted, "no verdict" or "stopped"; else
/// the verdict_word() of its first match. Empty: none, or it goes on.
[[nodiscard]] std::string outcome_word(const RunView& view);

/// A match of which not one game was begun: a gate begins a match only after the one before it was
/// accepted, and a run may end before it.
[[nodiscard]] bool is_unplayed(const harness::MatchTally& tally);

/// Why that is, for people.
[[nodiscard]] std::string unplayed_reason(const RunView& view, const MatchView& match);

/// Whether a verdict was asked for and is not there: a stop rule has not decided, or the run was
/// stopped before its end.
[[nodiscard]] bool is_undecided(const RunView& view, const MatchView& match);

/// Why a match has no verdict: "stopped by a signal after 9 of at most 400 pairs; resume with …",
/// "no stop rule, so no verdict". Empty where verdict_sentence() says one.
[[nodiscard]] std::string undecided_reason(const RunView& view, const MatchView& match);

}  // namespace assay::reports
