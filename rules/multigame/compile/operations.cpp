// The C of statements without statements in them.
#include "rules/multigame/compile/derivation.h"

namespace assay::rules::multigame {

namespace {

constexpr int kFindChoices = 6;
constexpr int kDirectionChoices = 3;
constexpr int kUncounted = 24;

/// `f >= 0 && condition`, as far as it is needed.
std::string finger_and(const Environment& at, const std::string& condition) {
    if (at.finger == Known::No) return "0";
    if (at.finger == Known::Yes || condition == "0") return condition;
    return condition == "1" ? at.f + " >= 0" : at.f + " >= 0 && " + condition;
}

std::string field_of(const Environment& at) {
    return "s->b[" + at.f + "]";
}

const char* relation_of(Relation relation) {
    switch (relation) {
        case Relation::Equal:
            return "==";
        case Relation::NotEqual:
            return "!=";
        case Relation::Less:
            return "<";
        case Relation::LessEqual:
            return "<=";
        case Relation::Greater:
            return ">";
        case Relation::GreaterEqual:
            return ">=";
    }
    return "==";
}

std::string event(const char* kind, const std::string& f, const std::string& before,
                  const std::string& after) {
    return std::string("EVENT(") + kind + ", " + f + ", " + before + ", " + after + ")";
}

}  // namespace

std::string Derivation::condition(const Statement& s, const Environment& at) {
    switch (s.op) {
        case Op::PointsAt:
            return finger_and(at, is_content(form_.patterns[static_cast<std::size_t>(s.index)],
                                             at.own, field_of(at)));
        case Op::InZone: {
            const int side = s.owner == Owner::Enemy ? 1 - at.own : at.own;
            return finger_and(at, in_zone(s.index, side, at.f));
        }
        case Op::At:
            return finger_and(at, slot_of(s.index, s.owner, at.own, false) + " == " + at.f);
        case Op::Check:
            return expression(s.left, at.own) + " " + relation_of(s.relation) + " " +
                   expression(s.right, at.own);
        case Op::Matches:
            return "is_pictured(s, picture" + std::to_string(s.index) + ")";
        case Op::Test:
            return condition(at_index(child_index(s, 0)), at);
        case Op::Not: {
            const std::string asked = condition(at_index(child_index(s, 0)), at);
            if (asked.empty()) return "";
            if (asked == "0" || asked == "1") return asked == "0" ? "1" : "0";
            return "!(" + asked + ")";
        }
        default:
            return "";
    }
}

/// Writes what follows a change, and the change's undoing behind it, also where a test succeeds.
void Derivation::undoing(CText& code, const Environment& at, const std::string& undo,
                         const Next& after) {
    Environment inner = at;
    if (at.mode == Mode::Test) {
        inner.exit = std::make_shared<Exit>(Exit{at.exit->flag, fresh("undo"), false});
    }
    write_next(code, inner, after);
    const bool is_left = at.mode == Mode::Test && inner.exit->is_used;
    if (is_left) code.text += inner.exit->label + ":;\n";
    code.line(at, undo);
    if (is_left) {
        at.exit->is_used = true;
        code.line(at, "if (" + at.exit->flag + ") goto " + at.exit->label + ";");
    }
}

void Derivation::record(CText& code, const Environment& at, const std::string& what,
                        const Next& after) {
    if (at.mode != Mode::List) return write_next(code, at, after);
    code.line(at, "record(m, " + what + ");");
    undoing(code, at, "m->n--;", after);
}

/// pickup, putdown, remove and replace.
void Derivation::change_field(const Statement& s, CText& code, const Environment& at,
                              const Next& after) {
    const bool takes = s.op == Op::Pickup || s.op == Op::Remove;
    if (at.finger == Known::No) return;
    if (s.op == Op::Pickup && at.hand == Known::Yes) return;
    if (s.op == Op::Putdown && at.hand == Known::No) return;
    const std::string before = fresh("o");
    std::string guard = takes ? before : "1";
    if (at.hand == Known::Maybe && s.op == Op::Pickup) guard += " && !" + at.h;
    if (at.hand == Known::Maybe && s.op == Op::Putdown) guard = at.h;
    std::string content = "0";
    if (s.op == Op::Putdown) content = at.h;
    if (s.op == Op::Replace) {
        const Pattern& pattern = form_.patterns[static_cast<std::size_t>(s.index)];
        content = std::to_string(replacement(form_, pattern, at.own));
    }
    const char* const kind = s.op == Op::Remove    ? "REMOVED"
                             : s.op == Op::Replace ? "REPLACED"
                                                   : "MOVED";
    const std::string held =
        at.finger == Known::Maybe ? at.f + " >= 0 ? " + field_of(at) + " : 0" : field_of(at);
    code.line(at, "const int " + before + " = " + held + ";");
    const Next change = next(after->weight + 1, [=, this](CText& body, const Environment& there) {
        Environment then = there;
        if (there.loop && there.f != there.loop->field) then.loop = nullptr;
        if (s.op == Op::Pickup) {
            then.hand = Known::Yes;
            then.h = before;
        }
        if (s.op == Op::Putdown) {
            then.hand = Known::No;
            then.h = "0";
        }
        const std::string f = there.f;
        std::string undo = takes ? "drop(s, " + f + ", " + before + ");"
                                 : "put(s, " + f + ", " + content + ", " + before + ");";
        body.line(there, takes ? "lift(s, " + f + ", " + before + ");"
                               : "put(s, " + f + ", " + before + ", " + content + ");");
        if (there.mode == Mode::List) {
            body.line(there, "record(m, " + event(kind, f, before, content) + ");");
            undo = "m->n--; " + undo;
        }
        if (there.counts) {
            body.line(there, "m->real++;");
            undo = "m->real--; " + undo;
        }
        undoing(body, then, undo, after);
    });
    if_true(finger_and(at, guard), code, at, change);
}

void Derivation::set_slot(CText& code, const Environment& at, int slot, const std::string& value,
                          bool may_overflow, const Next& after) {
    const std::string place = "s->v[" + std::to_string(slot) + "]";
    const std::string before = fresh("o");
    const std::string number = fresh("x");
    code.line(at, "const int32_t " + before + " = " + place + ";");
    std::string given = value;
    if (may_overflow) {
        code.line(at, "const int64_t " + number + " = " + value + ";");
        code.line(
            at, "if (" + number + " < -MOST_NUMBER || " + number + " > MOST_NUMBER) m->fault = 1;");
        given = "(int32_t)" + number;
    }
    if_true(may_overflow ? "!m->fault" : "1", code, at,
            next(after->weight + 1, [=, this](CText& body, const Environment& there) {
                body.line(there, place + " = " + given + ";");
                undoing(body, there, place + " = " + before + ";", after);
            }));
}

void Derivation::variable(const Statement& s, CText& code, const Environment& at,
                          const Next& after) {
    const Variable& variable = form_.variables[static_cast<std::size_t>(s.index)];
    const int side = s.owner == Owner::Enemy ? 1 - at.own : at.own;
    const int slot = variable.write_slot(side);
    const std::string now = slot_of(s.index, s.owner, at.own, false);
    switch (s.op) {
        case Op::Mark:
            if (at.finger == Known::No) return;
            return if_true(
                finger_and(at, "1"), code, at,
                next(after->weight + 1, [=, this](CText& body, const Environment& there) {
                    set_slot(body, there, slot, there.f, false, after);
                }));
        case Op::Forget:
            return set_slot(code, at, slot, "-1", false, after);
        case Op::Set: {
            const Expression& e = form_.expressions[static_cast<std::size_t>(s.left)];
            const bool is_sum =
                e.kind == Expression::Kind::Plus || e.kind == Expression::Kind::Minus;
            return set_slot(code, at, slot, expression(s.left, at.own), is_sum, after);
        }
        default:
            return set_slot(code, at, slot, now + " + " + expression(s.left, at.own), true, after);
    }
}

/// Loops in loops in loops end, but not before the limits: from some depth on rounds are counted.
void Derivation::count_round(CText& code, const Environment& at) {
    if (at.choices > kUncounted) code.line(at, "if (!tick(m)) break;");
}

void Derivation::find(const Statement& s, CText& code, const Environment& at, const Next& after,
                      const std::string& filter) {
    const Pattern& pattern = form_.patterns[static_cast<std::size_t>(s.index)];
    if (contents_of(form_, pattern, at.own).empty()) return;
    Environment inner = at;
    inner.finger = Known::Yes;
    inner.f = fresh("f");
    const std::string word = fresh("w");
    const int words = static_cast<int>((form_.board.size() + 63) / 64);
    const auto loop = std::make_shared<FieldLoop>();
    loop->field = inner.f;
    loop->most_steps = steps_worth(s, at.own);
    inner.loop = loop;
    const std::size_t head = code.text.size();
    std::string first;
    if (words > 1) {
        const std::string i = fresh("i");
        code.line(at, "for (int " + i + " = 0; " + i + " < WORDS; " + i + "++)");
        first = i + " * 64 + ";
        code.line(at, "for (uint64_t " + word + " = " + word_of(pattern, at.own, -1, i) + "; " +
                          word + "; " + word + " &= " + word + " - 1) {");
    } else {
        code.line(at, "for (uint64_t " + word + " = " + word_of(pattern, at.own, 0, "") + filter +
                          "; " + word + "; " + word + " &= " + word + " - 1) {");
    }
    ++inner.depth;
    code.line(inner, "const int " + inner.f + " = " + first + "lowest(" + word + ");");
    code.line(inner, "(void)" + inner.f + ";");
    inner.choices += kFindChoices;
    count_round(code, inner);
    write_next(code, inner, after);
    code.line(at, "}");
    code.text.insert(head, loop->before);
}

void Derivation::step(CText& code, const Environment& at, const Next& after) {
    if (at.finger == Known::No) return;
    Environment inner = at;
    inner.f = fresh("f");
    inner.finger = Known::Yes;
    const std::string to = "neighbour[" + at.d + "][" + at.f + "]";
    code.line(at, "const int " + inner.f + " = " +
                      (at.finger == Known::Maybe ? at.f + " < 0 ? -1 : " + to : to) + ";");
    if_true(inner.f + " >= 0", code, inner, after);
}

void Derivation::directions(const Statement& s, CText& code, const Environment& at,
                            const Next& after) {
    Environment inner = at;
    inner.d = fresh("d");
    inner.direction = kNone;
    code.line(at, "for (int " + inner.d + " = " + std::to_string(s.index) + "; " + inner.d +
                      " < 8; " + inner.d + " += " + std::to_string(s.least) + ") {");
    ++inner.depth;
    inner.choices += kDirectionChoices;
    count_round(code, inner);
    write_next(code, inner, after);
    code.line(at, "}");
}

void Derivation::verdict(const Statement& s, CText& code, const Environment& at,
                         const Next& after) {
    if (at.mode != Mode::List) return write_next(code, at, after);
    const Verdict said = at.own == at.mover ? s.verdict : opposite(s.verdict);
    const std::string before = fresh("o");
    const std::string reason = fresh("o");
    code.line(at, "const int " + before + " = m->verdict, " + reason + " = m->reason;");
    code.line(at, "m->verdict = " + std::to_string(static_cast<int>(said)) +
                      "; m->reason = " + std::to_string(s.index + 1) + ";");
    undoing(code, at, "m->verdict = " + before + "; m->reason = " + reason + ";", after);
}

void Derivation::operation(const Statement& s, CText& code, const Environment& at,
                           const Next& after) {
    const std::string asked = condition(s, at);
    if (!asked.empty()) return if_true(asked, code, at, after);
    Environment then = at;
    switch (s.op) {
        case Op::Find:
            return find(s, code, at, after);
        case Op::Pickup:
        case Op::Putdown:
        case Op::Remove:
        case Op::Replace:
            return change_field(s, code, at, after);
        case Op::Step:
            return step(code, at, after);
        case Op::Rotate:
        case Op::Direction:
        case Op::Forward: {
            const int turned = s.op == Op::Forward && at.own == 1 ? 4 : 0;
            if (s.op != Op::Rotate || at.direction != kNone) {
                const int from = s.op == Op::Rotate ? at.direction : turned;
                then.direction = (from + s.index) & 7;
                then.d = std::to_string(then.direction);
            } else {
                then.d = fresh("d");
                code.line(at, "const int " + then.d + " = (" + at.d + " + " +
                                  std::to_string(s.index) + ") & 7;");
                code.line(at, "(void)" + then.d + ";");
            }
            return write_next(code, then, after);
        }
        case Op::Directions:
            return directions(s, code, at, after);
        case Op::Goto: {
            then.f = fresh("f");
            then.finger = Known::Yes;
            code.line(
                at, "const int " + then.f + " = " + slot_of(s.index, s.owner, at.own, false) + ";");
            return if_true(then.f + " >= 0", code, then, after);
        }
        case Op::Mark:
        case Op::Forget:
        case Op::Set:
        case Op::Add:
            return variable(s, code, at, after);
        case Op::Verdict:
            return verdict(s, code, at, after);
        case Op::Pass:
            if (at.counts) {
                code.line(at, "m->real++;");
                return undoing(code, at, "m->real--;", after);
            }
            return record(code, at, event("PASSED", "0", "0", "0"), after);
        case Op::Again: {
            const bool has_effect = at.mode == Mode::List && form_.players == 2;
            if (!has_effect) return write_next(code, at, after);
            const std::string before = fresh("o");
            code.line(at, "const int " + before + " = m->again;");
            code.line(at, "m->again = 1;");
            return undoing(code, at, "m->again = " + before + ";", after);
        }
        case Op::WriteText:
            return record(code, at, "TEXT(" + std::to_string(s.index) + ")", after);
        case Op::WriteField:
            return if_true(
                finger_and(at, "1"), code, at,
                next(after->weight + 1, [=, this](CText& body, const Environment& there) {
                    record(body, there, event("FIELD", there.f, "0", "0"), after);
                }));
        case Op::WritePiece:
            return if_true(
                finger_and(at, field_of(at)), code, at,
                next(after->weight + 1, [=, this](CText& body, const Environment& there) {
                    record(body, there, event("PIECE", "0", field_of(there), "0"), after);
                }));
        default:
            return;
    }
}

}  // namespace assay::rules::multigame
