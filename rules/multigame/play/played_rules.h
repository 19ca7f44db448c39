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
public:
    /// `compiled`: null for the interpreter alone.
    PlayedRules(std::shared_ptr<const Tables> tables,
                const std::shared_ptr<const CompiledProgram>& compiled);

    void load(const State& state);
    [[nodiscard]] State state() const;

    void moves(MoveList& out, bool with_names = false);
    void setups(MoveList& out);
    /// True where the side to move has a move that is no claim, found without a list. False: it has
    /// none, or only moves() can tell.
    [[nodiscard]] bool can_move();
    /// True where the rule succeeds for the side, whoever moves.
    [[nodiscard]] bool holds(int rule, int side);

    void apply(const MoveList& list, std::size_t move);
    void take_back(const MoveList& list, std::size_t move);
    void apply_setup(const MoveList& list, std::size_t outcome);

    [[nodiscard]] int side() const { return compiled_ ? compiled_->side() : machine_->side(); }

    [[nodiscard]] int turn() const { return compiled_ ? compiled_->turn() : machine_->turn(); }

    [[nodiscard]] std::uint64_t key() const {
        return compiled_ ? compiled_->key() : machine_->key();
    }

    [[nodiscard]] std::span<const Content> board() const {
        return compiled_ ? compiled_->board() : machine_->board();
    }

    [[nodiscard]] std::span<const std::int32_t> values() const {
        return compiled_ ? compiled_->values() : machine_->values();
    }

private:
    [[nodiscard]] Machine& interpreter();

    std::shared_ptr<const Tables> tables_;
    std::optional<CompiledMachine> compiled_;
    std::optional<Machine> machine_;  // beside compiled rules: at their position when it is asked
};

}  // namespace assay::rules::multigame
