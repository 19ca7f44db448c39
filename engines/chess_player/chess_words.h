#pragma once
#include "rules/chess/attacks.h"
#include "rules/chess/board.h"
#include "rules/chess/types.h"
#include "rules/game.h"

/// The words of rules/chess/ that the chess player's files use without their namespace.
namespace assay::engines {

using rules::kNoMove;
using rules::Move;
using rules::chess::bishop_attacks;
using rules::chess::bit;
using rules::chess::Bitboard;
using rules::chess::Board;
using rules::chess::castled_rook;
using rules::chess::Color;
using rules::chess::color_of;
using rules::chess::file_of;
using rules::chess::from_of;
using rules::chess::has_several;
using rules::chess::index;
using rules::chess::kFileA;
using rules::chess::kFileH;
using rules::chess::Kind;
using rules::chess::kind_of;
using rules::chess::kNoPiece;
using rules::chess::kTables;
using rules::chess::move_kind;
using rules::chess::MoveKind;
using rules::chess::other;
using rules::chess::Piece;
using rules::chess::pop;
using rules::chess::promoted_kind;
using rules::chess::rank_bits;
using rules::chess::rank_of;
using rules::chess::rook_attacks;
using rules::chess::Square;
using rules::chess::square_at;
using rules::chess::to_of;
using rules::chess::Undo;

}  // namespace assay::engines
