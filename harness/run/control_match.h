#pragma once
#include <string>
#include <vector>

#include "harness/match/tally.h"
#include "harness/plan/plan.h"
#include "harness/run/run.h"
#include "harness/store/store.h"

namespace assay::harness {

/// Adds the control: the second program of the first match against itself, under the same rules, a
/// quarter as many pairs (10 to 500), without a stop rule or requirements. It is played last.
/// REQUIRES: a match, whose pairs are derived.
void add_control(RunPlan& plan);

/// A sentence where the control's two sides, one program, did not do alike; else empty. Where
/// nothing but the moves decides, the second game of each pair must be the mirror of the first;
/// elsewhere the sign-flip test may not be below 1 %.
[[nodiscard]] std::string control_alarm(const MatchTally& tally, const std::string& program);

/// Nodes a second of a program over the moves of a run, in its first and in its last quarter. Each
/// is 0 where it said none, or was searched for less than DriftMeter::kLeastSeconds.
struct SpeedOfRun {
    double all = 0;
    double first_quarter = 0;
    double last_quarter = 0;
};

/// Collects the speeds that programs say in their moves, by when games began.
class DriftMeter {
public:
    /// Less measured search than this says nothing of a machine.
    static constexpr double kLeastSeconds = 10;

    /// `programs`: how many there are.
    explicit DriftMeter(std::size_t programs);

    void add(const GameRecord& game, const std::array<std::size_t, 2>& between);

    [[nodiscard]] SpeedOfRun speed_of(std::size_t program) const;

private:
    struct Played {
        long long started_us;
        double nodes;
        double seconds;
    };

    std::vector<std::vector<Played>> games_;
};

/// After the games: judges the control, and compares each program's nodes a second within the run
/// and with the last finished run of the same name, machine and executable. Findings go into
/// outcome.run and nowhere else. Reads all games of both runs, which takes seconds where they are
/// many.
void look_back(RunOutcome& outcome, const Store& store);

}  // namespace assay::harness
