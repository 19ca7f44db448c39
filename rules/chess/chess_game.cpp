#include "rules/chess/chess_game.h"

#include <algorithm>
#include <array>

#include "rules/chess/material.h"
#include "rules/chess/movegen.h"
#include "rules/chess/notation.h"

namespace assay::rules::chess {

namespace {

constexpr std::array<Notation, 2> kNotations{Notation::Protocol, Notation::Text};

Outcome drawn(Ending ending) {
    return {Scores{{0.5F, 0.5F}, 2}, ending};
}

Outcome mated(Color loser) {
    const float white = loser == Color::White ? 0.0F : 1.0F;
    return {Scores{{white, 1.0F - white}, 2}, Ending::Mate};
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
        return board_.in_check() ? mated(board_.side()) : drawn(Ending::Stalemate);
    }
    if (is_insufficient(board_)) return drawn(Ending::Insufficient);
    if (is_third_occurrence()) return drawn(Ending::Repetition);
    if (board_.halfmoves() >= 100) return drawn(Ending::Fifty);
    return std::nullopt;
}

std::string ChessPosition::text() const {
    return write_fen(board_);
}

std::string ChessPosition::name_of(Move move, Notation notation) const {
    return notation == Notation::Protocol ? write_uci(move, variant_) : write_san(board_, move);
}

std::optional<Move> ChessPosition::move_of(std::string_view text, Notation notation) const {
    return notation == Notation::Protocol ? read_uci(board_, text, variant_)
                                          : read_san(board_, text);
}

bool ChessPosition::can_win(int player) const {
    return can_mate(board_, player == 0 ? Color::White : Color::Black);
}

std::string_view ChessGame::name() const {
    return is_chess960() ? "chess960" : "chess";
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

}  // namespace assay::rules::chess
