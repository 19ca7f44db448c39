#include "harness/program/shutdown_queue.h"

#include <algorithm>
#include <utility>

namespace assay::harness {

void ShutdownQueue::add(ProgramLink link, TimePoint term_at, TimePoint kill_at, bool is_killed) {
    const Micros patience = most_grace_ ? kForgetInHurry : kForgetAfter;
    entries_.push_back(
        {std::move(link), term_at, kill_at, kill_at + patience, is_killed, is_killed});
}

void ShutdownQueue::take(ProgramLink link, TimePoint now, Micros grace, Micros term_grace) {
    if (!link.player) return;
    if (link.player->is_gone()) {
        // Kept until the next tick: we may be inside one of its callbacks.
        add(std::move(link), now, now, true);
        return;
    }
    link.player->quit();
    if (most_grace_) {
        grace = std::min(grace, *most_grace_);
        term_grace = std::min(term_grace, *most_grace_);
    }
    add(std::move(link), now + grace, now + grace + term_grace, false);
}

void ShutdownQueue::take_and_kill(ProgramLink link, TimePoint now) {
    if (!link.player) return;
    if (!link.player->is_gone()) link.player->kill();
    add(std::move(link), now, now, true);
}

void ShutdownQueue::hurry(TimePoint now, Micros grace) {
    most_grace_ = std::min(grace, most_grace_.value_or(grace));
    for (Entry& entry : entries_) {
        entry.term_at = std::min(entry.term_at, now + grace);
        entry.kill_at = std::min(entry.kill_at, now + 2 * grace);
        entry.forget_at = std::min(entry.forget_at, std::max(now, entry.kill_at) + kForgetInHurry);
    }
}

void ShutdownQueue::tick(TimePoint now) {
    for (Entry& entry : entries_) {
        adapters::Player& player = *entry.link.player;
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
    std::erase_if(entries_, [this, now](const Entry& entry) {
        if (entry.link.player->is_gone()) return true;
        if (now < entry.forget_at) return false;
        if (on_left_) on_left_(entry.link.player->pid());
        return true;
    });
}

}  // namespace assay::harness
