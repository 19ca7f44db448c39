#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/fleet.h"
#include "harness/record/pair.h"

namespace assay::harness {

/// What became of the pairs of a match that one machine was given.
struct MachineCount {
    std::int64_t machine = 0;               // as AttemptRecord::machine
    std::array<std::int64_t, 3> results{};  // counted pairs: the first program's lost, even, won
    std::int64_t games = 0;                 // finished; of late pairs none
    std::int64_t time_losses = 0;           // in these; none that the harness caused
    std::int64_t crashes = 0;               // in these: crash, disconnect, stall, no start
    std::int64_t late = 0;                  // pairs
    std::int64_t lost = 0;                  // attempts
    std::int64_t returned = 0;              // attempts, of a worker that left or was barred

    // Microseconds in which a place was taken: the clocks of the games, without what lies between.
    long long counted_us = 0;     // pairs that count, and duplicates
    long long after_stop_us = 0;  // behind the verdict
    long long late_us = 0;
    long long lost_us = 0;  // of the whole machine, from the claim of each until the next at most

    [[nodiscard]] std::int64_t pairs() const { return results[0] + results[1] + results[2]; }

    /// Adds the counts of another machine.
    MachineCount& operator+=(const MachineCount& other);
};

/// A machine whose games are unlike those of the others.
struct MachineFinding {
    enum class Kind : std::uint8_t { Results, TimeLosses, Crashes, Lost };

    Kind kind = Kind::Results;
    std::int64_t machine = 0;
    double p_value = 1;  // after Holm's correction for all tests of the match
};

/// "results", "time_losses", "crashes" or "lost".
[[nodiscard]] std::string_view name_of(MachineFinding::Kind kind);

/// The machines of one match, counted as its games come. Names what chance does not explain, and
/// drops nothing: a machine's games stay, whatever they are like. Pure.
class MachineCounts {
public:
    /// Chance that an unlike machine is found in a match where all are alike.
    static constexpr double kLevel = 0.01;
    /// Lost attempts for 100 counted pairs, from which on the missing games may have been others
    /// than those played in their place: long ones are lost more often.
    static constexpr double kMostLost = 0.02;

    void add(const PairDigest& pair);
    void add(const AttemptRecord& attempt);

    /// In the order in which they came; those too that only lost what they were given.
    [[nodiscard]] std::span<const MachineCount> rows() const { return rows_; }

    [[nodiscard]] MachineCount total() const;

    /// By kind; of results the oddest first, else in the order of rows(). Empty where there is one
    /// machine. Kept until the next add(), so that two threads must not ask at once.
    [[nodiscard]] std::vector<MachineFinding> findings() const;

    /// More attempts were lost than kMostLost allows, and more than one.
    [[nodiscard]] bool is_lost_too_often() const;

    [[nodiscard]] bool is_tainting() const { return is_lost_too_often() || !findings().empty(); }

private:
    [[nodiscard]] MachineCount& row_of(std::int64_t machine);
    [[nodiscard]] std::vector<MachineFinding> make_findings() const;

    std::vector<MachineCount> rows_;
    std::set<std::pair<std::int64_t, long long>> lost_claims_;  // machine and start
    std::size_t last_ = 0;  // of rows_: most pairs are of the same machine as the one before
    mutable std::optional<std::vector<MachineFinding>> findings_;  // unset: to be made
};

}  // namespace assay::harness
