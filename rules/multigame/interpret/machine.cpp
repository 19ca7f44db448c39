// A backtracking machine in the manner of Warren's for Prolog (SRI Technical Note 309, 1983): the
// list of positions that a statement means is visited depth first, which is the order that the
// language defines. A choice keeps the registers and the heights of all stacks; failing goes back
// to the newest one. Board and variables are changed in place and undone from the trail, so a
// position is never copied. A test and a try are choices that are cut when they have succeeded.
//
// A walk over the tree with continuations (as the reference interpreter of the tests) needs no code
// of its own for choices, but nests as deep as a derivation is long, allocates, and is several
// times slower. Compiled C is ten times faster again; this machine runs where there is no compiler.
//
// Cost: one switch per statement. Lists are remembered by the caller (MoveList) and grow once.
#include "rules/multigame/interpret/machine.h"

#include <algorithm>
#include <bit>

namespace assay::rules::multigame {

Machine::Machine(std::shared_ptr<const Tables> tables)
    : tables_(std::move(tables)),
      form_(tables_->form()),
      code_(tables_->code.instructions.data()),
      looks_(tables_->code.looks.all.data()) {
    for (int n = 0; n < static_cast<int>(form_.variables.size()); ++n) {
        if (item(form_.variables, n).is_volatile) volatile_.push_back(n);
    }
    place_stamps_.assign(form_.board.size() + static_cast<std::size_t>(form_.slots), 0);
    choices_.reserve(256);
    trail_.reserve(256);
    nodes_.reserve(256);
    table_.assign(512, 0);
    stamps_.assign(512, 0);
    load(first_state(form_));
}

void Machine::load(const State& state) {
    board_ = state.board;
    values_ = state.values;
    side_ = state.side;
    turn_ = state.moves;
    bits_.assign(Tables::kContents * tables_->words, 0);
    key_ = side_ == 0 ? 0 : kSideKey;
    for (std::size_t field = 0; field < board_.size(); ++field) {
        if (form_.board.is_field[field] == 0) continue;
        bits_[board_[field] * tables_->words + field / 64] |= std::uint64_t{1} << (field % 64);
        key_ ^= tables_->key(field, board_[field]);
    }
    for (std::size_t slot = 0; slot < values_.size(); ++slot) {
        key_ ^= tables_->slot_key(slot, values_[slot]);
    }
}

State Machine::state() const {
    return {board_, values_, side_, turn_};
}

void Machine::raw_put(std::size_t field, Content content) {
    const std::uint64_t bit = std::uint64_t{1} << (field % 64);
    const std::size_t words = tables_->words;
    bits_[board_[field] * words + field / 64] ^= bit;
    bits_[content * words + field / 64] ^= bit;
    board_[field] = content;
}

void Machine::move_side(bool is_again, int by) {
    if (form_.players == 1) {
        turn_ += by;
        return;
    }
    if (is_again) return;
    // The turn ends with the move of the side that did not start.
    const int mover = by > 0 ? side_ : side_ ^ 1;
    if (mover != form_.first_side) turn_ += by;
    side_ ^= 1;
}

void Machine::apply(const MoveList& list, std::size_t move) {
    const MoveEntry& entry = list.moves[move];
    for (const Change& each : list.changes_of(entry)) {
        const auto place = static_cast<std::size_t>(each.place);
        if (place < board_.size()) {
            raw_put(place, static_cast<Content>(each.after));
        } else {
            values_[place - board_.size()] = each.after;
        }
    }
    key_ ^= entry.signature;
    move_side(entry.is_again, 1);
}

void Machine::take_back(const MoveList& list, std::size_t move) {
    const MoveEntry& entry = list.moves[move];
    for (const Change& each : list.changes_of(entry)) {
        const auto place = static_cast<std::size_t>(each.place);
        if (place < board_.size()) {
            raw_put(place, static_cast<Content>(each.before));
        } else {
            values_[place - board_.size()] = each.before;
        }
    }
    key_ ^= entry.signature;
    move_side(entry.is_again, -1);
}

void Machine::apply_setup(const MoveList& list, std::size_t outcome) {
    const int turn = turn_;
    const int side = side_;
    apply(list, outcome);
    turn_ = turn;
    side_ = side;
}

void Machine::moves(MoveList& out, bool with_names) {
    list(out, form_.main_rule, Purpose::Moves, with_names);
}

void Machine::setups(MoveList& out) {
    list(out, form_.setup_rule, Purpose::Setup, true);
}

bool Machine::holds(int rule, int side) {
    return ask(rule, side, Purpose::Holds);
}

bool Machine::can_move() {
    return ask(form_.main_rule, side_, Purpose::CanMove);
}

bool Machine::ask(int rule, int side, Purpose purpose) {
    MoveList unused;
    out_ = &unused;
    purpose_ = purpose;
    with_names_ = false;
    has_held_ = false;
    rule_ = rule;
    explore_all(rule, side, false);
    return has_held_;
}

void Machine::list(MoveList& out, int rule, Purpose purpose, bool with_names) {
    out_ = &out;
    purpose_ = purpose;
    with_names_ = with_names;
    rule_ = rule;
    explore_all(rule, side_, with_names || counts_ != nullptr);
    finish(purpose);
}

/// Runs the rule over all derivations. A rule error is found by the plain run and explained by a
/// second one that keeps the path of statements, unless the first could explain it.
void Machine::explore_all(int rule, int side, bool is_traced) {
    const auto begin = [&](bool traced) {
        is_traced_ = traced;
        is_explained_ = false;
        out_->moves.clear();
        out_->changes.clear();
        out_->names.clear();
        out_->decisions.clear();
        out_->aliases.clear();
        out_->has_names = with_names_;
        out_->has_codes = false;
        out_->silent_difference = kNone;
        choices_.clear();
        trail_.clear();
        nodes_.clear();
        events_.clear();
        path_.clear();
        fields_.clear();
        identities_.clear();
        sums_.clear();
        randoms_.clear();
        reached_ = nullptr;
        total_ = 0;
        outputs_ = 0;
        ++stamp_;
        Registers r;
        r.own = static_cast<std::uint8_t>(side);
        r.at = item(tables_->code.rules, rule);
        nodes_.push_back({tables_->code.accept, kNone, 0, false, false});
        r.frame = 0;
        return r;
    };
    try {
        if (is_traced) {
            run<true>(begin(true), 0);
        } else {
            run<false>(begin(false), 0);
        }
    } catch (const RuleError&) {
        undo_to(0);
        if (is_traced || is_explained_) throw;
        try {
            run<true>(begin(true), 0);
        } catch (const RuleError&) {
            undo_to(0);
            throw;
        }
    }
    undo_to(0);
}

void Machine::undo_to(std::int32_t trail) {
    while (static_cast<std::int32_t>(trail_.size()) > trail) {
        const Trail last = trail_.back();
        trail_.pop_back();
        const auto place = static_cast<std::size_t>(last.place);
        if (place < board_.size()) {
            raw_put(place, static_cast<Content>(last.before));
        } else {
            values_[place - board_.size()] = last.before;
        }
    }
}

int Machine::next_match(int pattern, int own, int from) const {
    const std::vector<Content>& contents = item(tables_->contents, pattern * 2 + own);
    const std::size_t words = tables_->words;
    std::size_t word = static_cast<std::size_t>(from) / 64;
    std::uint64_t mask = ~std::uint64_t{0} << (static_cast<unsigned>(from) % 64);
    for (; word < words; ++word, mask = ~std::uint64_t{0}) {
        std::uint64_t found = 0;
        for (const Content content : contents) found |= bits_[content * words + word];
        found &= mask;
        if (found != 0) return static_cast<int>(word * 64) + std::countr_zero(found);
    }
    return kNone;
}

int Machine::count_of(const Expression& each, int own) const {
    const std::vector<Content>& contents = item(tables_->contents, each.pattern * 2 + own);
    const std::size_t words = tables_->words;
    int count = 0;
    if (each.zone == kNone) {
        for (const Content content : contents) {
            for (std::size_t word = 0; word < words; ++word) {
                count += std::popcount(bits_[content * words + word]);
            }
        }
        return count;
    }
    const int side = own ^ (each.owner == Owner::Enemy ? 1 : 0);
    const std::vector<std::uint8_t>& holds = item(item(form_.zones, each.zone).holds, side);
    for (std::size_t field = 0; field < board_.size(); ++field) {
        if (holds[field] != 0 && form_.board.is_field[field] != 0 &&
            tables_->matches(each.pattern, own, board_[field])) {
            ++count;
        }
    }
    return count;
}

std::int64_t Machine::value_of(int expression, int own) const {
    const Expression& each = item(form_.expressions, expression);
    switch (each.kind) {
        case Expression::Kind::Constant:
            return each.value;
        case Expression::Kind::Variable:
            return item(values_, item(form_.variables, each.value)
                                     .read_slot(own ^ (each.owner == Owner::Enemy ? 1 : 0)));
        case Expression::Kind::Count:
            return count_of(each, own);
        case Expression::Kind::Plus:
            return value_of(each.left, own) + value_of(each.right, own);
        default:
            return value_of(each.left, own) - value_of(each.right, own);
    }
}

}  // namespace assay::rules::multigame
