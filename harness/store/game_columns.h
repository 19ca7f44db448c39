#pragma once
#include <string>
#include <string_view>

#include "harness/record/game.h"
#include "harness/record/pair.h"

namespace SQLite {  // NOLINT(readability-identifier-naming): not ours to name
class Statement;
}

// The columns of `games` that tell a game's result, which single games and pairs are read by.
namespace assay::harness {

/// In the order in which read_digest() takes them.
inline constexpr std::string_view kDigestColumns =
    "programs, scores, termination, guilty, plies, used_us, moves_hash, harness_caused, number";
inline constexpr int kDigestSize = 9;

/// Reads kDigestColumns from the column `first` on. Throws StoreDamage.
[[nodiscard]] GameDigest read_digest(SQLite::Statement& row, int first);

[[nodiscard]] std::string scores_text(const rules::Scores& scores);
[[nodiscard]] std::string programs_text(const Lineup& programs);

/// Throws StoreDamage unless the game is of two players, as pairs are.
void check_two(const rules::Scores& scores);

}  // namespace assay::harness
