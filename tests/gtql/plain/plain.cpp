#include "tests/gtql/plain/plain.h"

#include <algorithm>
#include <functional>
#include <map>

namespace assay::test {

using gtql::Answer;
using gtql::AnswerKind;
using gtql::Call;
using gtql::Cell;
using gtql::Expression;
using gtql::Function;
using gtql::Op;
using gtql::Part;
using gtql::Plan;
using gtql::Query;
using gtql::Role;
using gtql::Step;

namespace {

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

std::vector<std::int64_t> values_of(const gtql::TreeSource& tree, gtql::ColumnId id) {
    std::vector<std::int64_t> values;
    const std::array<gtql::ColumnId, 1> wanted{id};
    const auto reader = tree.read(wanted);
    gtql::TreeBlock block;
    while (reader->next(block)) {
        for (std::size_t i = 0; i < block.size; ++i) values.push_back(block.columns[0].at(i));
    }
    return values;
}

PlainValue number(std::int64_t value) {
    return {false, false, value, 0};
}

PlainValue missing() {
    return {true, false, 0, 0};
}

PlainValue builtin_of(const PlainTree& tree, std::int64_t which, std::int64_t node) {
    switch (static_cast<gtql::Builtin>(which)) {
        case gtql::Builtin::NodeId:
            return number(node + 1);
        case gtql::Builtin::ParentId:
            return number(tree.parent[at(node)] + 1);
        case gtql::Builtin::Level:
            return number(tree.level[at(node)]);
        case gtql::Builtin::ChildIndex:
            return number(tree.child_index[at(node)]);
        case gtql::Builtin::Children:
            return number(static_cast<std::int64_t>(tree.children[at(node)].size()));
        case gtql::Builtin::Size:
            return number(tree.size[at(node)]);
        default:
            return number(0);
    }
}

PlainValue attribute(const PlainTree& tree, const Step& step, const Places& places) {
    std::int64_t node = places.bare;
    if (step.role == Role::Child) node = places.child;
    if (step.role == Role::Previous) node = places.previous;
    if (step.role == Role::Queried) node = places.queried;
    if (step.role == Role::Parent) node = tree.parent[at(places.bare)];
    if (node < 0) return missing();
    if (step.op == Op::Builtin) return builtin_of(tree, step.value, node);
    if (step.value == gtql::kLevelColumn) return number(tree.level[at(node)]);
    if (step.value == gtql::kThreadColumn) return number(tree.thread[at(node)]);
    if (step.value == gtql::kUnfinishedColumn) return number(tree.unfinished[at(node)]);
    return number(tree.columns[at(step.value)][at(node)]);
}

double as_real(const PlainValue& value) {
    return value.is_real ? value.real : static_cast<double>(value.integer);
}

template <class T>
bool holds(Op op, T a, T b) {
    switch (op) {
        case Op::Less:
            return a < b;
        case Op::Greater:
            return a > b;
        case Op::LessEqual:
            return a <= b;
        case Op::GreaterEqual:
            return a >= b;
        case Op::Equal:
            return a == b;
        default:
            return a != b;
    }
}

PlainValue relation(Op op, const PlainValue& a, const PlainValue& b) {
    if (a.is_missing || b.is_missing) return number(0);
    if (a.is_real || b.is_real) return number(holds(op, as_real(a), as_real(b)) ? 1 : 0);
    return number(holds(op, a.integer, b.integer) ? 1 : 0);
}

PlainValue real_arithmetic(Op op, double a, double b) {
    PlainValue result{false, true, 0, 0};
    switch (op) {
        case Op::Add:
            result.real = a + b;
            break;
        case Op::Subtract:
            result.real = a - b;
            break;
        case Op::Multiply:
            result.real = a * b;
            break;
        default:
            if (b == 0) return missing();
            result.real = a / b;
    }
    return result;
}

PlainValue arithmetic(Op op, const PlainValue& a, const PlainValue& b) {
    if (a.is_missing || b.is_missing) return missing();
    if (a.is_real || b.is_real) return real_arithmetic(op, as_real(a), as_real(b));
    const auto x = static_cast<std::uint64_t>(a.integer);
    const auto y = static_cast<std::uint64_t>(b.integer);
    switch (op) {
        case Op::BitAnd:
            return number(a.integer & b.integer);
        case Op::BitOr:
            return number(a.integer | b.integer);
        case Op::Add:
            return number(static_cast<std::int64_t>(x + y));
        case Op::Subtract:
            return number(static_cast<std::int64_t>(x - y));
        case Op::Multiply:
            return number(static_cast<std::int64_t>(x * y));
        default:
            break;
    }
    if (b.integer == 0) return missing();
    if (b.integer == -1) {
        return number(op == Op::Modulo ? 0 : static_cast<std::int64_t>(0 - x));
    }
    return number(op == Op::Modulo ? a.integer % b.integer : a.integer / b.integer);
}

/// A function over values, one after the other.
struct Gathered {
    std::int64_t count = 0;
    std::int64_t value = 0;

    void add(Function function, std::int64_t next) {
        if (function == Function::Min) value = count == 0 ? next : std::min(value, next);
        if (function == Function::Max) value = count == 0 ? next : std::max(value, next);
        if (function == Function::Sum || function == Function::Avg) {
            value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) +
                                              static_cast<std::uint64_t>(next));
        }
        ++count;
    }

    [[nodiscard]] PlainValue answer(Function function) const {
        if (function == Function::Count) return number(count);
        if (function == Function::Sum) return number(count == 0 ? 0 : value);
        if (count == 0) return missing();
        if (function != Function::Avg) return number(value);
        return {false, true, 0, static_cast<double>(value) / static_cast<double>(count)};
    }
};

bool is_true(const PlainTree& tree, const Expression& expression, const Places& places,
             const std::vector<PlainValue>& calls = {}) {
    return expression.empty() || evaluate(tree, expression, places, calls).integer != 0;
}

void take(const PlainTree& tree, const Call& call, const Places& places, Gathered& into) {
    if (!is_true(tree, call.condition, places)) return;
    PlainValue value = number(0);
    if (call.function != Function::Count) value = evaluate(tree, call.value, places, {});
    if (!value.is_missing) into.add(call.function, value.integer);
}

void each_in_scope(const PlainTree& tree, Part scope, std::int64_t node,
                   const std::function<void(const Places&)>& visit) {
    const std::int64_t parent = tree.parent[at(node)];
    const auto other = [node](std::int64_t bare) { return Places{bare, -1, -1, node}; };
    switch (scope) {
        case Part::Parent:
            if (parent >= 0) visit(other(parent));
            return;
        case Part::Ancestor:
            for (std::int64_t up = parent; up >= 0; up = tree.parent[at(up)]) visit(other(up));
            return;
        case Part::Sibling:
            if (parent < 0) return;
            for (const std::int64_t each : tree.children[at(parent)]) {
                if (each != node) visit(other(each));
            }
            return;
        case Part::Child: {
            std::int64_t previous = -1;
            for (const std::int64_t each : tree.children[at(node)]) {
                visit({node, each, previous, -1});
                previous = each;
            }
            return;
        }
        default:
            break;
    }
    for (std::int64_t below = node + 1; below <= node + tree.size[at(node)]; ++below) {
        visit(other(below));
    }
}

Cell cell_of(const PlainValue& value) {
    if (value.is_missing) return std::monostate{};
    if (value.is_real) return value.real;
    return value.integer;
}

/// True where all parts but node: are.
bool other_parts_hold(const PlainTree& tree, const Query& query, std::int64_t node) {
    const Places here{node, -1, -1, -1};
    std::vector<PlainValue> calls(query.calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const Call& call = query.calls[i];
        if (call.scope == Part::Node) continue;
        Gathered gathered;
        each_in_scope(tree, call.scope, node,
                      [&](const Places& places) { take(tree, call, places, gathered); });
        calls[i] = gathered.answer(call.function);
    }
    for (std::size_t part = 1; part < query.parts.size(); ++part) {
        if (!is_true(tree, query.parts.at(part), here, calls)) return false;
    }
    return true;
}

Answer naive_statement(const PlainTree& tree, const Plan& plan) {
    const Query& query = plan.query;
    std::map<std::vector<Cell>, std::vector<Gathered>> groups;
    if (query.keys.empty()) groups[{}].resize(query.calls.size());
    for (std::int64_t node = 0; node < static_cast<std::int64_t>(tree.level.size()); ++node) {
        if (!other_parts_hold(tree, query, node)) continue;
        const Places here{node, -1, -1, -1};
        std::vector<Cell> key;
        for (std::size_t k = 0; k < query.keys.size(); ++k) {
            const PlainValue value = evaluate(tree, query.keys[k], here, {});
            key.push_back(cell_of(value));
            if (plan.is_move_key[k] && !value.is_missing) {
                key.back() = tree.source->moves()[at(value.integer)];
            }
        }
        std::vector<Gathered>& group = groups[key];
        group.resize(query.calls.size());
        for (std::size_t i = 0; i < query.calls.size(); ++i) {
            if (query.calls[i].scope == Part::Node) take(tree, query.calls[i], here, group[i]);
        }
    }
    Answer answer;
    answer.kind = query.kind;
    for (const auto& [key, gathered] : groups) {
        std::vector<Cell> row = key;
        std::vector<PlainValue> calls;
        for (std::size_t i = 0; i < gathered.size(); ++i) {
            calls.push_back(gathered[i].answer(query.calls[i].function));
        }
        for (const Expression& column : query.columns) {
            row.push_back(cell_of(evaluate(tree, column, {}, calls)));
        }
        answer.rows.push_back(row);
    }
    if (query.kind == AnswerKind::Table) {
        answer.titles = query.titles;
        answer.count = answer.rows.size();
        return answer;
    }
    answer.value = answer.rows.at(0).at(0);
    answer.rows.clear();
    if (query.kind == AnswerKind::Bool) answer.value = std::get<std::int64_t>(answer.value) != 0;
    if (query.kind == AnswerKind::Count) {
        answer.count = static_cast<std::uint64_t>(std::get<std::int64_t>(answer.value));
    }
    return answer;
}

/// The names are the paper's.
class Algorithm1 {
public:
    Algorithm1(const PlainTree& tree, const Query& query) : tree_(tree), query_(query) {}

    Answer run() {
        if (query_.kind == AnswerKind::Count) {
            std::int64_t count = 0;
            for (std::size_t node = 0; node < tree_.level.size(); ++node) {
                const Places here{static_cast<std::int64_t>(node), -1, -1, -1};
                if (is_true(tree_, query_.calls[0].condition, here)) ++count;
            }
            answer_.kind = AnswerKind::Count;
            answer_.count = static_cast<std::uint64_t>(count);
            answer_.value = count;
            return answer_;
        }
        if (!tree_.level.empty()) dft_query_eval(0);
        std::ranges::sort(answer_.ids);
        answer_.count = answer_.ids.size();
        return answer_;
    }

private:
    struct QueryInstance {
        std::int64_t node;
        std::vector<PlainValue> counters;
    };

    void dft_query_eval(std::int64_t node) {
        std::optional<std::size_t> query_inst;
        if (is_true(tree_, query_.part(Part::Node), {node, -1, -1, -1})) {
            query_inst = stack_.size();
            stack_.push_back({node, std::vector<PlainValue>(query_.calls.size())});
        }
        std::int64_t prev = -1;
        for (const std::int64_t child : tree_.children[at(node)]) {
            dft_query_eval(child);
            if (query_inst) eval_child_counters(stack_[*query_inst], child, prev);
            prev = child;
        }
        if (query_inst) {
            QueryInstance& top = stack_.back();
            const Places here{node, -1, -1, -1};
            if (is_true(tree_, query_.part(Part::Subtree), here, top.counters) &&
                is_true(tree_, query_.part(Part::Child), here, top.counters)) {
                answer_.ids.push_back(static_cast<std::uint64_t>(node) + 1);
            }
            stack_.pop_back();
        }
        for (QueryInstance& each : stack_) eval_subtree_counters(each, node);
    }

    void eval_child_counters(QueryInstance& instance, std::int64_t child, std::int64_t prev) {
        for (std::size_t i = 0; i < query_.calls.size(); ++i) {
            if (query_.calls[i].scope != Part::Child) continue;
            const Places places{instance.node, child, prev, -1};
            if (is_true(tree_, query_.calls[i].condition, places)) ++instance.counters[i].integer;
        }
    }

    void eval_subtree_counters(QueryInstance& instance, std::int64_t node) {
        for (std::size_t i = 0; i < query_.calls.size(); ++i) {
            if (query_.calls[i].scope != Part::Subtree) continue;
            const Places places{node, -1, -1, -1};
            if (is_true(tree_, query_.calls[i].condition, places)) ++instance.counters[i].integer;
        }
    }

    const PlainTree& tree_;
    const Query& query_;
    std::vector<QueryInstance> stack_;
    Answer answer_;
};

}  // namespace

PlainTree::PlainTree(const gtql::TreeSource& tree) : source(&tree) {
    for (std::size_t i = 0; i < tree.schema().attributes.size(); ++i) {
        columns.push_back(values_of(tree, static_cast<gtql::ColumnId>(i)));
    }
    level = values_of(tree, gtql::kLevelColumn);
    if (tree.schema().has_thread) thread = values_of(tree, gtql::kThreadColumn);
    if (tree.schema().has_unfinished) unfinished = values_of(tree, gtql::kUnfinishedColumn);
    children.resize(level.size());
    size.resize(level.size());
    std::vector<std::int64_t> path;
    for (std::size_t i = 0; i < level.size(); ++i) {
        const auto node = static_cast<std::int64_t>(i);
        path.resize(at(level[i]));
        parent.push_back(path.empty() ? -1 : path.back());
        if (!path.empty()) children[at(path.back())].push_back(node);
        child_index.push_back(
            path.empty() ? 0 : static_cast<std::int64_t>(children[at(path.back())].size()));
        for (const std::int64_t above : path) ++size[at(above)];
        path.push_back(node);
    }
}

PlainValue evaluate(const PlainTree& tree, const Expression& expression, const Places& places,
                    const std::vector<PlainValue>& calls) {
    std::vector<PlainValue> stack;
    const auto pop = [&stack] {
        const PlainValue top = stack.back();
        stack.pop_back();
        return top;
    };
    for (const Step& step : expression.steps) {
        switch (step.op) {
            case Op::Integer:
                stack.push_back(number(step.value));
                continue;
            case Op::Column:
            case Op::Builtin:
                stack.push_back(attribute(tree, step, places));
                continue;
            case Op::Call:
                stack.push_back(calls[at(step.value)]);
                continue;
            case Op::Truth:
                stack.push_back(relation(Op::NotEqual, pop(), number(0)));
                continue;
            case Op::Not:
                stack.push_back(number(pop().integer == 0 ? 1 : 0));
                continue;
            case Op::In: {
                bool is_in = false;
                const std::size_t first = stack.size() - at(step.value);
                for (std::size_t i = first; i < stack.size(); ++i) {
                    is_in = is_in || relation(Op::Equal, stack[first - 1], stack[i]).integer != 0;
                }
                stack.resize(first - 1);
                stack.push_back(number(is_in ? 1 : 0));
                continue;
            }
            default:
                break;
        }
        const PlainValue right = pop();
        const PlainValue left = pop();
        if (step.op == Op::And) {
            stack.push_back(number(left.integer != 0 && right.integer != 0 ? 1 : 0));
        } else if (step.op == Op::Or) {
            stack.push_back(number(left.integer != 0 || right.integer != 0 ? 1 : 0));
        } else if (step.op >= Op::Less) {
            stack.push_back(relation(step.op, left, right));
        } else {
            stack.push_back(arithmetic(step.op, left, right));
        }
    }
    return stack.back();
}

Answer naive_answer(const PlainTree& tree, const Query& query) {
    const Plan plan = bind(query, tree.source->schema(), tree.source->moves());
    if (query.kind != AnswerKind::Nodes) return naive_statement(tree, plan);
    Answer answer;
    for (std::int64_t node = 0; node < static_cast<std::int64_t>(tree.level.size()); ++node) {
        const bool is_candidate = is_true(tree, plan.query.part(Part::Node), {node, -1, -1, -1});
        if (!is_candidate || !other_parts_hold(tree, plan.query, node)) continue;
        answer.ids.push_back(static_cast<std::uint64_t>(node) + 1);
    }
    answer.count = answer.ids.size();
    return answer;
}

Answer algorithm_1(const PlainTree& tree, const Query& query) {
    const Plan plan = bind(query, tree.source->schema(), tree.source->moves());
    return Algorithm1(tree, plan.query).run();
}

}  // namespace assay::test
