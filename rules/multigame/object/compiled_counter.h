#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "rules/multigame/form/state.h"
#include "rules/multigame/object/loader.h"
#include "rules/multigame/object/move_room.h"

namespace assay::rules::multigame {

/// Counts sequences of moves by compiled rules, as MoveCounter does by the interpreter.
class CompiledCounter {
public:
    explicit CompiledCounter(std::shared_ptr<const CompiledProgram> program);

    /// The number of sequences of `depth` moves from a position; nullopt where one of the positions
    /// has a rule error or came to a limit, of which MoveCounter tells more.
    [[nodiscard]] std::optional<std::uint64_t> count(const State& from, int depth);

private:
    std::uint64_t below(int depth);

    std::shared_ptr<const CompiledProgram> program_;
    const mg_game& game_;
    std::vector<std::uint64_t> state_;
    std::vector<MoveRoom> rooms_;  // by depth
    bool has_failed_ = false;
};

}  // namespace assay::rules::multigame
