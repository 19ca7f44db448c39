#include "rules/multigame/check/flow_reports.h"

#include <vector>

#include <fmt/format.h>

#include "rules/multigame/check/flow.h"
#include "rules/multigame/form/op_facts.h"

namespace assay::rules::multigame {

namespace {

class FlowReports {
public:
    FlowReports(const Form& form, const Calls& calls, Problems& problems)
        : form_(form), calls_(calls), problems_(problems), flow_(form) {}

    void all() {
        for (int n = 0; n < static_cast<int>(form_.statements.size()); ++n) {
            if (flow_.reached(n) == 0) continue;
            const Statement& each = item(form_.statements, n);
            finger_and_hand(each, flow_.reached(n));
            direction(each, flow_.reached(n));
            if (each.op == Op::Try) never_tried(each, flow_.reached(n));
            if (each.op == Op::Call) failing_call(each, flow_.reached(n));
        }
        ends();
        // An alternative with an error above would fail for that reason.
        if (!problems_.has_errors()) all_outcomes();
        failing_rules();
    }

private:
    void all_outcomes() {
        for (int n = 0; n < static_cast<int>(form_.statements.size()); ++n) {
            const Statement& each = item(form_.statements, n);
            if (each.op == Op::Random && flow_.reached(n) != 0) outcomes(each, flow_.reached(n));
        }
    }

    [[nodiscard]] std::string path_to(const Statement& each) const {
        return calls_.path_to(each.rule);
    }

    [[nodiscard]] int child(const Statement& each, int n) const {
        return item(form_.children, each.first + n);
    }

    void finger_and_hand(const Statement& each, std::uint8_t cases) {
        if (facts_of(each.op).needs_finger && none_has(cases, Cases::kFinger)) {
            problems_.error(
                each.place,
                fmt::format("'{}' needs a finger, and there is none here ({}); put 'find' "
                            "or 'goto' before it",
                            word_of(each), path_to(each)));
        } else if (each.op == Op::Putdown && none_has(cases, Cases::kFull)) {
            problems_.error(each.place,
                            fmt::format("'putdown' needs a piece in the hand, and the "
                                        "hand is empty here ({}); put 'pickup' before it",
                                        path_to(each)));
        } else if (each.op == Op::Pickup && all_have(cases, Cases::kFull)) {
            problems_.error(each.place, fmt::format("'pickup' needs an empty hand, and the hand is "
                                                    "full here ({}); put 'putdown' before it",
                                                    path_to(each)));
        }
    }

    /// A rule that others call with a finger may be called without one here: a call is as if the
    /// rule stood in its place.
    void failing_call(const Statement& each, std::uint8_t cases) {
        const int body = item(form_.rules, each.index).body;
        const bool fails_for_all = flow_.after(body, cases_of(flow_.reached(body))).is_empty();
        if (fails_for_all || !flow_.after(body, cases_of(cases)).is_empty()) return;
        std::string path = path_to(each) + " > " + item(form_.rules, each.index).name;
        const int cause = failing_in(body, cases_of(cases), path);
        if (cause == kNone) return;
        const Statement& found = item(form_.statements, cause);
        if (none_has(flow_.reached(cause), Cases::kFinger)) return;  // told already
        problems_.error(
            each.place,
            fmt::format("'{}' in line {} needs a finger, and there is none on this way ({}); put "
                        "'find' or 'goto' before it",
                        word_of(found), found.place.line, path));
    }

    /// The statement that fails for want of a finger where this one is reached in these cases, or
    /// kNone; the rules on the way are added to the path.
    [[nodiscard]] int failing_in(int statement, Cases before, std::string& path) const {
        const Statement& each = item(form_.statements, statement);
        switch (each.op) {
            case Op::Sequence:
                for (int n = 0; n < each.count; ++n) {
                    const Cases after = flow_.after(child(each, n), before);
                    if (after.is_empty()) return failing_in(child(each, n), before, path);
                    before = after;
                }
                return kNone;
            case Op::Call: {
                const Rule& rule = item(form_.rules, each.index);
                if (rule.is_recursive) return kNone;
                path += " > " + rule.name;
                return failing_in(rule.body, before, path);
            }
            case Op::Either:
            case Op::Try:
            case Op::Repeat:
            case Op::Test:
            case Op::AsEnemy:
            case Op::Most:
                return failing_in(child(each, 0), before, path);
            default: {
                const bool wants_finger = facts_of(each.op).needs_finger;
                return wants_finger && none_has(before.set, Cases::kFinger) ? statement : kNone;
            }
        }
    }

    void direction(const Statement& each, std::uint8_t cases) {
        if (each.op != Op::Step || !none_has(cases, Cases::kAimed)) return;
        problems_.warning(
            each.place,
            fmt::format("no direction is set on any way to this 'step' ({}): it goes north{}; say "
                        "'north'{} before it",
                        path_to(each), form_.players == 2 ? " for both sides" : "",
                        form_.players == 2 ? " or 'forward'" : ""));
    }

    void never_tried(const Statement& each, std::uint8_t cases) {
        if (each.count == 1 || flow_.least_outputs(child(each, 0), cases) == 0) return;
        const Statement& other = item(form_.statements, child(each, 1));
        problems_.warning(
            other.place,
            fmt::format("this alternative is never reached ({}): what is tried in line {} "
                        "always succeeds",
                        path_to(each), item(form_.statements, child(each, 0)).place.line));
    }

    void outcomes(const Statement& each, std::uint8_t cases) {
        const Cases before = cases_of(cases);
        for (int n = 0; n < each.count; ++n) {
            const Statement& alternative = item(form_.statements, child(each, n));
            const Expression& weight =
                item(form_.expressions, item(form_.weights, each.weights + n));
            if (weight.kind == Expression::Kind::Constant && weight.value <= 0) continue;
            if (flow_.after(child(each, n), before).is_empty()) {
                problems_.error(alternative.place,
                                fmt::format("this alternative of 'random' can never succeed ({}); "
                                            "chance gives one position for each",
                                            path_to(each)));
            } else if (flow_.least_outputs(child(each, n), cases) > 1) {
                problems_.error(
                    alternative.place,
                    fmt::format("this alternative of 'random' gives more than one position ({}); "
                                "what the player chooses stands before 'random'",
                                path_to(each)));
            }
        }
    }

    void ends() {
        for (const int root : {form_.main_rule, form_.setup_rule}) {
            if (root == kNone) continue;
            const Cases end = flow_.after(item(form_.rules, root).body, Cases::only(0));
            for (int number = 0; number < Cases::kCount; ++number) {
                const int pickup = item(end.pickup, number);
                if (!end.may_be(number) || pickup < 0) continue;
                const Statement& each = item(form_.statements, pickup);
                problems_.error(
                    each.place,
                    fmt::format("a way through '{}' ends with the piece of this 'pickup' in "
                                "the hand ({}); put it down on every way",
                                item(form_.rules, root).name, path_to(each)));
            }
        }
    }

    [[nodiscard]] bool is_failing(int rule) const {
        const int body = item(form_.rules, rule).body;
        const Cases before = cases_of(flow_.reached(body));
        return !before.is_empty() && flow_.after(body, before).is_empty();
    }

    void failing_rules() {
        // Who calls a rule that fails need not be told as well. Callees come later in the form.
        std::vector<bool> calls_failing(form_.rules.size(), false);
        for (const Statement& each : form_.statements) {
            if (each.op == Op::Call && each.index > each.rule && is_failing(each.index)) {
                calls_failing[static_cast<std::size_t>(each.rule)] = true;
            }
        }
        for (int n = 0; n < static_cast<int>(form_.rules.size()); ++n) {
            if (!is_failing(n) || calls_failing[static_cast<std::size_t>(n)]) continue;
            problems_.warning(item(form_.rules, n).place,
                              fmt::format("the rule '{}' can never succeed ({})",
                                          item(form_.rules, n).name, calls_.path_to(n)));
        }
    }

    const Form& form_;
    const Calls& calls_;
    Problems& problems_;
    Flow flow_;
};

}  // namespace

void report_flow(const Form& form, const Calls& calls, Problems& problems) {
    FlowReports(form, calls, problems).all();
}

}  // namespace assay::rules::multigame
