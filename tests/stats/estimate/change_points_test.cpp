#include "stats/estimate/change_points.h"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "base/random.h"
#include "stats/data/normal.h"
#include "tests/support/how_many.h"

using namespace assay;
using namespace assay::stats;

namespace {

/// About normal, standard deviation 1.
double bell(Random& random) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(random.below(1'000'000)) / 1e6;
    return sum;
}

}  // namespace

TEST_CASE("Steps: a step is found at its place with its size") {
    Random random(3);
    std::vector<Measured> series;
    for (int i = 0; i < 60; ++i) series.push_back({(i < 25 ? 0 : 10) + 3 * bell(random), 3});
    const Levels found = find_steps(series);
    REQUIRE(found.steps.size() == 1);
    CHECK(found.steps[0].at == 25);
    CHECK(*found.steps[0].ci95.low < 10);
    CHECK(*found.steps[0].ci95.high > 10);
    CHECK(found.steps[0].false_alarm < 1e-6);
    CHECK(found.levels[1].end == 60);
}

TEST_CASE("Steps: of series without one, few give an alarm") {
    Random random(5);
    int alarms = 0;
    for (int run = 0; run < 400; ++run) {
        std::vector<Measured> series;
        for (int i = 0; i < 40; ++i) series.push_back({bell(random), 1});
        alarms += find_steps(series, 0.05).steps.empty() ? 0 : 1;
    }
    // At most 20 in the mean, as Bonferroni allows for more than there is.
    CHECK(alarms <= 33);
    CHECK(alarms > 0);
}

TEST_CASE("Steps: where the error is not known, one series in a hundred gives an alarm at most") {
    for (const std::size_t length :
         {2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 10U, 11U, 12U, 20U, 40U, 100U}) {
        CAPTURE(length);
        Random random(length);
        const int runs = test::how_many(500, 4000);
        int alarms = 0;
        for (int run = 0; run < runs; ++run) {
            std::vector<double> series;
            for (std::size_t i = 0; i < length; ++i)
                series.push_back(1'000'000 + 5'000 * bell(random));
            alarms += find_steps(series, 1, 0.01).steps.empty() ? 0 : 1;
        }
        // Above the mean of as many by three standard deviations.
        const double mean = 0.01 * runs;
        CHECK(alarms <= mean + 3 * std::sqrt(mean));
    }
}

TEST_CASE("Steps: where the error is not known, a clear step is found, and several in a long row") {
    Random random(11);
    const auto figure = [&](double level) { return 1'000'000 * level + 5'000 * bell(random); };
    int found = 0;
    for (int run = 0; run < 100; ++run) {
        std::vector<double> series;
        for (int i = 0; i < 8; ++i) series.push_back(figure(i < 4 ? 1 : 1.05));
        const Levels levels = find_steps(series, 2'000, 0.01);
        found += levels.steps.size() == 1 && levels.steps[0].at == 4 ? 1 : 0;
    }
    CHECK(found >= 95);
    std::vector<double> series;
    for (int i = 0; i < 60; ++i)
        series.push_back(figure(i < 15 ? 1 : i < 30 ? 1.03 : i < 45 ? 0.99 : 1.05));
    const Levels levels = find_steps(series, 2'000, 0.01);
    REQUIRE(levels.steps.size() == 3);
    CHECK(levels.steps[0].at == 15);
    CHECK(levels.steps[1].at == 30);
    CHECK(levels.steps[2].at == 45);
    CHECK(*levels.steps[2].ci95.low < 60'000);
    CHECK(*levels.steps[2].ci95.high > 60'000);
    CHECK(levels.levels[0].error == doctest::Approx(5'000 / std::sqrt(15)).epsilon(0.3));
}

TEST_CASE("Steps: of equal figures one step is as large as the least error allows") {
    const std::vector<double> equal(6, 100.0);
    CHECK(find_steps(equal, 0.2, 0.01).steps.empty());
    std::vector<double> series = equal;
    series.insert(series.end(), 6, 100.3);
    CHECK(find_steps(series, 0.2, 0.01).steps.empty());
    series.resize(6);
    series.insert(series.end(), 6, 102.0);
    REQUIRE(find_steps(series, 0.2, 0.01).steps.size() == 1);
    CHECK(find_steps(series, 0.2, 0.01).steps[0].change == doctest::Approx(2));
    CHECK(find_steps(std::vector<double>{}, 0.2, 0.01).levels.empty());
    CHECK(find_steps(std::vector<double>{100}, 0.2, 0.01).levels.size() == 1);
}

TEST_CASE("Steps: a false alarm is either way, and at any place") {
    std::vector<Measured> series(10, Measured{0, 1});
    series.insert(series.end(), 10, Measured{1, 1});
    // z = 1 / sqrt(1/10 + 1/10), at one of 19 places, up or down.
    const double chance = 19 * 2 * normal_cdf(-std::sqrt(5.0));
    const Levels found = find_steps(series, chance + 0.001);
    REQUIRE(found.steps.size() == 1);
    CHECK(found.steps[0].at == 10);
    CHECK(found.steps[0].false_alarm == doctest::Approx(chance));
    CHECK(find_steps(series, chance - 0.001).steps.empty());
}

TEST_CASE("Steps: the weights are the errors' squares") {
    const std::vector<Measured> series{{0, 1}, {3, 2}};
    const Levels found = find_steps(series);
    REQUIRE(found.levels.size() == 1);
    CHECK(found.levels[0].mean == doctest::Approx(3.0 / 5));
    CHECK(found.levels[0].error == doctest::Approx(1 / std::sqrt(1.25)));
    CHECK(find_steps({}).levels.empty());
}

TEST_CASE("Steps: the last figure alone can be a level") {
    std::vector<Measured> series(30, Measured{0, 1});
    series.push_back({9, 1});
    REQUIRE(find_steps(series).steps.size() == 1);
    CHECK(find_steps(series).steps[0].at == 30);
}

TEST_CASE("Steps: the error from neighbours ignores a step") {
    const std::vector<double> series{1, 2, 1, 2, 1, 101, 102, 101, 102};
    CHECK(neighbour_error(series, 0.1) == doctest::Approx(1.0484).epsilon(0.001));
    CHECK(neighbour_error(std::vector<double>{5, 5, 5}, 0.1) == 0.1);
    CHECK(neighbour_error(std::vector<double>{}, 0.1) == 0.1);
}
