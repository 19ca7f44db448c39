// Machines of a fleet differ in speed, and a clock is to mean the same search on each. Clocks are
// multiplied by the reference's nodes a second over the machine's own, both measured with all
// places busy, since shared caches and a processor's turbo make one search alone faster. A factor
// far from 1 is refused and not clamped: overhead that does not scale (a pipe, the system's timer)
// would count for more than the games show.
//
// The factor is measured once. DriftWatch compares the baseline's speed hour by hour with the first
// hour, because a machine that throttles later plays other games than it was calibrated for.
#include "harness/machine/calibration.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"

namespace assay::harness {

namespace {

constexpr double kClockStep = 1000;
constexpr long long kHourUs = 3'600'000'000;

Micros scaled_time(Micros time, double factor) {
    if (time.count() <= 0) return time;
    // In whole milliseconds, the smallest time that protocols tell.
    const double scaled = std::round(static_cast<double>(time.count()) * factor / kClockStep);
    return Micros(static_cast<std::int64_t>(std::max(1.0, scaled) * kClockStep));
}

}  // namespace

std::variant<double, std::string> time_factor(double reference_nps, double nps) {
    const double factor = reference_nps / nps;
    if (factor >= kLeastFactor && factor <= kMostFactor) return factor;
    return fmt::format(
        "it searches {:.0f} nodes a second with all places busy, and the reference {:.0f}: clocks "
        "would be multiplied by {:.2f}, and only {} to {} are played; start a run for machines of "
        "its speed (reference: {:.0f})",
        nps, reference_nps, factor, kLeastFactor, kMostFactor, nps);
}

TimeControl scaled(TimeControl control, double factor) {
    for (Period& period : control.periods) {
        period.time = scaled_time(period.time, factor);
        period.increment = scaled_time(period.increment, factor);
    }
    control.move_time = scaled_time(control.move_time, factor);
    control.main = scaled_time(control.main, factor);
    control.byoyomi = scaled_time(control.byoyomi, factor);
    return control;
}

void DriftWatch::add(const GameRecord& game) {
    const int player = game.program.player_of(program_);
    if (player < 0) return;
    if (!began_us_) began_us_ = game.ended_us;
    const std::int64_t number = std::max(0LL, game.ended_us - *began_us_) / kHourUs;
    if (hours_.empty() || hours_.back().number < number) hours_.push_back({number, 0, 0, 0});
    Hour& hour = hours_.back();
    for (const MoveRecord& move : game.moves) {
        if (move.player != player || !move.nodes || *move.nodes == 0 || move.used.count() <= 0)
            continue;
        ++hour.moves;
        hour.nodes += static_cast<double>(*move.nodes);
        hour.seconds += static_cast<double>(move.used.count()) / 1e6;
    }
}

DriftWatch::DriftWatch(int program, std::string_view kept) : program_(program) {
    const auto began = to_number<long long>(trim(take_line(kept)));
    if (!began) return;
    began_us_ = *began;
    while (!kept.empty()) {
        std::string_view line = take_line(kept);
        const auto number = to_number<std::int64_t>(take_word(line));
        const auto moves = to_number<std::int64_t>(take_word(line));
        const auto nodes = to_number<double>(take_word(line));
        const auto seconds = to_number<double>(take_word(line));
        if (!number || !moves || !nodes || !seconds || !(*seconds > 0)) return;
        if (!hours_.empty() && hours_.back().number >= *number) return;
        hours_.push_back({*number, *moves, *nodes, *seconds});
    }
}

std::string DriftWatch::text() const {
    if (!began_us_) return "";
    constexpr std::ptrdiff_t kLast = 2;
    std::string text = fmt::format("{}\n", *began_us_);
    const auto last = hours_.end() - std::min(kLast, std::ssize(hours_));
    for (auto hour = hours_.begin(); hour != hours_.end(); ++hour)
        if (&*hour == first() || hour >= last)
            text += fmt::format("{} {} {:.0f} {:.6f}\n", hour->number, hour->moves, hour->nodes,
                                hour->seconds);
    return text;
}

/// The first hour that is compared with.
const DriftWatch::Hour* DriftWatch::first() const {
    const auto found =
        std::ranges::find_if(hours_, [](const Hour& hour) { return hour.moves >= kLeastMoves; });
    return found == hours_.end() ? nullptr : &*found;
}

const DriftWatch::Hour* DriftWatch::newest() const {
    const auto found = std::find_if(hours_.rbegin(), hours_.rend(),
                                    [](const Hour& hour) { return hour.moves >= kLeastMoves; });
    return found == hours_.rend() ? nullptr : &*found;
}

std::optional<double> DriftWatch::ratio() const {
    const Hour* const before = first();
    const Hour* const last = newest();
    if (last == nullptr || last == before) return std::nullopt;
    return (last->nodes / last->seconds) / (before->nodes / before->seconds);
}

std::optional<std::string> DriftWatch::trouble() const {
    const std::optional<double> now = ratio();
    if (!now || std::fabs(*now - 1) <= kMost) return std::nullopt;
    return fmt::format("the baseline searched {:.0f} % {} nodes a second in hour {} than at first",
                       100 * std::fabs(*now - 1), *now < 1 ? "fewer" : "more",
                       newest()->number + 1);
}

}  // namespace assay::harness
