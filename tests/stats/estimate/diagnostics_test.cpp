#include "stats/estimate/diagnostics.h"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "base/random.h"

using namespace assay::stats;

namespace {

/// Independent pairs of independent games, every opening once, four slots in turn.
std::vector<ObservedPair> independent(int pairs, std::uint64_t seed) {
    assay::Random random(assay::mix64(seed));
    std::vector<ObservedPair> out;
    for (int i = 0; i < pairs; ++i) {
        const auto game = [&] { return static_cast<int>(random.below(3)); };
        const int first = game();
        out.push_back({random(), static_cast<std::uint32_t>(i), static_cast<std::uint16_t>(i % 4),
                       static_cast<std::uint8_t>(3 * first + game())});
    }
    return out;
}

}  // namespace

TEST_CASE("Diagnostics: independent pairs raise no flag, in 95 of 100 runs and more") {
    int flagged = 0;
    int unequal = 0;
    int unsteady = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const Diagnostics found = diagnose(independent(400, seed));
        CHECK(std::fabs(found.pair_correlation) < 0.25);
        CHECK(found.duplicates == 0);
        CHECK_FALSE(found.openings);
        REQUIRE(found.slots);
        CHECK(found.slots->groups == 4);
        CHECK(found.slots->degrees == 6);
        flagged += found.is_lag1_flagged ? 1 : 0;
        unequal += found.slots->p_value < 0.05 ? 1 : 0;
        unsteady += std::fabs(found.first_move.z) > 1.96 ? 1 : 0;
    }
    // Binomial(200, 0.05) is at most 10 + 4 * 3.1, Binomial(200, 0.001) at most 3.
    CHECK(flagged <= 3);
    CHECK(unequal <= 22);
    CHECK(unequal >= 1);
    CHECK(unsteady <= 22);
}

TEST_CASE("Diagnostics: an opening that decides both games gives negative correlation") {
    std::vector<ObservedPair> pairs = independent(300, 1);
    // The first player wins both: a win and a loss for each program.
    for (std::size_t i = 0; i < pairs.size(); i += 2) pairs[i].cell = 3 * 2 + 0;
    const Diagnostics found = diagnose(pairs);
    CHECK(found.pair_correlation < -0.3);
    CHECK(found.first_move.score > 0.65);
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].cell = i % 2 == 0 ? 8 : 0;
    CHECK(diagnose(pairs).pair_correlation == doctest::Approx(1).epsilon(1e-9));
}

TEST_CASE("Diagnostics: equal moves, streaks and openings that repeat are found") {
    std::vector<ObservedPair> pairs = independent(400, 2);
    pairs[7].moves = pairs[3].moves;
    pairs[9].moves = pairs[3].moves;
    CHECK(diagnose(pairs).duplicates == 2);
    // Four pairs of one opening that end alike.
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        pairs[i].opening = static_cast<std::uint32_t>(i / 4);
        pairs[i].cell = pairs[i / 4 * 4].cell;
    }
    const Diagnostics found = diagnose(pairs);
    CHECK(found.is_lag1_flagged);
    REQUIRE(found.openings);
    CHECK(found.openings->openings == 100);
    CHECK(found.openings->design_effect == doctest::Approx(4).epsilon(0.02));
    CHECK(found.openings->is_needed);
    CHECK(*found.openings->elo_ci95.low < *found.openings->elo_ci95.high);
}

TEST_CASE("Diagnostics: pairs that win and lose in turn are found, as streaks are") {
    std::vector<ObservedPair> pairs = independent(400, 2);
    for (std::size_t i = 0; i < pairs.size(); ++i)
        pairs[i].cell = static_cast<std::uint8_t>(i % 2 == 0 ? 8 : 0);
    const Diagnostics found = diagnose(pairs);
    CHECK(found.lag1 < -0.9);
    CHECK(found.is_lag1_flagged);
}

TEST_CASE("Diagnostics: a slot that plays differently is named") {
    std::vector<ObservedPair> pairs = independent(400, 3);
    for (std::size_t i = 2; i < pairs.size(); i += 4)
        pairs[i].cell = i % 8 == 2 ? 0 : pairs[i].cell;
    const Diagnostics found = diagnose(pairs);
    REQUIRE(found.slots);
    CHECK(found.slots->p_value < 1e-3);
    CHECK(found.slots->worst == 2);
    CHECK(found.slots->worst_p_value < 1e-3);
    // Slots with a handful of pairs are not judged.
    for (std::size_t i = 0; i < pairs.size(); ++i)
        pairs[i].slot = static_cast<std::uint16_t>(i / 4);
    CHECK_FALSE(diagnose(pairs).slots);
}

TEST_CASE("Diagnostics: a first move whose worth changes is seen over time") {
    std::vector<ObservedPair> pairs = independent(400, 4);
    for (std::size_t i = 200; i < pairs.size(); i += 2) pairs[i].cell = 3 * 2 + 0;
    const Diagnostics found = diagnose(pairs);
    CHECK(found.first_move.z > 5);
    CHECK(found.first_move.halves[1] > found.first_move.halves[0]);
}

TEST_CASE("Diagnostics: few, equal and no pairs give numbers") {
    CHECK(diagnose({}).pairs == 0);
    for (const int count : {1, 2, 3}) {
        std::vector<ObservedPair> pairs(static_cast<std::size_t>(count));
        for (ObservedPair& pair : pairs) pair.cell = 4;
        const Diagnostics found = diagnose(pairs);
        CHECK(found.lag1 == 0);
        CHECK(found.pair_correlation == 0);
        CHECK(std::isfinite(found.first_move.z));
        CHECK_FALSE(found.slots);
        CHECK(found.duplicates == count - 1);
    }
}

TEST_CASE("Diagnostics: failures are compared exactly") {
    CHECK(failure_p_value(0, 0) == 1);
    CHECK(failure_p_value(3, 3) == 1);
    CHECK(failure_p_value(0, 10) == doctest::Approx(2 / 1024.0).epsilon(1e-12));
    CHECK(failure_p_value(10, 0) == failure_p_value(0, 10));
}

TEST_CASE(
    "Diagnostics: a machine that plays differently is found as a slot is, and one alone is none") {
    std::vector<ObservedPair> pairs = independent(400, 5);
    CHECK_FALSE(diagnose(pairs).machines);
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].machine = i < 300 ? 0 : 1;
    const Diagnostics alike = diagnose(pairs);
    REQUIRE(alike.machines);
    CHECK(alike.machines->groups == 2);
    CHECK(alike.machines->degrees == 2);
    CHECK(alike.machines->p_value > 0.001);
    for (std::size_t i = 300; i < pairs.size(); i += 2) pairs[i].cell = 0;
    const Diagnostics found = diagnose(pairs);
    REQUIRE(found.machines);
    CHECK(found.machines->p_value < 1e-5);
    CHECK(found.slots->p_value > 1e-5);
    // A machine with too few pairs to expect five of each kind is left out.
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].machine = i < 390 ? 0 : 1;
    CHECK_FALSE(diagnose(pairs).machines);
}
