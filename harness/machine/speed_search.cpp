// Measures a program's nodes a second in the state in which it will play: all slots search at once
// and begin together, because a program alone has the caches and the turbo of the whole processor.
// Each slot searches the same positions for a fixed time; its speed is the sum of its nodes over
// its time, and the median of the slots is taken, since a slot may share a core with the system.
#include "harness/machine/speed_search.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/text.h"
#include "stats/data/median.h"

namespace assay::harness {

namespace {

constexpr Micros kEndOfSpeedSearch{1'000'000};
constexpr Micros kInterruptGrace{500'000};
/// Beyond the move time, until it is told to stop.
constexpr Micros kBeyondMoveTime{2'000'000};

}  // namespace

struct SpeedSearch::Slot {
    std::unique_ptr<RunningProgram> running;
    std::size_t position = 0;  // that it searches, or will
    TimePoint began{};
    double nodes = 0;
    double seconds = 0;
    bool is_done = false;
};

SpeedSearch::SpeedSearch(Setup setup, PlayerFactory factory, const Clock& clock)
    : setup_(std::move(setup)), factory_(std::move(factory)) {
    ASSAY_CHECK(setup_.slots > 0 && !setup_.positions.empty());
    for (int i = 0; i < setup_.slots; ++i) {
        adapters::ProgramSpec spec = setup_.spec;
        const auto index = static_cast<std::size_t>(i);
        if (index < setup_.cpus.size()) spec.cpus = setup_.cpus[index];
        slots_.push_back(std::make_unique<Slot>());
        slots_.back()->running = std::make_unique<RunningProgram>(
            i, spec, factory_, clock, shutdown_queue_, setup_.limits, *this);
    }
}

SpeedSearch::~SpeedSearch() = default;

SpeedSearch::Slot& SpeedSearch::slot_of(const RunningProgram& running) {
    return *slots_.at(static_cast<std::size_t>(running.program()));
}

void SpeedSearch::start() {
    for (const auto& slot : slots_) prepare(*slot);
}

void SpeedSearch::prepare(Slot& slot) {
    adapters::GameStart game;
    game.start = setup_.positions.at(slot.position);
    slot.running->prepare(game);
}

void SpeedSearch::on_program_ready(RunningProgram& running) {
    if (is_over_) return;
    if (ready_ == slots_.size()) {
        go(slot_of(running));
        return;
    }
    // The first searches begin together: a program that searches alone is quicker.
    if (++ready_ < slots_.size()) return;
    for (const auto& slot : slots_) go(*slot);
}

void SpeedSearch::go(Slot& slot) {
    adapters::SearchRequest request;
    request.start = setup_.positions.at(slot.position);
    request.move_time = setup_.move_time;
    slot.began = slot.running->go(request, setup_.move_time + kBeyondMoveTime);
}

void SpeedSearch::on_program_go_written(RunningProgram& running, TimePoint when) {
    slot_of(running).began = when;
}

void SpeedSearch::on_program_move(RunningProgram& running, const adapters::BestMove& best,
                                  adapters::Arrival arrival) {
    if (is_over_) return;
    Slot& slot = slot_of(running);
    // A program whose last line says "time 0" has rounded, or ended its search before it printed.
    const Micros said = best.info->time.value_or(Micros{0});
    const Micros used = said.count() > 0 ? said : micros_between(slot.began, arrival.stamp);
    if (!best.info->nodes || *best.info->nodes == 0 || used.count() <= 0) {
        fail("said no nodes");
        return;
    }
    slot.nodes += static_cast<double>(*best.info->nodes);
    slot.seconds += static_cast<double>(used.count()) / 1e6;
    if (++slot.position < setup_.positions.size()) {
        prepare(slot);
        return;
    }
    slot.is_done = true;
    running.dismiss(kEndOfSpeedSearch);
}

void SpeedSearch::on_program_failed(RunningProgram& /*running*/, const adapters::Gone& gone,
                                    bool started, bool is_stall) {
    const std::string how = gone.detail.empty() ? "ended" : printable_utf8(gone.detail);
    fail(fmt::format("{}{}", how,
                     !started   ? " at its start"
                     : is_stall ? " in a search of its speed"
                                : ""));
}

void SpeedSearch::fail(std::string why) {
    if (failure_.empty()) failure_ = std::move(why);
    stop();
}

void SpeedSearch::stop() {
    if (std::exchange(is_over_, true)) return;
    for (const auto& slot : slots_)
        if (!slot->is_done) slot->running->dismiss(kEndOfSpeedSearch);
}

void SpeedSearch::tick(TimePoint now) {
    for (const auto& slot : slots_) slot->running->tick(now);
    if (is_over_) shutdown_queue_.hurry(now, kInterruptGrace);
    shutdown_queue_.tick(now);
}

bool SpeedSearch::is_done() const {
    const bool has_ended =
        is_over_ || std::ranges::all_of(slots_, [](const auto& slot) { return slot->is_done; });
    return has_ended && shutdown_queue_.is_empty();
}

std::optional<double> SpeedSearch::nps() const {
    std::vector<double> speeds;
    for (const auto& slot : slots_) {
        if (!slot->is_done) return std::nullopt;
        speeds.push_back(slot->nodes / slot->seconds);
    }
    return stats::median(speeds);
}

}  // namespace assay::harness
