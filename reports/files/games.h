#pragma once
#include <cstdint>
#include <functional>
#include <string_view>

#include "reports/view/stored_run.h"

namespace assay::reports {

enum class GameFormat : std::uint8_t { Pgn, Csv };

/// All games of the run except those of void pairs, match by match; `out` gets the text in parts.
void write_games(const StoredRun& stored, GameFormat format,
                 const std::function<void(std::string_view)>& out);

}  // namespace assay::reports
