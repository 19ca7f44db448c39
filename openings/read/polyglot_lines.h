#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "openings/read/polyglot.h"
#include "rules/game.h"

namespace assay::openings {

/// A polyglot book with more lines is refused, and the message names a number of plies that works.
inline constexpr std::uint64_t kMostPolyglotLines = 1'000'000;

/// An entry that is left out, with its number from 1.
using OnPolyglotRemark = std::function<void(std::uint64_t entry, const std::string& message)>;

/// The lines that a polyglot book plays from the game's start by moves of weight above 0, each as
/// names of moves with blanks between and a newline. A line ends after `plies` half-moves, where
/// the book knows no move, and before moves that end the game or lead back to a position that fewer
/// half-moves reach; so there are no cycles. Each position stands for one line, the shortest, of
/// those the likeliest: the probability of a line is the product of its moves' shares of the weight
/// in their positions. Likeliest lines come first; the order depends on the book alone.
/// Moves that are not legal are left out and remarked. Throws Error naming `name` where there are
/// more than `most` lines or none, or the game is not chess. REQUIRES: plies at least 1.
void write_polyglot_lines(const PolyglotFile& book, const std::string& name,
                          std::optional<int> plies, const rules::Game& game, std::uint64_t most,
                          const OnPolyglotRemark& on_remark,
                          const std::function<void(std::string_view)>& sink);

}  // namespace assay::openings
