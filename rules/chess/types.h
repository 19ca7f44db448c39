#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

#include "rules/game.h"

namespace assay::rules::chess {

/// A set of squares: bit 0 is a1, bit 7 h1, bit 63 h8.
using Bitboard = std::uint64_t;

/// 0 is a1, 7 h1, 63 h8.
using Square = std::uint8_t;
inline constexpr Square kNoSquare = 64;

enum class Color : std::uint8_t { White, Black };

enum class Kind : std::uint8_t { Pawn, Knight, Bishop, Rook, Queen, King, None };
inline constexpr std::size_t kKinds = 6;

/// A kind with a colour: bit 3 is the colour. kNoPiece is an empty square.
using Piece = std::uint8_t;
inline constexpr Piece kNoPiece = 6;

[[nodiscard]] constexpr std::size_t index(Color color) {
    return static_cast<std::size_t>(color);
}

[[nodiscard]] constexpr std::size_t index(Kind kind) {
    return static_cast<std::size_t>(kind);
}

[[nodiscard]] constexpr Color other(Color color) {
    return color == Color::White ? Color::Black : Color::White;
}

[[nodiscard]] constexpr Piece piece_of(Color color, Kind kind) {
    return static_cast<Piece>(index(color) << 3U | index(kind));
}

[[nodiscard]] constexpr Kind kind_of(Piece piece) {
    return static_cast<Kind>(piece & 7U);
}

/// REQUIRES: the piece is not kNoPiece.
[[nodiscard]] constexpr Color color_of(Piece piece) {
    return static_cast<Color>(piece >> 3U);
}

[[nodiscard]] constexpr unsigned file_of(Square square) {
    return square & 7U;
}

[[nodiscard]] constexpr unsigned rank_of(Square square) {
    return square >> 3U;
}

[[nodiscard]] constexpr Square square_at(unsigned file, unsigned rank) {
    return static_cast<Square>(rank << 3U | file);
}

[[nodiscard]] constexpr Bitboard bit(unsigned square) {
    return Bitboard{1} << square;
}

inline constexpr Bitboard kFileA = 0x0101010101010101ULL;
inline constexpr Bitboard kFileH = kFileA << 7U;
inline constexpr Bitboard kRank1 = 0xff;
inline constexpr Bitboard kRank8 = kRank1 << 56U;
inline constexpr Bitboard kDarkSquares = 0xaa55aa55aa55aa55ULL;

[[nodiscard]] constexpr Bitboard rank_bits(unsigned rank) {
    return kRank1 << (rank << 3U);
}

/// The lowest square of the set. REQUIRES: not empty.
[[nodiscard]] inline Square first(Bitboard set) {
    return static_cast<Square>(std::countr_zero(set));
}

/// Takes the lowest square out of the set. REQUIRES: not empty.
inline Square pop(Bitboard& set) {
    const Square square = first(set);
    set &= set - 1;
    return square;
}

[[nodiscard]] constexpr bool has_several(Bitboard set) {
    return (set & (set - 1)) != 0;
}

// A Move: bits 0-5 from, 6-11 to, 12-13 what kind, 14-15 the promoted piece less Knight. Castling
// is written as the king taking its own rook, in standard chess too, so that all set-ups are alike.
enum class MoveKind : std::uint8_t { Plain, Promotion, EnPassant, Castling };

[[nodiscard]] constexpr Move pack(Square from, Square to, MoveKind kind = MoveKind::Plain,
                                  Kind promoted = Kind::Knight) {
    return static_cast<Move>(from) | static_cast<Move>(to) << 6U | static_cast<Move>(kind) << 12U |
           static_cast<Move>(index(promoted) - index(Kind::Knight)) << 14U;
}

[[nodiscard]] constexpr Square from_of(Move move) {
    return static_cast<Square>(move & 63U);
}

[[nodiscard]] constexpr Square to_of(Move move) {
    return static_cast<Square>(move >> 6U & 63U);
}

[[nodiscard]] constexpr MoveKind move_kind(Move move) {
    return static_cast<MoveKind>(move >> 12U & 3U);
}

/// Meaningful for MoveKind::Promotion only.
[[nodiscard]] constexpr Kind promoted_kind(Move move) {
    return static_cast<Kind>((move >> 14U & 3U) + index(Kind::Knight));
}

}  // namespace assay::rules::chess
