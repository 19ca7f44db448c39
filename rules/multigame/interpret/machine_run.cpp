// The steps of the machine. Two versions are compiled from one text: the plain one for lists of
// moves, and the traced one, which also keeps the path of statements, what names are made of and
// counts of statements.
#include <algorithm>
#include <array>
#include <cmath>

#include "rules/multigame/interpret/machine.h"

namespace assay::rules::multigame {

Machine::Choice& Machine::choose(const Registers& r, Kind kind) {
    Choice& made = choices_.emplace_back();
    made.saved = r;
    made.kind = kind;
    made.trail = static_cast<std::int32_t>(trail_.size());
    made.nodes = static_cast<std::int32_t>(nodes_.size());
    made.fields = static_cast<std::int32_t>(fields_.size());
    return made;
}

void Machine::put(Registers& r, int field, Content content) {
    const auto at = static_cast<std::size_t>(field);
    const Content before = board_[at];
    if (before == content) return;
    trail_.push_back({field, before});
    r.key ^= tables_->key(at, before) ^ tables_->key(at, content);
    raw_put(at, content);
}

void Machine::set(Registers& r, std::int32_t slot, std::int64_t value) {
    const std::int32_t before = item(values_, slot);
    const auto at = static_cast<std::size_t>(slot);
    const auto after = static_cast<std::int32_t>(value);
    if (before == after) return;
    trail_.push_back({static_cast<std::int32_t>(board_.size()) + slot, before});
    if (tables_->is_identity[at] != 0) {
        r.key ^= tables_->slot_key(at, before) ^ tables_->slot_key(at, after);
    }
    values_[at] = after;
}

void Machine::note(Registers& r, Written what, int field, Content before, Content after, int text) {
    events_.resize(static_cast<std::size_t>(r.events));
    events_.push_back({what, static_cast<std::int16_t>(field), before, after, text});
    ++r.events;
}

std::vector<TracedStep> Machine::steps_of(const Registers& r) const {
    std::vector<TracedStep> steps;
    for (std::int32_t n = 0; n < r.path; ++n) {
        steps.push_back({item(path_, n), item(path_fingers_, n)});
    }
    return steps;
}

void Machine::note_stop(const Registers& r) {
    if (watcher_ != nullptr && with_names_ && !r.is_tested) {
        watcher_->stopped(steps_of(r), name_of(r, r.events));
    }
}

/// Of a statement: it has given a position.
void Machine::note_success(std::int32_t statement) {
    if (counts_ != nullptr && is_traced_) ++item(counts_->succeeded, statement);
}

template <bool kTraced>
void Machine::run(Registers r, std::size_t base) {
    while (true) {
        const Instruction& each = code_[r.at];
        const bool has_succeeded = step<kTraced>(r);
        // Whether a test or a rule succeeds is seen at its end. `try`, `either`, `repeat` and `as
        // enemy` count where they begin: what fails in them is named itself.
        const bool is_begun =
            each.what == Do::Call || each.what == Do::Test || each.what == Do::Not;
        if (kTraced && has_succeeded && each.cost != 0 && !is_begun) note_success(each.statement);
        const bool is_end = each.what == Do::Accept || each.what == Do::SpreadEnd;
        if (kTraced && !has_succeeded && !is_end) note_stop(r);
        if (!has_succeeded && !back(r, base)) return;
    }
}

/// Goes back to the newest choice that has more to offer. False where there is none above `base`.
bool Machine::back(Registers& r, std::size_t base) {
    while (choices_.size() > base) {
        Choice& choice = choices_.back();
        r = choice.saved;
        undo_to(choice.trail);
        nodes_.resize(static_cast<std::size_t>(choice.nodes));
        fields_.resize(static_cast<std::size_t>(choice.fields));
        switch (choice.kind) {
            case Kind::Test:
                choices_.pop_back();
                note_stop(r);
                break;
            case Kind::Try: {
                const bool has_succeeded = choice.has_succeeded;
                r.at = choice.next;
                choices_.pop_back();
                if (!has_succeeded) return true;
                break;
            }
            case Kind::Not:
                note_success(choice.pattern);
                [[fallthrough]];
            case Kind::Either:
            case Kind::Round:
                r.at = choice.next;
                choices_.pop_back();
                return true;
            case Kind::Find:
                r.finger = static_cast<std::int16_t>(choice.next);
                choice.next = next_match(choice.pattern, r.own, choice.next + 1);
                if (choice.next == kNone) choices_.pop_back();
                return true;
            case Kind::Directions:
                r.direction = static_cast<std::uint8_t>(choice.next);
                choice.next =
                    next_direction(r, choice.pattern, choice.next + choice.end, choice.end);
                if (choice.next >= kDirections) choices_.pop_back();
                return true;
            case Kind::Slide: {
                const std::int16_t next = item(item(form_.board.neighbours, r.finger), r.direction);
                if (next == kNone || !tables_->matches(choice.pattern, r.own, item(board_, next))) {
                    choices_.pop_back();
                    break;
                }
                r.finger = choice.saved.finger = next;
                r.steps = choice.saved.steps = r.steps + 2;
                if (++choice.next >= choice.end) choices_.pop_back();
                return true;
            }
            case Kind::Fields:
                r.finger = item(fields_, choice.next);
                if (++choice.next >= choice.end) choices_.pop_back();
                return true;
            case Kind::Random:
                if (next_alternative(r, choice)) return true;
                break;
        }
    }
    return false;
}

/// True where the instruction would fail here, looking in this direction: it is one that is_guard()
/// of code.cpp allows.
bool Machine::fails_at_once(std::int32_t guard, const Registers& r, int direction) {
    const Instruction& each = code_[guard];
    switch (each.what) {
        case Do::Step:
        case Do::StepPointsAt:
        case Do::Slide: {
            if (r.finger < 0) return true;
            const std::int16_t next = item(item(form_.board.neighbours, r.finger), direction);
            if (next == kNone) return true;
            if (each.what == Do::Step) return false;
            const int pattern = each.what == Do::Slide ? each.target : each.a;
            return !tables_->matches(pattern, r.own, item(board_, next));
        }
        case Do::PointsAt:
            return r.finger < 0 || !tables_->matches(each.a, r.own, item(board_, r.finger));
        case Do::InZone:
            return r.finger < 0 ||
                   item(item(item(form_.zones, each.a).holds, r.own ^ each.owner), r.finger) == 0;
        case Do::At:
            return r.finger < 0 || field_in(each.a, r.own ^ each.owner) != r.finger;
        case Do::Check:
            return !compares(item(form_.statements, each.statement), r.own);
        case Do::Test:
        case Do::Not:
            return sees(each.a, r.finger, direction, r.own) == (each.what == Do::Not);
        default:
            return false;
    }
}

/// The first of the directions `from`, `from` + stride, .. in which the guard does not fail; from 8
/// on: there is none.
int Machine::next_direction(const Registers& r, std::int32_t guard, int from, int stride) {
    while (guard != kNone && from < kDirections && fails_at_once(guard, r, from)) from += stride;
    return from;
}

bool Machine::slide(Registers& r, const Instruction& each) {
    for (int n = 0; n < each.a; ++n) {
        r.steps += 2;
        const std::int16_t next = item(item(form_.board.neighbours, r.finger), r.direction);
        if (next == kNone || !tables_->matches(each.target, r.own, item(board_, next)))
            return false;
        r.finger = next;
        if (r.steps > kMostDerivationStatements) fail_length(r);
    }
    if (each.b > each.a) {
        Choice& choice = choose(r, Kind::Slide);
        choice.pattern = each.target;
        choice.next = each.a;
        choice.end = each.b;
    }
    return true;
}

bool Machine::random(Registers& r, const Instruction& each) {
    std::int64_t sum = 0;
    for (int n = 0; n < each.b; ++n) {
        sum += std::max<std::int64_t>(0, value_of(item(form_.weights, each.a + n), r.own));
    }
    if (sum == 0) return false;
    // A test that reaches a random asks whether the move exists; it draws nothing.
    if (r.decision == kNone && !r.is_tested && purpose_ != Purpose::Holds) {
        r.decision = static_cast<std::int32_t>(sums_.size());
        sums_.push_back(0);
        randoms_.push_back(each.statement);
        if (is_traced_) {
            // A verdict is no part of what the player decides.
            Registers chosen = r;
            chosen.verdict = Verdict::None;
            out_->decisions.push_back(name_of(chosen, r.events));
            if (purpose_ == Purpose::Moves && out_->decisions.back().empty()) {
                fail(r, "a decision has no name before 'random'; 'write' one", each.statement);
            }
        }
    }
    note_success(each.statement);
    Choice& choice = choose(r, Kind::Random);
    choice.sum = sum;
    choice.pattern = static_cast<std::int32_t>(&each - code_);
    return false;
}

bool Machine::next_alternative(Registers& r, Choice& choice) {
    const Instruction& each = code_[choice.pattern];
    if (choice.expected > 0 && r.decision != kNone) require_one_outcome(choice);
    choice.expected = 0;
    while (choice.next < each.b) {
        const int n = choice.next++;
        const std::int64_t weight = value_of(item(form_.weights, each.a + n), r.own);
        if (weight <= 0) continue;
        r.probability *= static_cast<double>(weight) / static_cast<double>(choice.sum);
        choice.expected = r.probability;
        if (r.decision != kNone) choice.outcomes = item(sums_, r.decision);
        r.at = each.target + n;
        return true;
    }
    choices_.pop_back();
    return false;
}

/// Of the alternative that has just been explored.
void Machine::require_one_outcome(const Choice& choice) const {
    const double found = item(sums_, choice.saved.decision) - choice.outcomes;
    if (std::abs(found - choice.expected) < 1e-9 * choice.expected + 1e-12) return;
    fail(choice.saved,
         found < choice.expected ? "an alternative of 'random' has no outcome"
                                 : "an alternative of 'random' has more than one outcome",
         code_[choice.pattern].statement);
}

template <bool kTraced>
bool Machine::spread(Registers& r, const Instruction& each) {
    const Registers begin = r;
    std::array<bool, kMostFields> is_found{};
    std::vector<std::int16_t> found{r.finger};
    item(is_found, r.finger) = true;
    std::vector<std::int16_t> reached;
    std::vector<std::int16_t>* const outer = reached_;
    for (std::size_t n = 0; n < found.size(); ++n) {
        Registers from = begin;
        from.finger = found[n];
        reached.clear();
        reached_ = &reached;
        run<kTraced>(from, choices_.size());
        for (const std::int16_t field : reached) {
            if (item(is_found, field)) continue;
            item(is_found, field) = true;
            found.push_back(field);
        }
    }
    reached_ = outer;
    note_success(each.statement);
    r.at = each.target;
    const auto first = static_cast<std::int32_t>(fields_.size());
    fields_.insert(fields_.end(), found.begin(), found.end());
    Choice& choice = choose(r, Kind::Fields);
    choice.next = first;
    choice.end = static_cast<std::int32_t>(fields_.size());
    return false;
}

template <bool kTraced>
bool Machine::most(Registers& r, const Instruction&) {
    const auto link = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back({r.count, r.link, 0, true, false});
    r.link = link;
    const auto trail = static_cast<std::int32_t>(trail_.size());
    run<kTraced>(r, choices_.size());
    undo_to(trail);
    nodes_.resize(static_cast<std::size_t>(link) + 1);
    item(nodes_, link).is_measuring = false;
    return item(nodes_, link).has_value;
}

/// One instruction. False where it fails.
template <bool kTraced>
bool Machine::step(Registers& r) {
    const Instruction& each = code_[r.at];
    if (each.cost != 0) {
        r.steps += each.cost;
        if constexpr (kTraced) {
            path_.resize(static_cast<std::size_t>(r.path));
            path_.push_back(each.statement);
            if (watcher_ != nullptr) {
                path_fingers_.resize(static_cast<std::size_t>(r.path));
                path_fingers_.push_back(r.finger);
            }
            ++r.path;
            if (counts_ != nullptr) ++item(counts_->reached, each.statement);
        }
        if (r.steps > kMostDerivationStatements) fail_length(r);
        if (++total_ > kMostListStatements) fail_list_length(r, each.statement);
    }
    ++r.at;
    const int side = r.own ^ each.owner;
    switch (each.what) {
        case Do::Accept:
            accept(r);
            return false;
        case Do::Return: {
            const Node& frame = item(nodes_, r.frame);
            if constexpr (kTraced) {
                if (frame.value >= 0 && r.frame != 0) {
                    note_success(static_cast<std::int32_t>(frame.value));
                }
            }
            r.at = frame.saved;
            r.frame = frame.before;
            --r.depth;
            return true;
        }
        case Do::Jump:
            r.at = each.target;
            return true;
        case Do::Call:
            if (++r.depth > kMostCalls)
                fail(r, "calls are nested more than 1,000 deep", each.statement);
            nodes_.push_back({r.at, r.frame, each.statement, false, false});
            r.frame = static_cast<std::int32_t>(nodes_.size()) - 1;
            r.at = item(tables_->code.rules, each.a);
            return true;
        case Do::Try:
        case Do::Test:
        case Do::Not: {
            // The traced run goes through everything, so that its counts and paths are whole.
            if (!kTraced && each.a != kNone && each.what != Do::Try) {
                r.at = each.target;
                return sees(each.a, r.finger, r.direction, r.own) == (each.what == Do::Test);
            }
            if (!kTraced && each.guard != kNone && fails_at_once(each.guard, r, r.direction)) {
                r.at = each.target;
                return each.what != Do::Test;
            }
            Choice& choice = choose(r, each.what == Do::Try    ? Kind::Try
                                       : each.what == Do::Test ? Kind::Test
                                                               : Kind::Not);
            choice.next = each.target;
            choice.pattern = each.statement;
            r.is_tested = r.is_tested || each.what != Do::Try;
            r.scope = static_cast<std::int32_t>(choices_.size()) - 1;
            return true;
        }
        case Do::TryEnd: {
            Choice& choice = item(choices_, r.scope);
            const bool is_newest = r.scope + 1 == static_cast<std::int32_t>(choices_.size());
            r.scope = choice.saved.scope;
            if (is_newest) {
                choices_.pop_back();
            } else {
                choice.has_succeeded = true;
            }
            return true;
        }
        case Do::TestEnd: {
            const Choice& choice = item(choices_, r.scope);
            const bool is_test = choice.kind == Kind::Test;
            if (is_test) note_success(choice.pattern);
            const auto scope = static_cast<std::size_t>(r.scope);
            undo_to(choice.trail);
            nodes_.resize(static_cast<std::size_t>(choice.nodes));
            fields_.resize(static_cast<std::size_t>(choice.fields));
            r = choice.saved;
            choices_.resize(scope);
            r.at = each.target;
            return is_test;
        }
        case Do::Either:
            if (!kTraced && each.guard != kNone && fails_at_once(each.guard, r, r.direction)) {
                r.at = each.target;
            } else {
                choose(r, Kind::Either).next = each.target;
            }
            return true;
        case Do::Repeat:
            nodes_.push_back({r.count, r.link, 0, false, false});
            r.link = static_cast<std::int32_t>(nodes_.size()) - 1;
            r.count = 0;
            return true;
        case Do::RepeatRound: {
            if (r.count < each.a) return true;
            if (r.count < each.b) choose(r, Kind::Round).next = r.at;
            const Node& link = item(nodes_, r.link);
            r.count = link.saved;
            r.link = link.before;
            r.at = each.target;
            return true;
        }
        case Do::RepeatAgain:
            ++r.count;
            r.at = each.target;
            return true;
        case Do::Slide:
            if (r.finger < 0) return each.a == 0;
            return slide(r, each);
        case Do::AsEnemy:
            r.own = static_cast<std::uint8_t>(r.own ^ 1);
            return true;
        case Do::Find: {
            const int first = next_match(each.a, r.own, 0);
            if (first == kNone) return false;
            const int second = next_match(each.a, r.own, first + 1);
            if (second != kNone) {
                Choice& choice = choose(r, Kind::Find);
                choice.pattern = each.a;
                choice.next = second;
            }
            r.finger = static_cast<std::int16_t>(first);
            return true;
        }
        case Do::Directions: {
            const std::int32_t guard = kTraced ? kNone : each.guard;
            const int first = next_direction(r, guard, each.a, each.b);
            if (first >= kDirections) return false;
            r.direction = static_cast<std::uint8_t>(first);
            const int second = next_direction(r, guard, first + each.b, each.b);
            if (second >= kDirections) return true;
            Choice& choice = choose(r, Kind::Directions);
            choice.next = second;
            choice.end = each.b;
            choice.pattern = guard;
            return true;
        }
        case Do::Goto: {
            const std::int32_t field = field_in(each.a, side);
            if (field == kNone) return false;
            r.finger = static_cast<std::int16_t>(field);
            return true;
        }
        case Do::PointsAt:
            return r.finger >= 0 && tables_->matches(each.a, r.own, item(board_, r.finger));
        case Do::StepPointsAt: {
            if (r.finger < 0) return false;
            const std::int16_t next = item(item(form_.board.neighbours, r.finger), r.direction);
            if (next == kNone) return false;
            r.finger = next;
            const bool matches = tables_->matches(each.a, r.own, item(board_, next));
            if (kTraced && counts_ != nullptr) {
                ++item(counts_->reached, each.b);
                if (matches) ++item(counts_->succeeded, each.b);
                if (!matches) note_success(each.statement);
            }
            return matches;
        }
        case Do::Pickup: {
            if (r.finger < 0 || r.hand != 0 || item(board_, r.finger) == 0) return false;
            r.hand = item(board_, r.finger);
            r.held = each.statement;
            put(r, r.finger, 0);
            ++r.touched;
            if constexpr (kTraced) note(r, Written::Picked, r.finger, r.hand, 0);
            return true;
        }
        case Do::Putdown: {
            if (r.finger < 0 || r.hand == 0) return false;
            const Content before = item(board_, r.finger);
            put(r, r.finger, r.hand);
            if constexpr (kTraced) note(r, Written::Put, r.finger, before, r.hand);
            r.hand = 0;
            ++r.touched;
            return true;
        }
        case Do::Remove: {
            if (r.finger < 0 || item(board_, r.finger) == 0) return false;
            const Content before = item(board_, r.finger);
            put(r, r.finger, 0);
            ++r.touched;
            if constexpr (kTraced) note(r, Written::Removed, r.finger, before, 0);
            return true;
        }
        case Do::Replace: {
            if (r.finger < 0) return false;
            const Content before = item(board_, r.finger);
            const Content after = replacement(form_, item(form_.patterns, each.a), r.own);
            put(r, r.finger, after);
            ++r.touched;
            if constexpr (kTraced) note(r, Written::Replaced, r.finger, before, after, each.a);
            return true;
        }
        case Do::Step: {
            if (r.finger < 0) return false;
            const std::int16_t next = item(item(form_.board.neighbours, r.finger), r.direction);
            if (next == kNone) return false;
            r.finger = next;
            return true;
        }
        case Do::Rotate:
            r.direction = static_cast<std::uint8_t>((r.direction + each.a) % kDirections);
            return true;
        case Do::Direction:
            r.direction = static_cast<std::uint8_t>(each.a);
            return true;
        case Do::Forward:
            r.direction = static_cast<std::uint8_t>((each.a + 4 * r.own) % kDirections);
            return true;
        case Do::InZone:
            return r.finger >= 0 &&
                   item(item(item(form_.zones, each.a).holds, side), r.finger) != 0;
        case Do::At:
            return r.finger >= 0 && field_in(each.a, side) == r.finger;
        case Do::Mark:
            if (r.finger < 0) return false;
            set(r, item(form_.variables, each.a).write_slot(side), r.finger);
            return true;
        case Do::Forget:
            set(r, item(form_.variables, each.a).write_slot(side), kNone);
            return true;
        case Do::Set:
        case Do::Add: {
            const Variable& variable = item(form_.variables, each.a);
            std::int64_t value = value_of(each.b, r.own);
            if (each.what == Do::Add) value += item(values_, variable.read_slot(side));
            if (value > kMostNumber || value < -kMostNumber) {
                fail(r, "a number beyond 1,000,000,000", each.statement);
            }
            set(r, variable.write_slot(side), value);
            return true;
        }
        case Do::Check:
            return compares(item(form_.statements, each.statement), r.own);
        case Do::Matches: {
            const std::vector<std::int16_t>& picture = item(form_.pictures, each.a).contents;
            for (std::size_t field = 0; field < board_.size(); ++field) {
                if (picture[field] != BoardPicture::kAnything && picture[field] != board_[field]) {
                    return false;
                }
            }
            return true;
        }
        case Do::Verdict: {
            const Verdict said = item(form_.statements, each.statement).verdict;
            r.verdict = r.own == side_ ? said : opposite(said);
            r.reason = static_cast<std::int16_t>(each.a);
            return true;
        }
        case Do::Pass:
            ++r.touched;
            if constexpr (kTraced) note(r, Written::Passed, 0, 0, 0);
            return true;
        case Do::WriteText:
            r.has_written = true;
            if constexpr (kTraced) note(r, Written::Text, 0, 0, 0, each.a);
            return true;
        case Do::WriteField:
            if (r.finger < 0) return false;
            r.has_written = true;
            if constexpr (kTraced) note(r, Written::Field, r.finger, 0, 0);
            return true;
        case Do::WritePiece:
            if (r.finger < 0 || item(board_, r.finger) == 0) return false;
            r.has_written = true;
            if constexpr (kTraced) note(r, Written::Piece, r.finger, item(board_, r.finger), 0);
            return true;
        case Do::Random:
            return random(r, each);
        case Do::Again:
            r.is_again = form_.players == 2;
            return true;
        case Do::Spread:
            return r.finger >= 0 && spread<kTraced>(r, each);
        case Do::SpreadEnd:
            reached_->push_back(r.finger);
            return false;
        case Do::Most:
            return most<kTraced>(r, each);
        case Do::MostEnd: {
            Node& link = item(nodes_, r.link);
            const std::int64_t value = value_of(each.a, r.own);
            if (link.is_measuring) {
                link.value = link.has_value ? std::max(link.value, value) : value;
                link.has_value = true;
                return false;
            }
            if (value != link.value) return false;
            r.count = link.saved;
            r.link = link.before;
            return true;
        }
    }
    return false;
}

template void Machine::run<false>(Registers, std::size_t);
template void Machine::run<true>(Registers, std::size_t);

}  // namespace assay::rules::multigame
