#pragma once
#include <string>
#include <string_view>

#include "harness/record/game.h"
#include "harness/record/run.h"

namespace assay::reports {

/// Comma-separated values (RFC 4180 with LF), one row a game. `seconds` is what both clocks
/// booked together, `started` seconds since 1970.
[[nodiscard]] std::string_view csv_header();
[[nodiscard]] std::string csv_row(const harness::RunRecord& run, std::size_t match,
                                  const harness::GameRecord& game);

}  // namespace assay::reports
