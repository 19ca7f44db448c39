#pragma once
#include <string>

#include "base/clock.h"
#include "engines/chess_player/options.h"

namespace assay::engines {

/// Searches a fixed set of positions to a fixed depth, each with an empty memory. The signature is
/// the number of nodes: it is the same on every machine, and changes when the search does. Lines:
/// one a position, then "signature: N" and "nps: N".
[[nodiscard]] std::string run_bench(const PlayerOptions& options, int depth, const Clock& clock);

}  // namespace assay::engines
