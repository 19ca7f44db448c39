#include "harness/executor/places.h"

#include <doctest/doctest.h>

using namespace assay::harness;

namespace {

RunPlan plan_of(std::size_t matches) {
    RunPlan plan;
    plan.programs.resize(2);
    plan.matches.resize(matches);
    for (MatchPlan& match : plan.matches) {
        match.between = {0, 1};
        match.concurrency = 2;
    }
    return plan;
}

}  // namespace

TEST_CASE("Places: one is free where no executor plays in its slot of that number") {
    Places places(2);
    bool first_plays = true;
    places.add([&](std::size_t place) { return place == 0 && first_plays; });
    places.add([](std::size_t place) { return place == 1; });
    CHECK_FALSE(places.is_free(0));
    CHECK_FALSE(places.is_free(1));
    CHECK_FALSE(places.has_free());
    first_plays = false;
    CHECK(places.is_free(0));
    CHECK(places.has_free());
}

TEST_CASE("Places: matches share them up to the first with other ones, or with minutes") {
    RunPlan plan = plan_of(4);
    CHECK(end_of_sharing(plan, 0) == 4);
    CHECK(end_of_sharing(plan, 3) == 4);
    plan.matches[2].concurrency = 3;
    CHECK(end_of_sharing(plan, 0) == 2);
    CHECK(end_of_sharing(plan, 2) == 3);
    plan = plan_of(4);
    plan.matches[0].stop.minutes = std::chrono::minutes(1);
    CHECK(end_of_sharing(plan, 0) == 4);
    plan.matches[1].stop.minutes = std::chrono::minutes(1);
    CHECK(end_of_sharing(plan, 0) == 1);
    plan = plan_of(2);
    plan.matches[1].affinity = true;
    CHECK(end_of_sharing(plan, 0) == 1);
    plan.matches[0].affinity = true;
    CHECK(end_of_sharing(plan, 0) == 2);
    // The end of a fleet's match ends all tasks of the run.
    plan.slurm = SlurmPlan{};
    CHECK(end_of_sharing(plan, 0) == 1);
}
