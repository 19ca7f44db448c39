// Walks that can be taken while the C is written. `orthogonal, step, either rotate 45 or rotate
// -45, step` leads from a field to the same fields whatever stands on the board. Where a test asks
// only whether one of them holds a piece (`points at enemy knight`), a table of the fields reached,
// and the mask of that piece, answer it at once: of the attacks that chess asks for, those of
// knights, pawns and kings become one `and` each. Where a walk goes on behind its first look (a
// bracket in othello, a mill), the same table tells most fields from which nothing can come of it.
// And where a test slides over empty fields to what it looks for, that must stand where the slide
// leads on an empty board: few rooks stand on a king's rank or file, fewer in one direction.
#include "rules/multigame/form/static_walk.h"

#include <algorithm>
#include <set>
#include <utility>

#include "rules/multigame/compile/derivation.h"

namespace assay::rules::multigame {

namespace {

constexpr std::uint64_t kFirstBit = 1;

// How many steps of sets take no longer than to ask the fields one by one: of pieces there are few,
// of empty fields many.
constexpr int kStepsForPieces = 64;
constexpr int kStepsForEmpty = 400;

constexpr std::size_t kMostFieldsByDirection = 128;  // a table by direction has 16 KB then

}  // namespace

/// The first operations of a statement, as far as they are `step` and `points at`, two at the most.
/// False where something else comes first.
bool Derivation::first_of(const Statement& s, std::vector<const Statement*>& found) const {
    if (found.size() >= 2) return true;
    switch (s.op) {
        case Op::Step:
        case Op::PointsAt:
            found.push_back(&s);
            return true;
        case Op::Sequence:
            for (int n = 0; n < s.count && found.size() < 2; ++n) {
                if (!first_of(form_.child(s, n), found)) return false;
            }
            return true;
        case Op::Repeat:
            return s.least >= 1 && first_of(form_.child(s, 0), found);
        case Op::Call: {
            const Rule& rule = form_.rules[static_cast<std::size_t>(s.index)];
            return !rule.is_recursive && first_of(at_index(rule.body), found);
        }
        default:
            return false;
    }
}

/// The table of the fields that the walk may reach: by field, and where `by_direction`, by
/// direction before it.
std::string Derivation::reach_table(const Walk& walk, bool by_direction, const Environment& at) {
    const std::size_t words = (form_.board.size() + 63) / 64;
    std::string values;
    for (int d = 0; d < (by_direction ? kDirections : 1); ++d) {
        values += by_direction ? "{" : "";
        for (std::size_t field = 0; field < form_.board.size(); ++field) {
            const int direction = by_direction ? d : std::max(at.direction, 0);
            Places places{{static_cast<int>(field), direction}};
            for (const Statement* const each : walk) places = walked(form_, *each, at.own, places);
            std::vector<std::uint64_t> bits(words, 0);
            for (const auto& [reached, looks] : places) {
                const auto to = static_cast<std::size_t>(reached);
                bits[to / 64] |= kFirstBit << (to % 64);
            }
            values += "{";
            for (const std::uint64_t word : bits)
                values += "UINT64_C(" + std::to_string(word) + "), ";
            values += "},\n";
        }
        values += by_direction ? "},\n" : "";
    }
    const auto [table, is_new] = known_tables_.try_emplace(values);
    if (is_new) {
        table->second = fresh("reach");
        tables_ += "static const uint64_t " + table->second + (by_direction ? "[8]" : "") +
                   "[FIELDS][WORDS] = {\n" + values + "};\n";
    }
    return table->second;
}

/// The C of the fields that the walk may reach from here, less the number of the word.
std::string Derivation::reached_fields(const Walk& walk, const Environment& at) {
    const bool by_direction = at.direction == kNone && !sets_direction(form_, *walk.front());
    return reach_table(walk, by_direction, at) + (by_direction ? "[" + at.d + "]" : "") + "[" +
           at.f + "]";
}

/// The C that asks whether one of these fields holds one of the contents.
std::string Derivation::hold_one(const std::string& fields,
                                 const std::set<Content>& contents) const {
    std::string text;
    for (std::size_t word = 0; word < (form_.board.size() + 63) / 64; ++word) {
        const std::string number = "[" + std::to_string(word) + "]";
        std::string mask;
        for (const Content content : contents) {
            mask += (mask.empty() ? "" : " | ") + std::string("s->mask[") +
                    std::to_string(content) + "]" + number;
        }
        text += (text.empty() ? "(" : " || (") + fields + number + " & (" + mask + "))";
    }
    return text;
}

/// The C of children `from` and later of a sequence that a test ends with, where they only look
/// for contents on fields that are known; empty: they do more.
std::string Derivation::look_at_once(const Statement& s, int from, const Environment& at,
                                     const Next& after) {
    if (at.mode != Mode::Test || !after->is_success || at.finger != Known::Yes) return "";
    if (s.count - from < 2) return "";
    if (at.direction == kNone && !sets_direction(form_, form_.child(s, from))) return "";
    Walk walk;
    for (int n = from; n + 1 < s.count; ++n) {
        if (!is_static(form_, form_.child(s, n))) return "";
        walk.push_back(&form_.child(s, n));
    }
    const std::set<Content> contents = looked_for(form_, form_.child(s, s.count - 1), at.own);
    return contents.empty() ? "" : hold_one(reached_fields(walk, at), contents);
}

/// True where each repeat that may take several numbers of rounds ends at the board's edge: what
/// runs away is a fault, and must be run to be one.
bool Derivation::surely_ends(const Statement& s) const {
    const bool is_open = s.op == Op::Repeat && s.least != s.most;
    if (is_open && !shape_.is_straight(child_index(s, 0))) return false;
    if (s.op == Op::Call) {
        const Rule& rule = form_.rules[static_cast<std::size_t>(s.index)];
        return !rule.is_recursive && surely_ends(at_index(rule.body));
    }
    for (int n = 0; n < s.count; ++n) {
        if (!surely_ends(form_.child(s, n))) return false;
    }
    return true;
}

/// True where a walk slides or tries several directions, so that it takes longer than a look into a
/// table. REQUIRES: surely_ends().
bool Derivation::takes_long(const Statement& s) const {
    if (s.op == Op::Directions || (s.op == Op::Repeat && s.least != s.most)) return true;
    if (s.op == Op::Call) {
        return takes_long(at_index(form_.rules[static_cast<std::size_t>(s.index)].body));
    }
    for (int n = 0; n < s.count; ++n) {
        if (takes_long(form_.child(s, n))) return true;
    }
    return false;
}

/// Adds what a statement that a test ends with looks for behind a walk. False where it may succeed
/// without such contents.
bool Derivation::add_sought(const Statement& s, Walk walk, const Environment& at,
                            Sought& sought) const {
    switch (s.op) {
        case Op::PointsAt: {
            const std::set<Content> contents = looked_for(form_, s, at.own);
            if (contents.contains(0)) return false;
            sought.emplace_back(std::move(walk), contents);
            return true;
        }
        case Op::Either:
            for (int n = 0; n < s.count; ++n) {
                if (!add_sought(form_.child(s, n), walk, at, sought)) return false;
            }
            return true;
        case Op::Sequence:
            for (int n = 0; n + 1 < s.count; ++n) {
                walk.push_back(&form_.child(s, n));
                if (!only_walks(form_, *walk.back()) || !surely_ends(*walk.back())) return false;
            }
            return s.count > 0 &&
                   add_sought(form_.child(s, s.count - 1), std::move(walk), at, sought);
        case Op::Call: {
            const Rule& rule = form_.rules[static_cast<std::size_t>(s.index)];
            return !rule.is_recursive &&
                   add_sought(at_index(rule.body), std::move(walk), at, sought);
        }
        default:
            return false;
    }
}

/// What must hold for the children `from` and later of a sequence that a test ends with to succeed,
/// where they take a long walk to what they look for: that it stands where the walk leads on an
/// empty board. Empty: nothing is known. Most tests fail here (few rooks attack a king's rank and
/// file, fewer one direction), and a slide takes a branch for each field.
std::string Derivation::must_stand(const Statement& s, int from, const Environment& at,
                                   const Next& after) {
    if (at.mode != Mode::Test || !after->is_success || at.finger != Known::Yes) return "";
    if (s.count - from < 2 || form_.board.size() > kMostFieldsByDirection) return "";
    // What begins with a look is asked behind that look.
    if (!condition(form_.child(s, from), at).empty()) return "";
    Walk walk;
    bool is_long = false;
    for (int n = from; n + 1 < s.count; ++n) {
        walk.push_back(&form_.child(s, n));
        if (!only_walks(form_, *walk.back()) || !surely_ends(*walk.back())) return "";
        is_long = is_long || takes_long(*walk.back());
    }
    Sought sought;
    if (!is_long || !add_sought(form_.child(s, s.count - 1), walk, at, sought)) return "";
    std::map<std::string, std::set<Content>> by_fields;
    for (const auto& [leads, contents] : sought) {
        by_fields[reached_fields(leads, at)].insert(contents.begin(), contents.end());
    }
    std::string text;
    for (const auto& [fields, contents] : by_fields) {
        if (!contents.empty()) text += (text.empty() ? "" : " || ") + hold_one(fields, contents);
    }
    return text;
}

/// What must hold for anything to come of the children `from` and later, where they begin with
/// directions, a step and a look; empty: nothing is known.
std::string Derivation::must_reach(const Statement& s, int from, const Environment& at) {
    if (at.finger != Known::Yes || form_.child(s, from).op != Op::Directions) return "";
    std::vector<const Statement*> first;
    for (int n = from + 1; n < s.count && first.size() < 2; ++n) {
        if (!first_of(form_.child(s, n), first)) return "";
    }
    if (first.size() < 2 || first[0]->op != Op::Step || first[1]->op != Op::PointsAt) return "";
    const std::set<Content> contents = looked_for(form_, *first[1], at.own);
    // There nearly always is an empty field.
    if (contents.empty() || contents.contains(0)) return "";
    return hold_one(reached_fields({&form_.child(s, from), first[0]}, at), contents);
}

/// A call of the function that gives the fields from which statements succeed; empty: there is
/// none.
std::string Derivation::set_function(const std::vector<const Statement*>& statements,
                                     int most_steps, const Environment& at) {
    if (!sets_.is_possible()) return "";
    const auto body = sets_.body(statements, at.own, at.direction, most_steps);
    if (!body) return "";
    const auto [name, is_new] = known_tables_.try_emplace(*body);
    if (is_new) {
        name->second = fresh("from");
        tables_ += "static uint64_t " + name->second + "(const S *s) {\n" + *body + "}\n";
    }
    return name->second + "(s)";
}

/// How many steps of sets are worth a `find`; 0: a piece that there is once is asked by itself.
int Derivation::steps_worth(const Statement& find, int own) const {
    const Pattern& pattern = form_.patterns[static_cast<std::size_t>(find.index)];
    const std::vector<Content> all = contents_of(form_, pattern, own);
    if (all.empty()) return 0;
    if (all.front() == 0) return kStepsForEmpty;
    const auto at_start = std::ranges::count_if(
        form_.start, [&](Content content) { return std::ranges::find(all, content) != all.end(); });
    return at_start == 1 ? 0 : kStepsForPieces;
}

/// Writes children `from` and later of a sequence where the first finds fields and the others test
/// them, by the set of the fields that pass; false: nothing was written.
bool Derivation::find_at_once(const Statement& s, int from, CText& code, const Environment& at,
                              const Next& after) {
    const Statement& found = form_.child(s, from);
    if (found.op != Op::Find || from + 1 == s.count) return false;
    const int most_steps = steps_worth(found, at.own);
    if (most_steps == 0) return false;
    const Pattern& pattern = form_.patterns[static_cast<std::size_t>(found.index)];
    std::vector<const Statement*> tests;
    if (at.mode == Mode::Test && after->is_success) {
        for (int n = from + 1; n < s.count; ++n) tests.push_back(&form_.child(s, n));
        const std::string set = set_function(tests, most_steps, at);
        if (!set.empty()) {
            if_true("(" + word_of(pattern, at.own, 0, "") + " & " + set + ")", code, at, after);
            return true;
        }
        tests.clear();
    }
    const auto is_test = [](const Statement& each) {
        return each.op == Op::Test || each.op == Op::Not;
    };
    for (int n = from + 1; n < s.count && is_test(form_.child(s, n)); ++n)
        tests.push_back(&form_.child(s, n));
    while (!tests.empty()) {
        const std::string set = set_function(tests, most_steps, at);
        const int next_child = from + 1 + static_cast<int>(tests.size());
        if (!set.empty()) {
            find(found, code, at, rest_after(s, next_child, after), " & " + set);
            return true;
        }
        tests.pop_back();
    }
    return false;
}

/// Whether a test succeeds on the field of the innermost loop: a bit of the set of all fields on
/// which it does, which is found once, before the loop. Empty: what has changed since may matter.
std::string Derivation::asked_before(const Statement& asked, const Environment& at) {
    if (!at.loop || at.loop->most_steps == 0 || at.f != at.loop->field) return "";
    const std::string set = set_function({&asked}, at.loop->most_steps, at);
    if (set.empty() || sets_.looks_at_start()) return "";
    const auto [name, is_new] = at.loop->sets.try_emplace(set);
    if (is_new) {
        name->second = fresh("set");
        at.loop->before += "  const uint64_t " + name->second + " = " + set + ";\n";
    }
    return "(" + name->second + " >> " + at.f + " & 1)";
}

}  // namespace assay::rules::multigame
