#pragma once
#include <memory>

#include "adapters/process/event_loop.h"
#include "adapters/protocol/player.h"

namespace assay::adapters {

/// A player for spec.protocol. `listener` and `observer` (may be null) must outlive it.
/// Throws Error where the protocol is unknown, naming those there are.
[[nodiscard]] std::unique_ptr<Player> make_player(EventLoop& loop, const ProgramSpec& spec,
                                                  PlayerListener& listener, LineObserver* observer);

}  // namespace assay::adapters
