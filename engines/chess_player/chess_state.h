#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engines/chess_player/evaluation.h"
#include "engines/chess_player/exchange.h"
#include "engines/chess_player/move_classes.h"
#include "engines/search/game_state.h"
#include "engines/search/path.h"
#include "engines/search/state.h"
#include "rules/chess/board.h"
#include "rules/chess/material.h"
#include "rules/chess/movegen.h"

namespace assay::engines {

/// The player's knowledge of chess for the position on one board. It is the same whether a search
/// uses the board directly or through the interface of all games.
class ChessExpert {
public:
    ChessExpert(const Board& board, EvaluationKind kind) : board_(board), kind_(kind) {}

    [[nodiscard]] int side() const { return static_cast<int>(index(board_.side())); }

    /// Mate and stalemate are found by stuck().
    [[nodiscard]] std::optional<Judgement> judge(const Path& path, int ply) const {
        if (rules::chess::is_insufficient(board_)) return Judgement{0, kAnyPath};
        const int quiet = board_.halfmoves();
        if (quiet < 4) return std::nullopt;
        if (quiet >= 100 && !is_mate()) return Judgement{0, -1};
        const auto reach = path.repetition(board_.hash(), quiet, ply);
        return reach ? std::optional(Judgement{0, *reach}) : std::nullopt;
    }

    [[nodiscard]] int stuck(int ply) const { return board_.in_check() ? lost_at(ply) : 0; }

    /// Near the fifty-move rule the value of a position depends on its counter.
    [[nodiscard]] std::uint64_t table_key(std::uint64_t hash) const {
        constexpr int kNear = 84;
        const int quiet = board_.halfmoves();
        return quiet < kNear ? hash : hash ^ static_cast<std::uint64_t>(quiet) << 48U;
    }

    [[nodiscard]] int evaluate() const { return engines::evaluate(board_, kind_); }

    [[nodiscard]] bool may_pass() const {
        return (board_.of(board_.side()) & ~board_.of(Kind::Pawn) & ~board_.of(Kind::King)) != 0;
    }

    /// Most valuable victim, least valuable attacker; underpromotions are quiet.
    [[nodiscard]] int promise(Move move) const {
        const int won = gain(move);
        if (won <= 0) return 0;
        const auto attacker = kind_of(board_.piece_on(from_of(move)));
        return won * 8 - static_cast<int>(index(attacker)) + 16;
    }

    [[nodiscard]] int gain(Move move) const {
        constexpr int kPawn = kPieceValues[0];
        switch (move_kind(move)) {
            case MoveKind::Castling:
                return 0;
            case MoveKind::EnPassant:
                return kPawn;
            case MoveKind::Promotion:
                if (promoted_kind(move) != Kind::Queen) return 0;
                return victim(move) + kPieceValues[index(Kind::Queen)] - kPawn;
            default:
                return victim(move);
        }
    }

    [[nodiscard]] bool wastes(Move move) const {
        if (move_kind(move) == MoveKind::Promotion) return promoted_kind(move) != Kind::Queen;
        const auto attacker = kind_of(board_.piece_on(from_of(move)));
        if (attacker == Kind::King || kPieceValues[index(attacker)] <= gain(move)) return false;
        return exchange_value(board_, move) < 0;
    }

    [[nodiscard]] int move_class(Move move) const {
        return static_cast<int>(engines::move_class(board_, move));
    }

    /// Side, from and to.
    [[nodiscard]] std::uint64_t history_key(Move move) const {
        return (move & 0xfffU) | static_cast<std::uint64_t>(side()) << 12U;
    }

    [[nodiscard]] Origin origin(Move move) const {
        const Square from = from_of(move);
        return {from, board_.piece_on(from)};
    }

private:
    [[nodiscard]] int victim(Move move) const {
        return kPieceValues[index(kind_of(board_.piece_on(to_of(move))))];
    }

    [[nodiscard]] bool is_mate() const {
        return board_.in_check() && !rules::chess::has_legal_move(board_);
    }

    const Board& board_;
    EvaluationKind kind_;
};

/// Chess for a searcher, on the fast board.
class ChessState {
public:
    ChessState(const Board& board, EvaluationKind kind, std::span<const std::uint64_t> earlier = {})
        : board_(board), expert_(board_, kind), path_(earlier) {
        pasts_.reserve(kMaxPly + 2);
    }

    ChessState(const ChessState&) = delete;
    ChessState& operator=(const ChessState&) = delete;
    ~ChessState() = default;

    [[nodiscard]] const Board& board() const { return board_; }

    [[nodiscard]] static Abilities abilities() { return {true, true, true, true}; }

    [[nodiscard]] int side() const { return expert_.side(); }

    [[nodiscard]] std::uint64_t hash() const { return board_.hash(); }

    [[nodiscard]] std::uint64_t table_key() const { return expert_.table_key(board_.hash()); }

    void moves(MoveBuffer& out) const { fill<rules::chess::Wanted::All>(out); }

    void noisy(MoveBuffer& out) const { fill<rules::chess::Wanted::Noisy>(out); }

    void make(Move move) {
        path_.push(board_.hash());
        Past& past = pasts_.emplace_back();
        past.move = move;
        board_.make(move, past.undo);
    }

    void undo() {
        board_.undo(pasts_.back().move, pasts_.back().undo);
        pasts_.pop_back();
        path_.pop();
    }

    void pass() {
        path_.push(board_.hash());
        Past& past = pasts_.emplace_back();
        past.barrier = path_.bar();
        board_.pass(past.undo);
    }

    void unpass() {
        board_.unpass(pasts_.back().undo);
        path_.restore(pasts_.back().barrier);
        pasts_.pop_back();
        path_.pop();
    }

    [[nodiscard]] bool may_pass() const { return expert_.may_pass(); }

    [[nodiscard]] bool is_legal(Move move) const { return rules::chess::is_legal(board_, move); }

    [[nodiscard]] std::optional<Judgement> judge(int ply) const {
        return expert_.judge(path_, ply);
    }

    [[nodiscard]] int stuck(int ply) const { return expert_.stuck(ply); }

    [[nodiscard]] bool in_check() const { return board_.in_check(); }

    [[nodiscard]] int evaluate() const { return expert_.evaluate(); }

    [[nodiscard]] int promise(Move move) const { return expert_.promise(move); }

    [[nodiscard]] int gain(Move move) const { return expert_.gain(move); }

    [[nodiscard]] bool wastes(Move move) const { return expert_.wastes(move); }

    [[nodiscard]] int move_class(Move move) const { return expert_.move_class(move); }

    [[nodiscard]] std::uint64_t history_key(Move move) const { return expert_.history_key(move); }

    [[nodiscard]] std::uint64_t signature(Move move) {
        Undo undo;
        board_.make(move, undo);
        const std::uint64_t after = board_.hash();
        board_.undo(move, undo);
        return board_.hash() ^ after;
    }

    [[nodiscard]] Origin origin(Move move) const { return expert_.origin(move); }

private:
    struct Past {
        Move move = kNoMove;
        std::size_t barrier = 0;
        Undo undo;
    };

    template <rules::chess::Wanted W>
    void fill(MoveBuffer& out) const {
        rules::chess::MoveList list;
        rules::chess::generate_list<W>(board_, list);
        for (const Move move : list) out.push(move);
    }

    Board board_;
    ChessExpert expert_;
    Path path_;
    std::vector<Past> pasts_;
};

/// The same knowledge for a chess position behind the interface of all games.
class ChessKnowledge final : public Knowledge {
public:
    /// REQUIRES: the board is that of the position which the search changes.
    ChessKnowledge(const Board& board, EvaluationKind kind) : board_(board), expert_(board, kind) {}

    [[nodiscard]] Abilities abilities() const override { return {false, true, true, true}; }

    [[nodiscard]] int side() const override { return expert_.side(); }

    [[nodiscard]] std::optional<Judgement> judge(const Path& path, std::uint64_t key,
                                                 int ply) const override {
        (void)key;
        return expert_.judge(path, ply);
    }

    [[nodiscard]] int stuck(int ply) const override { return expert_.stuck(ply); }

    [[nodiscard]] int evaluate() const override { return expert_.evaluate(); }

    [[nodiscard]] bool in_check() const override { return board_.in_check(); }

    /// What Wanted::Noisy generates: captures and all promotions.
    [[nodiscard]] bool is_noisy(Move move) const override {
        return expert_.gain(move) > 0 || move_kind(move) == MoveKind::Promotion;
    }

    [[nodiscard]] int promise(Move move) const override { return expert_.promise(move); }

    [[nodiscard]] int gain(Move move) const override { return expert_.gain(move); }

    [[nodiscard]] bool wastes(Move move) const override { return expert_.wastes(move); }

    [[nodiscard]] int move_class(Move move) const override { return expert_.move_class(move); }

    [[nodiscard]] std::uint64_t history_key(Move move) const override {
        return expert_.history_key(move);
    }

    [[nodiscard]] std::uint64_t table_key(std::uint64_t hash) const override {
        return expert_.table_key(hash);
    }

    [[nodiscard]] Origin origin(Move move) const override { return expert_.origin(move); }

private:
    const Board& board_;
    ChessExpert expert_;
};

}  // namespace assay::engines
