#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace assay::openings {

/// The random words of the polyglot format: 64 squares (a1, b1 … h8) of each kind of piece (black
/// pawn, white pawn, black knight … white king), four castling rights (white short, white long,
/// black short, black long), eight files of an en-passant capture, and one that White is to move.
inline constexpr std::size_t kPolyglotKeys = 781;
inline constexpr std::size_t kPolyglotCastling = 768;
inline constexpr std::size_t kPolyglotPassant = 772;
inline constexpr std::size_t kPolyglotTurn = 780;

extern const std::array<std::uint64_t, kPolyglotKeys> kPolyglotKey;

}  // namespace assay::openings
