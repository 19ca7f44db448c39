// A game in the rules language, played through rules/game.h. The machine derives all moves of a
// position at once, so a list is made when it is first asked for, kept with its ply until the ply
// is taken back, and shared by clones.
//
// A move is a number of 32 bits, folded from the signature of what it changes: the same change is
// the same number in all positions, as tables of killers and of history need it. Two moves of one
// list may fold to one number. The later one gets the next free number then (free_code), by the
// order of the list, which the position alone decides.
//
// Where a player's move leads to a throw, the entries of one decision are its outcomes. They are
// one choice of the player, which makes a ply in which chance moves; that ply shares the list and
// offers the outcomes. What has to stay the same when it is taken back is in its ply.
//
// Cost: a derivation for each position whose moves are asked for. Lists of plies that were taken
// back are used again, since otherwise a search would spend most of its time on allocation.
#include "rules/multigame/play/multigame_position.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include "base/random.h"

namespace assay::rules::multigame {

namespace {

constexpr std::uint64_t kPendingKey = 0x94d049bb133111eb;
constexpr std::uint64_t kClaimMoveKey = 0x8cb92ba72f3d8dd7;
constexpr std::size_t kMostSpare = 64;
constexpr int kNearLimit = 16;  // SEMANTICS 1.7.11

/// 64 bits in 32; equal differences give equal moves in all positions.
Move folded(std::uint64_t signature) {
    return static_cast<Move>(signature ^ (signature >> 32U));
}

}  // namespace

std::string_view Program::ending(int reason) const {
    return reason == kNone ? std::string_view("rules") : std::string_view(item(endings, reason));
}

MultigamePosition::Ply& MultigamePosition::Plies::push() {
    if (size_ == plies_.size()) {
        plies_.emplace_back();
    } else {
        Ply& spare = plies_[size_];
        // In its place: facts that are made elsewhere and copied are read before they are written.
        std::construct_at(static_cast<PlyFacts*>(&spare));
        if (spare.list.use_count() > 1) spare.list.reset();
    }
    return plies_[size_++];
}

void MultigamePosition::Plies::pop() {
    --size_;
    if (plies_.size() > size_ + kMostSpare) plies_.pop_back();
}

MultigamePosition::MultigamePosition(std::shared_ptr<const Program> program, const State& state,
                                     bool is_before_setup)
    : program_(std::move(program)), machine_(program_->tables, program_->compiled) {
    machine_.load(state);
    Ply& first = plies_.push();
    first.key = machine_.key();
    first.is_before_setup = is_before_setup;
    first.mover = machine_.side();
    remember(first);
}

void MultigamePosition::remember(const Ply& ply) {
    if (program_->form.repetition.occurrences == 0) return;
    if (ply.is_before_setup || ply.pending != kNone) {
        history_.push_unique();
    } else {
        history_.push(ply.key);
    }
}

bool MultigamePosition::is_chance_to_move() const {
    return plies_.back().is_before_setup || plies_.back().pending != kNone;
}

std::unique_ptr<Position> MultigamePosition::clone() const {
    return std::make_unique<MultigamePosition>(*this);
}

const MultigamePosition::Ply& MultigamePosition::listed() const {
    return listed(false);
}

const MultigamePosition::Ply& MultigamePosition::listed(bool with_names) const {
    Ply& ply = plies_.back();
    if (ply.is_listed) return ply;
    if (!ply.has_list) fill_list(ply, with_names);
    fill_choices(ply);
    ply.is_listed = true;
    return ply;
}

void MultigamePosition::fill_list(Ply& ply, bool with_names) const {
    if (ply.list == nullptr) ply.list = std::make_shared<MoveList>();
    if (ply.is_before_setup) {
        machine_.setups(*ply.list);
    } else if (ply.verdict == Verdict::None) {
        machine_.moves(*ply.list, with_names);
    } else {
        // Behind a verdict nothing moves, and `main` need not have an answer there.
        *ply.list = MoveList();
        ply.list->has_names = true;
    }
    ply.has_list = true;
}

/// Where a player moves: the moves in their order, a decision where its first outcome stands. Where
/// chance moves: the outcomes.
void MultigamePosition::fill_choices(Ply& ply) const {
    ply.claims.clear();
    const std::vector<MoveEntry>& entries = ply.list->moves;
    const std::vector<std::uint8_t>& theirs = item(program_->is_of, machine_.side() ^ 1);
    if (ply.list->has_codes && ply.pending == kNone) {
        ply.choices.resize(entries.size());
        ply.codes.resize(entries.size());
        for (std::size_t n = 0; n < entries.size(); ++n) {
            ply.codes[n] = entries[n].code;
            ply.choices[n] = {entries[n].code, static_cast<int>(n), kNone,
                              takes(*ply.list, entries[n], theirs)};
        }
        return;
    }
    ply.choices.clear();
    ply.codes.clear();
    taken_.clear();
    const bool is_chance = ply.is_before_setup || ply.pending != kNone;
    int last_decision = kNone;
    for (int n = 0; n < static_cast<int>(entries.size()); ++n) {
        const MoveEntry& entry = item(entries, n);
        Choice made;
        made.entry = n;
        std::uint64_t signature = entry.signature;
        if (is_chance) {
            if (!ply.is_before_setup && entry.decision != ply.pending) continue;
        } else if (entry.is_claim) {
            signature ^= kClaimMoveKey * (static_cast<std::uint64_t>(entry.verdict) + 1);
        } else if (entry.decision != kNone) {
            if (entry.decision == last_decision) continue;
            last_decision = made.decision = entry.decision;
            signature ^= kPendingKey;
        }
        made.move = free_code(signature, entries.size());
        made.is_loud =
            made.decision == kNone && !ply.is_before_setup && takes(*ply.list, entry, theirs);
        (entry.is_claim ? ply.claims : ply.choices).push_back(made);
        if (!entry.is_claim) ply.codes.push_back(made.move);
    }
    // Where there is nothing but verdicts, they are the result and nobody's claim.
    if (ply.choices.empty()) ply.claims.clear();
}

/// The signature as a move, or the next value that no move of this list has; they are remembered in
/// an open hash table, because lists may have thousands of moves.
Move MultigamePosition::free_code(std::uint64_t signature, std::size_t entries) const {
    if (taken_.empty()) taken_.assign(std::bit_ceil(2 * entries + 2), kNoMove);
    Move wanted = folded(signature);
    while (true) {
        if (wanted == kNoMove) ++wanted;
        std::size_t at = wanted & (taken_.size() - 1);
        while (taken_[at] != kNoMove && taken_[at] != wanted) at = (at + 1) & (taken_.size() - 1);
        if (taken_[at] == kNoMove) {
            taken_[at] = wanted;
            return wanted;
        }
        ++wanted;
    }
}

const MoveList& MultigamePosition::named() const {
    (void)listed(true);
    Ply& ply = plies_.back();
    if (!ply.list->has_names) {
        // Clones share lists, so the one with names is a new one.
        auto named = std::make_shared<MoveList>();
        machine_.moves(*named, true);
        ply.list = std::move(named);
    }
    return *ply.list;
}

int MultigamePosition::to_move() const {
    if (is_chance_to_move()) return kChance;
    return verdict() ? kNobody : machine_.side();
}

void MultigamePosition::moves(std::vector<Move>& out) const {
    out.clear();
    if (!is_chance_to_move()) out = listed().codes;
}

void MultigamePosition::claims(std::vector<Move>& out) const {
    out.clear();
    if (is_chance_to_move()) return;
    for (const Choice& each : listed().claims) out.push_back(each.move);
}

void MultigamePosition::chances(std::vector<ChanceMove>& out) const {
    out.clear();
    if (!is_chance_to_move()) return;
    const Ply& ply = listed();
    for (const Choice& each : ply.choices) {
        out.push_back({each.move, item(ply.list->moves, each.entry).probability});
    }
}

const MultigamePosition::Choice* MultigamePosition::choice_of(Move move) const {
    const Ply& ply = listed();
    // Who asks about all moves asks in their order, and several questions about each.
    const std::size_t near = std::min(asked_ + 2, ply.codes.size());
    for (std::size_t n = asked_; n < near; ++n) {
        if (ply.codes[n] == move) return &ply.choices[asked_ = n];
    }
    const auto found = std::ranges::find(ply.codes, move);
    if (found != ply.codes.end()) {
        asked_ = static_cast<std::size_t>(found - ply.codes.begin());
        return &ply.choices[asked_];
    }
    const auto claim = std::ranges::find(ply.claims, move, &Choice::move);
    return claim == ply.claims.end() ? nullptr : &*claim;
}

bool MultigamePosition::is_legal(Move move) const {
    return !is_chance_to_move() && choice_of(move) != nullptr;
}

bool MultigamePosition::changes_pieces(const MoveList& list, const MoveEntry& entry) const {
    int difference = 0;
    const std::size_t fields = program_->form.board.size();
    for (const Change& each : list.changes_of(entry)) {
        if (static_cast<std::size_t>(each.place) >= fields) continue;
        difference += (each.after != 0 ? 1 : 0) - (each.before != 0 ? 1 : 0);
    }
    return difference != 0;
}

void MultigamePosition::make(Move move) {
    const Choice choice = *choice_of(move);
    Ply& next = plies_.push();
    const std::size_t number = plies_.size() - 1;  // of the next position
    Ply& ply = plies_[number - 1];
    ply.made = move;
    ply.made_entry = choice.decision == kNone ? choice.entry : kNone;
    next.last_capture = ply.last_capture;
    if (choice.decision != kNone) {
        next.pending = choice.decision;
        next.list = ply.list;
        next.has_list = true;
    } else {
        const MoveEntry& entry = item(ply.list->moves, choice.entry);
        if (changes_pieces(*ply.list, entry)) next.last_capture = static_cast<int>(number);
        next.mover = machine_.side();
        next.verdict = entry.verdict;
        next.reason = entry.reason;
        const auto index = static_cast<std::size_t>(choice.entry);
        if (ply.is_before_setup) {
            machine_.apply_setup(*ply.list, index);
        } else {
            machine_.apply(*ply.list, index);
        }
    }
    next.key = machine_.key();
    remember(next);
}

void MultigamePosition::undo() {
    plies_.pop();
    if (program_->form.repetition.occurrences > 0) history_.pop();
    Ply& ply = plies_.back();
    if (ply.made_entry == kNone) return;
    const auto index = static_cast<std::size_t>(ply.made_entry);
    if (ply.is_before_setup) {
        const State after = machine_.state();
        machine_.take_back(*ply.list, index);
        State before = machine_.state();
        before.side = after.side;
        before.moves = after.moves;
        machine_.load(before);
    } else {
        machine_.take_back(*ply.list, index);
    }
}

std::uint64_t MultigamePosition::hash() const {
    const Ply& ply = plies_.back();
    if (ply.is_before_setup) return ply.key ^ kPendingKey;
    if (ply.pending == kNone) return ply.key;
    return ply.key ^ (kPendingKey * static_cast<std::uint64_t>(ply.pending + 2));
}

std::uint64_t MultigamePosition::signature(Move move) {
    const Choice choice = *choice_of(move);
    if (is_chance_to_move() || choice.decision != kNone) return Position::signature(move);
    return item(plies_.back().list->moves, choice.entry).signature;
}

std::uint64_t MultigamePosition::search_key() const {
    const std::span<const std::int32_t> values = machine_.values();
    std::uint64_t key = hash();
    std::uint64_t number = 0;  // of the constant and side, the same in all positions
    for (const Variable& each : program_->form.variables) {
        for (const int constant : each.compared) {
            for (int side = 0; side < each.values() && !each.is_local; ++side) {
                ++number;
                const int distance = item(values, each.read_slot(side)) - constant;
                if (std::abs(distance) > kNearLimit) continue;
                key ^= mix64((number << 8U) + static_cast<std::uint64_t>(distance + kNearLimit));
            }
        }
    }
    return key;
}

Outcome MultigamePosition::outcome(Verdict verdict, int side, std::string_view word,
                                   OutcomeBasis basis) const {
    Outcome out;
    out.word = word;
    out.basis = basis;
    out.scores.players = static_cast<std::uint8_t>(program_->form.players);
    if (program_->form.players == 1) {
        out.scores.value[0] = verdict == Verdict::Win    ? 1.0F
                              : verdict == Verdict::Draw ? 0.5F
                                                         : 0.0F;
        return out;
    }
    const float own = verdict == Verdict::Win ? 1.0F : verdict == Verdict::Draw ? 0.5F : 0.0F;
    item(out.scores.value, side) = own;
    item(out.scores.value, side ^ 1) = 1.0F - own;
    return out;
}

/// True where a silent variable is within one of a constant that the program compares it with.
bool MultigamePosition::is_near_limit() const {
    const std::span<const std::int32_t> values = machine_.values();
    return std::ranges::any_of(program_->form.variables, [&](const Variable& each) {
        if (each.compared.empty() || each.is_local) return false;
        for (int side = 0; side < each.values(); ++side) {
            const int value = item(values, each.read_slot(side));
            for (const int constant : each.compared) {
                if (std::abs(value - constant) <= 1) return true;
            }
        }
        return false;
    });
}

std::optional<Outcome> MultigamePosition::result() const {
    const Ply& ply = plies_.back();
    if (ply.is_before_setup || ply.pending != kNone) return std::nullopt;
    if (ply.verdict != Verdict::None) {
        return outcome(ply.verdict, ply.mover, program_->ending(ply.reason),
                       OutcomeBasis::Position);
    }
    if (const auto repeated = repetition()) return repeated;
    if (!listed().choices.empty()) return std::nullopt;
    const MoveEntry& said = ply.list->moves.front();
    return outcome(said.verdict, machine_.side(), program_->ending(said.reason),
                   is_near_limit() ? OutcomeBasis::Counter : OutcomeBasis::Position);
}

/// The same without a list, unless the game is over here.
std::optional<Outcome> MultigamePosition::verdict() const {
    Ply& ply = plies_.back();
    if (ply.goes_on) return std::nullopt;
    if (is_chance_to_move() || ply.verdict != Verdict::None) return result();
    if (const auto repeated = repetition()) return repeated;
    ply.goes_on = can_move();
    return ply.goes_on ? std::nullopt : result();
}

/// True where the mover surely has a move.
bool MultigamePosition::can_move() const {
    Ply& ply = plies_.back();
    if (ply.is_listed) return !ply.choices.empty();
    if (!ply.can_move) ply.can_move = machine_.can_move();
    return ply.can_move;
}

std::optional<Outcome> MultigamePosition::repetition() const {
    const Repetition& rule = program_->form.repetition;
    if (rule.occurrences == 0) return std::nullopt;
    const int previous = history_.last_equal(static_cast<int>(plies_.size()) - 1);
    int occurrences = 1;
    for (int at = previous; at != KeyHistory::kNever; at = history_.last_equal(at)) ++occurrences;
    if (occurrences < rule.occurrences) return std::nullopt;
    if (rule.perpetual != kNone) {
        if (const auto lost = perpetual(static_cast<std::size_t>(previous))) return lost;
    }
    return outcome(rule.verdict, machine_.side(), "repetition", OutcomeBasis::Repetition);
}

/// Of the plies behind the previous occurrence: where the rule held at every turn of one side
/// alone, the other side has lost.
std::optional<Outcome> MultigamePosition::perpetual(std::size_t since) const {
    PlayedRules past = machine_;
    std::array<bool, 2> always{true, true};
    std::array<bool, 2> had_turn{};
    for (std::size_t n = plies_.size() - 1; n > since; --n) {
        if (plies_[n].pending == kNone) {
            const int side = past.side();
            item(had_turn, side) = true;
            if (!past.holds(program_->form.repetition.perpetual, side)) item(always, side) = false;
        }
        const Ply& before = plies_[n - 1];
        if (before.made_entry != kNone && !before.is_before_setup) {
            past.take_back(*before.list, static_cast<std::size_t>(before.made_entry));
        }
    }
    const bool first = had_turn[0] && always[0];
    const bool second = had_turn[1] && always[1];
    if (first == second) return std::nullopt;
    return outcome(Verdict::Lose, first ? 1 : 0, "perpetual", OutcomeBasis::Repetition);
}

std::string MultigamePosition::text() const {
    const Ply& ply = plies_.back();
    if (ply.is_before_setup) return "setup";
    const std::string state = text_of(program_->form, machine_.state());
    if (ply.pending == kNone) return state;
    return state + ' ' + item(named().decisions, ply.pending);
}

std::string MultigamePosition::own_name(const Choice& choice, const MoveList& list) const {
    const Ply& ply = plies_.back();
    if (ply.is_before_setup) return fmt::format("setup{}", choice.entry + 1);
    if (choice.decision != kNone) return item(list.decisions, choice.decision);
    if (ply.pending == kNone) return item(list.names, choice.entry);
    const std::string rest = rest_of_name(choice, list);
    return rest.empty() ? name_without_rest(list) : rest;
}

std::string MultigamePosition::rest_of_name(const Choice& outcome, const MoveList& list) const {
    const std::string& name = item(list.names, outcome.entry);
    const std::size_t begin = item(list.decisions, plies_.back().pending).size();
    return name.substr(std::min(name.size(), begin));
}

/// Of the one outcome that adds nothing to the decision's name: `-`, or as many of them as no other
/// outcome is called.
std::string MultigamePosition::name_without_rest(const MoveList& list) const {
    std::string name = "-";
    const auto is_taken = [&](const Choice& each) { return rest_of_name(each, list) == name; };
    while (std::ranges::any_of(plies_.back().choices, is_taken)) name += '-';
    return name;
}

std::string MultigamePosition::name_of(Move move, Notation) const {
    const Choice* choice = choice_of(move);
    return choice == nullptr ? "" : own_name(*choice, named());
}

std::optional<Move> MultigamePosition::move_of(std::string_view text, Notation) const {
    if (text.empty()) return std::nullopt;
    const MoveList& list = named();
    const Ply& ply = plies_.back();
    for (const std::vector<Choice>* const all : {&ply.choices, &ply.claims}) {
        for (const Choice& each : *all) {
            if (own_name(each, list) == text) return each.move;
        }
    }
    if (is_chance_to_move()) return std::nullopt;
    for (const Alias& each : list.aliases) {
        if (each.name != text) continue;
        for (const std::vector<Choice>* const all : {&ply.choices, &ply.claims}) {
            const auto found = std::ranges::find(*all, static_cast<int>(each.move), &Choice::entry);
            if (found != all->end()) return found->move;
        }
    }
    return std::nullopt;
}

bool MultigamePosition::decide(std::string_view name) {
    const MoveList& list = named();
    for (const Choice& each : listed().choices) {
        if (each.decision == kNone || item(list.decisions, each.decision) != name) continue;
        Ply pending;
        pending.pending = each.decision;
        pending.list = plies_.back().list;
        pending.has_list = true;
        pending.key = plies_.back().key;
        if (program_->form.repetition.occurrences > 0) history_.pop();
        remember(pending);
        plies_.back() = std::move(pending);
        return true;
    }
    return false;
}

bool MultigamePosition::is_loud(Move best) const {
    if (best == kNoMove) return false;
    const Choice* choice = choice_of(best);
    return choice != nullptr && choice->is_loud;
}

bool MultigamePosition::takes(const MoveList& list, const MoveEntry& entry,
                              std::span<const std::uint8_t> theirs) const {
    const auto fields = static_cast<std::int32_t>(program_->form.board.size());
    // All changes, since few moves take, and to stop at the first that does is a branch for each.
    unsigned taken = 0;
    for (const Change& each : list.changes_of(entry)) {
        const std::int32_t before = each.place < fields ? each.before : 0;
        taken |= theirs[static_cast<std::size_t>(before)];
    }
    return taken != 0;
}

std::optional<Picture> MultigamePosition::picture() const {
    const Form& form = program_->form;
    Picture picture;
    picture.columns = form.board.columns;
    picture.rows = form.board.rows;
    picture.lines = program_->lines;
    picture.fields.reserve(form.board.size());
    for (int row = form.board.rows; row-- > 0;) {
        for (int column = 0; column < form.board.columns; ++column) {
            const int field = row * form.board.columns + column;
            const Content content = machine_.board()[static_cast<std::size_t>(field)];
            PictureField& made = picture.fields.emplace_back(program_->contents[content]);
            made.is_outside = item(form.board.is_field, field) == 0;
        }
    }
    return picture;
}

}  // namespace assay::rules::multigame
