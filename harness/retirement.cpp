#include "harness/retirement.h"

#include <algorithm>
#include <utility>

namespace assay::harness {

void Retirement::take(std::unique_ptr<adapters::Player> player, TimePoint now, Micros grace) {
    if (!player || player->is_gone()) {
        // Kept until the next tick: we may be inside one of its callbacks.
        if (player) entries_.push_back({std::move(player), now, now, true, true});
        return;
    }
    player->quit();
    entries_.push_back({std::move(player), now + grace, now + 2 * grace});
}

void Retirement::take_and_kill(std::unique_ptr<adapters::Player> player, TimePoint now) {
    if (!player) return;
    if (!player->is_gone()) player->kill();
    entries_.push_back({std::move(player), now, now, true, true});
}

void Retirement::hurry(TimePoint now, Micros grace) {
    for (Entry& entry : entries_) {
        entry.term_at = std::min(entry.term_at, now + grace);
        entry.kill_at = std::min(entry.kill_at, now + 2 * grace);
    }
}

void Retirement::tick(TimePoint now) {
    for (Entry& entry : entries_) {
        if (entry.player->is_gone()) continue;
        if (!entry.term_sent && now >= entry.term_at) {
            entry.player->terminate();
            entry.term_sent = true;
        }
        if (!entry.kill_sent && now >= entry.kill_at) {
            entry.player->kill();
            entry.kill_sent = true;
        }
    }
    std::erase_if(entries_, [](const Entry& entry) { return entry.player->is_gone(); });
}

}  // namespace assay::harness
