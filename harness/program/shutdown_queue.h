#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "adapters/protocol/player.h"
#include "base/clock.h"

namespace assay::harness {

/// A player and its listener, which must outlive it.
struct ProgramLink {
    std::unique_ptr<adapters::PlayerListener> listener;
    std::unique_ptr<adapters::Player> player;
};

/// Ends processes side by side: quit, after a grace TERM, after another KILL. Takes those that are
/// of no more use and forgets them when they are gone, at the latest kForgetAfter behind the KILL
/// (in a hurry kForgetInHurry): the kernel keeps what it cannot end (a broken disk), and nobody
/// waits for that. One thread.
class ShutdownQueue {
public:
    static constexpr Micros kForgetAfter{5'000'000};
    static constexpr Micros kForgetInHurry{500'000};

    /// The program gets `grace` after quit and `term_grace` after TERM.
    void take(ProgramLink link, TimePoint now, Micros grace, Micros term_grace);
    /// It does not answer: no grace.
    void take_and_kill(ProgramLink link, TimePoint now);
    /// All that are here, and that come, get no more grace than this from now on, for each step.
    void hurry(TimePoint now, Micros grace);
    void tick(TimePoint now);

    [[nodiscard]] bool is_empty() const { return entries_.empty(); }

    /// `on_left` is told of each process that is forgotten though it has not ended, by its pid.
    void tell_left(std::function<void(int pid)> on_left) { on_left_ = std::move(on_left); }

private:
    struct Entry {
        ProgramLink link;
        TimePoint term_at;
        TimePoint kill_at;
        TimePoint forget_at;
        bool term_sent = false;
        bool kill_sent = false;
    };

    void add(ProgramLink link, TimePoint term_at, TimePoint kill_at, bool is_killed);

    std::vector<Entry> entries_;
    std::optional<Micros> most_grace_;  // set: in a hurry
    std::function<void(int pid)> on_left_;
};

}  // namespace assay::harness
