#include "engines/search/time_plan.h"

#include <algorithm>
#include <chrono>

namespace assay::engines {

TimePlan plan_time(const ClockTold& told) {
    using namespace std::chrono_literals;
    if (told.move_time) {
        const Micros time =
            std::max({*told.move_time - told.overhead, *told.move_time / 4, Micros(0)});
        return {time, time};
    }
    if (!told.left) return {};
    const Micros left = std::max(*told.left, Micros(0));
    const Micros usable = std::max(left - told.overhead, left / 4);
    constexpr Micros kComfort = 400ms;
    const Micros spare = usable - std::min(usable / 2, kComfort);
    // A game is most often over after so many more moves; with fewer to the next period, these.
    constexpr int kMovesAhead = 28;
    const int moves = told.moves_to_go > 0 ? std::min(told.moves_to_go, kMovesAhead) : kMovesAhead;
    if (moves == 1) return {spare, spare};
    Micros wanted = std::min(spare / moves + told.increment * 3 / 4, spare / 2);
    // Below the comfortable time most of the increment is saved up.
    if (usable < kComfort && told.moves_to_go == 0) wanted = std::min(wanted, usable / 60);
    return {wanted, std::min(wanted * 4, spare / 2)};
}

void Stability::add(unsigned first, int value) {
    same_ = iterations_ > 0 && first == first_ ? same_ + 1 : 0;
    dropped_ = iterations_ > 0 ? std::max(value_ - value, 0) : 0;
    first_ = first;
    value_ = value;
    ++iterations_;
}

double Stability::factor() const {
    constexpr int kLong = 5;  // iterations after which a move is not expected to change
    double factor = 1.2 - 0.12 * std::min(same_, kLong);
    if (dropped_ > 25) factor += 0.4;
    return factor;
}

}  // namespace assay::engines
