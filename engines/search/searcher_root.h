#pragma once
// Part of searcher.h: iterations, windows and lines at the root.
//
// Iterative deepening (Slate and Atkin 1977) searches depth 1, 2, 3, … The early iterations are
// cheap against the last one and pay for themselves: they order the moves by way of the table, the
// history and the root's own list, and there is a move to play whenever time is up. From depth 4
// the window is narrow, around the value of the iteration before. Where the value is outside, that
// side of the window is made four times as wide, and at the third failure it is opened, so that a
// value that keeps moving costs a few searches at most. Several lines (MultiPV) are searches of
// the same depth without the moves that earlier lines took.
//
// A proof of a mate can be longer than its line: where the table answers a node, the line ends.
// The rest is looked up in the table by its value, move by move, before the line is told.

#include "engines/search/searcher.h"

namespace assay::engines {

template <SearchState State>
void Searcher<State>::fill_root(const Limits& limits) {
    NodeEntry below;
    below.ply = 1;  // ordered as any node's moves: the root's own order is not known yet
    const Known known = settings_.table ? memory_.table.find(state_.table_key(), 0) : Known{};
    fill_moves(below, known.move);
    root_moves_.clear();
    Frame& frame = frames_[1];
    for (std::size_t i = 0; i < frame.moves.size(); ++i) {
        const Move move =
            settings_.method == Method::Minimax ? frame.moves[i].move : pick(frame, i).move;
        const bool wanted = limits.only.empty() || std::find(limits.only.begin(), limits.only.end(),
                                                             move) != limits.only.end();
        if (wanted) root_moves_.push_back(move);
    }
}

template <SearchState State>
void Searcher<State>::keep_root(int depth, int number, int value) {
    const auto at = static_cast<std::size_t>(number) - 1;
    if (lines_.size() <= at) lines_.resize(at + 1);
    Line& line = lines_[at];
    line.number = number;
    line.depth = depth;
    line.deepest = deepest_;
    line.value = value;
    line.nodes = nodes_;
    line.permille_full = 0;
    line.moves = frames_[0].line;
    line.moves.insert(line.moves.end(), frames_[0].tail.begin(), frames_[0].tail.end());
    line.is_only_reply = root_moves_.size() == 1;
}

/// What rules or table say of the position on the board, `ply` plies below the root; 0: nothing.
template <SearchState State>
int Searcher<State>::value_by_table(int ply) {
    if (const std::optional<Judgement> judged = state_.judge(ply)) return judged->value;
    MoveBuffer& moves = frames_[static_cast<std::size_t>(ply)].moves;
    moves.clear();
    state_.moves(moves);
    return moves.empty() ? state_.stuck(ply) : memory_.table.find(state_.table_key(), ply).value;
}

/// A move of the position on the board that leads to this sure value of the player to move;
/// kNoMove where none is known to.
template <SearchState State>
Move Searcher<State>::move_to_value(int ply, int value) {
    MoveBuffer& moves = frames_[static_cast<std::size_t>(ply)].moves;
    moves.clear();
    state_.moves(moves);
    const int mover = state_.side();
    for (const ScoredMove& scored : moves) {
        state_.make(scored.move);
        const int wanted = state_.side() == mover ? value : -value;
        const bool is_found = value_by_table(ply + 1) == wanted;
        state_.undo();
        if (is_found) return scored.move;
    }
    return kNoMove;
}

/// Adds the moves that a sure win or loss lacks, as far as they are known.
template <SearchState State>
void Searcher<State>::finish(Line& line) {
    line.is_cut = false;
    if (!is_sure(line.value)) return;
    const auto plies = static_cast<std::size_t>(kWin - (line.value < 0 ? -line.value : line.value));
    const int player = state_.side();
    std::size_t made = 0;
    while (made < plies) {
        if (made == line.moves.size()) {
            const int value = state_.side() == player ? line.value : -line.value;
            const Move move =
                settings_.table ? move_to_value(static_cast<int>(made), value) : kNoMove;
            if (move == kNoMove) break;
            line.moves.push_back(move);
        }
        state_.make(line.moves[made++]);
    }
    for (std::size_t i = 0; i < made; ++i) state_.undo();
    line.is_cut = line.moves.size() != plies;
}

/// One line of one iteration, with a window around the value of the iteration before.
template <SearchState State>
int Searcher<State>::aspire(int depth, int number) {
    const auto at = static_cast<std::size_t>(number) - 1;
    const bool has_guess =
        settings_.aspiration > 0 && lines_.size() > at && depth >= 4 && !is_sure(lines_[at].value);
    const int guess = has_guess ? lines_[at].value : 0;
    int below = has_guess ? settings_.aspiration : 2 * kInfinite;
    int above = below;
    for (int attempt = 0;; ++attempt) {
        NodeEntry root;
        root.depth = depth;
        root.alpha = std::max(guess - below, -kInfinite);
        root.beta = std::min(guess + above, kInfinite);
        root.flags = attempt == 0 ? 0U : kReSearch | kReSearchTree;
        const int value = node(root);
        if (stopped_) return value;
        if (value <= root.alpha && root.alpha > -kInfinite) {
            below = attempt < 2 ? below * 4 : 2 * kInfinite;
        } else if (value >= root.beta && root.beta < kInfinite) {
            above = attempt < 2 ? above * 4 : 2 * kInfinite;
        } else {
            return value;
        }
    }
}

template <SearchState State>
void Searcher<State>::iterate(int depth, int number) {
    root_depth_ = depth;
    first_root_ = static_cast<std::size_t>(number) - 1;
    if (log_ != nullptr) log_->start_tree(depth);
    const int value = aspire(depth, number);
    if (log_ != nullptr) log_->end_tree();
    // A better move that an unfinished iteration has found is the answer: its line is told too.
    const bool is_known = lines_.size() >= static_cast<std::size_t>(number);
    if (stopped_ && is_known && lines_[static_cast<std::size_t>(number) - 1].depth != depth) return;
    if (!stopped_) keep_root(depth, number, value);
    if (lines_.size() < static_cast<std::size_t>(number)) return;
    Line& line = lines_[static_cast<std::size_t>(number) - 1];
    line.permille_full = settings_.table ? memory_.table.permille_full() : 0;
    if (line.moves.empty()) line.moves.push_back(root_moves_[first_root_]);
    finish(line);
    control_->report(line);
}

template <SearchState State>
bool Searcher<State>::is_enough(const Limits& limits, int depth) const {
    if (depth >= limits.depth || depth >= kMaxPly - 1) return true;
    const Line& best = lines_.front();
    const int plies = kWin - (best.value < 0 ? -best.value : best.value);
    return limits.mate > 0 && best.value >= kSureWin && plies <= 2 * limits.mate - 1;
}

template <SearchState State>
std::vector<Line> Searcher<State>::think(const Limits& limits, Control& control) {
    control_ = &control;
    nodes_ = leaves_ = quiescence_nodes_ = chains_found_ = chains_followed_ = 0;
    most_nodes_ = limits.nodes;
    next_poll_ = 0;
    stopped_ = false;
    deepest_ = 0;
    lines_.clear();
    for (Frame& frame : frames_) frame.killers = {kNoMove, kNoMove};
    memory_.table.next_search();
    memory_.history.age();
    root_depth_ = 1;
    fill_root(limits);
    if (root_moves_.empty()) return {};
    const int lines = std::min(limits.lines, static_cast<int>(root_moves_.size()));
    const int most = std::min(limits.depth, kMaxPly - 1);
    for (int depth = settings_.iterative ? 1 : most; !stopped_; ++depth) {
        deepest_ = 0;
        for (int number = 1; number <= lines && !stopped_; ++number) {
            iterate(depth, number);
        }
        if (stopped_ || is_enough(limits, depth) || !control.may_deepen(lines_.front())) break;
    }
    if (lines_.empty()) {
        Line line;
        line.moves.push_back(root_moves_.front());
        line.nodes = nodes_;
        line.is_only_reply = root_moves_.size() == 1;
        lines_.push_back(line);
    }
    return lines_;
}

}  // namespace assay::engines
