#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "rules/chess/board.h"
#include "rules/chess/fen.h"

namespace assay::rules::chess {

/// UCI's coordinates: e2e4, e7e8q; castling is e1g1 in standard chess and e1h1, the king takes its
/// rook, in chess960.
[[nodiscard]] std::string write_uci(Move move, Variant variant);

/// Strict, as a protocol should be: lower case, nothing around it, and castling only in the
/// variant's own way. nullopt where the text is no legal move.
[[nodiscard]] std::optional<Move> read_uci(const Board& board, std::string_view text,
                                           Variant variant);

/// Standard algebraic notation as PGN exports it: origin file, rank or both only where needed among
/// legal moves, '=' before a promotion, '+' or '#' at the end. REQUIRES: the move is legal.
[[nodiscard]] std::string write_san(const Board& board, Move move);

/// Reads what people and programs write, where it means one legal move: also 0-0 for O-O, missing
/// or wrong +, #, x and '=', any origin squares (Ng1f3, e2-e4), P before a pawn move, lower-case
/// promotions, "e.p." and marks such as !? at the end. nullopt where no legal move fits or several
/// do.
[[nodiscard]] std::optional<Move> read_san(const Board& board, std::string_view text);

}  // namespace assay::rules::chess
