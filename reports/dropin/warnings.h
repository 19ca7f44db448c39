#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/game.h"
#include "harness/record/pv_finding.h"
#include "rules/game.h"

namespace assay::reports::dropin {

// The warnings of fastchess, word by word: workers of test servers find them by regular
// expressions. All texts are printable ASCII without a line end behind them.

/// How the parts of a warning are joined.
enum class Parts : std::uint8_t {
    Lines,    // each on a line of its own
    OneLine,  // by " :: ", with -testEnv
};

/// A flaw of a line of moves, with the line, the position and the moves that led to it. `names` by
/// program of the match.
[[nodiscard]] std::string pv_warning(const harness::PvFinding& finding,
                                     const std::vector<std::string>& names,
                                     const rules::Game& rules, Parts parts);

/// Flaws that are told only with -check-mate-pvs.
[[nodiscard]] bool needs_check_mate_pvs(harness::PvFlaw flaw);

/// What is said of a program when a game is over in which it failed; usually nothing.
[[nodiscard]] std::vector<std::string> game_warnings(const harness::GameRecord& game,
                                                     const std::vector<std::string>& names);

[[nodiscard]] std::string no_option(std::string_view program, std::string_view option);
[[nodiscard]] std::string invalid_value(std::string_view option, std::string_view value);
[[nodiscard]] std::string no_info_line(std::string_view program);
[[nodiscard]] std::string no_score(std::string_view program, std::string_view reason);
[[nodiscard]] std::string wrong_move_format(std::string_view move, std::string_view program);
/// `move` is empty where the program named none.
[[nodiscard]] std::string illegal_move(std::string_view move, std::string_view program);
[[nodiscard]] std::string not_responsive(std::string_view program);
[[nodiscard]] std::string no_handshake(std::string_view program);
[[nodiscard]] std::string no_output(std::string_view program);
[[nodiscard]] std::string no_best_move(std::string_view program, std::string_view reason,
                                       std::string_view last_line);

}  // namespace assay::reports::dropin
