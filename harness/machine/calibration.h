#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "harness/plan/time_control.h"
#include "harness/record/game.h"

namespace assay::harness {

// A fleet's machines have several speeds. A match's clocks are multiplied by one factor a machine,
// so that its second program (the baseline) searches as many nodes a move everywhere. Both sides
// get the same factor: within a pair speed cancels out anyway, and a factor of each program's own
// would take away what a faster build gains. How it is measured: build/calibration_run.h.

inline constexpr double kLeastFactor = 0.25;
inline constexpr double kMostFactor = 4;

/// What the clocks of a machine are multiplied by: the reference's nodes a second over its own. A
/// sentence where that is not within kLeastFactor and kMostFactor. REQUIRES: both above 0.
[[nodiscard]] std::variant<double, std::string> time_factor(double reference_nps, double nps);

/// The time control with its times multiplied, rounded to 1 ms and at least that where they were
/// above 0. Nodes, depth, margin and wall limit stay.
[[nodiscard]] TimeControl scaled(TimeControl control, double factor);

/// Watches the speed of a machine over hours: nodes a second of the baseline's own moves, by hour,
/// against its first hour. Pure.
class DriftWatch {
public:
    static constexpr double kMost = 0.1;
    static constexpr std::int64_t kLeastMoves = 200;  // of an hour that is compared

    /// `program`: the baseline's number in the games (GameRecord::program).
    explicit DriftWatch(int program) : program_(program) {}

    /// What text() of another watch of the same machine and program has kept; what cannot be read
    /// of it is left out.
    DriftWatch(int program, std::string_view kept);

    /// What trouble() needs of what it has seen, in at most four lines.
    [[nodiscard]] std::string text() const;

    /// A game of this machine, in the order in which they ended. Moves without nodes or time say
    /// nothing.
    void add(const GameRecord& game);

    /// Where the newest hour with enough moves differs by more than kMost from the first such hour:
    /// "the baseline searched 23 % fewer nodes a second in hour 5 than at first".
    [[nodiscard]] std::optional<std::string> trouble() const;

    /// Of the newest hour with enough moves over the first; nullopt before there are two.
    [[nodiscard]] std::optional<double> ratio() const;

private:
    struct Hour {
        std::int64_t number = 0;  // from the first game on, from 0
        std::int64_t moves = 0;
        double nodes = 0;
        double seconds = 0;
    };

    [[nodiscard]] const Hour* first() const;
    [[nodiscard]] const Hour* newest() const;

    int program_;
    std::optional<long long> began_us_;
    std::vector<Hour> hours_;
};

}  // namespace assay::harness
