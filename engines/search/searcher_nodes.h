#pragma once
// Part of searcher.h: what happens at one node.
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
    // A first iteration is so short that it is always finished: there is a move in any case.
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
int Searcher<State>::leaf(int ply) {
    ++leaves_;
    frames_[static_cast<std::size_t>(ply)].line.clear();
    reach_ = kAnyPath;
    return state_.evaluate();
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
    frame.line.clear();
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
    frame.line.clear();
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
    // A player may move twice running.
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
    const int mover = state_.side();
    const bool is_first = i == 0 || settings_.method != Method::Pvs;
    const int less = is_first ? 0 : reduction(entry, i, {move, 0});
    const NodeType opposite = entry.type == NodeType::Cut ? NodeType::All : NodeType::Cut;
    const NodeType type = entry.type == NodeType::PV && is_first ? NodeType::PV : opposite;
    const int depth = entry.depth - 1;
    const unsigned broken = std::exchange(chain_broke_, false) ? kChainBroken : 0U;
    state_.make(move);
    if (settings_.table) memory_.table.prefetch(state_.table_key());
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
        if (value > best) best = value;
        if (best >= entry.beta) {
            reach = reach_;
            break;
        }
        alpha = std::max(alpha, best);
    }
    frame.line.clear();
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

template <SearchState State>
std::uint64_t Searcher<State>::history_key(Move move) {
    return settings_.history == HistoryKind::Signature ? state_.signature(move)
                                                       : state_.history_key(move);
}

template <SearchState State>
void Searcher<State>::fill_moves(const NodeEntry& entry, Move first) {
    Frame& frame = frames_[static_cast<std::size_t>(entry.ply)];
    frame.moves.clear();
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
    for (std::size_t j = i + 1; j < frame.moves.size(); ++j) {
        if (frame.moves[j].score > frame.moves[best].score) best = j;
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
