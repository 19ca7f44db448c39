#pragma once
// Part of searcher.h: the search of one node.
//
// Principal variation search (Marsland and Campbell 1982): the first move is searched with the
// whole window, the others only with a window of width one, which proves cheaply that they are no
// better; one that is better after all is searched again. Late quiet moves are first searched less
// deep. The null move (Donninger 1993) lets the opponent move twice: a position that is still above
// beta is cut. That is wrong in zugzwang, so State::may_pass() forbids it where a game has one.
//
// Values that rest on a repetition (the graph-history interaction, Campbell 1985): the value of a
// position where a line repeats an earlier one holds only for the path that led there, and so does
// every value that was computed from it, up to the repeated position itself. Each call therefore
// leaves in reach_ the ply of the earliest position that its value leans on. A node whose value
// leans on something above itself is not stored with a value. Where a move cuts, the value leans on
// that move alone; elsewhere on all moves, as any of them might have been better by another path.

#include "engines/search/searcher.h"

namespace assay::engines {

template <SearchState State>
void Searcher<State>::poll() {
    constexpr std::uint64_t kInterval = 256;
    // The first iteration is always finished, so that there is a move in any case.
    constexpr std::uint64_t kPatience = 100'000;
    next_poll_ = nodes_ + kInterval;
    if (most_nodes_ != 0) {
        if (nodes_ > most_nodes_) stopped_ = true;
        next_poll_ = std::min(next_poll_, most_nodes_ + 1);
    }
    if (lines_.empty() && nodes_ < kPatience) return;
    if (control_->must_stop()) stopped_ = true;
}

template <SearchState State>
int Searcher<State>::node(NodeEntry entry) {
    ++nodes_;
    if (nodes_ >= next_poll_) poll();
    if (stopped_) return 0;
    if (state_.in_check()) {
        entry.flags |= kInCheck;
        const bool deepens = settings_.extensions && (entry.flags & kQNode) == 0 &&
                             entry.ply < 2 * root_depth_ && entry.ply > 0;
        if (deepens) {
            ++entry.depth;
            entry.flags |= kExtended;
        }
    }
    if (entry.depth <= 0 && settings_.quiescence && (entry.flags & kQNode) == 0) {
        entry.flags |= kQNode | kQRootNode;
    }
    quiescence_nodes_ += (entry.flags & kQNode) != 0 ? 1 : 0;
    if (log_ != nullptr) log_->enter(entry);
    const int value = value_of(entry);
    if (log_ != nullptr && !stopped_) log_->leave(value, entry.flags);
    return value;
}

template <SearchState State>
int Searcher<State>::value_of(NodeEntry& entry) {
    Frame& frame = frames_[static_cast<std::size_t>(entry.ply)];
    frame.clear_line();
    deepest_ = std::max(deepest_, entry.ply);
    if (entry.ply > 0) {
        if (const std::optional<Judgement> judged = state_.judge(entry.ply)) {
            ++leaves_;
            if (judged->value == 0) entry.flags |= kDraw;
            reach_ = judged->reach;
            return judged->value;
        }
    }
    if (entry.ply >= kMaxPly) return leaf(entry.ply);
    if ((entry.flags & kQNode) != 0) return quiescence(entry);
    if (entry.depth <= 0) return leaf(entry.ply);
    return settings_.method == Method::Minimax ? minimax(entry) : interior(entry);
}

template <SearchState State>
int Searcher<State>::minimax(const NodeEntry& entry) {
    Frame& frame = frames_[static_cast<std::size_t>(entry.ply)];
    fill_moves(entry, kNoMove);
    if (frame.moves.empty()) {
        reach_ = kAnyPath;
        return state_.stuck(entry.ply);
    }
    Best best;
    const int mover = state_.side();
    for (std::size_t i = 0; i < frame.moves.size(); ++i) {
        const Move move = frame.moves[i].move;
        state_.make(move);
        const int value =
            child(entry, move, {-kInfinite, kInfinite, entry.depth - 1, NodeType::PV, 0}, mover);
        state_.undo();
        if (stopped_) return 0;
        best.reach = std::min(best.reach, reach_);
        if (value <= best.value) continue;
        best.value = value;
        keep_line(entry.ply, move);
    }
    reach_ = best.reach >= entry.ply ? kAnyPath : best.reach;
    return best.value;
}

template <SearchState State>
std::optional<int> Searcher<State>::known_value(NodeEntry& entry, Known& known) {
    if (!settings_.table) return std::nullopt;
    known = memory_.table.find(state_.table_key(), entry.ply);
    const bool is_open = entry.beta - entry.alpha > 1;
    if (entry.ply == 0 || known.bound == Bound::None) return std::nullopt;
    // With minimal windows the few open nodes are searched, so that their best line is whole.
    if (is_open && settings_.method == Method::Pvs) return std::nullopt;
    const bool is_lower = known.bound != Bound::Upper && known.value >= entry.beta;
    const bool is_upper = known.bound != Bound::Lower && known.value <= entry.alpha;
    if (!is_lower && !is_upper && known.bound != Bound::Exact) return std::nullopt;
    // A win that is proven needs no more depth.
    const bool is_proven = (is_lower && known.value >= kSureWin) ||
                           (is_upper && known.value <= -kSureWin) ||
                           (known.bound == Bound::Exact && is_sure(known.value));
    const bool is_deep = known.depth >= entry.depth || is_proven;
    if (settings_.exact_draft ? known.depth != entry.depth : !is_deep) return std::nullopt;
    entry.flags |= kTTCut;
    reach_ = kAnyPath;
    return known.value;
}

template <SearchState State>
std::optional<int> Searcher<State>::try_pass(const NodeEntry& entry) {
    if (!settings_.null_move || entry.ply == 0 || entry.depth < 2) return std::nullopt;
    if ((entry.flags & (kInCheck | kNullMove)) != 0 || entry.beta - entry.alpha > 1) {
        return std::nullopt;
    }
    if (is_sure(entry.beta) || !state_.may_pass()) return std::nullopt;
    if (state_.evaluate() < entry.beta) return std::nullopt;
    const int mover = state_.side();
    const int shallower = 3 + entry.depth / 5;
    state_.pass();
    int value = child(entry, kNoMove,
                      {entry.beta - 1, entry.beta, entry.depth - shallower, NodeType::All,
                       kNullMove | kNullSearch},
                      mover);
    state_.unpass();
    if (stopped_) return 0;
    if (value < entry.beta) return std::nullopt;
    // A win that needs the opponent's help is not one.
    if (is_sure(value)) value = entry.beta;
    if (reach_ >= entry.ply) reach_ = kAnyPath;
    return value;
}

template <SearchState State>
int Searcher<State>::interior(NodeEntry& entry) {
    Known known;
    if (const auto value = known_value(entry, known)) return *value;
    if (const auto value = try_pass(entry)) return *value;
    return loop(entry, known);
}

template <SearchState State>
int Searcher<State>::loop(const NodeEntry& entry, const Known& known) {
    Frame& frame = frames_[static_cast<std::size_t>(entry.ply)];
    frame.clear_line();
    fill_moves(entry, known.move);
    if (frame.moves.empty()) {
        reach_ = kAnyPath;
        return state_.stuck(entry.ply);
    }
    frames_[static_cast<std::size_t>(entry.ply) + 1].killers = {kNoMove, kNoMove};
    Best best;
    best.alpha = entry.alpha;
    for (std::size_t i = 0; i < frame.moves.size(); ++i) {
        const int value = loop_body(entry, i, best);
        if (stopped_) return 0;
        if (value >= entry.beta) {
            best.reach = reach_;
            learn_cut(entry, i, best.move);
            break;
        }
        best.reach = std::min(best.reach, reach_);
    }
    if (settings_.chains && best.alpha > entry.alpha) {
        add_chain(entry.ply, ChainEvents::Kind::Added, frame.line);
    }
    reach_ = best.reach >= entry.ply ? kAnyPath : best.reach;
    store(entry, known, best);
    return best.value;
}

template <SearchState State>
int Searcher<State>::loop_body(const NodeEntry& entry, std::size_t i, Best& best) {
    const Move move = pick(frames_[static_cast<std::size_t>(entry.ply)], i).move;
    const std::optional<int> by_chain =
        settings_.chains ? follow_chain(entry, move, best.alpha) : std::nullopt;
    const int value = by_chain ? *by_chain : search_move(entry, i, move, best.alpha);
    if (stopped_) return 0;
    if (value <= best.value) return value;
    best.value = value;
    if (value > best.alpha) {
        best.alpha = value;
        best.move = move;
        keep_line(entry.ply, move);
        if (by_chain) {
            add_chain(entry.ply, ChainEvents::Kind::Updated,
                      frames_[static_cast<std::size_t>(entry.ply)].line);
        }
        if (entry.ply == 0) {
            const auto at = std::find(root_moves_.begin(), root_moves_.end(), move);
            std::rotate(root_moves_.begin() + static_cast<std::ptrdiff_t>(first_root_), at, at + 1);
            keep_root(root_depth_, static_cast<int>(first_root_) + 1, value);
        }
    }
    return value;
}

template <SearchState State>
int Searcher<State>::child(const NodeEntry& parent, Move move, const Try& attempt, int mover) {
    NodeEntry entry;
    entry.ply = parent.ply + 1;
    entry.depth = attempt.depth;
    entry.move = move;
    entry.flags = attempt.flags | (parent.flags & kInherited);
    entry.type = attempt.beta - attempt.alpha > 1 ? NodeType::PV : attempt.type;
    // A player may move twice in a row.
    if (state_.side() == mover) {
        entry.alpha = attempt.alpha;
        entry.beta = attempt.beta;
        return node(entry);
    }
    entry.alpha = -attempt.beta;
    entry.beta = -attempt.alpha;
    return -node(entry);
}

template <SearchState State>
int Searcher<State>::reduction(const NodeEntry& entry, std::size_t i,
                               const ScoredMove& move) const {
    constexpr std::size_t kFirst = 4;  // moves before it are searched in full
    if (!settings_.reductions || entry.depth < 3 || i < kFirst || entry.ply == 0) return 0;
    if ((entry.flags & kInCheck) != 0 || state_.promise(move.move) > 0) return 0;
    const auto& killers = frames_[static_cast<std::size_t>(entry.ply)].killers;
    if (move.move == killers[0] || move.move == killers[1]) return 0;
    int plies = 1;
    if (i >= 12 && entry.depth >= 6) ++plies;
    if (entry.type == NodeType::Cut && entry.depth >= 6) ++plies;
    return std::min(plies, entry.depth - 2);
}

template <SearchState State>
int Searcher<State>::search_move(const NodeEntry& entry, std::size_t i, Move move, int alpha) {
    if (events_ != nullptr) tell(ChainEvents::Kind::Searched, entry.ply, {&move, 1});
    const int mover = frames_[static_cast<std::size_t>(entry.ply)].mover;
    const bool is_first = i == 0 || settings_.method != Method::Pvs;
    const int less = is_first ? 0 : reduction(entry, i, {move, 0});
    const NodeType opposite = entry.type == NodeType::Cut ? NodeType::All : NodeType::Cut;
    const NodeType type = entry.type == NodeType::PV && is_first ? NodeType::PV : opposite;
    const int depth = entry.depth - 1;
    const unsigned broken = std::exchange(chain_broke_, false) ? kChainBroken : 0U;
    state_.make(move);
    // Leaves are not looked up, and fetching a line for nothing costs more than their evaluation.
    if (settings_.table && depth > 0) memory_.table.prefetch(state_.table_key());
    int value = 0;
    if (is_first) {
        value = child(entry, move, {alpha, entry.beta, depth, type, broken}, mover);
        state_.undo();
        return value;
    }
    constexpr unsigned kAgain = kReSearch | kReSearchTree;
    const unsigned reduced = less > 0 ? kReduced : 0U;
    value = child(entry, move, {alpha, alpha + 1, depth - less, type, reduced | broken}, mover);
    if (value > alpha && less > 0 && !stopped_) {
        value = child(entry, move, {alpha, alpha + 1, depth, type, kAgain}, mover);
    }
    const int again = settings_.fault == Fault::ResearchLoop ? 4 : 1;
    for (int n = 0; n < again && value > alpha && value < entry.beta && !stopped_; ++n) {
        value = child(entry, move, {alpha, entry.beta, depth, NodeType::PV, kAgain}, mover);
    }
    state_.undo();
    return value;
}

template <SearchState State>
void Searcher<State>::store(const NodeEntry& entry, const Known& known, const Best& best) {
    // With several lines, or some moves left out, the root's value is not the position's.
    if (!settings_.table || entry.ply == 0) return;
    if (settings_.path_safe && reach_ != kAnyPath) {
        if (known.bound == Bound::None && best.move != kNoMove) {
            memory_.table.store(state_.table_key(), entry.ply, {best.move, 0, 0, Bound::None});
        }
        return;
    }
    Bound bound = Bound::Exact;
    if (best.value >= entry.beta) {
        bound = Bound::Lower;
    } else if (best.alpha == entry.alpha) {
        bound = Bound::Upper;
    }
    const Move move = best.move == kNoMove ? known.move : best.move;
    memory_.table.store(state_.table_key(), entry.ply, {move, best.value, entry.depth, bound});
}

}  // namespace assay::engines
