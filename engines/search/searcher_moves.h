#pragma once
// Part of searcher.h: the order of moves, and how it is learnt.
//
// Alpha-beta visits about the square root of the nodes of minimax where the best move comes first
// (Knuth and Moore 1975), so the order decides more than anything else. The move of the table comes
// first, then moves that promise material, then the two killers (quiet moves that cut a sibling
// node, Akl and Newborn 1977), then quiet moves by their history, and captures that lose material
// last.
// Moves are picked one by one by selection and not sorted: most nodes are cut after one or two.

#include "engines/search/searcher.h"

namespace assay::engines {

template <SearchState State>
std::uint64_t Searcher<State>::history_key(Move move) {
    return settings_.history == HistoryKind::Signature ? state_.signature(move)
                                                       : state_.history_key(move);
}

template <SearchState State>
void Searcher<State>::fill_moves(const NodeEntry& entry, Move first) {
    Frame& frame = frames_[static_cast<std::size_t>(entry.ply)];
    frame.moves.clear();
    frame.mover = state_.side();
    if (entry.ply == 0) {
        // The root's order is what its searches found, not what they promise.
        int score = 0;
        for (std::size_t i = first_root_; i < root_moves_.size(); ++i) {
            frame.moves.push(root_moves_[i]);
            frame.moves[frame.moves.size() - 1].score = --score;
        }
        return;
    }
    state_.moves(frame.moves);
    if (settings_.method == Method::Minimax) return;
    constexpr int kFirst = 1 << 30;
    constexpr int kNoisy = 1 << 20;
    constexpr int kKiller = 1 << 18;
    constexpr int kClass = 1 << 24;
    for (ScoredMove& scored : frame.moves) {
        const Move move = scored.move;
        if (move == first) {
            scored.score = kFirst;
            continue;
        }
        const int promise = state_.promise(move);
        if (promise > 0) {
            scored.score = (state_.wastes(move) ? -kNoisy : kNoisy) + promise;
        } else if (settings_.killers && (move == frame.killers[0] || move == frame.killers[1])) {
            scored.score = kKiller + (move == frame.killers[0] ? 1 : 0);
        } else if (settings_.history != HistoryKind::None) {
            scored.score = memory_.history.promise(history_key(move));
        }
        if (settings_.ordering == Ordering::Chessmaps) {
            scored.score += (7 - state_.move_class(move)) * kClass;
        }
    }
    if (settings_.fault == Fault::BadOrder) {
        for (ScoredMove& scored : frame.moves) scored.score = -scored.score;
    }
}

template <SearchState State>
ScoredMove Searcher<State>::pick(Frame& frame, std::size_t i) const {
    // The first of equals, and the others keep their order: what is searched depends on the
    // position alone.
    std::size_t best = i;
    int most = frame.moves[i].score;
    const std::size_t count = frame.moves.size();
    for (std::size_t j = i + 1; j < count; ++j) {
        const int score = frame.moves[j].score;
        if (score <= most) continue;
        best = j;
        most = score;
    }
    std::swap(frame.moves[i], frame.moves[best]);
    return frame.moves[i];
}

template <SearchState State>
void Searcher<State>::learn_cut(const NodeEntry& entry, std::size_t i, Move move) {
    if (state_.promise(move) > 0) return;
    Frame& frame = frames_[static_cast<std::size_t>(entry.ply)];
    if (settings_.killers && frame.killers[0] != move) {
        frame.killers[1] = frame.killers[0];
        frame.killers[0] = move;
    }
    if (settings_.history == HistoryKind::None) return;
    memory_.history.reward(history_key(move), entry.depth);
    for (std::size_t j = 0; j < i; ++j) {
        const Move earlier = frame.moves[j].move;
        if (state_.promise(earlier) > 0) continue;
        memory_.history.punish(history_key(earlier), entry.depth);
    }
}

template <SearchState State>
void Searcher<State>::keep_line(int ply, Move move) {
    auto& line = frames_[static_cast<std::size_t>(ply)].line;
    const auto& below = frames_[static_cast<std::size_t>(ply) + 1].line;
    line.clear();
    line.push_back(move);
    line.insert(line.end(), below.begin(), below.end());
    frames_[static_cast<std::size_t>(ply)].tail = frames_[static_cast<std::size_t>(ply) + 1].tail;
}

}  // namespace assay::engines
