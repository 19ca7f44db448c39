#include "rules/multigame/object/compiled_machine.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

namespace assay::rules::multigame {

namespace {

static_assert(static_cast<int>(Verdict::Win) == MG_WIN);
static_assert(static_cast<int>(Verdict::Lose) == MG_LOSE);
static_assert(static_cast<int>(Verdict::Draw) == MG_DRAW);
// Changes are copied as bytes, and read by compiled functions where they lie.
static_assert(std::is_trivially_copyable_v<Change> && sizeof(Change) == sizeof(mg_change));
static_assert(offsetof(Change, before) == offsetof(mg_change, before));
static_assert(offsetof(Change, after) == offsetof(mg_change, after));

MoveEntry entry_of(const mg_move& move) {
    MoveEntry made;
    made.signature = move.key;
    made.first_change = move.first_change;
    made.changes = move.changes;
    made.reason = static_cast<std::int16_t>(move.reason - 1);
    made.verdict = static_cast<Verdict>(move.verdict);
    made.is_claim = (move.flags & MG_CLAIM) != 0;
    made.is_again = (move.flags & MG_AGAIN) != 0;
    made.decision = static_cast<int>(move.decision) - 1;
    made.code = move.code;
    made.probability = move.probability;
    return made;
}

bool has_repeated(const std::vector<std::string>& names) {
    std::vector<std::string_view> sorted(names.begin(), names.end());
    std::ranges::sort(sorted);
    return std::ranges::adjacent_find(sorted) != sorted.end();
}

/// No move has to do with chance, or is a claim.
bool is_plain(const mg_list& list) {
    std::uint32_t special = 0;
    for (std::uint32_t n = 0; n < list.move_count; ++n) {
        special |= list.moves[n].decision | (list.moves[n].flags & (MG_CLAIM | MG_STAYS));
    }
    return special == 0;
}

}  // namespace

CompiledMachine::CompiledMachine(std::shared_ptr<const CompiledProgram> program)
    : program_(std::move(program)),
      game_(&program_->game()),
      state_(game_->state_size / sizeof(std::uint64_t) + 1) {
    game_->start(state_.data());
}

CompiledMachine::CompiledMachine(const CompiledMachine& other)
    : program_(other.program_), game_(other.game_), state_(other.state_) {}

void CompiledMachine::load(const State& state) {
    game_->load(state_.data(), state.board.data(), state.values.data(), state.side, state.moves);
}

State CompiledMachine::state() const {
    State made;
    made.board.assign(board().begin(), board().end());
    made.values.assign(values().begin(), values().end());
    made.side = side();
    made.moves = turn();
    return made;
}

std::string CompiledMachine::text() const {
    std::string text(kLongestText + 1, '\0');
    const int size = game_->write(state_.data(), text.data(), text.size());
    text.resize(static_cast<std::size_t>(std::max(size, 0)));
    return text;
}

bool CompiledMachine::read(const std::string& text) {
    return game_->read(state_.data(), text.c_str()) == MG_OK;
}

std::span<const Content> CompiledMachine::board() const {
    return {game_->contents(state_.data()), game_->fields};
}

std::span<const std::int32_t> CompiledMachine::values() const {
    return {game_->values(state_.data()), game_->slots};
}

bool CompiledMachine::perpetual(int side) {
    return game_->perpetual(state_.data(), side) != 0;
}

bool CompiledMachine::can_move() {
    return game_->can_move(state_.data()) != 0;
}

bool CompiledMachine::list(MoveList& out, unsigned what) {
    if (room_.list_moves(*game_, state_.data(), what) != MG_OK) return false;
    return take_list(out, (what & MG_NAMES) != 0);
}

bool CompiledMachine::moves(MoveList& out, bool with_names) {
    return list(out, with_names ? MG_NAMES : 0);
}

bool CompiledMachine::setups(MoveList& out) {
    return game_->draws_setup != 0 && list(out, MG_SETUP);
}

bool CompiledMachine::take_list(MoveList& out, bool with_names) const {
    const mg_list& list = room_.list();
    out.names.clear();
    out.decisions.clear();
    out.aliases.clear();
    out.has_names = with_names;
    out.has_codes = is_plain(list);
    out.silent_difference = kNone;
    out.changes.resize(list.change_count);
    if (list.change_count > 0) {
        std::memcpy(static_cast<void*>(out.changes.data()), list.changes,
                    list.change_count * sizeof(Change));
    }
    if (with_names) return take_names(out);
    out.moves.resize(list.move_count);
    std::transform(list.moves, list.moves + list.move_count, out.moves.begin(), entry_of);
    return true;
}

/// False where two moves or two decisions have one name. A name of a move, or of two moves, is no
/// alias.
bool CompiledMachine::take_names(MoveList& out) const {
    const mg_list& list = room_.list();
    out.moves.clear();
    for (std::uint32_t n = 0; n < list.move_count; ++n) {
        const mg_move& move = list.moves[n];
        if ((move.flags & MG_ALIAS) == 0) {
            out.moves.push_back(entry_of(move));
            out.names.emplace_back(list.names[n]);
            continue;
        }
        const auto of = std::ranges::find(out.moves, move.code, &MoveEntry::code);
        const auto index = static_cast<std::uint32_t>(of - out.moves.begin());
        if (out.names[index] != list.names[n]) out.aliases.push_back({list.names[n], index});
    }
    for (std::uint32_t n = 0; n < list.decision_count; ++n) {
        out.decisions.emplace_back(list.decisions[n]);
    }
    settle_aliases(out);
    return !has_repeated(out.names) && !has_repeated(out.decisions);
}

/// A list of the one move, as the compiled functions read it.
mg_list CompiledMachine::list_of(const MoveList& from, std::size_t number) {
    const MoveEntry& entry = from.moves[number];
    made_ = {};
    made_.key = entry.signature;
    made_.changes = static_cast<std::uint16_t>(entry.changes);
    made_.flags = entry.is_again ? MG_AGAIN : 0;
    mg_list list{};
    list.moves = &made_;
    // They are only read there.
    list.changes = reinterpret_cast<mg_change*>(const_cast<Change*>(from.changes_of(entry).data()));
    list.move_count = 1;
    return list;
}

void CompiledMachine::apply(const MoveList& list, std::size_t move) {
    const mg_list one = list_of(list, move);
    game_->apply(state_.data(), &one, 0);
}

void CompiledMachine::take_back(const MoveList& list, std::size_t move) {
    const mg_list one = list_of(list, move);
    game_->take_back(state_.data(), &one, 0);
}

}  // namespace assay::rules::multigame
