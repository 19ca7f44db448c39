#include "harness/executor/local_executor.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"

namespace assay::harness {

LocalExecutor::LocalExecutor(Setup setup, ProgramPool& pool, const Clock& clock)
    : setup_(std::move(setup)),
      pool_(pool),
      clock_(clock),
      meters_(setup_.run_queue),
      launches_(setup_.start_limit) {}

LocalExecutor::~LocalExecutor() = default;

void LocalExecutor::start(ExecutorEvents& events, TimePoint now) {
    meters_.tick(now);
    context_ = std::make_unique<SlotContext>(
        SlotContext{setup_.game, setup_.plan, setup_.specs, setup_.time, pool_, clock_, meters_,
                    events, setup_.seed, setup_.machine, setup_.keeps_pv, setup_.tablebase});
    for (int i = 0; i < setup_.concurrency; ++i) {
        const auto index = static_cast<std::size_t>(i);
        const std::vector<int> cpus =
            setup_.cpus.empty() ? std::vector<int>{} : setup_.cpus[index % setup_.cpus.size()];
        slots_.push_back(std::make_unique<Slot>(i, *context_, cpus));
    }
    if (setup_.places == nullptr) return;
    setup_.places->add([this](std::size_t place) { return !slots_.at(place)->is_idle(); });
}

int LocalExecutor::appetite() const {
    if (is_withdrawn_) return 0;
    return static_cast<int>(std::count_if(slots_.begin(), slots_.end(),
                                          [this](const auto& one) { return is_free(*one); }));
}

/// Where no other executor plays either.
bool LocalExecutor::is_free(const Slot& slot) const {
    return slot.is_idle() && (setup_.places == nullptr ||
                              setup_.places->is_free(static_cast<std::size_t>(slot.number())));
}

/// Preferably one where the programs are running: they need no start.
Slot& LocalExecutor::free_slot(const Encounter& encounter) {
    Slot* free = nullptr;
    int most = -1;
    for (const auto& slot : slots_) {
        if (!is_free(*slot)) continue;
        const int here = slot->programs_for(encounter);
        if (here <= most) continue;
        most = here;
        free = slot.get();
    }
    ASSAY_CHECK(free != nullptr);
    return *free;
}

void LocalExecutor::offer(const Encounter& encounter) {
    free_slot(encounter).play(encounter);
}

void LocalExecutor::rest() {
    for (const auto& slot : slots_) {
        if (slot->is_idle()) slot->give_back();
    }
}

void LocalExecutor::withdraw(Withdrawal /*why*/) {
    is_withdrawn_ = true;
    for (const auto& slot : slots_) {
        slot->abort();
        slot->give_back();
    }
}

void LocalExecutor::hurry(TimePoint now, Micros grace) {
    pool_.hurry(now, grace);
}

void LocalExecutor::tick(TimePoint now) {
    meters_.tick(now);
    for (const auto& slot : slots_) {
        if (!is_withdrawn_) slot->tick(now);
    }
    if (!is_withdrawn_) check_launches(now);
    pool_.tick(now);
}

void LocalExecutor::check_launches(TimePoint now) {
    bool is_any_waiting = false;
    std::uint64_t steps = 0;
    for (const auto& slot : slots_) {
        is_any_waiting = is_any_waiting || slot->is_waiting_for_launch();
        steps += slot->launch_steps();
    }
    if (!launches_.is_stuck(now, is_any_waiting, steps)) return;
    context_->events.on_trouble(
        {Trouble::Kind::MachineFailed, std::nullopt,
         fmt::format("no program was started within {} s while others waited to start",
                     launches_.limit().count() / 1'000'000)});
}

bool LocalExecutor::is_idle() const {
    return std::all_of(slots_.begin(), slots_.end(),
                       [](const auto& one) { return one->is_idle(); });
}

bool LocalExecutor::is_settled() const {
    return pool_.is_settled();
}

void LocalExecutor::show_games(std::size_t most, LiveState& state) const {
    for (const auto& slot : slots_) {
        if (slot->is_idle()) continue;
        ++state.at_once;
        if (state.games.size() == most) continue;
        if (auto game = slot->live()) state.games.push_back(std::move(*game));
    }
}

DelayRecord LocalExecutor::delays() const {
    DelayRecord record;
    record.p50_us = meters_.delays.quantile_us(0.5);
    record.p99_us = meters_.delays.quantile_us(0.99);
    record.max_us = meters_.delays.max_us();
    return record;
}

}  // namespace assay::harness
