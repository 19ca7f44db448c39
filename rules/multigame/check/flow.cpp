// Abstract interpretation (Cousot and Cousot, POPL 1977) over four cases: finger or none, hand full
// or empty. Each statement maps a set of cases to a set of cases that contains every real outcome,
// so "surely" is sure and a program that is right is never refused for what only some ways do.
// Rules are summarised per case at their begin, as a least fixed point over a list of rules to look
// at again; recursion needs nothing special. A second pass carries the cases from main, setup and
// the rule of `perpetual` into the rules they call, so that a statement is judged by the calls that
// exist. Cost: a rule is looked at again at most 16 times.
#include "rules/multigame/check/flow.h"

#include <algorithm>

#include <fmt/format.h>

namespace assay::rules::multigame {

namespace {

constexpr std::uint8_t kAllCases = 15;
constexpr std::uint8_t kNoFinger = 0b0101;
constexpr std::uint8_t kEmptyHand = 0b0011;

bool needs_finger(Op op) {
    switch (op) {
        case Op::PointsAt:
        case Op::Pickup:
        case Op::Putdown:
        case Op::Remove:
        case Op::Replace:
        case Op::Step:
        case Op::InZone:
        case Op::At:
        case Op::Mark:
        case Op::WriteField:
        case Op::WritePiece:
        case Op::Spread:
            return true;
        default:
            return false;
    }
}

/// The case alone; a full hand was full before the rule.
Hands only(int number) {
    Hands hands;
    hands.add((number & 1) != 0, (number & 2) != 0, Hands::kInherited);
    return hands;
}

Hands with_finger(const Hands& before) {
    Hands out;
    for (const bool full : {false, true}) {
        if (before.may(true, full)) out.add(true, full, before.pickup[1]);
    }
    return out;
}

/// The finger is set wherever it was.
Hands moved(const Hands& before) {
    Hands out;
    for (const bool full : {false, true}) {
        for (const bool finger : {false, true}) {
            if (before.may(finger, full)) out.add(true, full, before.pickup[finger ? 1 : 0]);
        }
    }
    return out;
}

}  // namespace

void Hands::add(bool finger, bool full, int by) {
    cases = static_cast<std::uint8_t>(cases | (1 << index(finger, full)));
    int& known = pickup[finger ? 1 : 0];
    if (full && (known == kNone || (known == kInherited && by >= 0))) known = by;
}

void Hands::add(const Hands& other) {
    for (const bool finger : {false, true}) {
        for (const bool full : {false, true}) {
            if (other.may(finger, full)) add(finger, full, other.pickup[finger ? 1 : 0]);
        }
    }
}

void Flow::check() {
    find_summaries();
    find_entries();
    report_statements();
    report_ends();
    report_failing_rules();
}

void Flow::find_summaries() {
    std::vector<std::vector<int>> callers(form_.rules.size());
    for (const Statement& each : form_.statements) {
        if (each.op == Op::Call) item(callers, each.index).push_back(each.rule);
    }
    summaries_.assign(form_.rules.size(), {});
    std::vector<int> todo(form_.rules.size());
    std::vector<bool> is_waiting(form_.rules.size(), true);
    for (std::size_t n = 0; n < todo.size(); ++n) todo[n] = static_cast<int>(n);
    while (!todo.empty()) {
        const int rule = todo.back();
        todo.pop_back();
        is_waiting[static_cast<std::size_t>(rule)] = false;
        bool is_changed = false;
        for (int number = 0; number < 4; ++number) {
            Hands& summary = item(item(summaries_, rule), number);
            Hands out = summary;
            out.add(after(item(form_.rules, rule).body, only(number), false));
            is_changed = is_changed || out.cases != summary.cases;
            summary = out;
        }
        if (!is_changed) continue;
        for (const int caller : item(callers, rule)) {
            if (is_waiting[static_cast<std::size_t>(caller)]) continue;
            is_waiting[static_cast<std::size_t>(caller)] = true;
            todo.push_back(caller);
        }
    }
}

void Flow::find_entries() {
    entries_.assign(form_.rules.size(), 0);
    seen_.assign(form_.statements.size(), 0);
    for (const int root : {form_.main_rule, form_.setup_rule, form_.repetition.perpetual}) {
        if (root == kNone) continue;
        item(entries_, root) = 1;
        todo_.push_back(root);
    }
    while (!todo_.empty()) {
        const int rule = todo_.back();
        todo_.pop_back();
        Hands before;
        for (int number = 0; number < 4; ++number) {
            if (((item(entries_, rule) >> number) & 1) != 0) before.add(only(number));
        }
        (void)after(item(form_.rules, rule).body, before, true);
    }
}

Hands Flow::after(int statement, const Hands& before, bool is_recording) {
    if (before.cases == 0) return {};
    const Statement& each = item(form_.statements, statement);
    if (is_recording) {
        item(seen_, statement) = static_cast<std::uint8_t>(item(seen_, statement) | before.cases);
    }
    const auto child = [&](int n) { return item(form_.children, each.first + n); };
    switch (each.op) {
        case Op::Sequence:
            return after_sequence(each, before, is_recording);
        case Op::Repeat:
            return after_repeat(each, before, is_recording);
        case Op::Call:
            return after_call(statement, before, is_recording);
        case Op::Either:
        case Op::Random: {
            Hands out;
            for (int n = 0; n < each.count; ++n) out.add(after(child(n), before, is_recording));
            return out;
        }
        case Op::Try: {
            Hands out = after(child(0), before, is_recording);
            if (surely_succeeds(child(0), before)) return out;
            out.add(each.count > 1 ? after(child(1), before, is_recording) : before);
            return out;
        }
        case Op::Test: {
            const Hands inner = after(child(0), before, is_recording);
            return inner.cases == 0 ? Hands{} : before;
        }
        case Op::Not: {
            (void)after(child(0), before, is_recording);
            return surely_succeeds(child(0), before) ? Hands{} : before;
        }
        case Op::AsEnemy:
        case Op::Most:
            return after(child(0), before, is_recording);
        case Op::Spread: {
            const Hands own = with_finger(before);
            (void)after(child(0), own, is_recording);
            return own;
        }
        case Op::Find:
        case Op::Goto:
            return moved(before);
        case Op::Pickup: {
            Hands out;
            if (before.may(true, false)) out.add(true, true, statement);
            return out;
        }
        case Op::Putdown: {
            Hands out;
            if (before.may(true, true)) out.add(true, false, kNone);
            return out;
        }
        default:
            return needs_finger(each.op) ? with_finger(before) : before;
    }
}

Hands Flow::after_sequence(const Statement& each, const Hands& before, bool is_recording) {
    Hands now = before;
    for (int n = 0; n < each.count && now.cases != 0; ++n) {
        now = after(item(form_.children, each.first + n), now, is_recording);
    }
    return now;
}

Hands Flow::after_repeat(const Statement& each, const Hands& before, bool is_recording) {
    const int child = item(form_.children, each.first);
    // After four rounds every set of cases has come back: what follows is a union of what was.
    constexpr int kRounds = 4;
    Hands now = before;
    Hands recent;
    for (int n = 0; n < std::min(each.least, 2 * kRounds); ++n) {
        now = after(child, now, is_recording);
        if (n >= kRounds) recent.add(now);
    }
    Hands out = each.least > 2 * kRounds ? recent : now;
    const int more = std::min(each.most - each.least, 2 * kRounds);
    for (int n = 0; n < more; ++n) {
        now = after(child, now, is_recording);
        out.add(now);
    }
    return out;
}

Hands Flow::after_call(int statement, const Hands& before, bool is_recording) {
    const Statement& each = item(form_.statements, statement);
    Hands out;
    for (int number = 0; number < 4; ++number) {
        if (((before.cases >> number) & 1) == 0) continue;
        const bool finger_before = (number & 1) != 0;
        const Hands& summary = item(item(summaries_, each.index), number);
        for (const bool finger : {false, true}) {
            const int by = summary.pickup[finger ? 1 : 0];
            if (summary.may(finger, true)) {
                out.add(finger, true,
                        by == Hands::kInherited ? before.pickup[finger_before ? 1 : 0] : by);
            }
            if (summary.may(finger, false)) out.add(finger, false, kNone);
        }
    }
    if (is_recording && (before.cases & ~item(entries_, each.index)) != 0) {
        item(entries_, each.index) =
            static_cast<std::uint8_t>(item(entries_, each.index) | before.cases);
        todo_.push_back(each.index);
    }
    return out;
}

/// True only where it is sure; calls are not looked into.
bool Flow::surely_succeeds(int statement, const Hands& before) {
    const Statement& each = item(form_.statements, statement);
    const bool has_finger = (before.cases & kNoFinger) == 0;
    const auto child = [&](int n) { return item(form_.children, each.first + n); };
    switch (each.op) {
        case Op::Putdown:
            return has_finger && (before.cases & kEmptyHand) == 0;
        case Op::Replace:
        case Op::Mark:
        case Op::WriteField:
        case Op::Spread:
            return has_finger;
        case Op::Rotate:
        case Op::Direction:
        case Op::Forward:
        case Op::Directions:
        case Op::Forget:
        case Op::Set:
        case Op::Add:
        case Op::Verdict:
        case Op::Pass:
        case Op::WriteText:
        case Op::Again:
            return true;
        case Op::Either:
            for (int n = 0; n < each.count; ++n) {
                if (surely_succeeds(child(n), before)) return true;
            }
            return false;
        case Op::Try:
            return each.count == 1 || surely_succeeds(child(1), before);
        case Op::Test:
        case Op::AsEnemy:
            return surely_succeeds(child(0), before);
        case Op::Sequence: {
            Hands now = before;
            for (int n = 0; n < each.count; ++n) {
                if (!surely_succeeds(child(n), now)) return false;
                now = after(child(n), now, false);
            }
            return true;
        }
        default:
            return false;
    }
}

void Flow::report_statements() {
    for (int n = 0; n < static_cast<int>(form_.statements.size()); ++n) {
        const Statement& each = item(form_.statements, n);
        const std::uint8_t cases = item(seen_, n);
        if (cases == 0) continue;
        const std::string path = calls_.path_to(each.rule);
        if (needs_finger(each.op) && (cases & ~kNoFinger & kAllCases) == 0) {
            problems_.error(
                each.place,
                fmt::format("'{}' needs a finger, and there is none here ({}); put 'find' "
                            "or 'goto' before it",
                            word_of(each), path));
        } else if (each.op == Op::Putdown && (cases & ~kEmptyHand & kAllCases) == 0) {
            problems_.error(each.place,
                            fmt::format("'putdown' needs a piece in the hand, and the "
                                        "hand is empty here ({}); put 'pickup' before it",
                                        path));
        } else if (each.op == Op::Pickup && (cases & kEmptyHand) == 0) {
            problems_.error(each.place, fmt::format("'pickup' needs an empty hand, and the hand is "
                                                    "full here ({}); put 'putdown' before it",
                                                    path));
        }
    }
}

void Flow::report_ends() {
    for (const int root : {form_.main_rule, form_.setup_rule}) {
        if (root == kNone) continue;
        const Hands end = after(item(form_.rules, root).body, only(0), false);
        for (const bool finger : {false, true}) {
            const int pickup = end.pickup[finger ? 1 : 0];
            if (!end.may(finger, true) || pickup < 0) continue;
            const Statement& each = item(form_.statements, pickup);
            problems_.error(
                each.place,
                fmt::format("a way through '{}' ends with the piece of this 'pickup' in "
                            "the hand ({}); put it down on every way",
                            item(form_.rules, root).name, calls_.path_to(each.rule)));
        }
    }
}

void Flow::report_failing_rules() {
    for (int n = 0; n < static_cast<int>(form_.rules.size()); ++n) {
        std::uint8_t ends = 0;
        for (int number = 0; number < 4; ++number) {
            if (((item(entries_, n) >> number) & 1) == 0) continue;
            ends = static_cast<std::uint8_t>(ends | item(item(summaries_, n), number).cases);
        }
        if (item(entries_, n) == 0 || ends != 0) continue;
        problems_.warning(item(form_.rules, n).place,
                          fmt::format("the rule '{}' can never succeed ({})",
                                      item(form_.rules, n).name, calls_.path_to(n)));
    }
}

}  // namespace assay::rules::multigame
