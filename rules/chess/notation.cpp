// Names of moves, both ways: UCI's coordinates and SAN. Reading is lenient where records differ
// (missing or superfluous checks signs, ranks or files, castling with zeros) and never ambiguous: a
// name that fits two legal moves is none. Castling is the king taking its own rook inside; in
// standard chess its name is the king's two steps, and both are read.
#include "rules/chess/notation.h"

#include "base/text.h"
#include "rules/chess/movegen.h"

namespace assay::rules::chess {

namespace {

constexpr std::string_view kKindLetters = "PNBRQK";

void append_square(std::string& out, Square square) {
    out += static_cast<char>('a' + file_of(square));
    out += static_cast<char>('1' + rank_of(square));
}

bool is_file(char c) {
    return c >= 'a' && c <= 'h';
}

bool is_rank(char c) {
    return c >= '1' && c <= '8';
}

/// REQUIRES: is_file(text[0]) and is_rank(text[1]).
Square square_from(std::string_view text) {
    return square_at(static_cast<unsigned>(text[0] - 'a'), static_cast<unsigned>(text[1] - '1'));
}

std::optional<Kind> promotion_from(char letter) {
    switch (letter) {
        case 'n':
            return Kind::Knight;
        case 'b':
            return Kind::Bishop;
        case 'r':
            return Kind::Rook;
        case 'q':
            return Kind::Queen;
        default:
            return std::nullopt;
    }
}

/// Collects the legal pawn moves from some squares to one.
class PawnSink {
public:
    PawnSink(Bitboard from, Square to, std::optional<Kind> promoted)
        : from_(from), to_(bit(to)), promoted_(promoted) {}

    [[nodiscard]] static bool wants(Kind kind) { return kind == Kind::Pawn; }

    void targets(Kind /*kind*/, Square /*from*/, Bitboard /*to*/) {}

    void pawns(Bitboard to, int step) {
        if (!promoted_) add_all(to, step, MoveKind::Plain);
    }

    void promotions(Bitboard to, int step) {
        if (promoted_) add_all(to, step, MoveKind::Promotion);
    }

    void single(Move move) {
        const bool fits = move_kind(move) == MoveKind::EnPassant && !promoted_;
        if (fits && (bit(to_of(move)) & to_) != 0) add(move);
    }

    /// The move, where exactly one fits.
    [[nodiscard]] std::optional<Move> move() const {
        return fitting_ == 1 ? std::optional(move_) : std::nullopt;
    }

private:
    void add_all(Bitboard to, int step, MoveKind kind) {
        to &= to_;
        if (to == 0) return;
        const Square square = first(to);
        add(pack(static_cast<Square>(square - step), square, kind,
                 promoted_.value_or(Kind::Knight)));
    }

    void add(Move move) {
        if ((from_ & bit(from_of(move))) == 0) return;
        ++fitting_;
        move_ = move;
    }

    Bitboard from_;
    Bitboard to_;
    std::optional<Kind> promoted_;
    int fitting_ = 0;
    Move move_ = kNoMove;
};

class CastlingSink {
public:
    explicit CastlingSink(bool king_side) : king_side_(king_side) {}

    [[nodiscard]] static bool wants(Kind kind) { return kind == Kind::King; }

    void targets(Kind /*kind*/, Square /*from*/, Bitboard /*to*/) {}

    void pawns(Bitboard /*to*/, int /*step*/) {}

    void promotions(Bitboard /*to*/, int /*step*/) {}

    void single(Move move) {
        if (move_kind(move) == MoveKind::Castling && (to_of(move) > from_of(move)) == king_side_) {
            move_ = move;
        }
    }

    [[nodiscard]] std::optional<Move> move() const { return move_; }

private:
    bool king_side_;
    std::optional<Move> move_;
};

/// Removes check marks, annotations such as "!?" and "e.p." from the end.
std::string_view without_marks(std::string_view text) {
    const auto is_mark = [](char c) { return c == '+' || c == '#' || c == '!' || c == '?'; };
    while (!text.empty() && is_mark(text.back())) text.remove_suffix(1);
    if (text.ends_with("e.p.")) text = trim(text.substr(0, text.size() - 4));
    return text;
}

/// O-O and O-O-O with letters or digits; nullopt where the text is no castling.
std::optional<bool> castles_king_side(std::string_view text) {
    if (text == "O-O" || text == "0-0" || text == "o-o") return true;
    if (text == "O-O-O" || text == "0-0-0" || text == "o-o-o") return false;
    return std::nullopt;
}

/// Removes "=Q", "(Q)", "/Q" or "Q" from the end; nullopt without one. The text is unchanged where
/// the letter is not a promotion.
std::optional<Kind> take_promotion(std::string_view& text) {
    std::string_view rest = text;
    const bool in_brackets = rest.ends_with(')');
    if (in_brackets) rest.remove_suffix(1);
    // Two characters of a square must come before it.
    if (rest.size() < 3) return std::nullopt;
    const auto kind = promotion_from(to_lower(rest.back()));
    if (!kind) return std::nullopt;
    rest.remove_suffix(1);
    const char before = rest.back();
    if (in_brackets != (before == '(')) return std::nullopt;
    if (before == '=' || before == '/' || before == '(') rest.remove_suffix(1);
    if (rest.empty() || !is_rank(rest.back())) return std::nullopt;
    text = rest;
    return kind;
}

void append_origin(const Board& board, Move move, std::string& out) {
    const Square from = from_of(move);
    const Kind kind = kind_of(board.piece_on(from));
    const Bitboard others = origins_of(board, kind, to_of(move), ~bit(from));
    if (others == 0) return;
    if ((others & (kFileA << file_of(from))) == 0) {
        out += static_cast<char>('a' + file_of(from));
    } else if ((others & rank_bits(rank_of(from))) == 0) {
        out += static_cast<char>('1' + rank_of(from));
    } else {
        append_square(out, from);
    }
}

}  // namespace

std::string write_uci(Move move, Variant variant) {
    Square to = to_of(move);
    if (move_kind(move) == MoveKind::Castling && variant == Variant::Standard) {
        to = square_at(to > from_of(move) ? 6 : 2, rank_of(to));
    }
    std::string out;
    append_square(out, from_of(move));
    append_square(out, to);
    if (move_kind(move) == MoveKind::Promotion) {
        out += to_lower(kKindLetters[index(promoted_kind(move))]);
    }
    return out;
}

std::optional<Move> read_uci(const Board& board, std::string_view text, Variant variant) {
    if (text.size() != 4 && text.size() != 5) return std::nullopt;
    if (!is_file(text[0]) || !is_rank(text[1]) || !is_file(text[2]) || !is_rank(text[3])) {
        return std::nullopt;
    }
    const Square from = square_from(text);
    const Square to = square_from(text.substr(2));
    const auto legal = [&](Move move) {
        return is_legal(board, move) ? std::optional(move) : std::nullopt;
    };
    if (text.size() == 5) {
        const auto promoted = promotion_from(text[4]);
        if (!promoted) return std::nullopt;
        return legal(pack(from, to, MoveKind::Promotion, *promoted));
    }
    const Piece moved = board.piece_on(from);
    if (moved == kNoPiece || color_of(moved) != board.side()) return std::nullopt;
    if (kind_of(moved) == Kind::Pawn && to == board.ep() && file_of(from) != file_of(to)) {
        return legal(pack(from, to, MoveKind::EnPassant));
    }
    if (kind_of(moved) == Kind::King) {
        if (variant == Variant::Chess960) {
            const Move castling = pack(from, to, MoveKind::Castling);
            if (board.piece_on(to) == piece_of(board.side(), Kind::Rook)) return legal(castling);
        } else if (file_of(from) == 4 && rank_of(from) == rank_of(to) &&
                   (file_of(to) == 6 || file_of(to) == 2)) {
            const unsigned file = file_of(to) == 6 ? 7 : 0;
            return legal(pack(from, square_at(file, rank_of(to)), MoveKind::Castling));
        }
    }
    return legal(pack(from, to));
}

std::string write_san(const Board& board, Move move) {
    std::string out;
    if (move_kind(move) == MoveKind::Castling) {
        out = to_of(move) > from_of(move) ? "O-O" : "O-O-O";
    } else {
        const Kind kind = kind_of(board.piece_on(from_of(move)));
        const bool captures =
            board.piece_on(to_of(move)) != kNoPiece || move_kind(move) == MoveKind::EnPassant;
        if (kind != Kind::Pawn) {
            out += kKindLetters[index(kind)];
            if (kind != Kind::King) append_origin(board, move, out);
        } else if (captures) {
            out += static_cast<char>('a' + file_of(from_of(move)));
        }
        if (captures) out += 'x';
        append_square(out, to_of(move));
        if (move_kind(move) == MoveKind::Promotion) {
            out += '=';
            out += kKindLetters[index(promoted_kind(move))];
        }
    }
    Board after = board;
    Undo undo;
    after.make(move, undo);
    if (after.in_check()) out += has_legal_move(after) ? '+' : '#';
    return out;
}

std::optional<Move> read_san(const Board& board, std::string_view text) {
    text = without_marks(trim(text));
    if (const auto king_side = castles_king_side(text)) {
        CastlingSink sink(*king_side);
        generate(board, sink);
        return sink.move();
    }
    if (text.empty()) return std::nullopt;
    Kind kind = Kind::Pawn;
    if (const std::size_t found = kKindLetters.find(text.front());
        found != std::string_view::npos) {
        kind = static_cast<Kind>(found);
        text.remove_prefix(1);
    }
    std::optional<Kind> promoted;
    if (kind == Kind::Pawn) promoted = take_promotion(text);
    if (text.size() < 2) return std::nullopt;
    const std::string_view target = text.substr(text.size() - 2);
    if (!is_file(target[0]) || !is_rank(target[1])) return std::nullopt;
    text.remove_suffix(2);
    if (!text.empty() && (text.back() == 'x' || text.back() == '-' || text.back() == ':')) {
        text.remove_suffix(1);
    }
    Bitboard from = ~Bitboard{0};
    if (!text.empty() && is_file(text.front())) {
        from &= kFileA << static_cast<unsigned>(text.front() - 'a');
        text.remove_prefix(1);
    }
    if (!text.empty() && is_rank(text.front())) {
        from &= rank_bits(static_cast<unsigned>(text.front() - '1'));
        text.remove_prefix(1);
    }
    if (!text.empty()) return std::nullopt;
    const Square to = square_from(target);
    if (kind != Kind::Pawn) {
        const Bitboard origins = origins_of(board, kind, to, from);
        if (origins == 0 || has_several(origins)) return std::nullopt;
        return pack(first(origins), to);
    }
    PawnSink sink(from, to, promoted);
    generate(board, sink);
    return sink.move();
}

}  // namespace assay::rules::chess
