#include "openings/order.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include <doctest/doctest.h>

using assay::openings::OpeningOrder;
using assay::openings::Order;
using assay::openings::Turn;

namespace {

std::vector<std::uint64_t> one_round(const OpeningOrder& order, std::uint64_t size,
                                     std::uint64_t first = 0) {
    std::vector<std::uint64_t> indices;
    for (std::uint64_t pair = first; pair < first + size; ++pair) {
        indices.push_back(order.index(pair).index);
    }
    return indices;
}

bool is_bijection(std::vector<std::uint64_t> indices) {
    std::sort(indices.begin(), indices.end());
    for (std::uint64_t i = 0; i < indices.size(); ++i) {
        if (indices[i] != i) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("OpeningOrder: sequential takes the openings as they stand, from the start on") {
    const OpeningOrder order(Order::Sequential, 7, 3, 4);
    CHECK(one_round(order, 4) == std::vector<std::uint64_t>{2, 3, 0, 1});
    CHECK(order.index(3) == Turn{1, 0});
    CHECK(order.index(4) == Turn{2, 1});
}

TEST_CASE("OpeningOrder: every round plays every opening once, whatever the size and start") {
    for (const std::uint64_t size :
         {1U, 2U, 3U, 5U, 16U, 63U, 64U, 65U, 255U, 256U, 257U, 1000U, 4096U, 10'000U, 65'537U}) {
        CAPTURE(size);
        for (const std::uint64_t start : {std::uint64_t{1}, size, 3 * size + 2}) {
            const OpeningOrder order(Order::Random, 42, start, size);
            CHECK(is_bijection(one_round(order, size)));
            CHECK(is_bijection(one_round(order, size, 7 * size)));
        }
    }
}

TEST_CASE("OpeningOrder: a round that begins anew is said and has an order of its own") {
    const OpeningOrder order(Order::Random, 1, 1, 1000);
    CHECK(order.index(999).round == 0);
    CHECK(order.index(1000).round == 1);
    CHECK(order.index(2500).round == 2);
    CHECK(one_round(order, 1000) != one_round(order, 1000, 1000));
}

TEST_CASE("OpeningOrder: starts a hundred apart play disjoint hundreds of one order") {
    std::set<std::uint64_t> seen;
    const OpeningOrder whole(Order::Random, 5, 1, 1000);
    for (std::uint64_t machine = 0; machine < 10; ++machine) {
        const OpeningOrder part(Order::Random, 5, 1 + 100 * machine, 1000);
        for (std::uint64_t pair = 0; pair < 100; ++pair) {
            seen.insert(part.index(pair).index);
            CHECK(part.index(pair) == whole.index(100 * machine + pair));
        }
    }
    CHECK(seen.size() == 1000);
}

TEST_CASE("OpeningOrder: a start behind the book's end goes on in a later round") {
    CHECK(OpeningOrder(Order::Sequential, 1, 12, 10).index(0) == Turn{1, 1});
    const OpeningOrder whole(Order::Random, 9, 1, 10);
    CHECK(OpeningOrder(Order::Random, 9, 11, 10).index(0) == whole.index(10));
}

TEST_CASE("OpeningOrder: seeds give different orders") {
    std::set<std::vector<std::uint64_t>> orders;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        orders.insert(one_round(OpeningOrder(Order::Random, seed, 1, 100), 100));
    }
    CHECK(orders.size() == 200);
}

TEST_CASE("OpeningOrder: over many seeds the first two openings are uniform and independent") {
    // Chi-square of the 90 ordered pairs, 89 degrees of freedom: mean 89, deviation 13.3. The seeds
    // are fixed, so this holds or not for ever; 142 is four deviations up.
    constexpr std::uint64_t kSize = 10;
    constexpr std::uint64_t kSeeds = 45'000;
    std::array<double, kSize * kSize> seen{};
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const OpeningOrder order(Order::Random, seed, 1, kSize);
        seen[order.index(0).index * kSize + order.index(1).index] += 1;
    }
    const double expected = static_cast<double>(kSeeds) / (kSize * (kSize - 1));
    double sum = 0;
    for (std::uint64_t i = 0; i < kSize * kSize; ++i) {
        if (i / kSize == i % kSize) continue;
        sum += (seen[i] - expected) * (seen[i] - expected) / expected;
    }
    CHECK(sum < 142);
    CHECK(sum > 36);
}

TEST_CASE("OpeningOrder: the order of a seed never changes, up to the trillionth pair") {
    // Computed by a second program, written from the description alone.
    const OpeningOrder order(Order::Random, 1, 1, 10'000);
    CHECK(order.index(0) == Turn{1147, 0});
    CHECK(order.index(1) == Turn{6301, 0});
    CHECK(order.index(9'999) == Turn{9836, 0});
    CHECK(order.index(1'000'000'000'000) == Turn{343, 100'000'000});
    const OpeningOrder large(Order::Random, 1, 1, 30'000'000);
    CHECK(large.index(0) == Turn{1'354'639, 0});
}
