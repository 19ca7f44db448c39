#include "harness/rounds/pair_up.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "base/random.h"

using namespace assay::harness;

namespace {

PairingCost cost_of(const PairingCosts& costs, const std::vector<std::size_t>& partner) {
    PairingCost sum = 0;
    for (std::size_t a = 0; a < partner.size(); ++a) {
        CHECK(partner[a] != a);
        CHECK(partner[partner[a]] == a);
        if (a < partner[a]) sum += costs.at(a, partner[a]);
    }
    return sum;
}

/// The least cost by trying all sets of paired places.
PairingCost least_cost(const PairingCosts& costs) {
    const std::size_t count = costs.count();
    std::vector<std::optional<PairingCost>> best(std::size_t{1} << count);
    best[0] = 0;
    for (std::size_t set = 0; set < best.size(); ++set) {
        if (!best[set]) continue;
        std::size_t a = 0;
        while (a < count && (set >> a & 1U) != 0) ++a;
        for (std::size_t b = a + 1; b < count; ++b) {
            if ((set >> b & 1U) != 0) continue;
            std::optional<PairingCost>& next =
                best[set | std::size_t{1} << a | std::size_t{1} << b];
            const PairingCost cost = *best[set] + costs.at(a, b);
            if (!next || cost < *next) next = cost;
        }
    }
    return *best.back();
}

PairingCosts random_costs(std::size_t count, std::uint64_t below, assay::Random& random) {
    PairingCosts costs(count);
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            costs.set(a, b, static_cast<PairingCost>(random.below(below)));
        }
    }
    return costs;
}

}  // namespace

TEST_CASE("pair_up: the least sum of costs, as trying all pairings finds it") {
    assay::Random random(1);
    for (std::size_t count = 2; count <= 12; count += 2) {
        // Few different costs make ties and blossoms; many make one best pairing.
        for (const std::uint64_t below : {2U, 3U, 10U, 1'000'000U}) {
            for (int run = 0; run < (count > 10 ? 8 : 40); ++run) {
                const PairingCosts costs = random_costs(count, below, random);
                const std::vector<std::size_t> partner = pair_up(costs);
                CHECK((cost_of(costs, partner) == least_cost(costs)));
                CHECK(pair_up(costs) == partner);
            }
        }
    }
}

TEST_CASE("pair_up: costs of a line, of cycles of odd length, and of great numbers") {
    // Places on a line: neighbours are paired.
    PairingCosts line(20);
    for (std::size_t a = 0; a < 20; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            const auto apart = static_cast<PairingCost>(a - b);
            line.set(a, b, apart * apart << 100U);
        }
    }
    const std::vector<std::size_t> neighbours = pair_up(line);
    for (std::size_t a = 0; a < 20; ++a) CHECK(neighbours[a] == (a ^ 1U));
    // Cheap edges form odd cycles only, so that each cycle has to give one place away.
    for (const std::size_t length : {3U, 5U, 7U}) {
        PairingCosts cycles(2 * length);
        for (std::size_t a = 0; a < 2 * length; ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                const bool is_same = a / length == b / length;
                const std::size_t apart = a - b;
                const bool is_cheap = is_same && (apart == 1 || apart == length - 1);
                cycles.set(a, b,
                           static_cast<PairingCost>(is_cheap  ? 1
                                                    : is_same ? 50
                                                              : 20 + a + b));
            }
        }
        const PairingCost wanted =
            static_cast<PairingCost>(length - 1) + 20 + static_cast<PairingCost>(length);
        CHECK((cost_of(cycles, pair_up(cycles)) == wanted));
    }
    CHECK(pair_up(PairingCosts(0)).empty());
}

TEST_CASE("pair_up: of many places no two pairs could be exchanged for cheaper ones") {
    assay::Random random(7);
    const PairingCosts costs = random_costs(100, 1000, random);
    const std::vector<std::size_t> partner = pair_up(costs);
    (void)cost_of(costs, partner);
    for (std::size_t a = 0; a < partner.size(); ++a) {
        for (std::size_t c = 0; c < partner.size(); ++c) {
            const std::size_t b = partner[a];
            const std::size_t d = partner[c];
            if (c == a || c == b) continue;
            CHECK((costs.at(a, b) + costs.at(c, d) <= costs.at(a, c) + costs.at(b, d)));
        }
    }
}
