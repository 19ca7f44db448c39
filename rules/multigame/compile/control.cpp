// The C of statements that have statements in them.
#include <algorithm>

#include "rules/multigame/compile/derivation.h"

namespace assay::rules::multigame {

namespace {

constexpr int kWrittenOut = 3'000;  // a heavier rule is called at run time
constexpr int kUnrolled = 300;      // statements of a repeat that are written one after another
constexpr int kLoopDepth = 30;      // a loop's body must stay in one function

std::string top(const Environment& at) {
    return at.frames.empty() ? "0" : at.frames.back();
}

Environment popped(Environment at) {
    at.frames.pop_back();
    return at;
}

Environment deeper(Environment at) {
    ++at.depth;
    return at;
}

std::string arguments(const Environment& at, const std::string& frame) {
    return at.f + ", " + at.d + ", " + at.h + ", " + frame;
}

/// Behind code after which the finger is where it was or somewhere else.
Known after_walk(Known finger) {
    return finger == Known::Yes ? Known::Yes : Known::Maybe;
}

}  // namespace

/// Declares a frame, which becomes the innermost one. Returns its name.
std::string Derivation::frame(CText& code, Environment& at) {
    const std::string name = fresh("e");
    code.line(at, "E " + name + ";");
    code.line(at, name + ".up = " + top(at) + ";");
    at.frames.push_back("(&" + name + ")");
    return name;
}

void Derivation::attempt(const Statement& s, CText& code, const Environment& at,
                         const Next& after) {
    const int first = child_index(s, 0);
    // A test keeps no verdict, so that it does not matter whether this succeeds.
    if (at.mode == Mode::Test && s.count == 1 && shape_.only_says(first)) {
        return write_next(code, at, after);
    }
    const Next once = shared(after);
    const auto otherwise = [&](const Environment& there) {
        if (s.count > 1) {
            write(child_index(s, 1), code, there, once);
        } else {
            once->write(code, there);
        }
    };
    const std::string asked = condition(at_index(first), at);
    if (!asked.empty()) {
        code.line(at, "if (" + asked + ") {");
        once->write(code, deeper(at));
        code.line(at, "} else {");
        otherwise(deeper(at));
        code.line(at, "}");
        return;
    }
    Environment inner = at;
    const std::string name = frame(code, inner);
    code.line(at, name + ".x = 0;");
    write(first, code, inner, next(2, [once](CText& body, const Environment& there) {
              body.line(there, top(there) + "->x = 1;");
              once->write(body, popped(there));
          }));
    code.line(at, "if (!" + name + ".x) {");
    otherwise(deeper(at));
    code.line(at, "}");
}

void Derivation::question(const Statement& s, CText& code, const Environment& at,
                          const Next& after) {
    const std::string asked = condition(s, at);
    if (!asked.empty()) return if_true(asked, code, at, after);
    const int child = child_index(s, 0);
    const bool wanted = s.op == Op::Test;
    const std::string known = asked_before(at_index(child), at);
    if (!known.empty()) return if_true((wanted ? "" : "!") + known, code, at, after);
    Environment inside = at;
    inside.mode = Mode::Test;
    inside.counts = false;
    inside.mover = at.own;
    if (at_index(child).op == Op::Call) {
        inside.frames.clear();
        inside.closure = -1;
        const Next body = question_body(at_index(child).index, at.own);
        const std::string ask = function_of(body, inside, "ask");
        const Rule& rule = form_.rules[static_cast<std::size_t>(at_index(child).index)];
        const std::string call =
            rule.is_recursive ? "asked(m, " + ask + ", " + at.f + ", " + at.d + ", " + at.h + ")"
                              : ask + "(m, " + arguments(at, "0") + ")";
        return if_true((wanted ? "" : "!") + call, code, at, after);
    }
    const std::string flag = fresh("t");
    const auto exit = std::make_shared<Exit>(Exit{flag, "yes_" + flag, false});
    inside.exit = exit;
    code.line(at, "int " + flag + " = 0;");
    write(child, code, inside, success());
    if (exit->is_used) code.text += exit->label + ":;\n";
    if_true((wanted ? "" : "!") + flag, code, at, after);
}

void Derivation::as_enemy(const Statement& s, CText& code, const Environment& at,
                          const Next& after) {
    Environment inner = at;
    inner.own = 1 - at.own;
    write(child_index(s, 0), code, inner,
          next(after->weight, [this, after, own = at.own](CText& body, const Environment& there) {
              Environment back = there;
              back.own = own;
              write_next(body, back, after);
          }));
}

void Derivation::repeat(const Statement& s, CText& code, const Environment& at, const Next& after) {
    const int child = child_index(s, 0);
    const bool is_exact = s.least == s.most;
    if (is_exact && static_cast<std::int64_t>(s.most) * shape_.weight(child) <= kUnrolled) {
        return unroll(s, s.most, code, at, after);
    }
    const bool stays = at.depth + shape_.weight(child) + 2 <= kLoopDepth;
    if (shape_.is_walk(child) && stays) return loop(s, code, at, after);
    recursive_repeat(s, code, at, after);
}

void Derivation::unroll(const Statement& s, int left, CText& code, const Environment& at,
                        const Next& after) {
    if (left == 0) return write_next(code, at, after);
    const int child = child_index(s, 0);
    const int weight = std::min(after->weight + left * shape_.weight(child), Shape::kMostWeight);
    write(child, code, at,
          next(weight, [this, &s, left, after](CText& body, const Environment& there) {
              unroll(s, left - 1, body, there, after);
          }));
}

/// A walk changes nothing but finger and direction, so that its rounds need no undoing.
void Derivation::loop(const Statement& s, CText& code, const Environment& at, const Next& after) {
    const int child = child_index(s, 0);
    const bool turns = !shape_.is_straight(child);
    const std::string label = fresh("round");
    const bool counts = s.least > 0 || s.most != kInfinity;
    Environment round = at;
    round.f = fresh("f");
    round.finger = after_walk(at.finger);
    code.line(at, "int " + round.f + " = " + at.f + ";");
    if (turns) {
        round.d = fresh("d");
        round.direction = kNone;
        code.line(at, "int " + round.d + " = " + at.d + ";");
    }
    const std::string number = fresh("n");
    if (counts) code.line(at, "int " + number + " = 0;");
    code.line(at, "for (;;) {");
    ++round.depth;
    const std::string enough = s.least > 0 ? number + " >= " + std::to_string(s.least) : "1";
    if_true(enough, code, round, after);
    if (s.most != kInfinity) {
        code.line(round, "if (" + number + " == " + std::to_string(s.most) + ") break;");
    }
    if (turns) code.line(round, "if (!tick(m)) break;");
    const auto is_round = std::make_shared<bool>(false);
    write(child, code, round,
          next(1, [round, label, turns, is_round](CText& body, const Environment& there) {
              *is_round = true;
              body.line(there, round.f + " = " + there.f + ";");
              if (turns) body.line(there, round.d + " = " + there.d + ";");
              body.line(there, "goto " + label + ";");
          }));
    code.line(round, "break;");
    if (*is_round) code.text += label + ":;\n";
    if (counts) code.line(round, "++" + number + ";");
    code.line(at, "}");
    if (turns) code.line(at, "(void)" + round.d + ";");
}

/// Each round is a call, so that what it changed is undone behind the later rounds.
void Derivation::recursive_repeat(const Statement& s, CText& code, const Environment& at,
                                  const Next& after) {
    const auto self = std::make_shared<Next>();
    const std::weak_ptr<Next> weak = self;
    const auto go_on = [this](CText& body, const Environment& there, const Next& rounds,
                              const std::string& name) {
        write_call(body, there,
                   "nested(m, " + function_of(rounds, there, "rep") + ", " +
                       arguments(there, "&" + name) + ")");
    };
    *self = next(10, [this, &s, after, go_on, weak](CText& body, const Environment& there) {
        const Next rounds = *weak.lock();
        const std::string x = top(there) + "->x";
        const std::string enough = s.least > 0 ? x + " >= " + std::to_string(s.least) : "1";
        if_true(enough, body, popped(there), after);
        const std::string more = s.most == kInfinity ? "1" : x + " < " + std::to_string(s.most);
        if_true(more, body, there,
                next(3, [this, &s, go_on, rounds](CText& inner, const Environment& here) {
                    write(child_index(s, 0), inner, here,
                          next(2, [this, go_on, rounds](CText& last, const Environment& end) {
                              const std::string name = fresh("e");
                              last.line(end, "E " + name + ";");
                              last.line(end, name + ".up = " + top(end) + "->up;");
                              last.line(end, name + ".x = " + top(end) + "->x + 1;");
                              go_on(last, end, rounds, name);
                          }));
                }));
    });
    rounds_.push_back(self);
    Environment inner = at;
    const std::string name = frame(code, inner);
    code.line(at, name + ".x = 0;");
    go_on(code, inner, *self, name);
}

void Derivation::call(const Statement& s, CText& code, const Environment& at, const Next& after) {
    const Rule& rule = form_.rules[static_cast<std::size_t>(s.index)];
    if (!rule.is_recursive && shape_.weight(rule.body) <= kWrittenOut) {
        return write(rule.body, code, at, after);
    }
    Next& body = rules_[{s.index, at.own}];
    if (body == nullptr) {
        const Next back = next(1, [this](CText& inner, const Environment& there) {
            write_call(inner, there,
                       top(there) + "->k(m, " + arguments(there, top(there) + "->up") + ")");
        });
        body = next(10, [this, &rule, back](CText& inner, const Environment& there) {
            write(rule.body, inner, there, back);
        });
    }
    Environment then = at;
    then.finger = after_walk(at.finger);
    if (rule.is_recursive || shape_.uses_hand(rule.body)) then.hand = Known::Maybe;
    Environment inside = at;
    inside.frames = {"e"};
    inside.closure = 0;
    const std::string depth =
        at.closure < 0 ? "1" : at.frames[static_cast<std::size_t>(at.closure)] + "->x + 1";
    const std::string name = fresh("e");
    code.line(at, "E " + name + ";");
    code.line(at, name + ".up = " + top(at) + ";");
    code.line(at, name + ".k = " + function_of(after, then, "k") + ";");
    code.line(at, name + ".x = " + depth + ";");
    write_call(
        code, at,
        "called(m, " + function_of(body, inside, "rule") + ", " + arguments(at, "&" + name) + ")");
}

void Derivation::spread(const Statement& s, CText& code, const Environment& at, const Next& after) {
    if (at.finger == Known::No) return;
    const std::string fields = fresh("q");
    const std::string i = fresh("i");
    code.line(at, "Q " + fields + ";");
    Environment inner = at;
    const std::string name = frame(code, inner);
    code.line(at, name + ".p = &" + fields + ";");
    code.line(at, "spread(&" + fields + ", " + at.f + ");");
    const std::string loop = "for (int " + i + " = 0; " + i + " < " + fields + ".n; " + i + "++) {";
    inner.mode = Mode::Walk;
    inner.exit = nullptr;
    inner.f = fresh("f");
    inner.finger = Known::Yes;
    ++inner.depth;
    const std::string here = "const int " + inner.f + " = " + fields + ".f[" + i + "];";
    code.line(at, loop);
    code.line(inner, here);
    write(child_index(s, 0), code, inner, next(1, [](CText& body, const Environment& there) {
              body.line(there, "reach((Q *)" + top(there) + "->p, " + there.f + ");");
          }));
    code.line(at, "}");
    code.line(at, loop);
    Environment then = deeper(at);
    then.f = inner.f;
    then.finger = Known::Yes;
    code.line(then, here);
    write_next(code, then, after);
    code.line(at, "}");
}

void Derivation::most(const Statement& s, CText& code, const Environment& at, const Next& after) {
    Environment inner = at;
    const std::string name = frame(code, inner);
    code.line(at, name + ".x = " + name + ".y = 0;");
    Environment first = inner;
    first.mode = Mode::Walk;
    first.exit = nullptr;
    write(child_index(s, 0), code, first,
          next(1, [this, &s](CText& body, const Environment& there) {
              body.line(there,
                        "greatest(" + top(there) + ", " + expression(s.left, there.own) + ");");
          }));
    code.line(at, "if (" + name + ".y) {");
    write(child_index(s, 0), code, deeper(inner),
          next(after->weight, [this, &s, after](CText& body, const Environment& there) {
              const std::string value = expression(s.left, there.own);
              body.line(there, "if (" + value + " == " + top(there) + "->x) {");
              write_next(body, deeper(popped(there)), after);
              body.line(there, "}");
          }));
    code.line(at, "}");
}

/// The outcomes of a decision have its number and their probability. A test asks whether the move
/// exists, and draws nothing.
void Derivation::random(const Statement& s, CText& code, const Environment& at, const Next& after) {
    const Next once = s.count > 1 ? shared(after) : after;
    std::vector<std::string> weights;
    std::string sum;
    for (int n = 0; n < s.count; ++n) {
        const int weight = form_.weights[static_cast<std::size_t>(s.weights + n)];
        weights.push_back(fresh("w"));
        code.line(at, "const int64_t " + weights.back() + " = weight(" +
                          expression(weight, at.own) + ");");
        sum += (n == 0 ? "" : " + ") + weights.back();
    }
    const bool draws = at.mode == Mode::List;
    const std::string all = fresh("w");
    const std::string before = fresh("p");
    const std::string is_first = fresh("t");
    code.line(at, "const int64_t " + all + " = " + sum + ";");
    code.line(at, "if (" + all + ") {");
    const Environment inner = deeper(at);
    if (draws) {
        code.line(inner, "const double " + before + " = m->probability;");
        code.line(inner, "const int " + is_first + " = decide(m);");
    }
    const std::string drawn = fresh("p");
    for (int n = 0; n < s.count; ++n) {
        const std::string& weight = weights[static_cast<std::size_t>(n)];
        const Environment alternative = deeper(inner);
        code.line(inner, "if (" + weight + ") {");
        if (draws) {
            code.line(alternative, "const double " + drawn + " = m->drawn;");
            code.line(alternative, "m->probability = " + before + " * ((double)" + weight +
                                       " / (double)" + all + ");");
        }
        write(child_index(s, n), code, alternative, once);
        if (draws) code.line(alternative, "drew(m, " + drawn + ");");
        code.line(inner, "}");
    }
    if (draws) {
        code.line(inner, "m->probability = " + before + ";");
        code.line(inner, "if (" + is_first + ") m->decision = 0;");
    }
    code.line(at, "}");
}

}  // namespace assay::rules::multigame
