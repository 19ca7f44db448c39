#include "stats/test/multiple.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/random.h"

using namespace assay::stats;

namespace {

int rejected(const std::vector<Adjusted>& list) {
    int count = 0;
    for (const Adjusted& one : list) count += one.is_rejected ? 1 : 0;
    return count;
}

}  // namespace

TEST_CASE("Many tests: Holm and Benjamini-Hochberg by hand") {
    const std::vector<double> p{0.01, 0.04, 0.03, 0.005};
    const auto holm = adjust_holm(p, 0.05);
    CHECK(holm[3].value == doctest::Approx(0.02));
    CHECK(holm[0].value == doctest::Approx(0.03));
    CHECK(holm[2].value == doctest::Approx(0.06));
    CHECK(holm[1].value == doctest::Approx(0.06));
    CHECK(rejected(holm) == 2);
    const auto bh = adjust_bh(p, 0.05);
    CHECK(bh[3].value == doctest::Approx(0.02));
    CHECK(bh[0].value == doctest::Approx(0.02));
    CHECK(bh[2].value == doctest::Approx(0.04));
    CHECK(bh[1].value == doctest::Approx(0.04));
    CHECK(rejected(bh) == 4);
    CHECK(adjust_holm(std::vector<double>{}, 0.05).empty());
}

TEST_CASE("Many tests: Benjamini and Hochberg's own example rejects four of fifteen") {
    // Table of their paper of 1995, at 0.05; Bonferroni's rule rejects three.
    const std::vector<double> p{.0001, .0004, .0019, .0095, .0201, .0278, .0298, .0344,
                                .0459, .3240, .4262, .5719, .6528, .7590, 1.000};
    CHECK(rejected(adjust_bh(p, 0.05)) == 4);
    CHECK(rejected(adjust_holm(p, 0.05)) == 3);
}

TEST_CASE("Many tests: e-values are rejected where the k-th greatest reaches m / (k q)") {
    const std::vector<double> e{100, 1, 50, 0, 30};
    // q = 0.05: thresholds 100, 50, 33.3, 25, 20 for k = 1 ... 5.
    const auto out = adjust_ebh(e, 0.05);
    CHECK(out[0].is_rejected);
    CHECK(out[2].is_rejected);
    CHECK_FALSE(out[4].is_rejected);
    CHECK(out[0].value == doctest::Approx(0.05));
    CHECK(out[3].value == 1);
}

TEST_CASE("Many tests: LORD++ pays for each test from what is left, and earns by discoveries") {
    const std::vector<double> p{1e-6, 0.5, 0.5, 1e-6, 0.9};
    const auto out = adjust_lord(p, 0.05);
    // 0.07720838 ln 2 of half the level for the first test.
    CHECK(out[0].value == doctest::Approx(0.025 * 0.07720838 * std::log(2.0)));
    CHECK(out[0].is_rejected);
    CHECK(out[1].value > out[2].value);
    CHECK(out[4].value > out[2].value);
    // The first discovery pays back what is left of the level, and a later one all of it.
    const auto share = [](double age) {
        return 0.07720838 * std::log(std::max(age, 2.0)) /
               (age * std::exp(std::sqrt(std::log(age))));
    };
    CHECK(out[1].value == doctest::Approx(0.025 * share(2) + 0.025 * share(1)));
    CHECK(out[4].value == doctest::Approx(0.025 * share(5) + 0.025 * share(4) + 0.05 * share(1)));
    CHECK(rejected(out) == 2);
    double spent = 0;
    const std::vector<double> none(100'000, 1.0);
    for (const Adjusted& one : adjust_lord(none, 0.05)) spent += one.value;
    CHECK(spent <= 0.025);
}

TEST_CASE("Many tests: error rates hold where nothing is true") {
    assay::Random random(8);
    int holm = 0;
    int bh = 0;
    int lord = 0;
    constexpr int kRuns = 2000;
    for (int run = 0; run < kRuns; ++run) {
        std::vector<double> p;
        for (int i = 0; i < 20; ++i) p.push_back(random.unit());
        holm += rejected(adjust_holm(p, 0.05)) > 0 ? 1 : 0;
        bh += rejected(adjust_bh(p, 0.05)) > 0 ? 1 : 0;
        lord += rejected(adjust_lord(p, 0.05)) > 0 ? 1 : 0;
    }
    const double most = 0.05 + 4 * std::sqrt(0.05 * 0.95 / kRuns);
    CHECK(holm / double{kRuns} <= most);
    CHECK(bh / double{kRuns} <= most);
    CHECK(bh / double{kRuns} >= 0.05 - 4 * std::sqrt(0.05 * 0.95 / kRuns));
    CHECK(lord / double{kRuns} <= most);
}

TEST_CASE("Many tests: what is no p-value or e-value is refused") {
    CHECK_THROWS_AS((void)adjust_holm(std::vector<double>{1.1}, 0.05), assay::Error);
    CHECK_THROWS_AS((void)adjust_bh(std::vector<double>{NAN}, 0.05), assay::Error);
    CHECK_THROWS_AS((void)adjust_ebh(std::vector<double>{-1}, 0.05), assay::Error);
    CHECK_THROWS_AS((void)adjust_lord(std::vector<double>{0.1}, 0), assay::Error);
    for (const char* name : {"holm", "bh", "ebh", "lord"}) {
        CHECK(name_of(*correction_named(name)) == name);
    }
    CHECK_FALSE(correction_named("x"));
}

TEST_CASE("Many tests: all rules agree with their definitions, and do not mind the order") {
    assay::Random random(12);
    for (int round = 0; round < 300; ++round) {
        const auto m = 1 + static_cast<std::size_t>(random.below(10));
        const double level = 0.01 + 0.2 * random.unit();
        std::vector<double> p;
        std::vector<double> e;
        for (std::size_t i = 0; i < m; ++i) {
            p.push_back(std::pow(random.unit(), 4));
            e.push_back(std::exp(12 * random.unit() - 4));
        }
        const auto holm = adjust_holm(p, level);
        const auto bh = adjust_bh(p, level);
        const auto ebh = adjust_ebh(e, level);
        for (std::size_t i = 0; i < m; ++i) {
            // Holm: at each of the ranks up to this one the p-value is small enough.
            bool holds = true;
            bool any_bh = false;
            bool any_ebh = false;
            for (std::size_t j = 0; j < m; ++j) {
                int below = 0;
                int at_most = 0;
                int at_least = 0;
                for (std::size_t k = 0; k < m; ++k) {
                    below += p[k] < p[j] ? 1 : 0;
                    at_most += p[k] <= p[j] ? 1 : 0;
                    at_least += e[k] >= e[j] ? 1 : 0;
                }
                const auto count = static_cast<double>(m);
                if (p[j] <= p[i]) {
                    holds = holds && p[j] * (count - below) <= level;
                }
                any_bh = any_bh || (p[j] >= p[i] && p[j] * count <= level * at_most);
                any_ebh = any_ebh || (e[j] <= e[i] && e[j] * level * at_least >= count);
            }
            CHECK(holm[i].is_rejected == holds);
            CHECK(bh[i].is_rejected == any_bh);
            CHECK(ebh[i].is_rejected == any_ebh);
        }
        std::vector<double> turned(p.rbegin(), p.rend());
        CHECK(adjust_holm(turned, level).front().value == holm.back().value);
        CHECK(adjust_bh(turned, level).front().value == bh.back().value);
    }
}
