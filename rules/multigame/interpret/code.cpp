// From the tree of statements to a list of instructions. Control flow becomes jumps and choices, so
// that the machine has no recursion and a position costs no allocation. Two patterns that most
// programs use have instructions of their own, because a loop over single steps would be most of
// their time: `repeat .. times [step, points at X]` (rays of sliding pieces, lines of stones) and
// `step, points at X`. Both keep the order of positions. A choice whose first instruction fails at
// once, as most do (seven of eight directions, `try [ in last_row, .. ]`), need not be remembered
// and undone: it gets a guard, the index of that instruction, which the machine tries beforehand.
#include "rules/multigame/interpret/code.h"

namespace assay::rules::multigame {

namespace {

class CodeWriter {
public:
    explicit CodeWriter(const Form& form) : form_(form) {}

    Code all() {
        code_.accept = add(Do::Accept, nullptr);
        for (const Rule& rule : form_.rules) {
            code_.rules.push_back(here());
            write(item(form_.statements, rule.body));
            add(Do::Return, nullptr);
        }
        for (std::int32_t n = 0; n < here(); ++n) find_guard(n);
        return std::move(code_);
    }

private:
    void find_guard(std::int32_t choice) {
        Instruction& each = item(code_.instructions, choice);
        const bool is_choice = each.what == Do::Try || each.what == Do::Test ||
                               each.what == Do::Not || each.what == Do::Either ||
                               each.what == Do::Directions;
        if (!is_choice) return;
        std::int32_t at = choice + 1;
        // Rules may call each other in a circle.
        for (int n = 0; n < 16; ++n) {
            const Instruction& next = item(code_.instructions, at);
            if (next.what == Do::Jump) {
                at = next.target;
            } else if (next.what == Do::Call) {
                at = item(code_.rules, next.a);
            } else {
                break;
            }
        }
        if (is_guard(item(code_.instructions, at), each.what == Do::Directions)) each.guard = at;
    }

    [[nodiscard]] bool is_guard(const Instruction& each, bool is_about_direction) const {
        switch (each.what) {
            case Do::Step:
            case Do::StepPointsAt:
                return true;
            case Do::Slide:
                return each.a > 0;
            case Do::PointsAt:
            case Do::InZone:
            case Do::At:
                return !is_about_direction;
            case Do::Check:
                return !is_about_direction && is_quick(each.a) && is_quick(each.b);
            case Do::Test:
            case Do::Not:
                return !is_about_direction && each.a != kNone;
            default:
                return false;
        }
    }

    [[nodiscard]] bool is_quick(int expression) const {
        const Expression& each = item(form_.expressions, expression);
        if (each.kind == Expression::Kind::Count) return each.zone == kNone;
        return each.kind == Expression::Kind::Constant || each.kind == Expression::Kind::Variable;
    }

    [[nodiscard]] std::int32_t here() const {
        return static_cast<std::int32_t>(code_.instructions.size());
    }

    std::int32_t add(Do what, const Statement* from, int a = 0, int b = 0) {
        Instruction made;
        made.what = what;
        made.a = a;
        made.b = b;
        if (from != nullptr) {
            made.owner = from->owner == Owner::Enemy ? 1 : 0;
            made.cost = 1;
            made.statement = static_cast<std::int32_t>(from - form_.statements.data());
        }
        code_.instructions.push_back(made);
        return here() - 1;
    }

    void set_target(std::int32_t instruction, std::int32_t target) {
        item(code_.instructions, instruction).target = target;
    }

    void land(std::int32_t instruction) { set_target(instruction, here()); }

    void write(const Statement& each) {
        switch (each.op) {
            case Op::Sequence:
                sequence(each);
                break;
            case Op::Either:
                either(each);
                break;
            case Op::Try:
                attempt(each);
                break;
            case Op::Repeat:
                repeat(each);
                break;
            case Op::Test:
            case Op::Not:
                test(each);
                break;
            case Op::AsEnemy:
                add(Do::AsEnemy, &each);
                write(form_.child(each, 0));
                add(Do::AsEnemy, nullptr);
                break;
            case Op::Random:
                random(each);
                break;
            case Op::Spread:
                explored(each, Do::Spread, Do::SpreadEnd);
                break;
            case Op::Most:
                explored(each, Do::Most, Do::MostEnd);
                break;
            default:
                simple(each);
        }
    }

    void simple(const Statement& each) {
        switch (each.op) {
            case Op::Find:
                add(Do::Find, &each, each.index);
                break;
            case Op::PointsAt:
                add(Do::PointsAt, &each, each.index);
                break;
            case Op::Pickup:
                add(Do::Pickup, &each);
                break;
            case Op::Putdown:
                add(Do::Putdown, &each);
                break;
            case Op::Remove:
                add(Do::Remove, &each);
                break;
            case Op::Replace:
                add(Do::Replace, &each, each.index);
                break;
            case Op::Step:
                add(Do::Step, &each);
                break;
            case Op::Rotate:
                add(Do::Rotate, &each, each.index);
                break;
            case Op::Direction:
                add(Do::Direction, &each, each.index);
                break;
            case Op::Forward:
                add(Do::Forward, &each, each.index);
                break;
            case Op::Directions:
                add(Do::Directions, &each, each.index, each.least);
                break;
            case Op::InZone:
                add(Do::InZone, &each, each.index);
                break;
            case Op::At:
                add(Do::At, &each, each.index);
                break;
            case Op::Goto:
                add(Do::Goto, &each, each.index);
                break;
            case Op::Mark:
                add(Do::Mark, &each, each.index);
                break;
            case Op::Forget:
                add(Do::Forget, &each, each.index);
                break;
            case Op::Set:
                add(Do::Set, &each, each.index, each.left);
                break;
            case Op::Add:
                add(Do::Add, &each, each.index, each.left);
                break;
            case Op::Check:
                add(Do::Check, &each, each.left, each.right);
                break;
            case Op::Matches:
                add(Do::Matches, &each, each.index);
                break;
            case Op::Verdict:
                add(Do::Verdict, &each, each.index);
                break;
            case Op::Pass:
                add(Do::Pass, &each);
                break;
            case Op::WriteText:
                add(Do::WriteText, &each, each.index);
                break;
            case Op::WriteField:
                add(Do::WriteField, &each);
                break;
            case Op::WritePiece:
                add(Do::WritePiece, &each);
                break;
            case Op::Again:
                add(Do::Again, &each);
                break;
            case Op::Call:
                add(Do::Call, &each, each.index);
                break;
            default:
                break;
        }
    }

    void sequence(const Statement& each) {
        for (int n = 0; n < each.count; ++n) {
            const Statement& first = form_.child(each, n);
            const bool is_pair = first.op == Op::Step && n + 1 < each.count &&
                                 form_.child(each, n + 1).op == Op::PointsAt;
            if (!is_pair) {
                write(first);
                continue;
            }
            const std::int32_t made = add(Do::StepPointsAt, &first, form_.child(each, n + 1).index,
                                          item(form_.children, each.first + n + 1));
            item(code_.instructions, made).cost = 2;
            ++n;
        }
    }

    void either(const Statement& each) {
        std::vector<std::int32_t> ends;
        for (int n = 0; n + 1 < each.count; ++n) {
            const std::int32_t choice = add(Do::Either, n == 0 ? &each : nullptr);
            write(form_.child(each, n));
            ends.push_back(add(Do::Jump, nullptr));
            land(choice);
        }
        write(form_.child(each, each.count - 1));
        for (const std::int32_t end : ends) land(end);
    }

    void attempt(const Statement& each) {
        const std::int32_t choice = add(Do::Try, &each);
        write(form_.child(each, 0));
        add(Do::TryEnd, nullptr);
        if (each.count == 1) {
            land(choice);
            return;
        }
        const std::int32_t end = add(Do::Jump, nullptr);
        land(choice);
        write(form_.child(each, 1));
        land(end);
    }

    void test(const Statement& each) {
        const Statement& asked = form_.child(each, 0);
        const std::int32_t look = add_looks(form_, asked, code_.looks).value_or(kNone);
        const std::int32_t choice = add(each.op == Op::Test ? Do::Test : Do::Not, &each, look);
        write(asked);
        const std::int32_t end = add(Do::TestEnd, nullptr);
        land(choice);
        land(end);
    }

    void repeat(const Statement& each) {
        const Statement& body = form_.child(each, 0);
        if (const int pattern = stepped_pattern(form_, body); pattern != kNone) {
            set_target(add(Do::Slide, &each, each.least, each.most), pattern);
            return;
        }
        add(Do::Repeat, &each);
        const std::int32_t round = add(Do::RepeatRound, &each, each.least, each.most);
        write(body);
        set_target(add(Do::RepeatAgain, nullptr), round);
        land(round);
    }

    void random(const Statement& each) {
        const std::int32_t choice = add(Do::Random, &each, each.weights, each.count);
        land(choice);
        const std::int32_t table = here();
        for (int n = 0; n < each.count; ++n) add(Do::Jump, nullptr);
        std::vector<std::int32_t> ends;
        for (int n = 0; n < each.count; ++n) {
            land(table + n);
            write(form_.child(each, n));
            ends.push_back(add(Do::Jump, nullptr));
        }
        for (const std::int32_t end : ends) land(end);
    }

    void explored(const Statement& each, Do begin, Do end) {
        const std::int32_t choice = add(begin, &each, each.left);
        write(form_.child(each, 0));
        add(end, nullptr, each.left);
        land(choice);
    }

    const Form& form_;
    Code code_;
};

}  // namespace

int stepped_pattern(const Form& form, const Statement& statement) {
    const Statement& each = statement.op == Op::Call
                                ? item(form.statements, item(form.rules, statement.index).body)
                                : statement;
    if (each.op != Op::Sequence || each.count != 2) return kNone;
    const Statement& second = form.child(each, 1);
    const bool is_it = form.child(each, 0).op == Op::Step && second.op == Op::PointsAt;
    return is_it ? second.index : kNone;
}

Code code_of(const Form& form) {
    return CodeWriter(form).all();
}

}  // namespace assay::rules::multigame
