// Most statements of a game's rules are run by tests: is the king attacked, is there a line, does a
// bracket close? Such a test nearly always just looks. It moves finger and direction, and where it
// ends, all is as before. The machine of machine.cpp would keep all its registers at each choice;
// here a choice is a loop and a call, and what follows a look is known when the program is read
// (as in continuation passing style). What is written is a graph: the alternatives of an `either`
// go on at one look, and only the first part of a `try` and rounds of a `repeat` stand in it twice.
//
// A test that ends with a walk which is the same on every board (static_walk.h), and a look at what
// it leads to, is one `and` of sets of fields, as the attacks of knights, pawns and kings.
#include "rules/multigame/interpret/looks.h"

#include <algorithm>

#include "rules/multigame/form/static_walk.h"
#include "rules/multigame/interpret/code.h"

namespace assay::rules::multigame {

namespace {

constexpr std::size_t kMostLooks = 500;  // of one test, and so the deepest that they are nested
constexpr int kMostRounds = 32;          // of a repeat that is written out
constexpr std::int32_t kSeen = 0;        // the look that says Yes

/// REQUIRES of all parts: `next` is the look that follows; `flip` is 1 inside `as enemy`.
class LookWriter {
public:
    LookWriter(const Form& form, Looks& looks)
        : form_(form), looks_(looks), first_(looks.all.size()), sets_(looks.reached.size()) {}

    std::optional<std::int32_t> all(const Statement& asked) {
        const std::int32_t first = write(asked, 0, kSeen);
        if (!has_failed_) return first;
        looks_.all.resize(first_);
        looks_.reached.resize(sets_);
        return std::nullopt;
    }

private:
    std::int32_t give_up() {
        has_failed_ = true;
        return kSeen;
    }

    std::int32_t add(See what, int flip, std::int32_t next, std::int32_t a = 0,
                     std::int32_t b = 0) {
        if (looks_.all.size() - first_ >= kMostLooks) return give_up();
        Look made;
        made.what = what;
        made.flip = static_cast<std::uint8_t>(flip);
        made.next = next;
        made.a = a;
        made.b = b;
        looks_.all.push_back(made);
        return static_cast<std::int32_t>(looks_.all.size()) - 1;
    }

    std::int32_t add_asked(See what, std::int32_t asked, std::int32_t next) {
        const std::int32_t made = add(what, 0, next);
        item(looks_.all, made).asked = asked;
        return made;
    }

    std::int32_t add_either(std::int32_t first, std::int32_t second) {
        const std::int32_t made = add(See::Either, 0, second);
        item(looks_.all, made).other = first;
        return made;
    }

    std::int32_t write(const Statement& each, int flip, std::int32_t next) {
        if (has_failed_) return kSeen;
        const int of_enemy = each.owner == Owner::Enemy ? 1 : 0;
        switch (each.op) {
            case Op::Sequence:
                return sequence(each, 0, flip, next);
            case Op::Either: {
                std::int32_t all = write(form_.child(each, each.count - 1), flip, next);
                for (int n = each.count - 1; n-- > 0;) {
                    all = add_either(write(form_.child(each, n), flip, next), all);
                }
                return all;
            }
            case Op::Try:
                return attempt(each, flip, next);
            case Op::Test:
                return add_asked(See::Test, write(form_.child(each, 0), flip, kSeen), next);
            case Op::Not:
                return add_asked(See::Not, write(form_.child(each, 0), flip, kSeen), next);
            case Op::AsEnemy:
                return write(form_.child(each, 0), flip ^ 1, next);
            case Op::Repeat:
                return repeat(each, flip, next);
            case Op::Call: {
                const Rule& rule = item(form_.rules, each.index);
                if (rule.is_recursive) return give_up();
                return write(item(form_.statements, rule.body), flip, next);
            }
            case Op::Find:
                return add(See::Find, flip, next, each.index);
            case Op::PointsAt:
                return add(See::PointsAt, flip, next, each.index);
            case Op::Step:
                return add(See::Step, flip, next);
            case Op::Rotate:
                return add(See::Rotate, flip, next, each.index);
            case Op::Direction:
                return add(See::Direction, flip, next, each.index);
            case Op::Forward:
                return add(See::Forward, flip, next, each.index);
            case Op::Directions:
                return add(See::Directions, flip, next, each.index, each.least);
            case Op::InZone:
                return add(See::InZone, flip, next, each.index, of_enemy);
            case Op::At:
                return add(See::At, flip, next, each.index, of_enemy);
            case Op::Goto:
                return add(See::Goto, flip, next, each.index, of_enemy);
            case Op::Check:
                return add(See::Check, flip, next,
                           static_cast<std::int32_t>(&each - form_.statements.data()));
            default:
                return give_up();
        }
    }

    /// Children `from` and later.
    std::int32_t sequence(const Statement& each, int from, int flip, std::int32_t next) {
        if (from == each.count) return next;
        if (next == kSeen) {
            if (const auto set = reached_from(each, from, flip)) {
                return add(See::Reach, flip, next, *set);
            }
        }
        const Statement& first = form_.child(each, from);
        const bool is_pair = first.op == Op::Step && from + 1 < each.count &&
                             form_.child(each, from + 1).op == Op::PointsAt;
        if (is_pair) {
            const int pattern = form_.child(each, from + 1).index;
            return add(See::StepPoints, flip, sequence(each, from + 2, flip, next), pattern);
        }
        return write(first, flip, sequence(each, from + 1, flip, next));
    }

    std::int32_t attempt(const Statement& each, int flip, std::int32_t next) {
        const std::int32_t second = each.count > 1 ? write(form_.child(each, 1), flip, next) : next;
        const std::int32_t first = write(form_.child(each, 0), flip, next);
        // Where nothing follows it does not matter which of them succeeds.
        if (next == kSeen) return add_either(first, second);
        const std::int32_t made =
            add_asked(See::Try, write(form_.child(each, 0), flip, kSeen), second);
        item(looks_.all, made).other = first;
        return made;
    }

    std::int32_t repeat(const Statement& each, int flip, std::int32_t next) {
        const Statement& body = form_.child(each, 0);
        if (const int pattern = stepped_pattern(form_, body); pattern != kNone) {
            const std::int32_t made = add(See::Slide, flip, next, each.least, each.most);
            item(looks_.all, made).asked = pattern;
            return made;
        }
        if (each.least != each.most || each.most > kMostRounds) return give_up();
        for (int n = 0; n < each.most && !has_failed_; ++n) next = write(body, flip, next);
        return next;
    }

    /// The set of children `from` and later, where they are a walk that is the same on every board,
    /// and a look.
    std::optional<std::int32_t> reached_from(const Statement& each, int from, int flip) {
        if (each.count - from < 2 || !sets_direction(form_, form_.child(each, from))) return {};
        for (int n = from; n + 1 < each.count; ++n) {
            if (!is_static(form_, form_.child(each, n))) return {};
        }
        Reached made;
        for (int own = 0; own < 2; ++own) {
            const std::set<Content> contents =
                looked_for(form_, form_.child(each, each.count - 1), own ^ flip);
            if (contents.empty()) return {};
            item(made.contents, own).assign(contents.begin(), contents.end());
            item(made.fields, own) = fields_of(each, from, own ^ flip);
        }
        looks_.reached.push_back(std::move(made));
        return static_cast<std::int32_t>(looks_.reached.size()) - 1;
    }

    [[nodiscard]] std::vector<std::uint64_t> fields_of(const Statement& each, int from,
                                                       int own) const {
        const std::size_t size = form_.board.size();
        const std::size_t words = (size + 63) / 64;
        std::vector<std::uint64_t> fields(size * words, 0);
        for (std::size_t field = 0; field < size; ++field) {
            Places places{{static_cast<int>(field), 0}};
            for (int n = from; n + 1 < each.count; ++n) {
                places = walked(form_, form_.child(each, n), own, places);
            }
            for (const auto& [to, direction] : places) {
                fields[field * words + static_cast<std::size_t>(to) / 64] |=
                    std::uint64_t{1} << (static_cast<unsigned>(to) % 64);
            }
        }
        return fields;
    }

    const Form& form_;
    Looks& looks_;
    std::size_t first_;
    std::size_t sets_;
    bool has_failed_ = false;
};

}  // namespace

std::optional<std::int32_t> add_looks(const Form& form, const Statement& asked, Looks& looks) {
    return LookWriter(form, looks).all(asked);
}

}  // namespace assay::rules::multigame
