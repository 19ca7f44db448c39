#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/suite_plan.h"
#include "rules/game.h"

namespace assay::harness {

/// The most positions of a suite.
inline constexpr std::size_t kMostPositions = 10'000;

/// Positions of this game out of an EPD file or a list of texts: one a line, `#` begins a comment
/// line; a byte order mark and CR LF are alike to none and LF. An id is the opcode's, else the
/// position's number. Throws SyntaxError with all that is wrong (20 places at most): a position
/// that the rules refuse or in which the game is over, an id that is used twice, a move of bm or am
/// that is not legal, a quote that is not closed, and with `needs_solutions` a position with
/// neither bm nor am; Error where the file cannot be read or holds no position.
[[nodiscard]] std::vector<SuitePosition> read_suite_positions(const std::string& path,
                                                              const rules::Game& game,
                                                              bool needs_solutions = false);

/// The same of a text. `path` is for messages.
[[nodiscard]] std::vector<SuitePosition> suite_positions_of(std::string_view text,
                                                            const std::string& path,
                                                            const rules::Game& game,
                                                            bool needs_solutions = false);

}  // namespace assay::harness
