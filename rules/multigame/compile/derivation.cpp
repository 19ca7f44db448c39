// How statements become C. A statement is a function from a position to a list of positions, so its
// C is code with a hole: what is to be done with each position that it leaves. The hole is filled
// while the C is written, by the C of what follows (continuation passing at compile time, as in
// Danvy and Filinski 1992), so that finger, direction and hand are local variables that the C
// compiler keeps in registers, and `own`, most directions, and whether the hand is empty are known.
// A change of the board is undone behind its hole; backtracking costs nothing else.
//
// Where a hole would be filled several times (behind `either`, both ways of `try`) by more than a
// few statements, what follows is written once, as a function. All such functions have one shape:
//   static int k7(M *m, int f, int d, int h, E *e)
// and answer 1 where a test has succeeded, so that the search stops. What such a function must know
// of the code around its call (that a `try` has succeeded, the rounds of a `repeat`) lies in a
// frame E on the C stack, and each frame points to the one around it, as in closures of block
// languages. Rules that may call themselves are functions too; what follows their call is a pointer
// in a frame.
//
// CText is written per side, which makes it twice as long and makes every test of an owner a test
// against a constant. The alternative, an interpreter's loop over the form, costs some 30 times as
// much for each statement; LLVM would save a second at the price of a dependency of 100 MB.
#include "rules/multigame/compile/derivation.h"

#include <algorithm>

#include "base/diagnostic.h"

namespace assay::rules::multigame {

namespace {

constexpr int kMostWritten = 60'000;  // statements of all functions together
constexpr int kDeepest = 40;          // braces in a function; clang takes 256

}  // namespace

Next Derivation::next(int weight, Body write) {
    return std::make_shared<Continuation>(
        Continuation{++continuations_, weight, std::move(write), false});
}

Next Derivation::success() {
    return std::make_shared<Continuation>(
        Continuation{++continuations_, 1,
                     [](CText& code, const Environment& there) {
                         there.exit->is_used = true;
                         code.line(there, there.exit->flag + " = 1;");
                         code.line(there, "goto " + there.exit->label + ";");
                     },
                     true});
}

Environment Derivation::entry(const Environment& caller) const {
    Environment at = caller;
    at.depth = 1;
    at.f = caller.finger == Known::No ? "-1" : "f";
    at.d = "d";
    at.direction = kNone;
    at.h = caller.hand == Known::No ? "0" : "h";
    const std::size_t frames = caller.frames.size();
    for (std::size_t i = 0; i < frames; ++i) {
        at.frames[i] = "e";
        for (std::size_t up = i + 1; up < frames; ++up) at.frames[i] += "->up";
    }
    at.exit = nullptr;
    at.loop = nullptr;
    if (caller.mode == Mode::Test) at.exit = std::make_shared<Exit>(Exit{"r", "end", false});
    return at;
}

std::string Derivation::function_of(const Next& body, const Environment& caller,
                                    const char* prefix) {
    const std::string key =
        std::to_string(body->id) + " " + std::to_string(caller.own) + std::to_string(caller.mover) +
        std::to_string(static_cast<int>(caller.mode)) + (caller.counts ? "c" : "") +
        std::to_string(static_cast<int>(caller.finger)) +
        std::to_string(static_cast<int>(caller.hand)) + " " + std::to_string(caller.frames.size()) +
        " " + std::to_string(caller.closure);
    const auto [found, is_new] = functions_.try_emplace(key);
    if (is_new) {
        found->second = fresh(prefix);
        wanted_.push_back({found->second, entry(caller), body});
    }
    return found->second;
}

/// Calls a function that answers 1 where a test has succeeded.
void Derivation::write_call(CText& code, const Environment& at, const std::string& call) {
    if (at.mode != Mode::Test) {
        code.line(at, call + ";");
        return;
    }
    at.exit->is_used = true;
    code.line(at, "if (" + call + ") { " + at.exit->flag + " = 1; goto " + at.exit->label + "; }");
}

Next Derivation::shared(const Next& after) {
    if (after->weight <= 2) return after;
    return next(1, [this, after](CText& code, const Environment& at) {
        const std::string frame = at.frames.empty() ? "0" : at.frames.back();
        write_call(code, at,
                   function_of(after, at, "k") + "(m, " + at.f + ", " + at.d + ", " + at.h + ", " +
                       frame + ")");
    });
}

void Derivation::write_next(CText& code, const Environment& at, const Next& after) {
    if (at.depth > kDeepest && after->weight > 2) {
        shared(after)->write(code, at);
    } else {
        after->write(code, at);
    }
}

void Derivation::write_function(const Wanted& wanted, std::string& declarations,
                                std::string& bodies) {
    const std::string head = "static int " + wanted.name + "(M *m, int f, int d, int h, E *e)";
    declarations += head + ";\n";
    CText code;
    code.line(wanted.at, "S *const s = m->s;");
    const bool is_test = wanted.at.mode == Mode::Test;
    if (is_test) code.line(wanted.at, "int r = 0;");
    code.line(wanted.at, "(void)s; (void)f; (void)d; (void)h; (void)e;");
    wanted.body->write(code, wanted.at);
    if (is_test && wanted.at.exit->is_used) code.text += "end:\n";
    code.line(wanted.at, is_test ? "return r;" : "return 0;");
    bodies += head + " {\n" + code.text + "}\n\n";
}

std::string Derivation::functions() {
    std::string declarations;
    std::string bodies;
    while (!wanted_.empty()) {
        const Wanted wanted = std::move(wanted_.front());
        wanted_.pop_front();
        write_function(wanted, declarations, bodies);
    }
    return declarations + "\n" + bodies;
}

std::string Derivation::list(int rule, int mover) {
    Environment at;
    at.own = at.mover = mover;
    const int body = form_.rules[static_cast<std::size_t>(rule)].body;
    const Next output = next(1, [](CText& code, const Environment& there) {
        code.line(there, "out(m, " + there.h + ");");
    });
    return function_of(next(shape_.weight(body),
                            [this, body, output](CText& code, const Environment& there) {
                                write(body, code, there, output);
                            }),
                       at, "list");
}

Next Derivation::question_body(int rule, int own) {
    Next& body = questions_[{rule, own}];
    if (body == nullptr) {
        const int statement = form_.rules[static_cast<std::size_t>(rule)].body;
        const Next found = success();
        body = next(shape_.weight(statement),
                    [this, statement, found](CText& code, const Environment& there) {
                        write(statement, code, there, found);
                    });
    }
    return body;
}

std::string Derivation::question(int rule, int own) {
    Environment at;
    at.own = at.mover = own;
    at.mode = Mode::Test;
    return function_of(question_body(rule, own), at, "ask");
}

/// The hand must be empty at the end of a derivation; the list tells the error.
std::string Derivation::move_question(int rule, int mover) {
    if (written_ > kMostWritten / 3) return "";
    Environment at;
    at.own = at.mover = mover;
    at.mode = Mode::Test;
    at.counts = true;
    const int body = form_.rules[static_cast<std::size_t>(rule)].body;
    const Next found = success();
    const Next output = next(2, [found](CText& code, const Environment& there) {
        code.line(there, "if (" + there.h + ") m->fault = 1;");
        code.line(there, "if (m->real) {");
        found->write(code, there);
        code.line(there, "}");
    });
    return function_of(next(shape_.weight(body),
                            [this, body, output](CText& code, const Environment& there) {
                                write(body, code, there, output);
                            }),
                       at, "can");
}

void Derivation::if_true(const std::string& condition, CText& code, const Environment& at,
                         const Next& after) {
    if (condition == "0") return;
    if (condition == "1") {
        write_next(code, at, after);
        return;
    }
    code.line(at, "if (" + condition + ") {");
    Environment inner = at;
    ++inner.depth;
    write_next(code, inner, after);
    code.line(at, "}");
}

void Derivation::sequence(const Statement& s, int n, CText& code, const Environment& at,
                          const Next& after) {
    const std::string looked = look_at_once(s, n, at, after);
    if (!looked.empty()) return if_true(looked, code, at, after);
    if (find_at_once(s, n, code, at, after)) return;
    std::string needed = must_reach(s, n, at);
    if (needed.empty()) needed = must_stand(s, n, at, after);
    if (needed.empty()) return rest_of(s, n, code, at, after);
    code.line(at, "if (" + needed + ") {");
    Environment inner = at;
    ++inner.depth;
    rest_of(s, n, code, inner, after);
    code.line(at, "}");
}

void Derivation::rest_of(const Statement& s, int n, CText& code, const Environment& at,
                         const Next& after) {
    write(child_index(s, n), code, at, rest_after(s, n + 1, after));
}

/// What follows child n - 1 of a sequence.
Next Derivation::rest_after(const Statement& s, int n, const Next& after) {
    if (n == s.count) return after;
    int weight = after->weight;
    for (int i = n; i < s.count; ++i) weight += shape_.weight(child_index(s, i));
    return next(std::min(weight, Shape::kMostWeight),
                [this, &s, n, after](CText& inner, const Environment& there) {
                    sequence(s, n, inner, there, after);
                });
}

void Derivation::write(int statement, CText& code, const Environment& at, const Next& after) {
    if (++written_ > kMostWritten) {
        throw Error(
            "the program is too large to be compiled: its rules, written out where they "
            "are called, have more than " +
            std::to_string(kMostWritten) + " statements");
    }
    const Statement& s = at_index(statement);
    switch (s.op) {
        case Op::Sequence:
            return sequence(s, 0, code, at, after);
        case Op::Either: {
            const Next once = s.count > 1 ? shared(after) : after;
            for (int n = 0; n < s.count; ++n) write(child_index(s, n), code, at, once);
            return;
        }
        case Op::Try:
            return attempt(s, code, at, after);
        case Op::Test:
        case Op::Not:
            return question(s, code, at, after);
        case Op::AsEnemy:
            return as_enemy(s, code, at, after);
        case Op::Repeat:
            return repeat(s, code, at, after);
        case Op::Call:
            return call(s, code, at, after);
        case Op::Spread:
            return spread(s, code, at, after);
        case Op::Most:
            return most(s, code, at, after);
        case Op::Random:
            return random(s, code, at, after);
        default:
            return operation(s, code, at, after);
    }
}

}  // namespace assay::rules::multigame
