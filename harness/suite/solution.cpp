// A search finds a move, drops it for another and comes back to it. What counts is when it had
// found the solution for good: the first moment from which its best move is a solution at every
// line until its answer. Only the end tells which moment that was, so the watch keeps the one that
// is the candidate and forgets it when the best move leaves the solutions. A change from one
// solution to another one is none. The cost is a comparison of texts a line, and the rules are
// asked only where the move has changed.
#include "harness/suite/solution.h"

#include <algorithm>

#include "base/check.h"
#include "base/text.h"

namespace assay::harness {

namespace {

bool is_in(const std::vector<std::string>& moves, const std::string& move) {
    return std::find(moves.begin(), moves.end(), move) != moves.end();
}

}  // namespace

SolutionWatch::SolutionWatch(const SuitePosition& position, const rules::Game& game,
                             std::string_view protocol)
    : asked_(position),
      position_(game.parse(position.text)),
      notation_(game.notation_of(protocol)) {}

bool SolutionWatch::is_solution(std::string_view move) const {
    const auto known = position_->move_of(move, notation_);
    if (!known) return false;
    const std::string name = position_->name_of(*known, rules::Notation::Canonical);
    return (asked_.best.empty() || is_in(asked_.best, name)) && !is_in(asked_.avoid, name);
}

void SolutionWatch::follow(std::string_view move, const adapters::SearchInfo& info,
                           Micros since_go) {
    if (move == last_move_) return;
    last_move_ = move;
    if (!is_solution(move)) {
        since_.reset();
    } else if (!since_) {
        since_ = {info.depth.value_or(0), info.nodes.value_or(0), since_go};
    }
}

void SolutionWatch::on_info(const adapters::SearchInfo& info, Micros since_go) {
    std::string_view line = info.pv;
    const std::string_view move = take_word(line);
    if (!move.empty()) follow(move, info, since_go);
}

void SolutionWatch::on_answer(std::string_view move, const adapters::SearchInfo& info,
                              Micros since_go) {
    follow(move, info, since_go);
    solution_ = since_;
}

QueryAnswer answer_of(SuiteMeasure measure, const std::optional<Solution>& solution) {
    ASSAY_CHECK(measure != SuiteMeasure::Query);
    if (measure == SuiteMeasure::Solved) return {solution ? 1.0 : 0.0, "", {}};
    if (!solution) return {std::nullopt, "not solved", {}};
    switch (measure) {
        case SuiteMeasure::Depth:
            return {static_cast<double>(solution->depth), "", {}};
        case SuiteMeasure::Nodes:
            return {static_cast<double>(solution->nodes), "", {}};
        default:
            return {static_cast<double>(solution->time.count()) / 1000, "", {}};
    }
}

}  // namespace assay::harness
