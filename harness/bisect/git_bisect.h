#pragma once
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/plan/plan.h"
#include "harness/record/listener.h"
#include "harness/run/run.h"

namespace assay::harness {

/// The judgement of one commit.
struct BisectStep {
    enum class Judgement : std::uint8_t { Good, Bad, Skip };

    std::string commit;
    Judgement judgement = Judgement::Skip;
    std::string reason;       // one fragment: "run 3, nElo -40 [-60, -21] after 320 pairs"
    std::int64_t run = 0;     // 0: nothing was played
    int signal = 0;           // that stopped it; the judgement is none then
    bool is_failure = false;  // the good commit or the machine failed: the bisection must end
};

/// What is known about where the first bad commit is.
struct BisectResult {
    std::vector<BisectStep> steps;
    std::vector<std::string> candidates;  // one: it is found; more: those between were skipped
    int decisions = 0;                    // of steps that could be wrong
    int signal = 0;
    bool is_failure = false;
};

/// Narrows the commits between good and bad by judging the one that halves them best. `order`:
/// commits that bad has and the goods have not, best to try first, bad among them (git's own
/// bisection, which knows merges). A commit that is skipped leaves its neighbours to be tried.
[[nodiscard]] BisectResult bisect(
    const std::string& good, const std::string& bad,
    const std::function<std::vector<std::string>(const std::string& bad,
                                                 const std::vector<std::string>& goods)>& order,
    const std::function<BisectStep(const std::string& commit)>& judge);

/// How a commit is compared with the good one.
enum class BisectOn : std::uint8_t { Elo, Query, Bench, Crash };

struct BisectRules {
    BisectOn on = BisectOn::Elo;
    double width = 50;              // Elo: an sprt from -width to 0 nElo …
    double error = 0.01;            // … with this error either way
    std::int64_t pairs = 0;         // the most; 0: 20,000 for Elo, 50 for crashes
    std::optional<double> percent;  // Bench: bad below this speed; unset: the signature differs
    std::string expectation;        // Query: bad where this one fails; empty: any of the suite
};

/// The program whose commits are looked through: the first of the suite for Query, else of the
/// first match. Throws Error (exit 2) where the plan has none, or it is not from git.
[[nodiscard]] const ProgramPlan& bisected_program(const RunPlan& plan, BisectOn on);

/// Judges commits of a plan's first program, under its first match or its suite, against a good
/// commit of the same program. Every judgement on games or searches is a run in the store, so that
/// a bisection that was stopped goes on where it was.
class BisectJudge {
public:
    /// Throws Error (exit 2) as bisected_program(), and where the plan lacks the bench or the
    /// expectation that the rules need.
    BisectJudge(const RunPlan& plan, std::string good, const BisectRules& rules,
                const RunOptions& options, std::vector<Listener*> listeners, const Clock& clock);

    /// The good commit itself, to be judged before any other: on a query or a crash. Nullopt
    /// elsewhere, where it would be compared with itself. What cannot be judged there is a failure.
    /// Expectations that its log cannot answer are said and left out from then on. Throws Error
    /// (exit 2) where none is left.
    [[nodiscard]] std::optional<BisectStep> judge_good();

    /// `ref`: a commit, or "worktree".
    [[nodiscard]] BisectStep judge(const std::string& ref);

private:
    void check_expectations();
    [[nodiscard]] BisectStep without_unanswerable(const BisectStep& step);
    [[nodiscard]] RunPlan plan_for(const std::string& ref) const;
    void set_match(RunPlan& plan) const;
    [[nodiscard]] BisectStep judge_by_run(const RunPlan& plan);
    [[nodiscard]] BisectStep judge_by_games(const RunOutcome& outcome,
                                            const BisectStep& step) const;
    [[nodiscard]] BisectStep judge_by_bench(const RunPlan& plan);
    [[nodiscard]] BisectStep judged(const RunRecord& run, const MatchTally& tally,
                                    const MatchEnd* end) const;
    [[nodiscard]] static BisectStep judged_by_suite(const RunRecord& run,
                                                    const SuiteResult& result);

    RunPlan plan_;
    std::string good_;
    BisectRules rules_;
    RunOptions options_;
    std::vector<Listener*> listeners_;
    const Clock& clock_;
};

}  // namespace assay::harness
