#pragma once
// Part of searcher.h: leaves, and what is searched below the depth.
//
// A static value is wrong in the middle of an exchange, so captures and the like go on below the
// nominal depth until the position is quiet. The side to move may also decline all of them: its
// static value is a lower bound (stand pat), which ends the search of a tree that has no depth. In
// check there is no such bound, as every move may lose; then all moves are searched, but only for
// six plies, because a series of checks can be endless.
//
// The line of a search ends where its depth does. The moves to a win or loss that was found below
// are its tail, so that a mate is shown to its end. Chains are lines without their tails.

#include "engines/search/searcher.h"

namespace assay::engines {

template <SearchState State>
int Searcher<State>::leaf(int ply) {
    ++leaves_;
    frames_[static_cast<std::size_t>(ply)].clear_line();
    reach_ = kAnyPath;
    return state_.evaluate();
}

/// The moves to a mate, of which quiescence keeps no line.
template <SearchState State>
void Searcher<State>::lead_with(Move move, int ply) {
    const auto at = static_cast<std::size_t>(ply);
    frames_[at].tail = frames_[at + 1].tail;
    frames_[at].tail.insert(frames_[at].tail.begin(), move);
}

template <SearchState State>
int Searcher<State>::quiescence(NodeEntry& entry) {
    constexpr int kEvasions = -6;  // below this depth a check is not answered any more
    Frame& frame = frames_[static_cast<std::size_t>(entry.ply)];
    const bool evades = (entry.flags & kInCheck) != 0 && entry.depth > kEvasions;
    const bool stops = settings_.fault != Fault::QuiescenceWithoutStop;
    int best = -kInfinite;
    int alpha = entry.alpha;
    frame.moves.clear();
    if (evades) {
        state_.moves(frame.moves);
        if (frame.moves.empty()) {
            ++leaves_;
            reach_ = kAnyPath;
            return state_.stuck(entry.ply);
        }
    } else {
        best = leaf(entry.ply);
        if (best >= entry.beta && stops) {
            entry.flags |= kStandPat;
            return best;
        }
        if (stops) alpha = std::max(alpha, best);
        state_.noisy(frame.moves);
    }
    for (ScoredMove& move : frame.moves) move.score = state_.promise(move.move);
    Reach reach = kAnyPath;
    const int mover = state_.side();
    const NodeType type = entry.type == NodeType::Cut ? NodeType::All : NodeType::Cut;
    for (std::size_t i = 0; i < frame.moves.size(); ++i) {
        const Move move = pick(frame, i).move;
        if (!evades && stops && is_hopeless(move, best, alpha)) continue;
        state_.make(move);
        const int value =
            child(entry, move, {alpha, entry.beta, entry.depth - 1, type, kQNode}, mover);
        state_.undo();
        if (stopped_) return 0;
        reach = std::min(reach, reach_);
        if (value > alpha && is_sure(value)) lead_with(move, entry.ply);
        if (value > best) best = value;
        if (best >= entry.beta) {
            reach = reach_;
            break;
        }
        alpha = std::max(alpha, best);
    }
    if (!is_sure(best)) frame.tail.clear();
    reach_ = reach >= entry.ply ? kAnyPath : reach;
    return best;
}

/// Whether a noisy move cannot be expected to bring a quiet position's value above alpha.
template <SearchState State>
bool Searcher<State>::is_hopeless(Move move, int standing, int alpha) const {
    constexpr int kMargin = 150;  // what the other terms may change, in hundredths of a pawn
    if (standing + state_.gain(move) + kMargin <= alpha) return true;
    return state_.wastes(move);
}

}  // namespace assay::engines
