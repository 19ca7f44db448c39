#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engines/search/chains.h"
#include "engines/search/settings.h"
#include "engines/search/values.h"

namespace assay::engines {

struct ScoredMove {
    Move move = kNoMove;
    int score = 0;
};

/// Buffer for the moves of a node; kept between visits, so that it stops allocating.
class MoveBuffer {
public:
    void clear() { moves_.clear(); }

    void push(Move move) { moves_.push_back({move, 0}); }

    /// The moves behind those that are there.
    void append(std::span<const Move> moves) {
        const std::size_t before = moves_.size();
        moves_.resize(before + moves.size());
        for (std::size_t i = 0; i < moves.size(); ++i) moves_[before + i].move = moves[i];
    }

    [[nodiscard]] std::size_t size() const { return moves_.size(); }

    [[nodiscard]] bool empty() const { return moves_.empty(); }

    [[nodiscard]] ScoredMove& operator[](std::size_t i) { return moves_[i]; }

    [[nodiscard]] auto begin() { return moves_.begin(); }

    [[nodiscard]] auto end() { return moves_.end(); }

private:
    std::vector<ScoredMove> moves_;
};

/// What a searcher needs of a game: a position that is changed in place and taken back, and the
/// knowledge that makes a search of it good. Two players with opposed interests. What abilities()
/// denies is never called.
///   side()            the player to move
///   hash()            equal for positions with the same future, counters and history apart
///   table_key()       hash(), or another word where counters matter too
///   moves, noisy      fill an empty buffer with all legal moves, or with those that change so much
///                     that no evaluation before them can be trusted; in a fixed order
///   make, undo, pass, unpass
///   may_pass()        passing is legal and is not likely to be the best move
///   judge(ply)        set where the rules tell the value here without looking further
///   stuck(ply)        the value where there is no legal move and judge() said nothing
///   in_check()        the player to move must answer a threat to what the game is about
///   evaluate()        the static value; strictly between the sure values
///   promise(m)        above 0: a noisy move, the greater the better; 0: a quiet one
///   gain(m)           no noisy move changes evaluate() by much more than this
///   wastes(m)         a noisy move that most likely loses by itself
///   move_class(m)     0 to 7, the classes of Ordering::Chessmaps
///   history_key(m)    equal for moves that are alike, as HistoryKind::Moves means it
///   signature(m)      the hash before the move, xor the hash after it
///   origin(m)         for the store of chains
template <class S>
concept SearchState = requires(S state, const S& view, MoveBuffer& buffer, Move move, int ply) {
    { view.abilities() } -> std::same_as<Abilities>;
    { view.side() } -> std::same_as<int>;
    { view.hash() } -> std::same_as<std::uint64_t>;
    { view.table_key() } -> std::same_as<std::uint64_t>;
    {state.moves(buffer)};
    {state.noisy(buffer)};
    {state.make(move)};
    {state.undo()};
    {state.pass()};
    {state.unpass()};
    { view.may_pass() } -> std::same_as<bool>;
    { view.is_legal(move) } -> std::same_as<bool>;
    { state.judge(ply) } -> std::same_as<std::optional<Judgement>>;
    { view.stuck(ply) } -> std::same_as<int>;
    { view.in_check() } -> std::same_as<bool>;
    { view.evaluate() } -> std::same_as<int>;
    { view.promise(move) } -> std::same_as<int>;
    { view.gain(move) } -> std::same_as<int>;
    { view.wastes(move) } -> std::same_as<bool>;
    { view.move_class(move) } -> std::same_as<int>;
    { view.history_key(move) } -> std::same_as<std::uint64_t>;
    { state.signature(move) } -> std::same_as<std::uint64_t>;
    { view.origin(move) } -> std::same_as<Origin>;
};

}  // namespace assay::engines
