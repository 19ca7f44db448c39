#pragma once
#include <cstdint>

namespace assay::openings {

enum class Order : std::uint8_t { Sequential, Random };

/// Which opening a pair plays.
struct Turn {
    std::uint64_t index = 0;  // from 0, less than the book's size
    std::uint64_t round = 0;  // 0: the first time through the book; more: openings repeat

    friend bool operator==(const Turn&, const Turn&) = default;
};

/// Gives each pair of a run its opening. A pure function of the constructor's arguments and the
/// pair's index: it remembers nothing, so that ten million pairs cost no memory, and any part of a
/// run can be played anywhere. Each n pairs (n the book's size) play every opening once, in a
/// fresh order each round where the order is random. Any thread may use it.
class OpeningOrder {
public:
    /// `start` counts from 1 and moves the first pair forward: machines with the same seed and
    /// starts 1, 101, 201 … play disjoint hundreds of one order. A start behind the book's end
    /// begins in a later round (Turn::round). REQUIRES: start >= 1, book_size >= 1 and below 2^60.
    OpeningOrder(Order order, std::uint64_t seed, std::uint64_t start, std::uint64_t book_size);

    [[nodiscard]] Turn index(std::uint64_t pair) const;

private:
    Order order_;
    unsigned half_bits_;
    std::uint64_t seed_;
    std::uint64_t size_;
    std::uint64_t first_index_;
    std::uint64_t first_round_;
};

}  // namespace assay::openings
