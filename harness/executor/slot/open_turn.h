#pragma once
#include <algorithm>
#include <optional>

#include "base/clock.h"
#include "harness/executor/turn_meters.h"
#include "harness/match/game_play.h"

namespace assay::harness {

/// The time of the turn that is played in a slot: what the mover has used, and how much of that the
/// harness and the machine may have caused. Decides nothing. One thread.
class OpenTurn {
public:
    /// `meters` outlives it.
    explicit OpenTurn(TurnMeters& meters) : meters_(meters) {}

    /// The mover's clock runs from here.
    void begin(TimePoint now);

    /// Its search was decided on and written at these times; the time between is no program's.
    void add_write(TimePoint decided, TimePoint written) {
        write_delay_ += std::max(Micros{0}, micros_between(decided, written));
    }

    /// Each round of the loop.
    void tick() {
        if (!queue_before_) queue_before_ = meters_.run_queue(false);
    }

    [[nodiscard]] TimePoint started() const { return started_; }

    [[nodiscard]] Micros used(TimePoint now) const { return micros_between(started_, now); }

    /// Of an answer that arrived at `stamp` and was read at `wake`. `is_fresh`: the kernel is asked
    /// once more how long the harness has waited for a processor, which costs a read of a file.
    [[nodiscard]] MoveTime time_of(TimePoint stamp, TimePoint wake, bool is_fresh);

private:
    TurnMeters& meters_;
    TimePoint started_{};
    Micros write_delay_{0};               // decided until written
    std::optional<Micros> queue_before_;  // run-queue time at the turn's first tick
    Micros standstill_before_{0};         // the harness's standstills until the turn
};

}  // namespace assay::harness
