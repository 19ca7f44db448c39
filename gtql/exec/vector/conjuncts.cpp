// Splits a condition at its outermost `and`s. Each part can then be evaluated by itself, the
// cheapest first, and only on the nodes that the parts before it have left; and one part can be
// recognised as a comparison of two columns, for which there is a special loop.
//
// Expressions are kept in postfix order, as a flat vector of steps. The operands of the last step
// lie before it, and the beginning of an operand is found by counting backwards how many values the
// steps take and leave, without building a tree.
#include "gtql/exec/vector/conjuncts.h"

#include <algorithm>
#include <utility>

namespace assay::gtql {

namespace {

/// How many values a step takes from the stack. Each step leaves one.
std::size_t operands_of(const Step& step) {
    switch (step.op) {
        case Op::Integer:
        case Op::Text:
        case Op::Name:
        case Op::Column:
        case Op::Builtin:
        case Op::Call:
            return 0;
        case Op::Truth:
        case Op::Not:
            return 1;
        case Op::In:
            return static_cast<std::size_t>(step.value) + 1;
        default:
            return 2;
    }
}

/// The first step of the operand whose last step is `last`.
std::size_t begin_of(const std::vector<Step>& steps, std::size_t last) {
    std::size_t wanted = 1;
    std::size_t at = last + 1;
    while (wanted > 0) {
        --at;
        wanted += operands_of(steps[at]);
        --wanted;
    }
    return at;
}

}  // namespace

std::vector<Expression> conjuncts_of(const Expression& expression) {
    std::vector<Expression> parts;
    const std::vector<Step>& steps = expression.steps;
    std::vector<std::pair<std::size_t, std::size_t>> open;  // first and behind the last step
    if (!steps.empty()) open.emplace_back(0, steps.size());
    while (!open.empty()) {
        const auto [begin, end] = open.back();
        open.pop_back();
        if (steps[end - 1].op == Op::And) {
            const std::size_t right = begin_of(steps, end - 2);
            open.emplace_back(right, end - 1);
            open.emplace_back(begin, right);
            continue;
        }
        Expression part;
        part.steps.assign(steps.begin() + static_cast<std::ptrdiff_t>(begin),
                          steps.begin() + static_cast<std::ptrdiff_t>(end));
        parts.push_back(std::move(part));
    }
    // The left side of an `and` was pushed last, so that parts come from left to right.
    return parts;
}

Expression joined(std::vector<Expression> parts) {
    Expression all;
    for (Expression& part : parts) {
        if (part.empty()) continue;
        const bool is_first = all.empty();
        all.steps.insert(all.steps.end(), part.steps.begin(), part.steps.end());
        if (is_first) continue;
        Step both;
        both.op = Op::And;
        all.steps.push_back(both);
    }
    return all;
}

Op mirrored(Op op) {
    switch (op) {
        case Op::Less:
            return Op::Greater;
        case Op::Greater:
            return Op::Less;
        case Op::LessEqual:
            return Op::GreaterEqual;
        case Op::GreaterEqual:
            return Op::LessEqual;
        default:
            return op;
    }
}

std::optional<ColumnComparison> comparison_of(const Expression& expression) {
    const std::vector<Step>& steps = expression.steps;
    if (steps.size() != 3 || steps[0].op != Op::Column || steps[1].op != Op::Column) return {};
    const Op op = steps[2].op;
    if (op < Op::Less || op > Op::NotEqual) return {};
    const auto left = static_cast<std::size_t>(steps[0].value);
    const auto right = static_cast<std::size_t>(steps[1].value);
    if (steps[0].role == Role::Bare && steps[1].role == Role::Queried) {
        return ColumnComparison{op, left, right};
    }
    if (steps[0].role == Role::Queried && steps[1].role == Role::Bare) {
        return ColumnComparison{mirrored(op), right, left};
    }
    return {};
}

}  // namespace assay::gtql
