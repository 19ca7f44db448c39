#pragma once
#include <cstdint>
#include <vector>

#include "openings/order.h"

namespace assay::openings {

/// The order of openings that fastchess plays: with the same book, seed, start and rounds, a run
/// has the openings of a run of fastchess. The whole book is shuffled once by mt19937_64, rotated
/// to the start, and cut to the number of rounds; what is left is played again and again. Unlike
/// OpeningOrder it takes four bytes an opening, and all rounds through the book have one order. The
/// opening is a function of the constructor's arguments and the pair's index, so that a run that is
/// resumed goes on as it would have: there fastchess rotates by the pairs that were played. Any
/// thread may use it.
class ShuffledOrder {
public:
    /// `seed` matters only where the order is random. `start` counts from 1 and may lie behind the
    /// book's end; `rounds` 0 cuts nothing. REQUIRES: start >= 1, 1 <= book_size < 2^32.
    ShuffledOrder(Order order, std::uint64_t seed, std::uint64_t start, std::uint64_t book_size,
                  std::uint64_t rounds);

    [[nodiscard]] Turn index(std::uint64_t pair) const;

private:
    std::uint64_t size_;
    std::uint64_t first_;                // the rotation
    std::uint64_t cycle_;                // openings that are played
    std::vector<std::uint32_t> places_;  // shuffled and cut; empty: the file's order
};

}  // namespace assay::openings
