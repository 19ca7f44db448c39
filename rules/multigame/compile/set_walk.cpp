// Tests of many fields at once. `find empty field, test [ alldir, bracket ]` asks each empty field
// in turn; but all that the test does is to step and to look, and then the question can be put the
// other way round: of which fields is it true? What the last statement looks for is a set of
// fields, and each statement before it makes the set that leads there: `points at` an `and`, `step`
// a shift, `alldir` an `or` of eight sets. With 64 fields at the most a set is a word, so that this
// takes a few hundred operations without a branch, however many fields there are to ask. (Othello's
// moves are found so by hand-written programs, the lines of connect-4 too.)
#include "rules/multigame/compile/set_walk.h"

#include <algorithm>
#include <cstdlib>

namespace assay::rules::multigame {

namespace {

constexpr std::uint64_t kOneField = 1;

std::string word_text(std::uint64_t word) {
    return "UINT64_C(" + std::to_string(word) + ")";
}

}  // namespace

SetWalk::SetWalk(const Form& form, const Shape& shape) : form_(form), shape_(shape) {
    if (form.board.size() > 64) return;
    std::uint64_t fields = 0;
    for (std::size_t field = 0; field < form.board.size(); ++field) {
        if (form.board.is_field[field] != 0) fields |= kOneField << field;
        for (std::size_t d = 0; d < kDirections; ++d) {
            const int next = form.board.neighbours[field][d];
            if (form.board.is_field[field] == 0 || next < 0) continue;
            const int shift = next - static_cast<int>(field);
            if (from_[d] != 0 && shift_[d] != shift) return;  // it glides
            shift_[d] = shift;
            from_[d] |= kOneField << field;
        }
    }
    all_ = word_text(fields);
    is_possible_ = true;
}

std::string SetWalk::gives_up() {
    has_failed_ = true;
    return all_;
}

std::string SetWalk::named(const std::string& expression) {
    if (++names_ > most_names_) return gives_up();
    std::string name = "x" + std::to_string(names_);
    lines_ += "  const uint64_t " + name + " = " + expression + ";\n";
    return name;
}

std::string SetWalk::both(const std::string& one, const std::string& two) {
    if (one == all_) return two;
    if (two == all_) return one;
    return named(one + " & " + two);
}

std::string SetWalk::one_of(const std::vector<std::string>& sets) {
    if (sets.empty()) return "UINT64_C(0)";
    std::string all;
    for (const std::string& set : sets) all += (all.empty() ? "" : " | ") + set;
    return sets.size() == 1 ? all : named(all);
}

std::string SetWalk::contents(const Statement& s) const {
    std::string all;
    const Pattern& pattern = form_.patterns[static_cast<std::size_t>(s.index)];
    for (const Content content : contents_of(form_, pattern, own_)) {
        all +=
            (all.empty() ? "" : " | ") + std::string("s->mask[") + std::to_string(content) + "][0]";
    }
    return all.empty() ? "UINT64_C(0)" : "(" + all + ")";
}

std::string SetWalk::zone(const Statement& s) const {
    const int side = s.owner == Owner::Enemy ? 1 - own_ : own_;
    const Zone& zone = form_.zones[static_cast<std::size_t>(s.index)];
    const std::vector<std::uint8_t>& holds = zone.holds[static_cast<std::size_t>(side)];
    std::uint64_t fields = 0;
    for (std::size_t field = 0; field < holds.size(); ++field) {
        if (holds[field] != 0) fields |= kOneField << field;
    }
    return word_text(fields);
}

std::string SetWalk::before_step(int direction, const std::string& set) {
    if (direction == kNone) return gives_up();
    const auto d = static_cast<std::size_t>(direction);
    const std::string fields = word_text(from_[d]);
    if (from_[d] == 0) return fields;
    const std::string by = std::to_string(std::abs(shift_[d]));
    return named("(" + set + (shift_[d] > 0 ? " >> " : " << ") + by + ") & " + fields);
}

SetWalk::Walk SetWalk::turned(Walk walk, int direction) {
    walk.direction = direction;
    return walk;
}

SetWalk::Walk SetWalk::stepped(Walk walk) const {
    if (walk.direction != kNone) walk.away += item(shift_, walk.direction);
    return walk;
}

/// The fields from which a statement succeeds, whatever follows.
std::string SetWalk::succeeds(const Statement& s, const Walk& walk) {
    return before(s, walk, [this](const Walk&) { return all_; });
}

std::string SetWalk::before_all(const Statement& s, int n, const Walk& walk, const After& after) {
    if (n == s.count) return after(walk);
    return before(form_.child(s, n), walk, [this, &s, n, &after](const Walk& then) {
        return before_all(s, n + 1, then, after);
    });
}

std::string SetWalk::before_repeat(const Statement& s, const Walk& walk, const After& after) {
    if (s.most == s.least && s.most <= form_.board.columns + form_.board.rows) {
        if (s.most == 0) return after(walk);
        // The last round first, as sets are made.
        const std::function<std::string(int, const Walk&)> round = [&](int left, const Walk& now) {
            if (left == 0) return after(now);
            return before(form_.child(s, 0), now,
                          [&, left](const Walk& then) { return round(left - 1, then); });
        };
        return round(s.most, walk);
    }
    const auto child = static_cast<std::size_t>(s.first);
    if (walk.direction == kNone || !shape_.is_straight(form_.children[child])) return gives_up();
    Walk somewhere = walk;
    somewhere.is_lost = true;
    std::string set = after(somewhere);
    std::vector<std::string> sets;
    if (s.least == 0) sets.push_back(set);
    const int rounds = std::min(s.most, std::max(form_.board.columns, form_.board.rows) - 1);
    for (int round = 1; round <= rounds && !has_failed_; ++round) {
        set = before(form_.child(s, 0), somewhere, [this, &set, &walk](const Walk& then) {
            return then.direction == walk.direction ? set : gives_up();
        });
        if (round >= s.least) sets.push_back(set);
    }
    return one_of(sets);
}

std::string SetWalk::before(const Statement& s, const Walk& walk, const After& after) {
    if (has_failed_) return all_;
    switch (s.op) {
        case Op::Sequence:
            return before_all(s, 0, walk, after);
        case Op::Either: {
            std::vector<std::string> sets;
            for (int n = 0; n < s.count; ++n)
                sets.push_back(before(form_.child(s, n), walk, after));
            return one_of(sets);
        }
        case Op::Try: {
            const std::string first = before(form_.child(s, 0), walk, after);
            const std::string fails = named("~" + succeeds(form_.child(s, 0), walk));
            const std::string other =
                s.count > 1 ? before(form_.child(s, 1), walk, after) : after(walk);
            return one_of({first, both(fails, other)});
        }
        case Op::Test:
            return both(succeeds(form_.child(s, 0), walk), after(walk));
        case Op::Not: {
            const std::string fails = named("~" + succeeds(form_.child(s, 0), walk) + " & " + all_);
            return both(fails, after(walk));
        }
        case Op::PointsAt:
            if (walk.is_lost || walk.away == 0) looks_at_start_ = true;
            return both(contents(s), after(walk));
        case Op::InZone:
            return both(zone(s), after(walk));
        case Op::Step:
            return before_step(walk.direction, after(stepped(walk)));
        case Op::Rotate:
            if (walk.direction == kNone) return gives_up();
            return after(turned(walk, (walk.direction + s.index) & 7));
        case Op::Direction:
            return after(turned(walk, s.index));
        case Op::Forward:
            return after(turned(walk, (s.index + (own_ == 1 ? 4 : 0)) & 7));
        case Op::Directions: {
            std::vector<std::string> sets;
            for (int each = s.index; each < kDirections; each += s.least)
                sets.push_back(after(turned(walk, each)));
            return one_of(sets);
        }
        case Op::Repeat:
            return before_repeat(s, walk, after);
        case Op::Call: {
            const Rule& rule = form_.rules[static_cast<std::size_t>(s.index)];
            if (rule.is_recursive) return gives_up();
            return before(form_.statements[static_cast<std::size_t>(rule.body)], walk, after);
        }
        default:
            return gives_up();
    }
}

std::optional<std::string> SetWalk::body(const std::vector<const Statement*>& statements, int own,
                                         int direction, int most_steps) {
    own_ = own;
    most_names_ = most_steps;
    lines_.clear();
    names_ = 0;
    has_failed_ = false;
    looks_at_start_ = false;
    const std::function<std::string(std::size_t, const Walk&)> rest = [&](std::size_t n,
                                                                          const Walk& now) {
        if (n == statements.size()) return all_;
        return before(*statements[n], now, [&, n](const Walk& then) { return rest(n + 1, then); });
    };
    Walk start;
    start.direction = direction;
    const std::string set = rest(0, start);
    if (has_failed_) return std::nullopt;
    return "  (void)s;\n" + lines_ + "  return " + set + ";\n";
}

}  // namespace assay::rules::multigame
