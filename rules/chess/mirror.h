#pragma once
#include <string>
#include <string_view>

namespace assay::rules::chess {

/// A FEN as the other colour sees it: the board is turned over and the colours are swapped, the
/// counters stay. REQUIRES: six fields.
[[nodiscard]] std::string mirrored_fen(std::string_view fen);

}  // namespace assay::rules::chess
