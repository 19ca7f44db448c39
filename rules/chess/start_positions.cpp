// Scharnagl's numbering decomposes the number by division. The remainder by 4 places the
// light-squared bishop, the next by 4 the dark-squared one, the next by 6 the queen on the free
// squares counted from a; what is left, 0 to 9, names the pair of free squares that the knights
// take, and rook, king and rook fill the rest in this order.
#include "rules/chess/start_positions.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "base/diagnostic.h"

namespace assay::rules::chess {

namespace {

constexpr char kFree = ' ';

/// The nth free square of the rank, from 0.
char& nth_free(std::string& rank, std::size_t n) {
    std::size_t at = rank.find(kFree);
    for (; n > 0; --n) at = rank.find(kFree, at + 1);
    return rank[at];
}

std::string back_rank(int number) {
    if (number < 0 || number >= kStartPositions) {
        throw Error("start position " + std::to_string(number) + ": expected a number from 0 to " +
                    std::to_string(kStartPositions - 1));
    }
    auto rest = static_cast<std::size_t>(number);
    std::string rank(8, kFree);
    rank[rest % 4 * 2 + 1] = 'b';
    rest /= 4;
    rank[rest % 4 * 2] = 'b';
    rest /= 4;
    nth_free(rank, rest % 6) = 'q';
    rest /= 6;
    constexpr std::array<std::pair<std::size_t, std::size_t>, 10> kKnights{
        {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}};
    const auto [first_knight, second_knight] = kKnights[rest];
    // The farther square first: filling it does not shift the nearer one's count.
    nth_free(rank, second_knight) = 'n';
    nth_free(rank, first_knight) = 'n';
    for (const char piece : std::string_view("rkr")) nth_free(rank, 0) = piece;
    return rank;
}

}  // namespace

std::string start_fen(int white, int black) {
    std::string upper = back_rank(white);
    std::ranges::transform(upper, upper.begin(),
                           [](char c) { return static_cast<char>(c - 'a' + 'A'); });
    return back_rank(black) + "/pppppppp/8/8/8/8/PPPPPPPP/" + upper + " w KQkq - 0 1";
}

std::string start_fen(int number) {
    return start_fen(number, number);
}

}  // namespace assay::rules::chess
