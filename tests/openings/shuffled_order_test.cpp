// The expected orders were computed by a generator of its own in Python, written from the
// definition of mt19937_64 (its 10,000th number from the seed 5489 is 9981545732273789042).
#include "openings/shuffled_order.h"

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

using assay::openings::Order;
using assay::openings::ShuffledOrder;
using assay::openings::Turn;

namespace {

using Indices = std::vector<std::uint64_t>;

Indices first_of(const ShuffledOrder& order, std::uint64_t pairs) {
    Indices indices;
    for (std::uint64_t pair = 0; pair < pairs; ++pair) indices.push_back(order.index(pair).index);
    return indices;
}

Indices random_order(std::uint64_t seed, std::uint64_t size, std::uint64_t start = 1) {
    return first_of(ShuffledOrder(Order::Random, seed, start, size, 0), size);
}

}  // namespace

TEST_CASE("ShuffledOrder: a random order is that of mt19937_64, for seeds of 64 bits too") {
    CHECK(random_order(1, 1) == Indices{0});
    CHECK(random_order(1, 2) == Indices{0, 1});
    CHECK(random_order(1, 5) == Indices{3, 0, 2, 1, 4});
    CHECK(random_order(42, 10) == Indices{6, 0, 4, 7, 9, 8, 1, 3, 5, 2});
    CHECK(random_order(951'356'066, 10) == Indices{1, 4, 0, 3, 5, 2, 6, 7, 9, 8});
    CHECK(random_order(18'446'744'073'709'551'615U, 10) == Indices{0, 6, 9, 5, 8, 2, 1, 3, 4, 7});
    CHECK(random_order(15'798'380'375'870'213'399U, 10) == Indices{0, 6, 2, 5, 4, 1, 8, 7, 9, 3});
    const Indices large = random_order(7, 1000);
    CHECK(Indices(large.begin(), large.begin() + 5) == Indices{15, 493, 548, 495, 113});
    CHECK(Indices(large.end() - 5, large.end()) == Indices{285, 202, 432, 286, 516});
}

TEST_CASE("ShuffledOrder: a start rotates to the left, beyond the book's end too") {
    CHECK(random_order(42, 10, 4) == Indices{7, 9, 8, 1, 3, 5, 2, 6, 0, 4});
    CHECK(random_order(42, 10, 23) == Indices{4, 7, 9, 8, 1, 3, 5, 2, 6, 0});
    CHECK(random_order(42, 10, 11) == random_order(42, 10, 1));
    CHECK(first_of(ShuffledOrder(Order::Sequential, 9, 3, 4, 0), 5) == Indices{2, 3, 0, 1, 2});
    CHECK(first_of(ShuffledOrder(Order::Sequential, 9, 8, 4, 0), 3) == Indices{3, 0, 1});
}

TEST_CASE("ShuffledOrder: what is left after so many rounds is played again in the same order") {
    const ShuffledOrder order(Order::Random, 42, 4, 10, 3);
    CHECK(first_of(order, 7) == Indices{7, 9, 8, 7, 9, 8, 7});
    CHECK(order.index(2) == Turn{8, 0});
    CHECK(order.index(3) == Turn{7, 1});
    CHECK(first_of(ShuffledOrder(Order::Sequential, 1, 10, 10, 2), 4) == Indices{9, 0, 9, 0});
    CHECK(first_of(ShuffledOrder(Order::Random, 42, 4, 10, 99), 11).back() == 7);
}

TEST_CASE("ShuffledOrder: fastchess's rotation by the pairs played is the same as going on") {
    const ShuffledOrder whole(Order::Random, 42, 4, 10, 10);
    for (std::uint64_t played = 0; played < 10; ++played) {
        const ShuffledOrder resumed(Order::Random, 42, 4 + played, 10, 10);
        CHECK(resumed.index(0).index == whole.index(played).index);
    }
}
