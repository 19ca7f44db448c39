#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "rules/chess/types.h"

namespace assay::rules::chess {

/// Constant tables about squares and the random words of hashes: 45 kB, computed by the compiler.
struct Tables {
    /// The lines through a square, without the square.
    struct Lines {
        Bitboard file = 0;
        Bitboard diagonal = 0;
        Bitboard anti_diagonal = 0;
    };

    std::array<std::array<Bitboard, 64>, 2> pawn_attacks{};  // by colour
    std::array<Bitboard, 64> knight_attacks{};
    std::array<Bitboard, 64> king_attacks{};
    std::array<Lines, 64> lines{};
    /// By file and the six inner squares' occupancy: attacks along the first rank.
    std::array<std::array<std::uint8_t, 64>, 8> rank_attacks{};
    /// Squares strictly between two that share a line; else empty.
    std::array<std::array<Bitboard, 64>, 64> between{};

    std::array<std::array<std::uint64_t, 64>, 16> piece_keys{};  // by Piece
    std::array<std::uint64_t, 64> castling_keys{};               // by the rook's square
    std::array<std::uint64_t, 8> ep_keys{};                      // by file
    std::uint64_t black_key = 0;
};

extern const Tables kTables;

[[nodiscard]] constexpr Bitboard byte_swapped(Bitboard b) {
    return __builtin_bswap64(b);
}

/// Attacks of a slider along one line by subtraction (the o^(o-2r) trick of Leperlier and Isenberg,
/// "hyperbola quintessence"): borrows run from the slider up to the first blocker, and a byte swap
/// turns the other half of the line round. It needs three masks a square where magic
/// multiplication needs 800 kB. Not for ranks, whose squares a byte swap keeps in order.
[[nodiscard, gnu::always_inline]] inline Bitboard line_attacks(Square square, Bitboard occupied,
                                                               Bitboard line) {
    const Bitboard up = occupied & line;
    const Bitboard down = byte_swapped(up);
    return ((up - bit(square)) ^ byte_swapped(down - bit(square ^ 56U))) & line;
}

[[nodiscard, gnu::always_inline]] inline Bitboard bishop_attacks(Square square, Bitboard occupied) {
    const Tables::Lines& lines = kTables.lines[square];
    return line_attacks(square, occupied, lines.diagonal) |
           line_attacks(square, occupied, lines.anti_diagonal);
}

[[nodiscard, gnu::always_inline]] inline Bitboard rook_attacks(Square square, Bitboard occupied) {
    const unsigned shift = square & 56U;
    const Bitboard along_rank =
        Bitboard{kTables.rank_attacks[file_of(square)][occupied >> (shift + 1) & 63U]} << shift;
    return along_rank | line_attacks(square, occupied, kTables.lines[square].file);
}

}  // namespace assay::rules::chess
