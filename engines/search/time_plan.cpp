// How long to think. The time left is spread over the moves that a game usually still has, or over
// those to the next period if they are fewer; most of the increment is spent at once. The second
// limit, at most four times the first, leaves room to finish an iteration that has begun. Losing on
// time costs a whole point and thinking a little less costs almost nothing, so a reserve
// (`comfort`) is kept back, and the delays of the operating system are measured from the clock
// itself: what is missing from it beyond the time used is delay.
#include "engines/search/time_plan.h"

#include <algorithm>
#include <chrono>

namespace assay::engines {

TimePlan plan_time(const ClockTold& told) {
    using namespace std::chrono_literals;
    if (told.move_time) {
        const Micros time = std::max(
            {*told.move_time - told.overhead - told.delay, *told.move_time / 4, Micros(0)});
        return {time, time};
    }
    if (!told.left) return {};
    const Micros left = std::max(*told.left, Micros(0));
    const Micros usable = std::max(left - told.overhead - 3 * told.delay, Micros(0));
    const Micros comfort = std::max(Micros(700ms), 6 * told.delay);
    const Micros spare = usable - std::min(usable / 2, comfort);
    // A game is most often over after so many more moves; with fewer to the next period, these.
    constexpr int kMovesAhead = 28;
    const int moves = told.moves_to_go > 0 ? std::min(told.moves_to_go, kMovesAhead) : kMovesAhead;
    if (moves == 1) return {spare, spare};
    // What delays eat of the increment is not there to be thought with.
    const Micros income = std::max(told.increment - told.usual_delay, Micros(0)) * 3 / 4;
    const Micros wanted = std::min(spare / moves + income, spare / 2);
    if (usable >= comfort || told.moves_to_go > 0) {
        return {wanted, std::min(wanted * 4, spare / 2)};
    }
    // In need half of the increment is saved up.
    const Micros little = std::min({wanted, usable / 80, income * 2 / 3});
    return {little, little * 2};
}

void DelayMeter::start(const ClockTold& told) {
    // A delay is believed in for some twenty moves.
    worst_ = worst_ * 19 / 20;
    if (expected_ && told.left && told.moves_to_go == 0) {
        const Micros lost = std::clamp(*expected_ - *told.left, Micros(0), kLongest);
        add_gap(lost);
        usual_ += (lost - usual_) / 16;
    }
    expected_.reset();
}

void DelayMeter::finish(const ClockTold& told, Micros used) {
    if (told.left && told.moves_to_go == 0) expected_ = *told.left - used + told.increment;
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
