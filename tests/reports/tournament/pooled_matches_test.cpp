#include "reports/tournament/pooled_matches.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/random.h"
#include "tests/support/sample_tally.h"

using assay::harness::MatchPlan;
using assay::harness::MatchTally;
using assay::harness::RunRecord;
using assay::harness::StopPlan;
using assay::reports::not_fixed_because;
using assay::reports::pool_matches;
using assay::reports::PooledMatch;
using assay::reports::PooledResult;
using assay::stats::Decision;

namespace {

MatchPlan plan_of_length(std::int64_t pairs, StopPlan::Rule rule) {
    MatchPlan plan;
    plan.pairs = pairs;
    plan.stop.rule = rule;
    plan.stop.e0 = 0;
    plan.stop.e1 = 10;
    return plan;
}

/// A match of pairs with these categories.
MatchTally played(const MatchPlan& plan, const std::vector<int>& categories) {
    MatchTally tally(plan);
    std::int64_t number = 0;
    for (const int category : categories) {
        tally.add(assay::test::pair_of(number++, std::min(category, 2), std::max(category - 2, 0)));
    }
    return tally;
}

PooledMatch part(const MatchTally& tally, bool is_reversed = false) {
    static const RunRecord kRun;
    return {&kRun, &tally, is_reversed};
}

}  // namespace

TEST_CASE("Pooled matches: single games are refused, as they are no pairs") {
    MatchTally tally(plan_of_length(3, StopPlan::Rule::None));
    assay::harness::PairDigest game = assay::test::pair_of(0, 2, 0);
    game.is_single = true;
    tally.add(game);
    CHECK_THROWS_AS((void)pool_matches({part(tally)}, {}), assay::Error);
}

TEST_CASE("Pooled matches: pairs add up, seen by the first version of the pool") {
    const MatchTally one = played(plan_of_length(3, StopPlan::Rule::None), {4, 3, 2});
    const MatchTally two = played(plan_of_length(2, StopPlan::Rule::None), {0, 1});
    const PooledResult same = pool_matches({part(one), part(two)}, {});
    CHECK(same.pairs.counts == std::array<std::int64_t, 5>{1, 1, 1, 1, 1});
    const PooledResult turned = pool_matches({part(one), part(two, true)}, {});
    CHECK(turned.pairs.counts == std::array<std::int64_t, 5>{0, 0, 1, 2, 2});
    CHECK(turned.is_fixed);
    CHECK(turned.plain.elo.value.value() > 0);
    // Each is the other's mirror image.
    const PooledResult mirrored = pool_matches({part(one, true), part(two)}, {});
    CHECK(mirrored.plain.elo.value.value() == doctest::Approx(-turned.plain.elo.value.value()));
    CHECK(mirrored.sign_flip.p_value == turned.sign_flip.p_value);
}

TEST_CASE("Pooled matches: the plain figures hold only where no result ended a match") {
    const MatchTally fixed = played(plan_of_length(2, StopPlan::Rule::Fixed), {4, 3});
    const MatchTally stopped = played(plan_of_length(9, StopPlan::Rule::None), {4, 3});
    const MatchTally sprt = played(plan_of_length(9, StopPlan::Rule::Sprt), {4, 3});
    CHECK(not_fixed_because(part(fixed)).empty());
    CHECK(not_fixed_because(part(stopped)) == "was stopped");
    CHECK(not_fixed_because(part(sprt)) == "sprt");
    CHECK(pool_matches({part(fixed)}, {}).is_fixed);
    CHECK_FALSE(pool_matches({part(fixed), part(stopped)}, {}).is_fixed);
    CHECK_FALSE(pool_matches({part(sprt), part(fixed)}, {}).is_fixed);
}

TEST_CASE("Pooled matches: the bets go on from match to match as in one long match") {
    const std::vector<int> all(60, 3);
    const std::vector<int> half(30, 3);
    const MatchTally whole = played(plan_of_length(60, StopPlan::Rule::None), all);
    const MatchTally short_one = played(plan_of_length(30, StopPlan::Rule::None), half);
    const PooledResult once = pool_matches({part(whole)}, {});
    const PooledResult twice = pool_matches({part(short_one), part(short_one)}, {});
    CHECK(twice.ln_e_for == doctest::Approx(once.ln_e_for));
    CHECK(twice.decision == Decision::AcceptH1);
    // The rule of a match that is played bets alike.
    const auto rule = assay::stats::make_evidence_rule({});
    while (rule->decision() == Decision::Continue) rule->add(3);
    const auto pairs = rule->pairs().pairs();
    CHECK(pool_matches({part(played(plan_of_length(pairs, StopPlan::Rule::None),
                                    std::vector<int>(static_cast<std::size_t>(pairs), 3)))},
                       {})
              .decision == Decision::AcceptH1);
    // Neither half decides by itself.
    const PooledResult alone = pool_matches({part(short_one)}, {0, 0, 0.001, 0.001});
    CHECK(alone.decision == Decision::Continue);
}

TEST_CASE("Pooled matches: equal versions seldom pass or fail, however many matches are added") {
    // After each match of 25 pairs somebody looks and adds another one, up to 20. The plain test
    // is fooled far more often than its 5 %, the bets are not.
    constexpr int kPools = 100;
    int decided = 0;
    int plain = 0;
    for (int pool = 0; pool < kPools; ++pool) {
        assay::Random random(static_cast<std::uint64_t>(pool) + 1);
        std::vector<std::unique_ptr<MatchTally>> tallies;
        std::vector<PooledMatch> matches;
        bool is_decided = false;
        bool is_plain = false;
        while (matches.size() < 20) {
            std::vector<int> categories;
            for (int pair = 0; pair < 25; ++pair) {
                categories.push_back(static_cast<int>(random.below(5)));
            }
            tallies.push_back(std::make_unique<MatchTally>(
                played(plan_of_length(25, StopPlan::Rule::None), categories)));
            matches.push_back(part(*tallies.back()));
            const PooledResult result = pool_matches(matches, {});
            is_decided = is_decided || result.decision != Decision::Continue;
            is_plain = is_plain || result.sign_flip.p_value <= 0.05;
        }
        decided += is_decided ? 1 : 0;
        plain += is_plain ? 1 : 0;
    }
    CHECK(decided <= 19);  // 5 % for each side and three standard errors
    CHECK(plain > 10);     // what the bets protect from
}
