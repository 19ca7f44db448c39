// The tables of attacks.h, made by the compiler: nothing is computed when a program starts, and
// there is no order of static initialisation to respect. They are filled by walking step by step
// from each square, which is plain and too slow for anything but a table.
//
// Files and diagonals need only their masks, as their attacks are found by subtraction
// (line_attacks). Ranks have a table by file and the six inner squares: the outer two stop a slider
// whether they are occupied or not.
#include "base/random.h"
#include "rules/chess/attacks.h"

namespace assay::rules::chess {

namespace {

constexpr Bitboard step(int square, int file_step, int rank_step) {
    const int file = square % 8 + file_step;
    const int rank = square / 8 + rank_step;
    const bool inside = file >= 0 && file < 8 && rank >= 0 && rank < 8;
    return inside ? bit(static_cast<unsigned>(rank * 8 + file)) : 0;
}

/// The squares from `square` to the board's edge, without it.
constexpr Bitboard ray(int square, int file_step, int rank_step) {
    Bitboard out = 0;
    for (int i = 1; i < 8; ++i) out |= step(square, i * file_step, i * rank_step);
    return out;
}

constexpr void fill_leapers(Tables& tables, int square) {
    const auto i = static_cast<std::size_t>(square);
    for (int side = -1; side <= 1; side += 2) {
        tables.pawn_attacks[0][i] |= step(square, side, 1);
        tables.pawn_attacks[1][i] |= step(square, side, -1);
        for (int up = -1; up <= 1; up += 2) {
            tables.knight_attacks[i] |= step(square, side, 2 * up) | step(square, 2 * side, up);
            tables.king_attacks[i] |= step(square, side, up);
        }
        tables.king_attacks[i] |= step(square, side, 0) | step(square, 0, side);
    }
}

constexpr void fill_lines(Tables& tables, int square) {
    auto& lines = tables.lines[static_cast<std::size_t>(square)];
    lines.file = ray(square, 0, 1) | ray(square, 0, -1);
    lines.diagonal = ray(square, 1, 1) | ray(square, -1, -1);
    lines.anti_diagonal = ray(square, 1, -1) | ray(square, -1, 1);
}

constexpr void fill_between(Tables& tables, int square) {
    auto& row = tables.between[static_cast<std::size_t>(square)];
    for (int file_step = -1; file_step <= 1; ++file_step) {
        for (int rank_step = -1; rank_step <= 1; ++rank_step) {
            if (file_step == 0 && rank_step == 0) continue;
            Bitboard passed = 0;
            for (int i = 1; i < 8; ++i) {
                const Bitboard reached = step(square, i * file_step, i * rank_step);
                if (reached == 0) break;
                row[static_cast<std::size_t>(std::countr_zero(reached))] = passed;
                passed |= reached;
            }
        }
    }
}

constexpr std::uint8_t attacks_on_rank(int file, unsigned inner) {
    const unsigned occupied = inner << 1U;
    unsigned out = 0;
    for (int direction = -1; direction <= 1; direction += 2) {
        for (int at = file + direction; at >= 0 && at < 8; at += direction) {
            const unsigned here = 1U << static_cast<unsigned>(at);
            out |= here;
            if ((occupied & here) != 0) break;
        }
    }
    return static_cast<std::uint8_t>(out);
}

constexpr void fill_keys(Tables& tables) {
    // The seed is arbitrary but fixed: hashes may be stored and compared between runs.
    Random random(0x61737361792d7631ULL);
    for (const Color color : {Color::White, Color::Black}) {
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            const Piece piece = piece_of(color, static_cast<Kind>(kind));
            for (auto& key : tables.piece_keys[piece]) key = random();
        }
    }
    for (auto& key : tables.castling_keys) key = random();
    for (auto& key : tables.ep_keys) key = random();
    tables.black_key = random();
}

constexpr Tables make_tables() {
    Tables tables;
    for (int square = 0; square < 64; ++square) {
        fill_leapers(tables, square);
        fill_lines(tables, square);
        fill_between(tables, square);
    }
    for (int file = 0; file < 8; ++file) {
        for (unsigned inner = 0; inner < 64; ++inner) {
            tables.rank_attacks[static_cast<std::size_t>(file)][inner] =
                attacks_on_rank(file, inner);
        }
    }
    fill_keys(tables);
    return tables;
}

}  // namespace

constexpr Tables kTables = make_tables();

}  // namespace assay::rules::chess
