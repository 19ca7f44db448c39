#pragma once
#include <memory>
#include <vector>

#include "adapters/protocol/player.h"
#include "base/clock.h"

namespace assay::harness {

/// A program and the one who hears from it, who must outlive it.
struct ProgramLink {
    std::unique_ptr<adapters::PlayerListener> listener;
    std::unique_ptr<adapters::Player> player;
};

/// Ends programs side by side: `quit`, after a grace TERM, after another KILL. Takes programs that
/// are of no more use to a game and forgets them when they are gone. One thread.
class ShutdownQueue {
public:
    /// The program gets `grace` after quit, and as much again after TERM.
    void take(ProgramLink link, TimePoint now, Micros grace);
    /// It hangs or lies: no grace.
    void take_and_kill(ProgramLink link, TimePoint now);
    /// All that are still here get no more grace than this from now on.
    void hurry(TimePoint now, Micros grace);
    void tick(TimePoint now);

    [[nodiscard]] bool is_empty() const { return entries_.empty(); }

private:
    struct Entry {
        ProgramLink link;
        TimePoint term_at;
        TimePoint kill_at;
        bool term_sent = false;
        bool kill_sent = false;
    };

    std::vector<Entry> entries_;
};

}  // namespace assay::harness
