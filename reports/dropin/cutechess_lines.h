#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "harness/record/result_counts.h"
#include "reports/dropin/classic_numbers.h"

namespace assay::reports::dropin {

/// The lines of cutechess-cli that fastchess does not have, as runner_lines.h.

/// Results of the first engine by the side that it played.
struct SideCounts {
    harness::ResultCounts as_first;
    harness::ResultCounts as_second;

    [[nodiscard]] harness::ResultCounts all() const;
};

/// The names of the two sides: "White" and "Black".
struct SideNames {
    std::string first;
    std::string second;
};

/// The score, the scores by side, Elo and the SPRT: what a rating interval and the end print.
[[nodiscard]] std::string cutechess_ranking(std::string_view first, std::string_view second,
                                            const SideNames& sides, const SideCounts& counts,
                                            const ClassicSprt* sprt);

/// How games of an engine ended, by reason.
[[nodiscard]] std::string cutechess_outcomes(std::string_view name,
                                             const std::map<std::string, std::int64_t>& reasons);

}  // namespace assay::reports::dropin
