#include "harness/plan/shard.h"

#include <set>
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "tests/support/contains.h"

using assay::Error;
using assay::harness::check_shardable;
using assay::harness::plan_of_shard;
using assay::harness::RunPlan;
using assay::harness::Shard;
using assay::harness::shard_of;
using assay::test::contains;

namespace {

RunPlan plan_of_pairs(std::int64_t pairs) {
    RunPlan plan;
    plan.programs.resize(2);
    plan.matches.resize(1);
    plan.matches[0].pairs = pairs;
    plan.matches[0].stop.rule = assay::harness::StopPlan::Rule::Fixed;
    plan.seed = 7;
    return plan;
}

std::string refusal(const RunPlan& plan) {
    try {
        check_shardable(plan);
    } catch (const Error& error) {
        CHECK(error.exit_code() == 2);
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("Shards: each pair is in one of them, and their shares add up") {
    for (const std::int64_t pairs : {0, 1, 7, 8, 9, 200}) {
        for (const int count : {1, 3, 8}) {
            CAPTURE(pairs);
            CAPTURE(count);
            std::set<std::int64_t> seen;
            for (int index = 1; index <= count; ++index) {
                const Shard shard{index, count};
                const std::int64_t share = shard.share_of(pairs);
                CHECK(plan_of_shard(plan_of_pairs(pairs), shard).matches[0].pairs == share);
                for (std::int64_t position = 0; position < share; ++position) {
                    const std::int64_t pair = shard.pair_at(position);
                    CHECK(shard.has(pair));
                    CHECK(shard.position_of(pair) == position);
                    CHECK(pair < pairs);
                    CHECK(seen.insert(pair).second);
                }
            }
            CHECK(static_cast<std::int64_t>(seen.size()) == pairs);
        }
    }
}

TEST_CASE("Shards: I/N is read, and nothing else is") {
    CHECK(shard_of("3/8") == Shard{3, 8});
    CHECK(shard_of("1/1") == Shard{1, 1});
    CHECK(text_of(Shard{3, 8}) == "3/8");
    for (const char* text : {"", "3", "/", "0/8", "9/8", "-1/8", "3/", "/8", "3/8/2", "a/b",
                             "3 / 8", "1/10001", "1/99999999999999999999"}) {
        CAPTURE(text);
        CHECK_FALSE(shard_of(text));
    }
}

TEST_CASE("Shards: a part has neither stop rule nor suite, requirement or notice") {
    RunPlan plan = plan_of_pairs(10);
    plan.matches[0].require.crashes = 0;
    plan.suite.emplace();
    plan.at_end = {"mail"};
    const RunPlan part = plan_of_shard(plan, {1, 2});
    CHECK(part.matches[0].stop.rule == assay::harness::StopPlan::Rule::None);
    CHECK_FALSE(part.matches[0].require.crashes);
    CHECK_FALSE(part.suite);
    CHECK(part.at_end.empty());
    CHECK(part.seed == plan.seed);
}

TEST_CASE("Shards: what cannot be played in parts is refused with what to do") {
    CHECK(refusal(plan_of_pairs(10)).empty());
    RunPlan plan = plan_of_pairs(10);
    plan.seed.reset();
    CHECK(contains(refusal(plan), "give 'match.seed' in the config or --seed"));
    plan = plan_of_pairs(10);
    plan.matches[0].stop.minutes = assay::Micros(600'000'000);
    CHECK(contains(refusal(plan), "ends after 10 minutes"));
    plan = plan_of_pairs(10);
    plan.tournament.emplace();
    CHECK(contains(refusal(plan), "a tournament is not played in shards"));
    plan = plan_of_pairs(10);
    plan.matches.clear();
    CHECK(contains(refusal(plan), "a suite is run once, without --shard"));
}

TEST_CASE("Shards: a window has some pairs in a row of one match") {
    const Shard window{1, 1, Shard::Window{1, 8, 4}};
    CHECK_FALSE(window.is_whole());
    CHECK(text_of(window) == "1:8+4");
    CHECK(shard_of("1:8+4") == window);
    for (const char* wrong : {"1:8", "1:+4", "1:8+0", "-1:8+4", "1:8+4+1", "8+4", ":"}) {
        CAPTURE(wrong);
        CHECK_FALSE(shard_of(wrong));
    }
    CHECK_FALSE(window.has(7));
    CHECK(window.has(8));
    CHECK(window.has(11));
    CHECK_FALSE(window.has(12));
    CHECK(window.pair_at(1) == 9);
    CHECK(window.position_of(9) == 1);
    CHECK(window.share_of(5) == 0);
    CHECK(window.share_of(10) == 2);
    CHECK(window.share_of(100) == 4);
    RunPlan plan = plan_of_pairs(100);
    plan.matches.push_back(plan.matches.front());
    const RunPlan part = plan_of_shard(plan, window);
    CHECK(part.matches[0].pairs == 0);
    CHECK(part.matches[1].pairs == 4);
    // Pairs that replace duplicates lie behind the plan's.
    const Shard behind{1, 1, Shard::Window{1, 100, 3}};
    CHECK(plan_of_shard(plan, behind).matches[1].pairs == 3);
}
