// The graph of calls. All walks over rules use lists instead of recursion: a program of 64 KB may
// call 10,000 rules in a chain. Facts of rules (may it pass without a step, does it move anything)
// are least fixed points: all false at first, and every rule is looked at again while something
// changes. Strongly connected components are found by Tarjan's algorithm (SIAM J. Comput. 1, 1972)
// with a stack of its own; a component is a recursion.
#include "rules/multigame/check/calls.h"

#include <algorithm>
#include <deque>

#include <fmt/format.h>

namespace assay::rules::multigame {

namespace {

/// Moves the finger, or changes the board, the hand or a variable.
bool is_progress(Op op) {
    return facts_of(op).moves_finger || facts_of(op).changes_state;
}

bool changes_more_than_finger(const Statement& each) {
    return facts_of(each.op).changes_state || facts_of(each.op).says;
}

/// Components of a graph, each a list of nodes; only those that hold a cycle.
class Components {
public:
    explicit Components(const std::vector<std::vector<int>>& edges)
        : edges_(edges),
          index_(edges.size(), kNone),
          low_(edges.size(), 0),
          on_stack_(edges.size(), false) {}

    std::vector<std::vector<int>> cyclic() {
        for (int node = 0; node < static_cast<int>(edges_.size()); ++node) {
            if (item(index_, node) == kNone) walk(node);
        }
        return std::move(found_);
    }

private:
    struct Frame {
        int node;
        std::size_t next;
    };

    void enter(int node) {
        item(index_, node) = item(low_, node) = counter_++;
        stack_.push_back(node);
        on_stack_[static_cast<std::size_t>(node)] = true;
        frames_.push_back({node, 0});
    }

    void walk(int root) {
        enter(root);
        while (!frames_.empty()) {
            Frame& frame = frames_.back();
            const int node = frame.node;
            if (frame.next < item(edges_, node).size()) {
                const int to = item(edges_, node)[frame.next++];
                if (item(index_, to) == kNone) {
                    enter(to);
                } else if (on_stack_[static_cast<std::size_t>(to)]) {
                    item(low_, node) = std::min(item(low_, node), item(index_, to));
                }
                continue;
            }
            frames_.pop_back();
            if (!frames_.empty()) {
                int& low = item(low_, frames_.back().node);
                low = std::min(low, item(low_, node));
            }
            if (item(low_, node) == item(index_, node)) take_component(node);
        }
    }

    void take_component(int root) {
        std::vector<int> component;
        int node = kNone;
        do {
            node = stack_.back();
            stack_.pop_back();
            on_stack_[static_cast<std::size_t>(node)] = false;
            component.push_back(node);
        } while (node != root);
        const auto& own = item(edges_, root);
        const bool is_cycle = component.size() > 1 || std::ranges::find(own, root) != own.end();
        if (is_cycle) found_.push_back(std::move(component));
    }

    const std::vector<std::vector<int>>& edges_;
    std::vector<int> index_;
    std::vector<int> low_;
    std::vector<bool> on_stack_;
    std::vector<int> stack_;
    std::vector<Frame> frames_;
    std::vector<std::vector<int>> found_;
    int counter_ = 0;
};

}  // namespace

void Calls::check() {
    find_calls();
    find_callers();
    find_movers();
    mark_recursion();
    check_left_recursion();
    check_repeats();
    check_places();
}

void Calls::find_calls() {
    calls_.assign(form_.rules.size(), {});
    for (int n = 0; n < static_cast<int>(form_.statements.size()); ++n) {
        const Statement& each = item(form_.statements, n);
        if (each.op == Op::Call) item(calls_, each.rule).push_back({n, each.index});
    }
}

void Calls::find_callers() {
    caller_.assign(form_.rules.size(), kNone);
    std::vector<bool> seen(form_.rules.size(), false);
    std::deque<int> queue;
    for (const int root : {form_.main_rule, form_.setup_rule, form_.repetition.perpetual}) {
        if (root == kNone || seen[static_cast<std::size_t>(root)]) continue;
        seen[static_cast<std::size_t>(root)] = true;
        queue.push_back(root);
    }
    while (!queue.empty()) {
        const int rule = queue.front();
        queue.pop_front();
        for (const Edge& edge : item(calls_, rule)) {
            if (seen[static_cast<std::size_t>(edge.callee)]) continue;
            seen[static_cast<std::size_t>(edge.callee)] = true;
            item(caller_, edge.callee) = rule;
            queue.push_back(edge.callee);
        }
    }
}

std::string Calls::path_to(int rule) const {
    std::string path = item(form_.rules, rule).name;
    for (int up = item(caller_, rule); up != kNone; up = item(caller_, up)) {
        path = item(form_.rules, up).name + " > " + path;
    }
    return path;
}

bool Calls::moves(int statement) const {
    const Statement& each = item(form_.statements, statement);
    if (is_progress(each.op) || each.op == Op::Find || each.op == Op::Spread) return true;
    if (each.op == Op::Test || each.op == Op::Not) return false;
    if (each.op == Op::Call) return moves_[static_cast<std::size_t>(each.index)];
    for (int n = 0; n < each.count; ++n) {
        if (moves(item(form_.children, each.first + n))) return true;
    }
    return false;
}

void Calls::find_movers() {
    moves_.assign(form_.rules.size(), false);
    passes_.assign(form_.rules.size(), false);
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        // From the last rule on: callees come after callers in the form, as a rule.
        for (std::size_t n = form_.rules.size(); n-- > 0;) {
            const int body = form_.rules[n].body;
            if (!moves_[n] && moves(body)) moves_[n] = is_changed = true;
            if (!passes_[n] && passes(body, nullptr)) passes_[n] = is_changed = true;
        }
    }
}

/// True where the statement may succeed before anything has changed or moved. `edges`, where given,
/// gets the calls that may be reached in that state.
bool Calls::passes(int statement, std::vector<Edge>* edges) const {
    const Statement& each = item(form_.statements, statement);
    if (is_progress(each.op)) return false;
    if (each.op == Op::Call) {
        if (edges != nullptr) edges->push_back({statement, each.index});
        return passes_[static_cast<std::size_t>(each.index)];
    }
    if (each.count == 0) return true;
    if (each.op == Op::Sequence) {
        for (int n = 0; n < each.count; ++n) {
            if (!passes(item(form_.children, each.first + n), edges)) return false;
        }
        return true;
    }
    bool any = each.op == Op::Test || each.op == Op::Not || each.op == Op::Spread ||
               (each.op == Op::Try && each.count == 1) ||
               (each.op == Op::Repeat && each.least == 0);
    for (int n = 0; n < each.count; ++n) {
        if (passes(item(form_.children, each.first + n), edges)) any = true;
    }
    return any;
}

void Calls::mark_recursion() {
    std::vector<std::vector<int>> graph(form_.rules.size());
    for (std::size_t n = 0; n < graph.size(); ++n) {
        for (const Edge& edge : calls_[n]) graph[n].push_back(edge.callee);
    }
    for (const std::vector<int>& component : Components(graph).cyclic()) {
        for (const int rule : component) item(form_.rules, rule).is_recursive = true;
    }
}

/// "a > b > a": a shortest way from the rule back to itself, in its order.
std::string Calls::cycle_of(const std::vector<std::vector<int>>& graph, int rule) const {
    std::vector<int> before(graph.size(), kNone);
    std::deque<int> queue{rule};
    int last = kNone;
    while (last == kNone && !queue.empty()) {
        const int from = queue.front();
        queue.pop_front();
        for (const int to : item(graph, from)) {
            if (to == rule) {
                last = from;
                break;
            }
            if (item(before, to) != kNone) continue;
            item(before, to) = from;
            queue.push_back(to);
        }
    }
    std::string cycle = item(form_.rules, rule).name;
    for (int each = last; each != rule; each = item(before, each)) {
        cycle = item(form_.rules, each).name + " > " + cycle;
    }
    return item(form_.rules, rule).name + " > " + cycle;
}

void Calls::check_left_recursion() {
    std::vector<std::vector<Edge>> left(form_.rules.size());
    std::vector<std::vector<int>> graph(form_.rules.size());
    for (std::size_t n = 0; n < graph.size(); ++n) {
        (void)passes(form_.rules[n].body, &left[n]);
        for (const Edge& edge : left[n]) graph[n].push_back(edge.callee);
    }
    for (const std::vector<int>& component : Components(graph).cyclic()) {
        const int rule = *std::ranges::min_element(component);
        for (const Edge& edge : item(left, rule)) {
            if (std::ranges::find(component, edge.callee) == component.end()) continue;
            std::string cycle;
            if (component.size() > 1) cycle = fmt::format(" ({})", cycle_of(graph, rule));
            problems_.error(item(form_.statements, edge.statement).place,
                            fmt::format("left recursion: '{}' calls itself{} before a 'step' or a "
                                        "change, and would never end; put a step before this call",
                                        item(form_.rules, rule).name, cycle));
            break;
        }
    }
}

void Calls::check_repeats() {
    for (const Statement& each : form_.statements) {
        if (each.op != Op::Repeat || moves(item(form_.children, each.first))) continue;
        problems_.error(each.place,
                        "what this 'repeat' repeats neither moves the finger nor changes "
                        "the board; it would do the same each time");
    }
}

int Calls::first_within(int statement, bool enters_tests, bool enters_calls,
                        const std::function<bool(const Statement&)>& is_it) const {
    std::vector<bool> seen(form_.rules.size(), false);
    std::vector<int> todo{statement};
    while (!todo.empty()) {
        const int at = todo.back();
        todo.pop_back();
        const Statement& each = item(form_.statements, at);
        if (is_it(each)) return at;
        if (!enters_tests && (each.op == Op::Test || each.op == Op::Not)) continue;
        if (each.op == Op::Call && enters_calls && !seen[static_cast<std::size_t>(each.index)]) {
            seen[static_cast<std::size_t>(each.index)] = true;
            todo.push_back(item(form_.rules, each.index).body);
        }
        for (int n = each.count; n-- > 0;) todo.push_back(item(form_.children, each.first + n));
    }
    return kNone;
}

void Calls::check_places() {
    const bool has_chance = form_.has_chance();
    const auto is_random = [](const Statement& each) { return each.op == Op::Random; };
    for (const Statement& each : form_.statements) {
        if (each.op == Op::Spread) {
            const int wrong = first_within(item(form_.children, each.first), false, true,
                                           changes_more_than_finger);
            if (wrong != kNone) {
                const Statement& found = item(form_.statements, wrong);
                problems_.error(
                    each.place,
                    fmt::format("'spread' may only move the finger, and '{}' in line {} "
                                "does more",
                                word_of(found), found.place.line));
                continue;
            }
        }
        const bool is_closed = each.op == Op::Test || each.op == Op::Not || each.op == Op::Spread ||
                               each.op == Op::Most;
        if (!has_chance || !is_closed) continue;
        // `test move` asks whether a move exists, also one that chance completes: only a random
        // that stands within the test itself is a mistake.
        const bool enters_calls = each.op == Op::Spread || each.op == Op::Most;
        const int wrong =
            first_within(item(form_.children, each.first), true, enters_calls, is_random);
        if (wrong == kNone) continue;
        problems_.error(
            item(form_.statements, wrong).place,
            fmt::format("no 'random' within '{}' (line {}): nature's choice belongs to a "
                        "move",
                        word_of(each), each.place.line));
    }
    if (form_.setup_rule == kNone) return;
    const int wrong = first_within(
        item(form_.rules, form_.setup_rule).body, false, true,
        [](const Statement& each) { return each.op == Op::Verdict || each.op == Op::Again; });
    if (wrong == kNone) return;
    const Statement& found = item(form_.statements, wrong);
    problems_.error(found.place, fmt::format("no '{}' in 'setup' ({}): nobody has moved yet",
                                             word_of(found), path_to(found.rule)));
}

}  // namespace assay::rules::multigame
