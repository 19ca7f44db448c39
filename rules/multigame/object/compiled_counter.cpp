#include "rules/multigame/object/compiled_counter.h"

#include <utility>

namespace assay::rules::multigame {

CompiledCounter::CompiledCounter(std::shared_ptr<const CompiledProgram> program)
    : program_(std::move(program)),
      game_(program_->game()),
      state_(game_.state_size / sizeof(std::uint64_t) + 1) {}

std::optional<std::uint64_t> CompiledCounter::count(const State& from, int depth) {
    game_.load(state_.data(), from.board.data(), from.values.data(), from.side, from.moves);
    if (rooms_.size() <= static_cast<std::size_t>(depth)) {
        rooms_.resize(static_cast<std::size_t>(depth) + 1);
    }
    has_failed_ = false;
    const std::uint64_t nodes = below(depth);
    return has_failed_ ? std::nullopt : std::optional(nodes);
}

std::uint64_t CompiledCounter::below(int depth) {
    if (depth == 0) return 1;
    MoveRoom& room = rooms_[static_cast<std::size_t>(depth)];
    if (has_failed_ || room.list_moves(game_, state_.data(), 0) != MG_OK) {
        has_failed_ = true;
        return 0;
    }
    const mg_list& list = room.list();
    std::uint64_t nodes = 0;
    for (std::uint32_t n = 0; n < list.move_count; ++n) {
        const mg_move& move = list.moves[n];
        if ((move.flags & MG_CLAIM) != 0 || (depth > 1 && move.verdict != MG_NONE)) continue;
        game_.apply(state_.data(), &list, n);
        nodes += below(depth - 1);
        game_.take_back(state_.data(), &list, n);
    }
    return nodes;
}

}  // namespace assay::rules::multigame
