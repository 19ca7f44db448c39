#pragma once
#include <string>

namespace assay::rules::chess {

inline constexpr int kStartPositions = 960;

/// FEN of the chess960 start position of this number (Scharnagl's scheme, 0 to 959; 518 is the
/// standard set-up). Throws Error where there is no such number.
[[nodiscard]] std::string start_fen(int number);

/// Double fischerandom: each side's back rank from a number of its own.
[[nodiscard]] std::string start_fen(int white, int black);

}  // namespace assay::rules::chess
