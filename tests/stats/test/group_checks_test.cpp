#include "stats/test/group_checks.h"

#include <doctest/doctest.h>

// The expected values are of a second computation: exact fractions, and chi-square's tail with two
// degrees of freedom, exp(-x / 2).
//   def tail(K, p, k): return sum(comb(K, j) * p**j * (1 - p)**(K - j) for j in range(k, K + 1))
//   tail(K, Fraction(n, N), e)
namespace assay::stats {

TEST_CASE("Groups: the one whose results are unlike the rest's is named, thin ones are left out") {
    const std::vector<GroupResults> groups{{40, 30, 30}, {100, 110, 90}, {70, 60, 110}, {3, 4, 2}};
    const auto p = group_p_values(groups);
    REQUIRE(p.size() == 4);
    CHECK(p[0].value() == doctest::Approx(0.2201823046175152).epsilon(1e-12));
    CHECK(p[1].value() == doctest::Approx(0.006534506026933941).epsilon(1e-12));
    CHECK(p[2].value() == doctest::Approx(0.00016659763255492588).epsilon(1e-12));
    CHECK_FALSE(p[3].has_value());
    CHECK_FALSE(group_p_values(std::vector<GroupResults>{{50, 50, 50}})[0].has_value());
    CHECK_FALSE(group_p_values(std::vector<GroupResults>{{50, 0, 0}, {60, 0, 0}})[1].has_value());
    CHECK(group_p_values({}).empty());
    // No pair was even: one degree of freedom.
    const auto two = group_p_values(std::vector<GroupResults>{{60, 0, 40}, {40, 0, 60}});
    CHECK(two[0].value() == doctest::Approx(0.004677734981047266).epsilon(1e-9));
    CHECK(two[1].value() == two[0].value());
}

TEST_CASE("Groups: rates are tested exactly, and only towards more") {
    const auto p = rate_p_values(std::vector<GroupRate>{{9, 1000}, {2, 1000}, {1, 500}, {0, 1500}});
    REQUIRE(p.size() == 4);
    CHECK(p[0] == doctest::Approx(0.0003916621208190918).epsilon(1e-12));
    CHECK(p[1] == doctest::Approx(0.8416182398796082).epsilon(1e-12));
    CHECK(p[2] == doctest::Approx(0.7985827619995689).epsilon(1e-12));
    CHECK(p[3] == 1);
    CHECK(rate_p_values(std::vector<GroupRate>{{3, 1}, {1, 3}})[0] ==
          doctest::Approx(0.05078125).epsilon(1e-12));
    // Nobody to compare it with; events of a group that tried nothing.
    CHECK(rate_p_values(std::vector<GroupRate>{{3, 10}})[0] == 1);
    CHECK(rate_p_values(std::vector<GroupRate>{{1, 0}, {0, 10}})[0] == 0);
    CHECK(rate_p_values(std::vector<GroupRate>{{0, 0}, {0, 0}})[1] == 1);
}

}  // namespace assay::stats
