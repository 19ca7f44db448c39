#pragma once
#include <string>
#include <string_view>

#include "rules/chess/board.h"

namespace assay::rules::chess {

/// Which castling set-ups are positions of the game.
enum class Variant : std::uint8_t { Standard, Chess960 };

/// Reads FEN's six fields, or EPD's four (the counters are then 0 and 1).
///
/// Castling rights are read as X-FEN (KQkq: the outermost rook on that side of the king) or as
/// Shredder-FEN (the rooks' files, HAha), for Chess960 from any files, also different ones for the
/// two sides (double fischerandom); for Standard from e1 and e8 with a- and h-rooks only.
///
/// Throws Error, its text being the reason alone ("white has no king"), where the position cannot
/// be refereed: not 8 by 8 squares, unknown letters, no king or several, more than 16 pieces a
/// side, more than 8 pawns, a pawn on the first or last rank, the side that just moved in check,
/// more than two pieces giving check, rights without king and rook in place or given twice, an
/// en-passant square that is no square of the right rank, counters that are no numbers from 0 to
/// 9999 and 0 to 99999.
///
/// Repaired without a message, because such positions are common in books and have one sensible
/// meaning: an en-passant square that no legal capture can use (because there is no capturer, or no
/// pawn to capture) is dropped, and move number 0 becomes 1.
[[nodiscard]] Board parse_fen(std::string_view text, Variant variant);

/// All six fields. Rights are KQkq where the rook is the outermost one, else its file's letter
/// (X-FEN), which for standard chess is plain FEN; the en-passant square stands only where a
/// capture there is legal.
[[nodiscard]] std::string write_fen(const Board& board);

inline constexpr std::string_view kStartFen =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

}  // namespace assay::rules::chess
