#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace assay::rules {

inline constexpr std::size_t kMostPlayers = 8;

/// One score a player: 1 won, 0 lost, 0.5 drawn with two players; each game defines the sum.
struct Scores {
    std::array<float, kMostPlayers> value{};
    std::uint8_t players = 0;

    [[nodiscard]] float operator[](std::size_t player) const { return value[player]; }

    /// The player whose score is above all others, or -1 where several share the highest.
    [[nodiscard]] int winner() const;

    friend bool operator==(const Scores&, const Scores&) = default;
};

/// Scores of a decided game: the winner has 1 and the others 0; -1: all share one point.
[[nodiscard]] Scores scores_with_winner(int winner, std::size_t players);

/// Scores of a game that one player lost by its own fault: it has 0, and the others share one
/// point. With two players the other one has won.
[[nodiscard]] Scores scores_with_loser(int loser, std::size_t players);

}  // namespace assay::rules
