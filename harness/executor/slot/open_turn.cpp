#include "harness/executor/slot/open_turn.h"

#include <algorithm>

namespace assay::harness {

void OpenTurn::begin(TimePoint now) {
    started_ = now;
    write_delay_ = Micros{0};
    queue_before_.reset();
    standstill_before_ = meters_.standstill(now);
}

MoveTime OpenTurn::time_of(TimePoint stamp, TimePoint wake, bool is_fresh) {
    MoveTime time;
    time.used = std::max(Micros{0}, used(stamp));
    // Taken at the first tick of the turn: what was before it is no excuse for this move.
    const Micros queue = queue_before_ ? meters_.run_queue(is_fresh) - *queue_before_ : Micros{0};
    time.delay = write_delay_ + std::max(Micros{0}, micros_between(wake, stamp)) +
                 std::max(Micros{0}, queue) +
                 std::max(Micros{0}, meters_.standstill(stamp) - standstill_before_);
    return time;
}

}  // namespace assay::harness
