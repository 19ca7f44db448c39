#include "engines/uci/backend.h"

namespace assay::engines {

int Backend::player_of(const rules::Position& position) const {
    if (position.to_move() >= 0) return position.to_move();
    // Where the game is over or chance moves: the player after the one who moved last.
    const auto before = position.clone();
    while (before->ply() > 0) {
        before->undo();
        if (before->to_move() >= 0) return (before->to_move() + 1) % game().players();
    }
    return 0;
}

}  // namespace assay::engines
