#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules/multigame/multigame.h"

namespace assay::rules::multigame {

/// The arrays of one mg_list, which grow as they are needed and are kept from one list to the next.
class MoveRoom {
public:
    /// Lists the moves of a state: moves() of the game, called again with more room where it asks
    /// for that. Returns MG_OK or MG_FAULT.
    int list_moves(const mg_game& game, void* state, unsigned what);

    [[nodiscard]] const mg_list& list() const { return list_; }

private:
    using Name = std::array<char, 32>;

    void make_room(const mg_game& game, std::size_t moves, bool with_names);

    std::vector<mg_move> moves_;
    std::vector<mg_change> changes_;
    std::vector<Name> names_;
    std::vector<Name> decisions_;
    std::vector<std::uint32_t> table_;
    mg_list list_{};
};

}  // namespace assay::rules::multigame
