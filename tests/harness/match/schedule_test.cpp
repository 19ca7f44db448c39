#include "harness/match/schedule.h"

#include <doctest/doctest.h>

using assay::harness::PairDigest;
using assay::harness::PairState;
using assay::harness::Schedule;

namespace {

PairDigest pair(std::int64_t index, int attempt = 0, PairState state = PairState::Counted) {
    PairDigest digest;
    digest.pair = index;
    digest.attempt = attempt;
    digest.state = state;
    return digest;
}

std::vector<std::int64_t> indices(const std::vector<PairDigest>& pairs) {
    std::vector<std::int64_t> out;
    for (const PairDigest& p : pairs) out.push_back(p.pair);
    return out;
}

using Indices = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("Schedule: pairs are handed on in schedule order however they finish") {
    Schedule schedule(3, std::nullopt);
    CHECK(schedule.next()->pair == 0);
    CHECK(schedule.next()->pair == 1);
    CHECK(schedule.next()->pair == 2);
    CHECK_FALSE(schedule.next());
    CHECK(schedule.finished(pair(2)).empty());
    CHECK(indices(schedule.finished(pair(0))) == Indices{0});
    CHECK(indices(schedule.finished(pair(1))) == Indices{1, 2});
    CHECK(schedule.is_complete());
}

TEST_CASE("Schedule: a void pair is played again before new ones, under a new attempt") {
    Schedule schedule(10, std::nullopt);
    CHECK(schedule.next()->pair == 0);
    CHECK(schedule.next()->pair == 1);
    schedule.replay(0, 0);
    const auto again = schedule.next();
    REQUIRE(again);
    CHECK(again->pair == 0);
    CHECK(again->attempt == 1);
    CHECK(schedule.next()->pair == 2);
}

TEST_CASE("Schedule: a restored run goes on where it was, holes first") {
    Schedule schedule(5, std::nullopt);
    const auto ready = schedule.restore(
        {pair(0), pair(2), pair(3, 0, PairState::Void), pair(3, 1, PairState::Void)});
    CHECK(indices(ready) == Indices{0});
    CHECK(schedule.next()->pair == 1);
    const auto third = schedule.next();
    REQUIRE(third);
    CHECK(third->pair == 3);
    CHECK(third->attempt == 2);
    CHECK(schedule.next()->pair == 4);
    CHECK_FALSE(schedule.next());
    CHECK(indices(schedule.finished(pair(1))) == Indices{1, 2});
}

TEST_CASE("Schedule: behind a late attempt a new claim begins, whose keys no worker has") {
    Schedule schedule(4, std::nullopt);
    (void)schedule.restore({pair(0, 4, PairState::Late), pair(1, 0, PairState::Void),
                            pair(1, 7, PairState::Late), pair(2, 4, PairState::Void)});
    CHECK(schedule.next()->attempt == 8);
    CHECK(schedule.next()->attempt == 8);
    CHECK(schedule.next()->attempt == 5);
}

TEST_CASE("Schedule: a pair that does not count lets another be played, until the book ends") {
    Schedule schedule(2, 3);
    CHECK(schedule.next()->pair == 0);
    CHECK(schedule.next()->pair == 1);
    CHECK_FALSE(schedule.next());
    schedule.extend(1);
    CHECK(schedule.next()->pair == 2);
    schedule.extend(1);
    CHECK_FALSE(schedule.next());
    (void)schedule.finished(pair(0));
    (void)schedule.finished(pair(1));
    CHECK_FALSE(schedule.is_complete());
    (void)schedule.finished(pair(2));
    CHECK(schedule.is_complete());
    CHECK(schedule.is_book_exhausted());
}

TEST_CASE("Schedule: a thousand million pairs cost nothing until they are played") {
    Schedule schedule(1'000'000'000, std::nullopt);
    for (std::int64_t i = 0; i < 1000; ++i) {
        REQUIRE(schedule.next()->pair == i);
        REQUIRE(schedule.finished(pair(i)).size() == 1);
    }
    CHECK(schedule.waiting() == 0);
    CHECK_FALSE(schedule.is_complete());
}

TEST_CASE("Schedule: pairs may be handed on as they end, and of a stored run in that order") {
    Schedule schedule(3, std::nullopt, true);
    for (int i = 0; i < 3; ++i) CHECK(schedule.next()->pair == i);
    CHECK(indices(schedule.finished(pair(2))) == Indices{2});
    CHECK_FALSE(schedule.is_complete());
    CHECK(indices(schedule.finished(pair(0))) == Indices{0});
    CHECK(indices(schedule.finished(pair(1))) == Indices{1});
    CHECK(schedule.is_complete());

    std::vector<PairDigest> stored{pair(0), pair(1), pair(3)};
    stored[0].games[1].ended_us = 30;
    stored[1].games[0].ended_us = 10;
    stored[2].games[1].ended_us = 20;
    Schedule taken_up(5, std::nullopt, true);
    CHECK(indices(taken_up.restore(stored)) == Indices{1, 3, 0});
    CHECK(taken_up.next()->pair == 2);
    CHECK(taken_up.next()->pair == 4);
}

TEST_CASE("Schedule: a shard plays every n-th pair under the number that it has in the whole run") {
    const assay::harness::Shard shard{2, 3};
    Schedule schedule(3, 100, false, shard);
    const auto first = schedule.next();
    REQUIRE(first);
    CHECK(first->pair == 1);
    CHECK(first->first_game == 3);
    CHECK(schedule.next()->pair == 4);
    CHECK(schedule.next()->pair == 7);
    CHECK_FALSE(schedule.next());
    CHECK(schedule.finished(pair(4)).empty());
    CHECK(indices(schedule.finished(pair(1))) == Indices{1, 4});
    schedule.replay(7, 0);
    CHECK(schedule.next()->attempt == 1);
    CHECK_FALSE(schedule.is_complete());
    CHECK(indices(schedule.finished(pair(7, 1))) == Indices{7});
    CHECK(schedule.is_complete());
    CHECK_FALSE(schedule.is_book_exhausted());
    // What it lacks by duplicates the merged run plays.
    schedule.extend(1);
    CHECK_FALSE(schedule.next());
}

TEST_CASE("Schedule: a shard goes on with its own gaps, and takes no pair of another's") {
    Schedule schedule(4, std::nullopt, false, assay::harness::Shard{3, 4});
    CHECK(indices(schedule.restore({pair(2), pair(3), pair(10), pair(14, 0, PairState::Void)})) ==
          Indices{2});
    CHECK(schedule.next()->pair == 6);
    const auto again = schedule.next();
    REQUIRE(again);
    CHECK(again->pair == 14);
    CHECK(again->attempt == 1);
    CHECK_FALSE(schedule.next());
}

TEST_CASE("Schedule: of a short book a shard has its share") {
    Schedule schedule(10, 7, false, assay::harness::Shard{1, 3});
    for (const std::int64_t index : {0, 3, 6}) {
        CHECK(schedule.next()->pair == index);
        (void)schedule.finished(pair(index));
    }
    CHECK_FALSE(schedule.next());
    CHECK(schedule.is_book_exhausted());
}
