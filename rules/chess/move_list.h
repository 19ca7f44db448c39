#pragma once
#include <array>
#include <cstddef>

#include "rules/chess/attacks.h"
#include "rules/chess/types.h"
#include "rules/game.h"

namespace assay::rules::chess {

/// Legal moves in a fixed buffer without allocation. The capacity holds for 16 pieces a side: 15
/// queens with 27 moves each and a king with 8 and two castlings are 415.
class MoveList {
public:
    // The moves stay uninitialised on purpose: filling 1.7 kB would cost as much as generating.
    MoveList() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init)

    [[nodiscard]] const Move* begin() const { return moves_.data(); }

    [[nodiscard]] const Move* end() const { return moves_.data() + size_; }

    [[nodiscard]] std::size_t size() const { return size_; }

    [[nodiscard]] bool empty() const { return size_ == 0; }

    [[nodiscard]] Move operator[](std::size_t i) const { return moves_[i]; }

    void push(Move move) { moves_[size_++] = move; }

private:
    std::array<Move, 416> moves_;
    std::size_t size_ = 0;
};

/// The sink (movegen.h) that lists moves.
class ListSink {
public:
    explicit ListSink(MoveList& out) : out_(out) {}

    void targets(Kind /*kind*/, Square from, Bitboard to) {
        while (to != 0) out_.push(pack(from, pop(to)));
    }

    void pawns(Bitboard to, int step) {
        while (to != 0) {
            const Square square = pop(to);
            out_.push(pack(static_cast<Square>(square - step), square));
        }
    }

    void promotions(Bitboard to, int step) {
        while (to != 0) {
            const Square square = pop(to);
            const auto from = static_cast<Square>(square - step);
            for (const Kind kind : {Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight}) {
                out_.push(pack(from, square, MoveKind::Promotion, kind));
            }
        }
    }

    void single(Move move) { out_.push(move); }

private:
    MoveList& out_;
};

}  // namespace assay::rules::chess
