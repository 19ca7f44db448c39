#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/conditions/judgement.h"
#include "harness/match/match_summary.h"
#include "harness/match/tally.h"
#include "harness/record/run.h"
#include "harness/suite/verdict.h"

namespace assay::harness {

struct RunOutcome;

/// The exit codes of a command that plays; 0 and 2 are every command's.
inline constexpr int kExitRejected = 1;
inline constexpr int kExitUndecided = 3;
inline constexpr int kExitNoVerdict = 4;
inline constexpr int kExitSignal = 128;  // and the number of the signal

/// The exit code of a gate that ends undecided (`--inconclusive`): 3, 0 or 1. Its word stays
/// "inconclusive".
enum class InconclusiveAs : std::uint8_t { Code3, Pass, Fail };

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

/// The facts of a run that this process has played; `inconclusive` is the caller's to set.
[[nodiscard]] OutcomeFacts played_facts(const RunOutcome& played);

/// Adds what the conditions on a tournament came to. Does nothing where there are none.
void add_conditions(OutcomeFacts& facts, const std::optional<TournamentJudgement>& judged);

/// Whether the run was last played by `assay gate`.
[[nodiscard]] bool is_gate(const RunRecord& run);

}  // namespace assay::harness
