#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/suite_plan.h"
#include "openings/read/remark.h"
#include "rules/game.h"

namespace assay::harness {

/// Reads what EPD says behind a position into `out`: bm and am (moves in the game's text notation
/// or in its canonical one), id and c0; other operations are stepped over. Several ids are one with
/// blanks between, and a move that stands twice is one. Returns what is wrong, with offsets in
/// `line`, of which `operations` is a part. `position`: the line's.
[[nodiscard]] std::vector<openings::Remark> read_epd_operations(std::string_view line,
                                                                std::string_view operations,
                                                                const rules::Position& position,
                                                                SuitePosition& out);

/// "; did you mean 'bm'?" where an operation of the line is nearly bm or am, or empty.
[[nodiscard]] std::string nearest_solution_opcode(std::string_view operations);

}  // namespace assay::harness
