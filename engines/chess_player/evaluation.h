#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "engines/chess_player/chess_words.h"

namespace assay::engines {

/// The terms of a chess evaluation after Wagner, "Game Tree" (seminar, 2015), section 3, in
/// hundredths of a pawn, White's less Black's. Their sum is the relative value; seen by Black it is
/// the same with the other sign.
struct EvaluationTerms {
    int material = 0;
    int double_pawns = 0;
    int pawn_rams = 0;
    int passed_pawns = 0;
    int isolated_pawns = 0;
    int eight_pawns = 0;
    int mobility = 0;
    int board_control = 0;
    int development = 0;
    int king_safety = 0;

    [[nodiscard]] int sum() const {
        return material + double_pawns + pawn_rams + passed_pawns + isolated_pawns + eight_pawns +
               mobility + board_control + development + king_safety;
    }

    friend bool operator==(const EvaluationTerms&, const EvaluationTerms&) = default;
};

enum class EvaluationKind : std::uint8_t { Full, Material };

/// The value of a piece, by Kind; that of the king is above all others.
inline constexpr std::array<int, 7> kPieceValues{100, 325, 335, 500, 975, 10000, 0};

[[nodiscard]] EvaluationTerms evaluation_terms(const Board& board);

/// From the point of view of the side to move. Equals the sum of the terms, or the first of them
/// alone. Below 20,000 either way.
[[nodiscard]] int evaluate(const Board& board, EvaluationKind kind);

}  // namespace assay::engines
