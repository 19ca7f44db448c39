#include "rules/multigame/interpret/perft.h"

#include <algorithm>

namespace assay::rules::multigame {

namespace {

/// 1, and the number of other names that the move has.
std::uint64_t names_of(const MoveList& list, std::size_t move) {
    const auto others = std::ranges::count(list.aliases, move, &Alias::move);
    return 1 + static_cast<std::uint64_t>(others);
}

}  // namespace

std::vector<State> start_states(const std::shared_ptr<const Tables>& tables) {
    const Form& form = tables->form();
    if (form.setup_rule == kNone) return {first_state(form)};
    Machine machine(tables);
    MoveList outcomes;
    machine.setups(outcomes);
    std::vector<State> states;
    for (std::size_t n = 0; n < outcomes.moves.size(); ++n) {
        machine.load(first_state(form));
        machine.apply_setup(outcomes, n);
        states.push_back(machine.state());
    }
    return states;
}

std::uint64_t MoveCounter::count(const State& from, int depth) {
    machine_.load(from);
    if (lists_.size() <= static_cast<std::size_t>(depth)) {
        lists_.resize(static_cast<std::size_t>(depth) + 1);
    }
    return below(depth);
}

std::uint64_t MoveCounter::count_from_start(int depth) {
    std::uint64_t sum = 0;
    for (const State& each : start_states(machine_.tables())) sum += count(each, depth);
    return sum;
}

std::vector<std::pair<std::string, std::uint64_t>> MoveCounter::divide(const State& from,
                                                                       int depth) {
    machine_.load(from);
    lists_.resize(std::max(lists_.size(), static_cast<std::size_t>(depth)));
    MoveList list;
    machine_.moves(list, true);
    std::vector<std::pair<std::string, std::uint64_t>> out;
    for (std::size_t n = 0; n < list.moves.size(); ++n) {
        const MoveEntry& each = list.moves[n];
        if (each.is_claim) continue;
        const bool is_over = each.verdict != Verdict::None && depth > 1;
        machine_.apply(list, n);
        const std::uint64_t nodes = is_over ? 0 : below(depth - 1);
        out.emplace_back(list.names[n], nodes);
        for (const Alias& alias : list.aliases) {
            if (by_name_ && alias.move == n) out.emplace_back(alias.name, nodes);
        }
        machine_.take_back(list, n);
    }
    return out;
}

std::uint64_t MoveCounter::below(int depth) {
    if (depth == 0) return 1;
    MoveList& list = item(lists_, depth);
    machine_.moves(list, by_name_);
    std::uint64_t sum = 0;
    for (std::size_t n = 0; n < list.moves.size(); ++n) {
        const MoveEntry& each = list.moves[n];
        if (each.is_claim || (each.verdict != Verdict::None && depth > 1)) continue;
        machine_.apply(list, n);
        sum += below(depth - 1) * (by_name_ ? names_of(list, n) : 1);
        machine_.take_back(list, n);
    }
    return sum;
}

}  // namespace assay::rules::multigame
