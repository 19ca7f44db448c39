#include "adapters/check/random_game.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "base/text.h"

namespace assay::adapters {

std::string random_game(const rules::Game& game, int plies) {
    constexpr std::uint64_t kMostSeeds = 100;
    std::string names;
    std::vector<rules::Move> moves;
    for (std::uint64_t seed = 1; seed <= kMostSeeds; ++seed) {
        names.clear();
        const auto position = game.start();
        while (position->ply() < plies && !position->result()) {
            position->moves(moves);
            const auto draw =
                mix64(position->hash() + static_cast<std::uint64_t>(position->ply()), seed);
            const rules::Move move = moves[draw % moves.size()];
            names +=
                (names.empty() ? "" : " ") + position->name_of(move, rules::Notation::Canonical);
            position->make(move);
        }
        if (!position->result()) break;
        // Behind the move that ends the game there is nothing to search.
        names.erase(std::min(names.rfind(' '), names.size()));
    }
    return names;
}

std::unique_ptr<rules::Position> played_position(const rules::Game& game, std::string_view start,
                                                 std::string_view moves) {
    auto position = start.empty() ? game.start() : game.parse(start);
    for (const std::string_view name : split_words(moves)) {
        const auto move = position->move_of(name, rules::Notation::Canonical);
        if (move) position->make(*move);
    }
    return position;
}

}  // namespace assay::adapters
