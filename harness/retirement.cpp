#include "harness/retirement.h"

#include <algorithm>
#include <utility>

namespace assay::harness {

void Retirement::take(Occupant occupant, TimePoint now, Micros grace) {
    if (!occupant.player) return;
    if (occupant.player->is_gone()) {
        // Kept until the next tick: we may be inside one of its callbacks.
        entries_.push_back({std::move(occupant), now, now, true, true});
        return;
    }
    occupant.player->quit();
    entries_.push_back({std::move(occupant), now + grace, now + 2 * grace});
}

void Retirement::take_and_kill(Occupant occupant, TimePoint now) {
    if (!occupant.player) return;
    if (!occupant.player->is_gone()) occupant.player->kill();
    entries_.push_back({std::move(occupant), now, now, true, true});
}

void Retirement::hurry(TimePoint now, Micros grace) {
    for (Entry& entry : entries_) {
        entry.term_at = std::min(entry.term_at, now + grace);
        entry.kill_at = std::min(entry.kill_at, now + 2 * grace);
    }
}

void Retirement::tick(TimePoint now) {
    for (Entry& entry : entries_) {
        adapters::Player& player = *entry.occupant.player;
        if (player.is_gone()) continue;
        if (!entry.term_sent && now >= entry.term_at) {
            player.terminate();
            entry.term_sent = true;
        }
        if (!entry.kill_sent && now >= entry.kill_at) {
            player.kill();
            entry.kill_sent = true;
        }
    }
    std::erase_if(entries_, [](const Entry& entry) { return entry.occupant.player->is_gone(); });
}

}  // namespace assay::harness
