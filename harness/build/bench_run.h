#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "adapters/process/command.h"
#include "harness/build/bench_output.h"
#include "harness/plan/plan.h"
#include "harness/record/run.h"

namespace assay::harness {

/// One benchmark run of a program.
struct BenchRun {
    BenchSaid said;
    std::string failure;  // one fragment: "exited with code 1"; empty: it ended well
    bool is_machines =
        false;  // the failure is that of the machine: no memory, a signal from outside
    bool is_interrupted = false;
};

/// Runs the program's benchmark for at most 10 minutes. REQUIRES: the program is placed and has
/// one.
[[nodiscard]] BenchRun run_bench(adapters::CommandRunner& runner, const ProgramPlan& program);

/// Decides from pairs of speeds whether the first program is fast enough. It looks after 8, 16 and
/// 32 pairs, each time with an interval of 98.3 %, so that all looks together are wrong in 5 % of
/// cases at the most. Ratios are taken within pairs, one run after the other, because a machine's
/// speed drifts; stats::centre_of() needs no law of them.
class SpeedTest {
public:
    static constexpr int kMostPairs = 32;

    /// The first look after so many pairs.
    [[nodiscard]] static int next_look(int pairs);

    /// `limit`: percent, as `require.speed` says it.
    explicit SpeedTest(double limit);

    /// One run of each, in nodes a second. REQUIRES: not decided yet.
    void add(double first, double second);

    /// Decided, or all pairs are used up.
    [[nodiscard]] bool is_over() const;

    [[nodiscard]] SpeedFinding finding() const;

private:
    void look();

    SpeedFinding finding_;
    std::vector<double> first_;
    std::vector<double> second_;
};

/// Interleaved runs of both programs' benchmarks until SpeedTest decides; nullopt with a reason in
/// `failure` where one of them fails, or says no speed, and with `is_interrupted` where a signal
/// waits. `on_pair` is told of each pair that leaves the question open.
struct SpeedRun {
    std::optional<SpeedFinding> finding;
    std::string failure;
    std::size_t guilty = 0;    // 0 or 1, whose benchmark failed
    bool is_machines = false;  // BenchRun::is_machines
    bool is_interrupted = false;
};

[[nodiscard]] SpeedRun compare_speed(adapters::CommandRunner& runner, const ProgramPlan& first,
                                     const ProgramPlan& second, double limit,
                                     const std::function<void(int pairs)>& on_pair = {});

/// The speed measured for a match of a run; null if there is none.
[[nodiscard]] const SpeedFinding* speed_of_match(const RunFindings& findings, std::size_t match);

/// "+0.4 % [-0.9, +1.6] (limit -3 %)", and that it is inconclusive where it is.
[[nodiscard]] std::string speed_text(const SpeedFinding& speed);

}  // namespace assay::harness
