#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "rules/multigame/interpret/machine.h"
#include "rules/multigame/object/compiled_machine.h"

namespace assay::rules::multigame {

/// One position of a program: by compiled rules where there are some, else by the interpreter. The
/// answers are the same. Where compiled rules report a rule error or a limit, the interpreter lists
/// the moves, and throws RuleError with the place.
class PlayedRules {
    /// What both kinds of rules answer by the same name; a virtual call would cost a search more.
    template <class Ask>
    auto by_rules(const Ask& ask) {
        return compiled_ ? ask(*compiled_) : ask(*machine_);
    }

    template <class Ask>
    auto by_rules(const Ask& ask) const {
        return compiled_ ? ask(*compiled_) : ask(*machine_);
    }

public:
    /// `compiled`: null for the interpreter alone.
    PlayedRules(std::shared_ptr<const Tables> tables,
                const std::shared_ptr<const CompiledProgram>& compiled);

    void load(const State& state) {
        by_rules([&](auto& rules) { rules.load(state); });
    }

    [[nodiscard]] State state() const {
        return by_rules([](const auto& rules) { return rules.state(); });
    }

    void moves(MoveList& out, bool with_names = false);
    void setups(MoveList& out);

    /// True where the side to move has a move that is no claim, found without a list. False: it has
    /// none, or only moves() can tell.
    [[nodiscard]] bool can_move() {
        return by_rules([](auto& rules) { return rules.can_move(); });
    }

    /// True where the rule succeeds for the side, whoever moves.
    [[nodiscard]] bool holds(int rule, int side);

    void apply(const MoveList& list, std::size_t move) {
        by_rules([&](auto& rules) { rules.apply(list, move); });
    }

    void take_back(const MoveList& list, std::size_t move) {
        by_rules([&](auto& rules) { rules.take_back(list, move); });
    }

    void apply_setup(const MoveList& list, std::size_t outcome);

    [[nodiscard]] int side() const {
        return by_rules([](const auto& rules) { return rules.side(); });
    }

    [[nodiscard]] int turn() const {
        return by_rules([](const auto& rules) { return rules.turn(); });
    }

    [[nodiscard]] std::uint64_t key() const {
        return by_rules([](const auto& rules) { return rules.key(); });
    }

    [[nodiscard]] std::span<const Content> board() const {
        return by_rules([](const auto& rules) { return rules.board(); });
    }

    [[nodiscard]] std::span<const std::int32_t> values() const {
        return by_rules([](const auto& rules) { return rules.values(); });
    }

private:
    [[nodiscard]] Machine& interpreter();

    std::shared_ptr<const Tables> tables_;
    std::optional<CompiledMachine> compiled_;
    std::optional<Machine> machine_;  // beside compiled rules: at their position when it is asked
};

}  // namespace assay::rules::multigame
