#pragma once
#include <cstddef>
#include <cstdint>

#include "rules/chess/board.h"
#include "rules/chess/move_list.h"

// Legal moves, generated directly: checkers and pins are found first, and then no move has to be
// tried. Pins are kept as two sets of squares, those on ranks and files and those on diagonals from
// the own king: a pinned piece moves within its set, and no line of a pinned piece meets another
// ray of the same set, so that no set by piece is needed.
//
// The moves are passed to a Sink, a type with
//     void targets(Kind kind, Square from, Bitboard to);  plain moves of one piece, not a pawn
//     void pawns(Bitboard to, int step);                  plain pawn moves; from = to - step
//     void promotions(Bitboard to, int step);             pawn moves to the last rank
//     void single(Move move);                             en passant and castling
// so that counting, listing and finding one move use the same generator. A sink may also have
//     bool wants(Kind kind) const;
// and then moves of other kinds of pieces are not generated (castling belongs to the king).

namespace assay::rules::chess {

/// Noisy moves are captures and promotions, for searches that look at these alone.
enum class Wanted : std::uint8_t { All, Noisy };

namespace generation {

template <Color Us>
[[nodiscard]] constexpr Bitboard forward(Bitboard set) {
    return Us == Color::White ? set << 8U : set >> 8U;
}

template <Color Us>
[[nodiscard]] constexpr Bitboard capture_west(Bitboard pawns) {
    return Us == Color::White ? (pawns & ~kFileA) << 7U : (pawns & ~kFileA) >> 9U;
}

template <Color Us>
[[nodiscard]] constexpr Bitboard capture_east(Bitboard pawns) {
    return Us == Color::White ? (pawns & ~kFileH) << 9U : (pawns & ~kFileH) >> 7U;
}

template <class Sink>
[[nodiscard]] constexpr bool is_wanted(const Sink& sink, Kind kind) {
    if constexpr (requires { sink.wants(kind); }) {
        return sink.wants(kind);
    } else {
        return true;
    }
}

/// Where the moves of a position may go, and who is bound to a line.
struct Limits {
    Bitboard evasions = ~Bitboard{0};  // squares that answer a check; none in double check
    Bitboard straight_pins = 0;        // own pinned pieces' squares and ways on ranks and files
    Bitboard diagonal_pins = 0;
    bool in_check = false;
};

template <Color Us>
[[nodiscard]] inline Limits limits_of(const Board& board, Square king) {
    constexpr Color kThem = other(Us);
    const Bitboard own = board.of(Us);
    const Bitboard enemy = board.of(kThem);
    const Bitboard queens = board.of(Kind::Queen);
    Limits limits;
    Bitboard checkers = enemy & ((kTables.pawn_attacks[index(Us)][king] & board.of(Kind::Pawn)) |
                                 (kTables.knight_attacks[king] & board.of(Kind::Knight)));
    Bitboard evasions = checkers;
    // Seen from the king through its own pieces: one in between is pinned, none is a check.
    const auto look = [&](Bitboard snipers, Bitboard& pins) {
        while (snipers != 0) {
            const Square sniper = pop(snipers);
            const Bitboard between = kTables.between[king][sniper];
            const Bitboard blockers = between & own;
            if (blockers == 0) {
                checkers |= bit(sniper);
                evasions |= between | bit(sniper);
            } else if (!has_several(blockers)) {
                pins |= between | bit(sniper);
            }
        }
    };
    look(rook_attacks(king, enemy) & enemy & (board.of(Kind::Rook) | queens), limits.straight_pins);
    look(bishop_attacks(king, enemy) & enemy & (board.of(Kind::Bishop) | queens),
         limits.diagonal_pins);
    if (checkers != 0) {
        limits.in_check = true;
        limits.evasions = has_several(checkers) ? 0 : evasions;
    }
    return limits;
}

template <Color Us, class Sink>
inline void king_moves(const Board& board, Square king, Bitboard allowed, Sink& sink) {
    constexpr Color kThem = other(Us);
    const Bitboard enemy = board.of(kThem);
    const Bitboard pawns = enemy & board.of(Kind::Pawn);
    const Bitboard near = capture_west<kThem>(pawns) | capture_east<kThem>(pawns) |
                          kTables.king_attacks[board.king(kThem)];
    Bitboard candidates = kTables.king_attacks[king] & allowed & ~near;
    if (candidates == 0) return;
    // The king does not shelter the squares behind it.
    const Bitboard occupied = board.occupied() ^ bit(king);
    const Bitboard queens = board.of(Kind::Queen);
    const Bitboard straight = enemy & (board.of(Kind::Rook) | queens);
    const Bitboard diagonal = enemy & (board.of(Kind::Bishop) | queens);
    const Bitboard knights = enemy & board.of(Kind::Knight);
    Bitboard safe = 0;
    while (candidates != 0) {
        const Square to = pop(candidates);
        const Bitboard attackers = (kTables.knight_attacks[to] & knights) |
                                   (rook_attacks(to, occupied) & straight) |
                                   (bishop_attacks(to, occupied) & diagonal);
        safe |= attackers == 0 ? bit(to) : 0;
    }
    sink.targets(Kind::King, king, safe);
}

template <Color Us, class Sink>
inline void castling_moves(const Board& board, Square king, Sink& sink) {
    const Bitboard occupied = board.occupied();
    for (const bool king_side : {true, false}) {
        const std::size_t right = right_index(Us, king_side);
        if ((board.rights() >> right & 1U) == 0) continue;
        const Square rook = board.castling_rook(right);
        const Square king_to = castled_king(Us, king_side);
        const Square rook_to = castled_rook(Us, king_side);
        const Bitboard king_way = kTables.between[king][king_to] | bit(king_to);
        const Bitboard way = king_way | kTables.between[rook][rook_to] | bit(rook_to);
        const Bitboard others = occupied ^ bit(king) ^ bit(rook);
        if ((way & others) != 0) continue;
        bool safe = true;
        for (Bitboard passed = king_way & ~bit(king_to); passed != 0 && safe;) {
            safe = board.attackers(pop(passed), other(Us), occupied ^ bit(king)) == 0;
        }
        // In chess960 the rook may have sheltered the king's new square.
        const Bitboard after = others | bit(king_to) | bit(rook_to);
        if (safe && board.attackers(king_to, other(Us), after) == 0) {
            sink.single(pack(king, rook, MoveKind::Castling));
        }
    }
}

template <Color Us, Wanted W, class Sink>
inline void pawn_moves(const Board& board, const Limits& limits, Sink& sink) {
    constexpr int kForward = Us == Color::White ? 8 : -8;
    constexpr int kWest = kForward - 1;
    constexpr int kEast = kForward + 1;
    constexpr Bitboard kLast = Us == Color::White ? kRank8 : kRank1;
    constexpr Bitboard kThird = rank_bits(Us == Color::White ? 2 : 5);
    const Bitboard pawns = board.of(Us, Kind::Pawn);
    const Bitboard enemy = board.of(other(Us));
    const Bitboard empty = ~board.occupied();

    const Bitboard capturers = pawns & ~limits.straight_pins;
    const Bitboard bound = capturers & limits.diagonal_pins;
    const Bitboard free = capturers & ~limits.diagonal_pins;
    const Bitboard aims = enemy & limits.evasions;
    const Bitboard west =
        (capture_west<Us>(free) | (capture_west<Us>(bound) & limits.diagonal_pins)) & aims;
    const Bitboard east =
        (capture_east<Us>(free) | (capture_east<Us>(bound) & limits.diagonal_pins)) & aims;

    const Bitboard pushers = pawns & ~limits.diagonal_pins;
    const Bitboard once = (forward<Us>(pushers & ~limits.straight_pins) |
                           (forward<Us>(pushers & limits.straight_pins) & limits.straight_pins)) &
                          empty;
    const Bitboard twice = forward<Us>(once & kThird) & empty & limits.evasions;
    const Bitboard single = once & limits.evasions;

    if (((west | east | single) & kLast) != 0) {
        sink.promotions(west & kLast, kWest);
        sink.promotions(east & kLast, kEast);
        sink.promotions(single & kLast, kForward);
    }
    sink.pawns(west & ~kLast, kWest);
    sink.pawns(east & ~kLast, kEast);
    if constexpr (W == Wanted::All) {
        sink.pawns(single & ~kLast, kForward);
        sink.pawns(twice, 2 * kForward);
    }

    if (board.ep() != kNoSquare) {
        Bitboard takers = kTables.pawn_attacks[index(other(Us))][board.ep()] & pawns;
        while (takers != 0) {
            const Square from = pop(takers);
            if (board.ep_is_legal(from, board.ep())) {
                sink.single(pack(from, board.ep(), MoveKind::EnPassant));
            }
        }
    }
}

template <Color Us, Wanted W, class Sink>
inline void piece_moves(const Board& board, const Limits& limits, Bitboard targets, Sink& sink) {
    const Bitboard own = board.of(Us);
    const Bitboard occupied = board.occupied();
    const Bitboard pins = limits.straight_pins | limits.diagonal_pins;

    const auto movers = [&](Kind kind, Bitboard bound) {
        return is_wanted(sink, kind) ? own & board.of(kind) & ~bound : 0;
    };
    for (Bitboard set = movers(Kind::Knight, pins); set != 0;) {
        const Square from = pop(set);
        sink.targets(Kind::Knight, from, kTables.knight_attacks[from] & targets);
    }
    for (Bitboard set = movers(Kind::Bishop, limits.straight_pins); set != 0;) {
        const Square from = pop(set);
        const Bitboard way = (limits.diagonal_pins & bit(from)) != 0 ? limits.diagonal_pins : ~0ULL;
        sink.targets(Kind::Bishop, from, bishop_attacks(from, occupied) & targets & way);
    }
    for (Bitboard set = movers(Kind::Rook, limits.diagonal_pins); set != 0;) {
        const Square from = pop(set);
        const Bitboard way = (limits.straight_pins & bit(from)) != 0 ? limits.straight_pins : ~0ULL;
        sink.targets(Kind::Rook, from, rook_attacks(from, occupied) & targets & way);
    }
    for (Bitboard set = movers(Kind::Queen, 0); set != 0;) {
        const Square from = pop(set);
        Bitboard reached = 0;
        if ((limits.diagonal_pins & bit(from)) != 0) {
            reached = bishop_attacks(from, occupied) & limits.diagonal_pins;
        } else if ((limits.straight_pins & bit(from)) != 0) {
            reached = rook_attacks(from, occupied) & limits.straight_pins;
        } else {
            reached = bishop_attacks(from, occupied) | rook_attacks(from, occupied);
        }
        sink.targets(Kind::Queen, from, reached & targets);
    }
}

}  // namespace generation

/// Gives every legal move of `Us` to the sink once. REQUIRES: board.side() == Us.
template <Color Us, Wanted W = Wanted::All, class Sink>
inline void generate_for(const Board& board, Sink& sink) {
    const Square king = board.king(Us);
    const Bitboard goals = W == Wanted::All ? ~board.of(Us) : board.of(other(Us));
    if (generation::is_wanted(sink, Kind::King)) {
        generation::king_moves<Us>(board, king, goals, sink);
    }
    const generation::Limits limits = generation::limits_of<Us>(board, king);
    if (limits.evasions == 0) return;
    if (generation::is_wanted(sink, Kind::Pawn)) {
        generation::pawn_moves<Us, W>(board, limits, sink);
    }
    generation::piece_moves<Us, W>(board, limits, goals & limits.evasions, sink);
    if constexpr (W == Wanted::All) {
        if (!limits.in_check && board.rights() != 0 && generation::is_wanted(sink, Kind::King)) {
            generation::castling_moves<Us>(board, king, sink);
        }
    }
}

/// The same for the side to move. The order of moves depends on the position alone.
template <Wanted W = Wanted::All, class Sink>
inline void generate(const Board& board, Sink& sink) {
    if (board.side() == Color::White) {
        generate_for<Color::White, W>(board, sink);
    } else {
        generate_for<Color::Black, W>(board, sink);
    }
}

/// Appends to the list. REQUIRES: an empty list.
template <Wanted W = Wanted::All>
inline void generate_list(const Board& board, MoveList& out) {
    ListSink sink(out);
    generate<W>(board, sink);
}

/// `move` may be any 32-bit word.
[[nodiscard]] bool is_legal(const Board& board, Move move);

[[nodiscard]] bool has_legal_move(const Board& board);

/// The squares among `from` that hold an own piece of this kind from where it may move to `to`, by
/// a plain move. It looks back from the target, and then at the own king for each piece found,
/// which costs less than generating the moves of the kind. REQUIRES: the kind is not Pawn.
[[nodiscard]] Bitboard origins_of(const Board& board, Kind kind, Square to, Bitboard from);

}  // namespace assay::rules::chess
