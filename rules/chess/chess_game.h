#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/chess/board.h"
#include "rules/chess/fen.h"
#include "rules/game.h"

namespace assay::rules::chess {

/// A Board behind the interface of all games, with the history that repetition needs.
///
/// result() in the order of the laws: mate, stalemate, insufficient material, the third occurrence
/// since this object was created, and 100 plies without capture or pawn move; so a mate on the
/// hundredth ply wins. Player 0 is White.
class ChessPosition final : public Position {
public:
    ChessPosition(const Board& board, Variant variant) : board_(board), variant_(variant) {}

    /// For searches that want the fast class: a copy of the present position.
    [[nodiscard]] const Board& board() const { return board_; }

    [[nodiscard]] std::unique_ptr<Position> clone() const override;
    [[nodiscard]] int to_move() const override;
    void moves(std::vector<Move>& out) const override;
    [[nodiscard]] bool is_legal(Move move) const override;
    void make(Move move) override;
    void undo() override;

    [[nodiscard]] int ply() const override { return static_cast<int>(history_.size()); }

    [[nodiscard]] std::optional<Outcome> result() const override;

    [[nodiscard]] std::uint64_t hash() const override { return board_.hash(); }

    [[nodiscard]] std::string text() const override;
    [[nodiscard]] std::string name_of(Move move, Notation notation) const override;
    [[nodiscard]] std::optional<Move> move_of(std::string_view text,
                                              Notation notation) const override;

    [[nodiscard]] int move_number() const override { return board_.fullmoves(); }

    [[nodiscard]] int quiet_plies() const override { return board_.halfmoves(); }

    [[nodiscard]] bool can_win(int player) const override;
    [[nodiscard]] std::unique_ptr<Position> passed() const override;
    [[nodiscard]] std::uint64_t opening_key() const override;
    /// In check, or `best` is a capture.
    [[nodiscard]] bool is_loud(Move best) const override;
    [[nodiscard]] std::optional<Picture> picture() const override;

private:
    struct Past {
        Move move = kNoMove;
        Undo undo;  // holds the hash of the position before the move
    };

    [[nodiscard]] bool is_third_occurrence() const;

    Board board_;
    Variant variant_;
    std::vector<Past> history_;
};

class ChessGame final : public Game {
public:
    explicit ChessGame(Variant variant) : variant_(variant) {}

    [[nodiscard]] const GameInfo& info() const override;
    [[nodiscard]] std::span<const Notation> notations() const override;
    /// The standard set-up, in chess960 too.
    [[nodiscard]] std::unique_ptr<Position> start() const override;
    /// See parse_fen.
    [[nodiscard]] std::unique_ptr<Position> parse(std::string_view text) const override;

    /// Chess960: the set-up of this number (start_fen).
    [[nodiscard]] std::string start_text(int number) const override;

    /// Of the standard game alone.
    [[nodiscard]] std::optional<OpeningName> opening_name(const Position& position) const override;
    /// Syzygy's (open_syzygy).
    [[nodiscard]] std::unique_ptr<Tablebase> open_tablebase(
        const std::string& folders) const override;

    [[nodiscard]] Variant variant() const { return variant_; }

private:
    Variant variant_;
};

/// For code about chess alone: the variant, or nullopt where the game is another one.
[[nodiscard]] std::optional<Variant> variant_of(const Game& game);

}  // namespace assay::rules::chess
