#pragma once
#include <memory>
#include <string>

#include "adapters/process/event_loop.h"
#include "adapters/protocol/player.h"

namespace assay::adapters {

/// A player that speaks UCI (Meyer-Kahlen, "Description of the universal chess interface", 2006).
[[nodiscard]] std::unique_ptr<Player> make_uci_player(EventLoop& loop, const ProgramSpec& spec,
                                                      PlayerListener& listener,
                                                      LineObserver* observer);

/// "position …\ngo …\n", the lines that such a player sends for the request.
[[nodiscard]] std::string uci_search_lines(const SearchRequest& request);

}  // namespace assay::adapters
