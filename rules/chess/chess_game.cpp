// The rules' ends in the order in which they must be asked: no legal move (mate, stalemate) comes
// before everything, since a mate on the hundredth half-move is a mate; then material, repetition
// and the count of fifty moves. The third occurrence and fifty moves end the game by themselves
// here, without a claim, as programs do not claim. FIDE's automatic limits (five occurrences, 75
// moves) never come into play then.
//
// Standard chess and chess960 are one class: castling is a king taking its own rook inside, and
// only the names of moves, the castling rights that a position may have, and the start differ.
#include "rules/chess/chess_game.h"

#include <algorithm>
#include <array>

#include "rules/chess/material.h"
#include "rules/chess/mirror.h"
#include "rules/chess/movegen.h"
#include "rules/chess/notation.h"
#include "rules/chess/start_positions.h"
#include "rules/chess/syzygy.h"

namespace assay::rules::chess {

namespace {

constexpr std::array<Notation, 2> kNotations{Notation::Canonical, Notation::Text};

// Also in GameInfo::endings.
constexpr std::string_view kMate = "mate";
constexpr std::string_view kStalemate = "stalemate";
constexpr std::string_view kInsufficient = "insufficient";
constexpr std::string_view kRepetition = "repetition";
constexpr std::string_view kFifty = "fifty";

constexpr std::array<std::string_view, kKinds> kPieceNames{"pawn", "knight", "bishop",
                                                           "rook", "queen",  "king"};
constexpr std::string_view kPieceLetters = "PNBRQKpnbrqk";

GameInfo common_info() {
    GameInfo info;
    info.players = {"White", "Black"};
    info.endings = {
        {std::string(kMate), "checkmate", "it is mate"},
        {std::string(kStalemate), "stalemate", "it is stalemate"},
        {std::string(kInsufficient), "insufficient material", "nobody can win any more"},
        {std::string(kRepetition), "threefold repetition", "the position has come up three times"},
        {std::string(kFifty), "fifty-move rule", "fifty moves passed without progress"},
    };
    info.null_moves = {"0000", "null", "@@@@"};
    info.numbers_rounds = true;
    info.score_unit = {"pawn", 100};
    info.board = BoardStyle::Chequered;
    info.formats = {true, true, true};
    info.cannot_lose = "cannot be mated";
    return info;
}

const GameInfo& info_of(Variant variant) {
    static const GameInfo standard = [] {
        GameInfo info = common_info();
        info.name = "chess";
        info.aliases = {"", "standard", "normal", "from position"};
        return info;
    }();
    static const GameInfo chess960 = [] {
        GameInfo info = common_info();
        info.name = "chess960";
        // Records of chess960 that name no variant, or chess, are read all the same.
        info.aliases = {"fischerandom", "fischer random", "chess 960", "freestyle",    "",
                        "chess",        "standard",       "normal",    "from position"};
        info.start_positions = kStartPositions;
        info.variant = "chess960";
        info.pgn_variant = "Chess960";
        return info;
    }();
    return variant == Variant::Chess960 ? chess960 : standard;
}

Outcome drawn(std::string_view word, OutcomeBasis basis = OutcomeBasis::Position) {
    return {Scores{{0.5F, 0.5F}, 2}, word, basis};
}

Outcome mated(Color loser) {
    const float white = loser == Color::White ? 0.0F : 1.0F;
    return {Scores{{white, 1.0F - white}, 2}, kMate, OutcomeBasis::Position};
}

}  // namespace

std::unique_ptr<Position> ChessPosition::clone() const {
    return std::make_unique<ChessPosition>(*this);
}

int ChessPosition::to_move() const {
    return result() ? kNobody : static_cast<int>(index(board_.side()));
}

void ChessPosition::moves(std::vector<Move>& out) const {
    MoveList list;
    generate_list(board_, list);
    out.assign(list.begin(), list.end());
}

bool ChessPosition::is_legal(Move move) const {
    return chess::is_legal(board_, move);
}

void ChessPosition::make(Move move) {
    Past& past = history_.emplace_back();
    past.move = move;
    board_.make(move, past.undo);
}

void ChessPosition::undo() {
    board_.undo(history_.back().move, history_.back().undo);
    history_.pop_back();
}

bool ChessPosition::is_third_occurrence() const {
    // Nothing before an irreversible move can recur, and a position recurs with the same side.
    const std::size_t reach =
        std::min(history_.size(), static_cast<std::size_t>(board_.halfmoves()));
    int earlier = 0;
    // Both sides need two moves to be back.
    for (std::size_t back = 4; back <= reach; back += 2) {
        if (history_[history_.size() - back].undo.hash == board_.hash() && ++earlier == 2) {
            return true;
        }
    }
    return false;
}

std::optional<Outcome> ChessPosition::result() const {
    if (!has_legal_move(board_)) {
        return board_.in_check() ? mated(board_.side()) : drawn(kStalemate);
    }
    if (is_insufficient(board_)) return drawn(kInsufficient);
    if (is_third_occurrence()) return drawn(kRepetition, OutcomeBasis::Repetition);
    if (board_.halfmoves() >= 100) return drawn(kFifty, OutcomeBasis::Counter);
    return std::nullopt;
}

std::string ChessPosition::text() const {
    return write_fen(board_);
}

std::string ChessPosition::name_of(Move move, Notation notation) const {
    return notation == Notation::Canonical ? write_uci(move, variant_) : write_san(board_, move);
}

std::optional<Move> ChessPosition::move_of(std::string_view text, Notation notation) const {
    return notation == Notation::Canonical ? read_uci(board_, text, variant_)
                                           : read_san(board_, text);
}

bool ChessPosition::can_win(int player) const {
    return can_mate(board_, player == 0 ? Color::White : Color::Black);
}

std::unique_ptr<Position> ChessPosition::passed() const {
    if (board_.in_check()) return nullptr;
    Board after = board_;
    Undo ignored;
    after.pass(ignored);
    return std::make_unique<ChessPosition>(after, variant_);
}

std::uint64_t ChessPosition::opening_key() const {
    // A position and the one with colours swapped are the same opening: the smaller of both hashes
    // names them.
    return std::min(hash(), parse_fen(mirrored_fen(text()), variant_).hash());
}

bool ChessPosition::is_loud(Move best) const {
    if (board_.in_check()) return true;
    // Castling is packed as the king taking its own rook.
    if (best == kNoMove || move_kind(best) == MoveKind::Castling) return false;
    return move_kind(best) == MoveKind::EnPassant || board_.piece_on(to_of(best)) != kNoPiece;
}

std::optional<Picture> ChessPosition::picture() const {
    Picture picture{8, 8, {}, {}};
    picture.fields.reserve(64);
    for (unsigned row = 0; row < 8; ++row) {
        for (unsigned file = 0; file < 8; ++file) {
            PictureField& field = picture.fields.emplace_back();
            const Piece piece = board_.piece_on(square_at(file, 7 - row));
            if (piece == kNoPiece) continue;
            const std::size_t owner = index(color_of(piece));
            field.owner = static_cast<int>(owner);
            field.letter = kPieceLetters[owner * kKinds + index(kind_of(piece))];
            field.piece = kPieceNames[index(kind_of(piece))];
        }
    }
    return picture;
}

const GameInfo& ChessGame::info() const {
    return info_of(variant_);
}

std::span<const Notation> ChessGame::notations() const {
    return kNotations;
}

std::unique_ptr<Position> ChessGame::start() const {
    return parse(kStartFen);
}

std::unique_ptr<Position> ChessGame::parse(std::string_view text) const {
    return std::make_unique<ChessPosition>(parse_fen(text, variant_), variant_);
}

std::unique_ptr<Tablebase> ChessGame::open_tablebase(const std::string& folders) const {
    return open_syzygy(folders);
}

std::string ChessGame::start_text(int number) const {
    return variant_ == Variant::Chess960 ? start_fen(number) : std::string(kStartFen);
}

std::optional<Variant> variant_of(const Game& game) {
    const auto* const chess = dynamic_cast<const ChessGame*>(&game);
    if (chess == nullptr) return std::nullopt;
    return chess->variant();
}

}  // namespace assay::rules::chess
