// Several ways to one answer, held against each other: a slow generator that tries every move and
// looks whether the king can be taken, the fast one, and the interface of all games.
#include "rules/chess/movegen.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/random.h"
#include "rules/chess/fen.h"
#include "rules/chess/notation.h"
#include "rules/chess/perft.h"
#include "rules/chess/start_positions.h"
#include "rules/game.h"
#include "rules/make_game.h"

using namespace assay::rules;
using namespace assay::rules::chess;

namespace {

constexpr std::string_view kFens[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "8/8/1k6/8/2pP4/8/5BK1/8 b - d3 0 1",
};

std::uint64_t count_by_interface(Position& position, int depth) {
    if (depth == 0) return 1;
    std::vector<Move> moves;
    position.moves(moves);
    std::uint64_t nodes = 0;
    for (const Move move : moves) {
        position.make(move);
        nodes += count_by_interface(position, depth - 1);
        position.undo();
    }
    return nodes;
}

/// Squares that a piece reaches, step by step. For tests only: slow and plain on purpose.
Bitboard walked(const Board& board, Square from, std::initializer_list<std::pair<int, int>> steps,
                int most) {
    Bitboard reached = 0;
    for (const auto& [file_step, rank_step] : steps) {
        int file = static_cast<int>(file_of(from));
        int rank = static_cast<int>(rank_of(from));
        for (int i = 0; i < most; ++i) {
            file += file_step;
            rank += rank_step;
            if (file < 0 || file > 7 || rank < 0 || rank > 7) break;
            const Square to = square_at(static_cast<unsigned>(file), static_cast<unsigned>(rank));
            reached |= bit(to);
            if (board.piece_on(to) != kNoPiece) break;
        }
    }
    return reached;
}

Bitboard reach_of(const Board& board, Square from) {
    switch (kind_of(board.piece_on(from))) {
        case Kind::Knight:
            return walked(board, from,
                          {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}},
                          1);
        case Kind::Bishop:
            return walked(board, from, {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}, 7);
        case Kind::Rook:
            return walked(board, from, {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}, 7);
        case Kind::Queen:
            return walked(board, from,
                          {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}},
                          7);
        case Kind::King:
            return walked(board, from,
                          {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}},
                          1);
        default:
            return 0;
    }
}

bool takes_king(const Board& board, Square square, Color by) {
    for (Square from = 0; from < 64; ++from) {
        const Piece piece = board.piece_on(from);
        if (piece == kNoPiece || color_of(piece) != by) continue;
        if ((reach_of(board, from) >> square & 1U) != 0) return true;
        const int up = by == Color::White ? 1 : -1;
        if (kind_of(piece) == Kind::Pawn &&
            (walked(board, from, {{1, up}, {-1, up}}, 1) >> square & 1U) != 0) {
            return true;
        }
    }
    return false;
}

/// Pieces' plain moves (not pawns', not castling) that leave the own king safe.
std::vector<Move> slow_piece_moves(const Board& board) {
    std::vector<Move> out;
    for (Square from = 0; from < 64; ++from) {
        const Piece piece = board.piece_on(from);
        if (piece == kNoPiece || color_of(piece) != board.side()) continue;
        for (Bitboard to = reach_of(board, from) & ~board.of(board.side()); to != 0;) {
            const Move move = pack(from, pop(to));
            Board after = board;
            Undo undo;
            after.make(move, undo);
            if (!takes_king(after, after.king(board.side()), after.side())) out.push_back(move);
        }
    }
    std::ranges::sort(out);
    return out;
}

std::vector<Move> fast_piece_moves(const Board& board) {
    MoveList list;
    generate_list(board, list);
    std::vector<Move> out;
    for (const Move move : list) {
        const bool is_pawn = kind_of(board.piece_on(from_of(move))) == Kind::Pawn;
        if (!is_pawn && move_kind(move) == MoveKind::Plain) out.push_back(move);
    }
    std::ranges::sort(out);
    return out;
}

bool is_noisy(const Board& board, Move move) {
    return move_kind(move) == MoveKind::Promotion || move_kind(move) == MoveKind::EnPassant ||
           (move_kind(move) == MoveKind::Plain && board.piece_on(to_of(move)) != kNoPiece);
}

/// Each pair of squares asked for by itself, and each text of a kind of piece and a target.
void check_one_by_one(const Board& board, const MoveList& moves) {
    for (unsigned word = 0; word < 64 * 64; ++word) {
        const Move move = pack(static_cast<Square>(word & 63U), static_cast<Square>(word >> 6U));
        const bool is_listed = std::ranges::find(moves, move) != moves.end();
        if (is_legal(board, move) != is_listed) FAIL_CHECK("is_legal() of ", word);
    }
    const std::vector<Move> plain = slow_piece_moves(board);
    for (const Kind kind : {Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King}) {
        for (unsigned to = 0; to < 64; ++to) {
            std::vector<Move> fitting;
            std::ranges::copy_if(plain, std::back_inserter(fitting), [&](Move move) {
                return kind_of(board.piece_on(from_of(move))) == kind && to_of(move) == to;
            });
            const std::string text{"PNBRQK"[index(kind)], static_cast<char>('a' + to % 8),
                                   static_cast<char>('1' + to / 8)};
            CAPTURE(text);
            CHECK(read_san(board, text) ==
                  (fitting.size() == 1 ? std::optional(fitting.front()) : std::nullopt));
        }
    }
}

}  // namespace

TEST_CASE("Movegen: board and interface count the same below every move") {
    for (const std::string_view fen : kFens) {
        CAPTURE(fen);
        const Variant variant = Variant::Chess960;
        Board board = parse_fen(fen, variant);
        const auto position = make_game("chess960")->parse(fen);
        std::vector<Move> moves;
        position->moves(moves);
        for (const Move move : moves) {
            CAPTURE(write_uci(move, variant));
            Undo undo;
            board.make(move, undo);
            position->make(move);
            CHECK(perft(board, 2) == count_by_interface(*position, 2));
            position->undo();
            board.undo(move, undo);
        }
    }
}

TEST_CASE("Movegen: a generator that tries every move agrees in random games") {
    assay::Random random(20);
    for (int game = 0; game < 40; ++game) {
        const auto white = static_cast<int>(random.below(kStartPositions));
        const auto black = static_cast<int>(random.below(kStartPositions));
        Board board = parse_fen(start_fen(white, black), Variant::Chess960);
        for (int ply = 0; ply < 60; ++ply) {
            CAPTURE(write_fen(board));
            REQUIRE(fast_piece_moves(board) == slow_piece_moves(board));
            MoveList moves;
            generate_list(board, moves);
            CHECK(moves.empty() != has_legal_move(board));
            MoveList noisy;
            generate_list<Wanted::Noisy>(board, noisy);
            std::vector<Move> expected;
            std::ranges::copy_if(moves, std::back_inserter(expected),
                                 [&](Move move) { return is_noisy(board, move); });
            CHECK(std::ranges::is_permutation(noisy, expected));
            if (ply % 20 == 10) check_one_by_one(board, moves);
            if (moves.empty()) break;
            Undo undo;
            board.make(moves[random.below(moves.size())], undo);
            // What is kept up to date equals what is computed anew.
            REQUIRE(parse_fen(write_fen(board), Variant::Chess960).hash() == board.hash());
        }
    }
}
