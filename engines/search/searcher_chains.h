#pragma once
// Part of searcher.h: dynamic move chains, after Figure 2 of Greer's "Dynamic Move Chains".
//
// Where the figure leaves a choice: a chain is found by its whole first move; it is valid if all of
// its moves can be played one after the other; the search after it is a quiescence search; the path
// that is added at the end of a node is the best one if it raised alpha, as the figure has no
// other.

#include "engines/search/searcher.h"

namespace assay::engines {

template <SearchState State>
void Searcher<State>::tell(ChainEvents::Kind kind, int ply, std::span<const Move> moves) {
    if (events_ != nullptr && settings_.chains) events_->on(kind, ply, moves);
}

template <SearchState State>
bool Searcher<State>::can_play(std::span<const Move> chain) {
    std::size_t made = 0;
    while (made < chain.size() && state_.is_legal(chain[made])) state_.make(chain[made++]);
    for (std::size_t i = 0; i < made; ++i) state_.undo();
    return made == chain.size();
}

template <SearchState State>
std::optional<int> Searcher<State>::follow_chain(const NodeEntry& entry, Move move, int alpha) {
    if (entry.ply < settings_.chains_from) return std::nullopt;
    const Origin origin = state_.origin(move);
    if (!memory_.chains.contains(origin, move)) return std::nullopt;
    const std::vector<Move> chain = memory_.chains.find(origin, move);
    if (entry.ply + static_cast<int>(chain.size()) >= kMaxPly) return std::nullopt;
    ++chains_found_;
    if (!can_play(chain)) {
        memory_.chains.remove(origin, move);
        chain_broke_ = true;
        tell(ChainEvents::Kind::Removed, entry.ply, chain);
        return std::nullopt;
    }
    ++chains_followed_;
    tell(ChainEvents::Kind::Followed, entry.ply, chain);
    const int mover = state_.side();
    state_.make(move);
    const NodeType opposite = entry.type == NodeType::Cut ? NodeType::All : NodeType::Cut;
    const int value = play_out(entry, chain, {alpha, entry.beta, 0, opposite, 0}, mover);
    state_.undo();
    if (!stopped_) {
        const auto at = static_cast<std::size_t>(entry.ply);
        const Frame& end = frames_[at + chain.size()];
        std::vector<Move> tail;
        if (is_sure(value)) {
            tail = end.line;
            tail.insert(tail.end(), end.tail.begin(), end.tail.end());
        }
        frames_[at + 1].line.assign(chain.begin() + 1, chain.end());
        frames_[at + 1].tail = std::move(tail);
    }
    return value;
}

/// The value, to the player `mover`, of the position after rest[0], which is on the board, once the
/// other moves are played as well.
template <SearchState State>
int Searcher<State>::play_out(const NodeEntry& parent, std::span<const Move> rest,
                              const Try& attempt, int mover) {
    if (rest.size() == 1) {
        Try last = attempt;
        last.flags |= kChainEnd;
        return child(parent, rest[0], last, mover);
    }
    const bool turns = state_.side() != mover;
    NodeEntry entry;
    entry.ply = parent.ply + 1;
    entry.move = rest[0];
    entry.alpha = turns ? -attempt.beta : attempt.alpha;
    entry.beta = turns ? -attempt.alpha : attempt.beta;
    entry.type = entry.beta - entry.alpha > 1 ? NodeType::PV : attempt.type;
    entry.flags = kChainLink | (parent.flags & kInherited);
    ++nodes_;
    if (log_ != nullptr) log_->enter(entry);
    const NodeType opposite = attempt.type == NodeType::Cut ? NodeType::All : NodeType::Cut;
    const int side = state_.side();
    state_.make(rest[1]);
    const int value =
        play_out(entry, rest.subspan(1), {entry.alpha, entry.beta, 0, opposite, 0}, side);
    state_.undo();
    if (log_ != nullptr && !stopped_) log_->leave(value, entry.flags);
    return turns ? -value : value;
}

template <SearchState State>
void Searcher<State>::add_chain(int ply, ChainEvents::Kind kind, std::span<const Move> moves) {
    tell(kind, ply, moves);
    memory_.chains.insert(state_.origin(moves[0]), moves);
}

}  // namespace assay::engines
