#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "harness/record/result_counts.h"
#include "reports/dropin/classic_numbers.h"
#include "reports/dropin/scoreboard.h"

namespace assay::reports::dropin {

/// The lines of cutechess-cli that fastchess does not have, as runner_lines.h.

/// The names of the two sides: "White" and "Black".
struct SideNames {
    std::string first;
    std::string second;
};

/// The first engine's scores by side, Elo and the SPRT: what a rating interval and the end print of
/// two engines. Without games Elo and the SPRT alone.
[[nodiscard]] std::string cutechess_ranking(std::string_view first, const SideNames& sides,
                                            const SideCounts& counts, const ClassicSprt* sprt);

/// The line of an SPRT. Without a test it stands there all the same, and says nothing.
[[nodiscard]] std::string cutechess_sprt_line(const ClassicSprt* sprt,
                                              const harness::ResultCounts& counts);

/// A game's end as it is counted for an engine: "Win: White mates", "Loss: Black loses on time", or
/// a draw's reason alone. `half_points`: the engine's.
[[nodiscard]] std::string cutechess_outcome(int half_points, std::string_view reason);

/// How games of an engine ended, by outcome.
[[nodiscard]] std::string cutechess_outcomes(std::string_view name,
                                             const std::map<std::string, std::int64_t>& outcomes);

}  // namespace assay::reports::dropin
