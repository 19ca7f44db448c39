// The terms of the seminar paper, each computed with sets of squares. A game's phase, 24 with all
// pieces and 0 with none, fades development and king safety out and brings passed pawns and an
// active king in.
//
// Rams are the one term that the paper gives no side: two opposed pawns block each other alike. It
// counts here for the side whose pawn stands further up the board, as that side has the room.

#include "engines/chess_player/evaluation.h"

#include <algorithm>

#include "engines/chess_player/chess_words.h"

namespace assay::engines {

namespace {

[[gnu::always_inline]] inline int ones(Bitboard set) {
    return __builtin_popcountll(set);
}

constexpr Bitboard kCentre = 0x0000001818000000ULL;      // d4 e4 d5 e5
constexpr Bitboard kWideCentre = 0x00003c3c3c3c0000ULL;  // c3 to f6
constexpr Bitboard kLowerHalf = 0x00000000ffffffffULL;

constexpr std::array<int, 8> kPassed{0, 8, 12, 22, 40, 68, 110, 0};  // by rank, from the own side

// Where pieces stand well, from White's side; rank 1 first. Board control counts it with the
// squares that they attack.
using SquareTable = std::array<std::int8_t, 64>;

constexpr SquareTable centred(int scale, int edge, int forward) {
    SquareTable table{};
    for (int square = 0; square < 64; ++square) {
        const int file = square % 8;
        const int rank = square / 8;
        const int f = file < 4 ? file : 7 - file;
        const int r = rank < 4 ? rank : 7 - rank;
        int value = scale * (f + r - 3) + forward * rank;
        if (f == 0 || r == 0) value -= edge;
        table[static_cast<std::size_t>(square)] = static_cast<std::int8_t>(value);
    }
    return table;
}

constexpr SquareTable pawn_places() {
    SquareTable table{};
    for (int square = 0; square < 64; ++square) {
        const int file = square % 8;
        const int rank = square / 8;
        const bool middle = file == 3 || file == 4;
        const bool inner = file == 2 || file == 5;
        int value = (rank - 1) * (middle ? 8 : inner ? 5 : 1);
        if (middle && rank == 1) value -= 12;
        table[static_cast<std::size_t>(square)] = static_cast<std::int8_t>(value);
    }
    return table;
}

constexpr SquareTable rook_places() {
    SquareTable table{};
    for (std::size_t square = 48; square < 56; ++square) table[square] = 15;
    table[3] = table[4] = 4;
    return table;
}

constexpr std::array<SquareTable, 5> kPlaces{pawn_places(), centred(5, 8, 1), centred(3, 5, 0),
                                             rook_places(), centred(1, 1, 1)};
constexpr SquareTable kKingEndgame = centred(6, 6, 0);

constexpr std::array<int, 5> kMobilityWeight{0, 4, 4, 2, 1};
constexpr std::array<int, 5> kMobilityUsual{0, 4, 6, 7, 13};
constexpr std::array<int, 5> kZoneWeight{0, 2, 2, 3, 5};  // an attacker of the king's zone
constexpr std::array<int, 5> kPhase{0, 1, 1, 2, 4};
constexpr int kFullPhase = 24;

template <Color Us>
constexpr Bitboard forward(Bitboard set) {
    return Us == Color::White ? set << 8U : set >> 8U;
}

template <Color Us>
constexpr Bitboard pawn_attacks(Bitboard pawns) {
    return Us == Color::White ? (pawns & ~kFileA) << 7U | (pawns & ~kFileH) << 9U
                              : (pawns & ~kFileA) >> 9U | (pawns & ~kFileH) >> 7U;
}

template <Color Us>
constexpr Bitboard fill_forward(Bitboard set) {
    if constexpr (Us == Color::White) {
        set |= set << 8U;
        set |= set << 16U;
        return set | set << 32U;
    } else {
        set |= set >> 8U;
        set |= set >> 16U;
        return set | set >> 32U;
    }
}

constexpr Bitboard beside(Bitboard set) {
    return (set & ~kFileA) >> 1U | (set & ~kFileH) << 1U;
}

template <Color Us>
constexpr std::size_t seen_by(Square square) {
    return Us == Color::White ? square : square ^ 56U;
}

/// What a side's terms need of both sides, computed once.
struct Shared {
    int phase = 0;
};

template <Color Us>
[[gnu::always_inline]] inline void add_pawns(const Board& board, const Shared& shared,
                                             EvaluationTerms& t) {
    constexpr Color kThem = other(Us);
    const Bitboard own = board.of(Us, Kind::Pawn);
    const Bitboard enemy = board.of(kThem, Kind::Pawn);
    const Bitboard ahead = forward<Us>(fill_forward<Us>(own));
    t.double_pawns -= 12 * ones(own & ahead);
    const Bitboard files = fill_forward<Us>(own) | fill_forward<kThem>(own);
    t.isolated_pawns -= 13 * ones(own & ~beside(files));
    t.eight_pawns -= ones(own) == 8 ? 10 : 0;
    for (Bitboard rams = forward<Us>(own) & enemy; rams != 0;) {
        const int rank = static_cast<int>(seen_by<Us>(pop(rams)) >> 3U) - 1;
        t.pawn_rams += rank > 3 ? 5 * (rank - 3) : 0;
    }
    const Bitboard stoppers =
        fill_forward<kThem>(enemy) | fill_forward<kThem>(pawn_attacks<kThem>(enemy));
    for (Bitboard passed = own & ~stoppers & ~fill_forward<kThem>(forward<kThem>(own));
         passed != 0;) {
        const std::size_t square = seen_by<Us>(pop(passed));
        const int value = kPassed[square >> 3U];
        t.passed_pawns += value * (2 * kFullPhase - shared.phase) / (2 * kFullPhase);
    }
    for (Bitboard set = own; set != 0;) t.board_control += kPlaces[0][seen_by<Us>(pop(set))];
    t.board_control += 3 * ones(pawn_attacks<Us>(own) & kWideCentre);
}

template <Color Us>
[[gnu::always_inline]] inline int attacks_and_places(const Board& board, Bitboard zone,
                                                     EvaluationTerms& t) {
    constexpr Color kThem = other(Us);
    constexpr Bitboard kTheirHalf = Us == Color::White ? ~kLowerHalf : kLowerHalf;
    const Bitboard own = board.of(Us);
    const Bitboard occupied = board.occupied();
    const Bitboard guarded = pawn_attacks<kThem>(board.of(kThem, Kind::Pawn));
    const Bitboard open = ~own & ~guarded;
    int pressure = 0;
    int attackers = 0;
    for (const Kind kind : {Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen}) {
        const std::size_t k = index(kind);
        for (Bitboard set = own & board.of(kind); set != 0;) {
            const Square square = pop(set);
            Bitboard attacks = 0;
            if (kind == Kind::Knight) {
                attacks = kTables.knight_attacks[square];
            } else {
                if (kind != Kind::Rook) attacks |= bishop_attacks(square, occupied);
                if (kind != Kind::Bishop) attacks |= rook_attacks(square, occupied);
            }
            t.mobility += kMobilityWeight[k] * (ones(attacks & open) - kMobilityUsual[k]);
            t.board_control += kPlaces[k][seen_by<Us>(square)];
            t.board_control += 2 * ones(attacks & kCentre) + ones(attacks & kTheirHalf) / 2;
            const int touched = ones(attacks & zone);
            attackers += touched > 0 ? 1 : 0;
            pressure += touched * kZoneWeight[k];
        }
    }
    return attackers < 2 ? 0 : pressure * std::min(attackers, 4);
}

template <Color Us>
[[gnu::always_inline]] inline void add_pieces(const Board& board, const Shared& shared,
                                              EvaluationTerms& t) {
    constexpr Color kThem = other(Us);
    const Square their_king = board.king(kThem);
    const Bitboard zone = kTables.king_attacks[their_king] | bit(their_king);
    const int pressure = attacks_and_places<Us>(board, zone, t);
    t.king_safety += pressure * shared.phase / kFullPhase;

    // The own king: a shield of pawns while pieces are about, the middle of the board later.
    const Square king = board.king(Us);
    const Bitboard near = kTables.king_attacks[king] | bit(king);
    const Bitboard front = (near | forward<Us>(near)) & ~rank_bits(rank_of(king));
    const int shield = std::min(ones(front & board.of(Us, Kind::Pawn)), 3);
    t.king_safety += 9 * (shield - 3) * shared.phase / kFullPhase;
    const int middle = kKingEndgame[seen_by<Us>(king)];
    t.king_safety += middle * (kFullPhase - 2 * shared.phase) / kFullPhase;

    constexpr Bitboard kHome = rank_bits(Us == Color::White ? 0 : 7);
    const Bitboard minors = board.of(Us) & (board.of(Kind::Knight) | board.of(Kind::Bishop));
    const int asleep = ones(minors & kHome);
    int development = -10 * asleep;
    const bool queen_out = (board.of(Us, Kind::Queen) & ~kHome) != 0;
    if (queen_out) development -= 4 * asleep;
    const unsigned rights = board.rights() >> (index(Us) * 2) & 3U;
    const unsigned file = file_of(king);
    const bool in_middle = file >= 3 && file <= 5;
    if (in_middle) development -= rights != 0 ? 10 : 25;
    t.development += development * shared.phase / kFullPhase;
}

[[gnu::always_inline]] inline int material_of(const Board& board, Color color) {
    int value = 0;
    for (const Kind kind : {Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen}) {
        value += ones(board.of(color, kind)) * kPieceValues[index(kind)];
    }
    if (has_several(board.of(color, Kind::Bishop))) value += 30;
    return value;
}

template <Color Us>
[[gnu::always_inline]] inline EvaluationTerms side_terms(const Board& board, const Shared& shared) {
    EvaluationTerms t;
    t.material = material_of(board, Us);
    add_pawns<Us>(board, shared, t);
    add_pieces<Us>(board, shared, t);
    return t;
}

[[gnu::always_inline]] inline EvaluationTerms terms_of(const Board& board) {
    Shared shared;
    for (const Kind kind : {Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen}) {
        shared.phase += kPhase[index(kind)] * ones(board.of(kind));
    }
    shared.phase = std::min(shared.phase, kFullPhase);
    EvaluationTerms t = side_terms<Color::White>(board, shared);
    const EvaluationTerms black = side_terms<Color::Black>(board, shared);
    t.material -= black.material;
    t.double_pawns -= black.double_pawns;
    t.pawn_rams -= black.pawn_rams;
    t.passed_pawns -= black.passed_pawns;
    t.isolated_pawns -= black.isolated_pawns;
    t.eight_pawns -= black.eight_pawns;
    t.mobility -= black.mobility;
    t.board_control -= black.board_control;
    t.development -= black.development;
    t.king_safety -= black.king_safety;
    return t;
}

// Counting bits is a third of the work: it is built twice, for any processor and for those with
// popcnt, as the rest of the program needs neither.
using Whole = int (*)(const Board&);

int sum_plain(const Board& board) {
    return terms_of(board).sum();
}

#if defined(__x86_64__)
[[gnu::flatten, gnu::target("popcnt,bmi,bmi2")]] int sum_with_popcnt(const Board& board) {
    return terms_of(board).sum();
}

const Whole kSum = __builtin_cpu_supports("popcnt") != 0 && __builtin_cpu_supports("bmi2") != 0
                       ? sum_with_popcnt
                       : sum_plain;
#else
const Whole kSum = sum_plain;
#endif

}  // namespace

EvaluationTerms evaluation_terms(const Board& board) {
    return terms_of(board);
}

int evaluate(const Board& board, EvaluationKind kind) {
    const int white = kind == EvaluationKind::Full
                          ? kSum(board)
                          : material_of(board, Color::White) - material_of(board, Color::Black);
    return board.side() == Color::White ? white : -white;
}

}  // namespace assay::engines
