#include "rules/multigame/form/static_walk.h"

#include <algorithm>

namespace assay::rules::multigame {

namespace {

using Predicate = bool (*)(const Form&, const Statement&);

bool all_parts(const Form& form, const Statement& s, Predicate holds) {
    for (int n = 0; n < s.count; ++n) {
        if (!holds(form, form.child(s, n))) return false;
    }
    return true;
}

/// Whether it holds for the body of the rule that is called. Of a recursive one nothing is known.
bool body_is(const Form& form, const Statement& call, Predicate holds) {
    const Rule& rule = form.rules[static_cast<std::size_t>(call.index)];
    return !rule.is_recursive && holds(form, item(form.statements, rule.body));
}

/// Round after round, until one leads nowhere new.
Places walked_rounds(const Form& form, const Statement& s, int own, const Places& from) {
    if (s.least == s.most) {
        Places to = from;
        for (int n = 0; n < s.most && !to.empty(); ++n) {
            to = walked(form, form.child(s, 0), own, to);
        }
        return to;
    }
    constexpr int kCounted = 8;  // to ask for fewer rounds leads to more places
    const int least = std::min(s.least, kCounted);
    Places all = least == 0 ? from : Places();
    Places latest = from;
    for (int n = 1; n <= s.most && !latest.empty(); ++n) {
        const Places next = walked(form, form.child(s, 0), own, latest);
        latest.clear();
        for (const auto& place : next) {
            if (n < least || all.insert(place).second) latest.insert(place);
        }
    }
    return all;
}

}  // namespace

bool is_static(const Form& form, const Statement& s) {
    switch (s.op) {
        case Op::Step:
        case Op::Rotate:
        case Op::Direction:
        case Op::Forward:
        case Op::Directions:
        case Op::InZone:
            return true;
        case Op::Repeat:
            if (s.least != s.most) return false;
            [[fallthrough]];
        case Op::Sequence:
        case Op::Either:
            return all_parts(form, s, is_static);
        case Op::Call:
            return body_is(form, s, is_static);
        default:
            return false;
    }
}

bool only_walks(const Form& form, const Statement& s) {
    switch (s.op) {
        case Op::PointsAt:
        case Op::At:
        case Op::Check:
        case Op::Matches:
        case Op::Test:
        case Op::Not:
            return true;
        case Op::Sequence:
        case Op::Either:
        case Op::Try:
        case Op::Repeat:
        case Op::AsEnemy:
            return all_parts(form, s, only_walks);
        case Op::Call:
            return body_is(form, s, only_walks);
        default:
            return is_static(form, s);
    }
}

bool sets_direction(const Form& form, const Statement& s) {
    switch (s.op) {
        case Op::Direction:
        case Op::Forward:
        case Op::Directions:
            return true;
        case Op::Sequence:
            return sets_direction(form, form.child(s, 0));
        case Op::Either:
            return all_parts(form, s, sets_direction);
        case Op::Call:
            return body_is(form, s, sets_direction);
        default:
            return false;
    }
}

Places walked(const Form& form, const Statement& s, int own, const Places& from) {
    Places to;
    switch (s.op) {
        case Op::Sequence: {
            to = from;
            for (int n = 0; n < s.count; ++n) to = walked(form, form.child(s, n), own, to);
            return to;
        }
        case Op::Try:
            if (s.count == 1) to = from;
            [[fallthrough]];
        case Op::Either:
            for (int n = 0; n < s.count; ++n) to.merge(walked(form, form.child(s, n), own, from));
            return to;
        case Op::Repeat:
            return walked_rounds(form, s, own, from);
        case Op::PointsAt:
        case Op::At:
        case Op::Check:
        case Op::Matches:
        case Op::Test:
        case Op::Not:
            return from;
        case Op::AsEnemy:
            return walked(form, form.child(s, 0), 1 - own, from);
        case Op::Call: {
            const Rule& rule = form.rules[static_cast<std::size_t>(s.index)];
            return walked(form, item(form.statements, rule.body), own, from);
        }
        default:
            break;
    }
    const int forward = s.op == Op::Forward && own == 1 ? 4 : 0;
    for (const auto& [field, direction] : from) {
        const auto at = static_cast<std::size_t>(field);
        if (s.op == Op::Step) {
            const int next = form.board.neighbours[at][static_cast<std::size_t>(direction)];
            if (next >= 0) to.emplace(next, direction);
        } else if (s.op == Op::InZone) {
            const int side = s.owner == Owner::Enemy ? 1 - own : own;
            const Zone& zone = form.zones[static_cast<std::size_t>(s.index)];
            if (zone.holds[static_cast<std::size_t>(side)][at] != 0) to.emplace(field, direction);
        } else if (s.op == Op::Rotate) {
            to.emplace(field, (direction + s.index) & 7);
        } else if (s.op == Op::Directions) {
            for (int each = s.index; each < kDirections; each += s.least) to.emplace(field, each);
        } else {
            to.emplace(field, (s.index + forward) & 7);
        }
    }
    return to;
}

std::set<Content> looked_for(const Form& form, const Statement& s, int own) {
    std::set<Content> all;
    if (s.op == Op::PointsAt) {
        const auto found = contents_of(form, form.patterns[static_cast<std::size_t>(s.index)], own);
        all.insert(found.begin(), found.end());
    }
    if (s.op == Op::Either || (s.op == Op::Sequence && s.count == 1)) {
        for (int n = 0; n < s.count; ++n) {
            std::set<Content> part = looked_for(form, form.child(s, n), own);
            if (part.empty()) return {};
            all.merge(part);
        }
    }
    return all;
}

}  // namespace assay::rules::multigame
