#include "rules/multigame/compile/shape.h"

#include <algorithm>

namespace assay::rules::multigame {

Shape::Shape(const Form& form) : form_(form), facts_(form.statements.size()) {
    for (std::size_t i = 0; i < facts_.size(); ++i) find(static_cast<int>(i));
}

namespace {

bool only_says_itself(Op op) {
    switch (op) {
        case Op::Sequence:
        case Op::Either:
        case Op::Try:
        case Op::Test:
        case Op::Not:
        case Op::AsEnemy:
        case Op::PointsAt:
        case Op::InZone:
        case Op::At:
        case Op::Check:
        case Op::Matches:
        case Op::Verdict:
        case Op::WriteText:
        case Op::WriteField:
        case Op::WritePiece:
            return true;
        default:
            return false;
    }
}

}  // namespace

/// What the operation itself, without its children, says.
void Shape::find_own(const Statement& statement, Facts& facts) {
    switch (statement.op) {
        case Op::Step:
            facts.steps = true;
            [[fallthrough]];
        case Op::Sequence:
        case Op::Test:
        case Op::Not:
        case Op::AsEnemy:
        case Op::PointsAt:
        case Op::InZone:
        case Op::At:
        case Op::Check:
        case Op::Matches:
            facts.is_walk = facts.is_straight = true;
            break;
        case Op::Rotate:
        case Op::Direction:
        case Op::Forward:
        case Op::Goto:
            facts.is_walk = true;
            break;
        case Op::Repeat:
            facts.is_walk = facts.is_straight = statement.least == statement.most;
            break;
        case Op::Pickup:
        case Op::Putdown:
            facts.uses_hand = true;
            break;
        default:
            break;
    }
}

void Shape::find_children(const Statement& statement, Facts& facts) {
    const bool is_closed = statement.op == Op::Test || statement.op == Op::Not;
    std::int64_t weight = 1;
    for (int n = 0; n < statement.count; ++n) {
        const Facts& child = find(form_.children[static_cast<std::size_t>(statement.first + n)]);
        weight += child.weight;
        if (is_closed) continue;
        facts.is_walk = facts.is_walk && child.is_walk;
        facts.only_says = facts.only_says && child.only_says;
        facts.is_straight = facts.is_straight && child.is_straight;
        facts.steps = facts.steps || child.steps;
        facts.uses_hand = facts.uses_hand || child.uses_hand;
    }
    // What may be left out does not bring the finger nearer to the edge.
    if (statement.op == Op::Try) facts.steps = false;
    if (statement.op == Op::Repeat && statement.least == 0) facts.steps = false;
    if (statement.op == Op::Repeat && statement.least == statement.most) {
        weight *= std::max(statement.most, 1);
    }
    facts.weight = static_cast<int>(std::min<std::int64_t>(weight, kMostWeight));
}

/// Rules that may call themselves are in is_recursive, so that all others end.
const Shape::Facts& Shape::find(int number) {
    Facts& facts = facts_[static_cast<std::size_t>(number)];
    if (facts.is_known) return facts;
    const Statement& statement = form_.statements[static_cast<std::size_t>(number)];
    Facts found;
    found.only_says = only_says_itself(statement.op);
    find_own(statement, found);
    find_children(statement, found);
    if (statement.op == Op::Call) {
        const Rule& rule = form_.rules[static_cast<std::size_t>(statement.index)];
        if (rule.is_recursive) {
            found.uses_hand = true;
            found.weight = 3;
        } else {
            found = find(rule.body);
            ++found.weight;
        }
    }
    found.is_known = true;
    return facts_[static_cast<std::size_t>(number)] = found;
}

}  // namespace assay::rules::multigame
