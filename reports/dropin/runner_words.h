#pragma once
#include <string>
#include <string_view>

#include "harness/plan/time_control.h"
#include "harness/record/game.h"
#include "rules/game.h"

namespace assay::reports::dropin {

/// The programs whose output is met: fastchess 1.8.2 and cutechess-cli 1.5.1.
enum class Runner : std::uint8_t { Fastchess, Cutechess };

/// Why a game ended, as the runner says it behind "Finished game" and in the game's last comment:
/// "White mates", "Black loses on time (12ms overrun)". Needs the fields of the record that are not
/// stored (GameRecord::illegal_move, overrun).
[[nodiscard]] std::string reason_text(Runner runner, const rules::GameInfo& info,
                                      const harness::GameRecord& game);

/// The PGN tag Termination; empty: the runner writes none.
[[nodiscard]] std::string_view termination_tag(Runner runner,
                                               const harness::Termination& termination);

/// The PGN tag TimeControl: "40/60+0.6", "0.1/move"; without a clock "-" or "inf".
[[nodiscard]] std::string time_control_tag(Runner runner, const harness::TimeControl& control);

/// A score with the sign and two decimals of the runner, mates in plies: "+0.31", "0.00", "-M4".
[[nodiscard]] std::string score_text(const adapters::Score& score);

/// The text with '?' for each byte that is no printable ASCII: workers read bytes as ASCII, and
/// stop reading at others.
[[nodiscard]] std::string ascii_text(std::string_view text);

/// The position's text with castling rights as the files of the rooks (HAha), as both runners write
/// positions of chess960. Other texts come back as they are. REQUIRES: Position::text() of chess.
[[nodiscard]] std::string shredder_text(const std::string& text);

}  // namespace assay::reports::dropin
