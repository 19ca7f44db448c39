// Abstract interpretation (Cousot and Cousot, POPL 1977) over eight cases: finger or none, hand
// full or empty, direction set or never set. A statement maps each case to a set of cases that
// contains every real outcome, so "surely" is sure, and a program that is right is never refused
// for what only some ways do. The maps are tables by statement and case, filled from the children
// up, so that nests of repeats cost no more than their size; rules are looked at again while what
// they call changes (a least fixed point; recursion needs nothing special).
//
// Three passes: outcomes without regard to what surely succeeds; from them the fewest positions
// that each statement gives (again a least fixed point, from 0 up); then the outcomes once more,
// now without the `else` of a `try` that always succeeds. At last the cases of main, setup and the
// rule of `perpetual` are carried into all that they reach, so that a statement is judged by the
// calls that exist. Cost: 8 cases by statements, a few times.
#include "rules/multigame/check/flow.h"

#include <algorithm>

#include "rules/multigame/form/op_facts.h"

namespace assay::rules::multigame {

namespace {

constexpr int kSaturated = 2;  // of least_outputs()

/// A list of rules to look at, each once at a time.
class Agenda {
public:
    explicit Agenda(std::size_t rules) : is_waiting_(rules, true) {
        // Callees come after callers in the form, as a rule: the last is taken first.
        for (std::size_t n = 0; n < rules; ++n) rules_.push_back(static_cast<int>(n));
    }

    [[nodiscard]] bool is_empty() const { return rules_.empty(); }

    int take() {
        const int rule = rules_.back();
        rules_.pop_back();
        is_waiting_[static_cast<std::size_t>(rule)] = false;
        return rule;
    }

    void add(int rule) {
        if (is_waiting_[static_cast<std::size_t>(rule)]) return;
        is_waiting_[static_cast<std::size_t>(rule)] = true;
        rules_.push_back(rule);
    }

private:
    std::vector<int> rules_;
    std::vector<bool> is_waiting_;
};

/// Of a statement without children that is no call.
Cases outcome_of_leaf(const Statement& each, int statement, int number) {
    const bool has_finger = (number & Cases::kFinger) != 0;
    const bool is_full = (number & Cases::kFull) != 0;
    const int held = is_full ? Cases::kInherited : kNone;
    Cases out;
    if (facts_of(each.op).needs_finger && !has_finger) return out;
    switch (each.op) {
        case Op::Find:
        case Op::Goto:
            out.add(number | Cases::kFinger, held);
            break;
        case Op::Direction:
        case Op::Forward:
        case Op::Directions:
            out.add(number | Cases::kAimed, held);
            break;
        case Op::Pickup:
            if (!is_full) out.add(number | Cases::kFull, statement);
            break;
        case Op::Putdown:
            if (is_full) out.add(number & ~Cases::kFull, kNone);
            break;
        default:
            out.add(number, held);
    }
    return out;
}

}  // namespace

Flow::Flow(const Form& form)
    : form_(form),
      rule_statements_(form.rules.size()),
      callers_(form.rules.size()),
      outcomes_(form.statements.size()),
      least_(form.statements.size()),
      reached_(form.statements.size(), 0) {
    // The form appends a statement after its children.
    for (int n = 0; n < static_cast<int>(form.statements.size()); ++n) {
        const Statement& each = item(form.statements, n);
        item(rule_statements_, each.rule).push_back(n);
        if (each.op == Op::Call) item(callers_, each.index).push_back(each.rule);
    }
    find_outcomes();
    find_least();
    std::ranges::fill(outcomes_, std::array<Cases, Cases::kCount>{});
    find_outcomes();
    find_reached();
}

void Flow::find_outcomes() {
    Agenda agenda(form_.rules.size());
    while (!agenda.is_empty()) {
        const int rule = agenda.take();
        bool is_changed = false;
        for (const int statement : item(rule_statements_, rule)) {
            is_changed = update_outcomes(statement) || is_changed;
        }
        if (!is_changed) continue;
        for (const int caller : item(callers_, rule)) agenda.add(caller);
    }
}

bool Flow::update_outcomes(int statement) {
    bool is_changed = false;
    for (int number = 0; number < Cases::kCount; ++number) {
        Cases& known = item(item(outcomes_, statement), number);
        const std::uint8_t before = known.set;
        known.add(outcome(statement, number));
        is_changed = is_changed || known.set != before;
    }
    return is_changed;
}

Cases Flow::after(int statement, const Cases& before) const {
    Cases out;
    for (int number = 0; number < Cases::kCount; ++number) {
        if (!before.may_be(number)) continue;
        const Cases& from = item(item(outcomes_, statement), number);
        for (int to = 0; to < Cases::kCount; ++to) {
            if (!from.may_be(to)) continue;
            const int by = item(from.pickup, to);
            out.add(to, by == Cases::kInherited ? item(before.pickup, number) : by);
        }
    }
    return out;
}

Cases Flow::outcome(int statement, int number) const {
    const Statement& each = item(form_.statements, statement);
    const Cases before = Cases::only(number);
    switch (each.op) {
        case Op::Sequence:
            return sequence(each, number);
        case Op::Repeat:
            return repeated(each, number);
        case Op::Call:
            return after(item(form_.rules, each.index).body, before);
        case Op::Either:
        case Op::Random: {
            Cases out;
            for (int n = 0; n < each.count; ++n) out.add(after(child(each, n), before));
            return out;
        }
        case Op::Try: {
            Cases out = after(child(each, 0), before);
            if (least(child(each, 0), number) > 0) return out;
            out.add(each.count > 1 ? after(child(each, 1), before) : before);
            return out;
        }
        case Op::Test:
            return after(child(each, 0), before).is_empty() ? Cases{} : before;
        case Op::Not:
            return least(child(each, 0), number) > 0 ? Cases{} : before;
        case Op::AsEnemy:
        case Op::Most:
            return after(child(each, 0), before);
        case Op::Spread:
            return (number & Cases::kFinger) != 0 ? before : Cases{};
        default:
            return outcome_of_leaf(each, statement, number);
    }
}

Cases Flow::sequence(const Statement& each, int number) const {
    Cases now = Cases::only(number);
    for (int n = 0; n < each.count && !now.is_empty(); ++n) now = after(child(each, n), now);
    return now;
}

Cases Flow::repeated(const Statement& each, int number) const {
    // Finger and direction, once set, stay set, and the hand goes back and forth: after eight
    // rounds the sets of cases come back every second round.
    constexpr int kRounds = 8;
    const int body = child(each, 0);
    Cases now = Cases::only(number);
    for (int n = 0; n < std::min(each.least, kRounds + each.least % 2); ++n) now = after(body, now);
    Cases out = now;
    const int more = std::min(each.most - each.least, kRounds + 1);
    for (int n = 0; n < more && !now.is_empty(); ++n) {
        now = after(body, now);
        out.add(now);
    }
    return out;
}

void Flow::find_least() {
    Agenda agenda(form_.rules.size());
    while (!agenda.is_empty()) {
        const int rule = agenda.take();
        bool is_changed = false;
        for (const int statement : item(rule_statements_, rule)) {
            for (int number = 0; number < Cases::kCount; ++number) {
                const int found = least(statement, number);
                std::uint8_t& known = item(item(least_, statement), number);
                is_changed = is_changed || found > known;
                known = static_cast<std::uint8_t>(std::max<int>(known, found));
            }
        }
        if (!is_changed) continue;
        for (const int caller : item(callers_, rule)) agenda.add(caller);
    }
}

int Flow::least_outputs(int statement, std::uint8_t before) const {
    int fewest = kSaturated;
    for (int number = 0; number < Cases::kCount; ++number) {
        if (((before >> number) & 1) == 0) continue;
        fewest = std::min<int>(fewest, item(item(least_, statement), number));
    }
    return fewest;
}

int Flow::least(int statement, int number) const {
    const Statement& each = item(form_.statements, statement);
    const auto of = [&](int n) -> int { return item(item(least_, child(each, n)), number); };
    switch (each.op) {
        case Op::Sequence:
            return least_of_sequence(each, number);
        case Op::Either: {
            int sum = 0;
            for (int n = 0; n < each.count; ++n) sum += of(n);
            return std::min(sum, kSaturated);
        }
        case Op::Try:
            if (of(0) > 0) return of(0);
            return each.count == 1 ? 1 : std::min(of(1), 1);
        case Op::Test:
            return std::min(of(0), 1);
        case Op::Not:
            return item(item(outcomes_, child(each, 0)), number).is_empty() ? 1 : 0;
        case Op::Repeat:
            return each.least == 0 ? 1 : 0;
        case Op::AsEnemy:
            return of(0);
        case Op::Most:
            return std::min(of(0), 1);
        case Op::Random:
            return least_of_random(each, number);
        case Op::Call:
            return item(item(least_, item(form_.rules, each.index).body), number);
        case Op::Putdown:
            return (number & Cases::kFinger) != 0 && (number & Cases::kFull) != 0 ? 1 : 0;
        case Op::Directions:
            return kSaturated;
        default: {
            const OpFacts& facts = facts_of(each.op);
            const bool has_finger = !facts.needs_finger || (number & Cases::kFinger) != 0;
            return facts.never_fails && has_finger ? 1 : 0;
        }
    }
}

int Flow::least_of_sequence(const Statement& each, int number) const {
    int product = 1;
    Cases now = Cases::only(number);
    for (int n = 0; n < each.count && product > 0; ++n) {
        product = std::min(product * least_outputs(child(each, n), now.set), kSaturated);
        now = after(child(each, n), now);
    }
    return product;
}

/// Chance surely gives something where a constant weight is above 0 and every alternative does.
int Flow::least_of_random(const Statement& each, int number) const {
    bool has_weight = false;
    for (int n = 0; n < each.count; ++n) {
        if (item(item(least_, child(each, n)), number) == 0) return 0;
        const Expression& weight = item(form_.expressions, item(form_.weights, each.weights + n));
        if (weight.kind == Expression::Kind::Constant && weight.value > 0) has_weight = true;
    }
    return has_weight ? 1 : 0;
}

void Flow::find_reached() {
    std::vector<int> rules;
    for (const int root : {form_.main_rule, form_.setup_rule, form_.repetition.perpetual}) {
        if (root != kNone) reach(item(form_.rules, root).body, 1, rules);
    }
    while (!rules.empty()) {
        const int body = item(form_.rules, rules.back()).body;
        rules.pop_back();
        // What the callers brought was noted at the body alone.
        const std::uint8_t before = item(reached_, body);
        item(reached_, body) = 0;
        reach(body, before, rules);
    }
}

/// Carries cases that are new here into the children. Bodies of called rules are noted in `rules`.
void Flow::reach(int statement, std::uint8_t before, std::vector<int>& rules) {
    std::uint8_t& known = item(reached_, statement);
    const auto fresh = static_cast<std::uint8_t>(before & ~known);
    if (fresh == 0) return;
    known = static_cast<std::uint8_t>(known | fresh);
    const Statement& each = item(form_.statements, statement);
    switch (each.op) {
        case Op::Sequence:
            return reach_sequence(each, fresh, rules);
        case Op::Call: {
            std::uint8_t& body = item(reached_, item(form_.rules, each.index).body);
            if ((fresh & ~body) == 0) return;
            body = static_cast<std::uint8_t>(body | fresh);
            rules.push_back(each.index);
            return;
        }
        case Op::Repeat: {
            Cases all = cases_of(fresh);
            for (std::uint8_t last = 0; last != all.set;) {
                last = all.set;
                if (each.most > 1) all.add(after(child(each, 0), all));
            }
            return reach(child(each, 0), all.set, rules);
        }
        case Op::Try: {
            reach(child(each, 0), fresh, rules);
            if (each.count == 1) return;
            std::uint8_t failing = 0;
            for (int number = 0; number < Cases::kCount; ++number) {
                const bool may_fail = item(item(least_, child(each, 0)), number) == 0;
                if (may_fail) failing = static_cast<std::uint8_t>(failing | (1 << number));
            }
            return reach(child(each, 1), fresh & failing, rules);
        }
        default:
            for (int n = 0; n < each.count; ++n) reach(child(each, n), fresh, rules);
    }
}

void Flow::reach_sequence(const Statement& each, std::uint8_t before, std::vector<int>& rules) {
    Cases now = cases_of(before);
    for (int n = 0; n < each.count && !now.is_empty(); ++n) {
        reach(child(each, n), now.set, rules);
        now = after(child(each, n), now);
    }
}

}  // namespace assay::rules::multigame
