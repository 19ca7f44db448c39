#include "harness/match/adjudicator.h"

#include <limits>

#include <doctest/doctest.h>

using assay::adapters::Score;
using assay::harness::AdjudicatePlan;
using assay::harness::Adjudicator;
using assay::harness::Termination;

namespace {

Score cp(int value) {
    Score score;
    score.value = value;
    return score;
}

Score mate(int moves) {
    Score score;
    score.is_mate = true;
    score.value = moves;
    return score;
}

AdjudicatePlan draw_plan(int from, int moves, int score) {
    AdjudicatePlan plan;
    plan.draw = AdjudicatePlan::Draw{from, moves, score};
    return plan;
}

AdjudicatePlan resign_plan(int moves, int score, bool both) {
    AdjudicatePlan plan;
    plan.resign = AdjudicatePlan::Resign{moves, score, both};
    return plan;
}

}  // namespace

TEST_CASE("Adjudicator: a draw needs its full moves of both sides in a row") {
    Adjudicator judge(draw_plan(1, 2, 20));
    CHECK_FALSE(judge.after_move(0, cp(21), 39, 5));
    CHECK_FALSE(judge.after_move(1, cp(0), 39, 6));
    CHECK_FALSE(judge.after_move(0, cp(20), 40, 7));
    CHECK_FALSE(judge.after_move(1, cp(-20), 40, 8));
    const auto ruling = judge.after_move(0, cp(3), 41, 9);
    REQUIRE(ruling);
    CHECK(ruling->termination == Termination::DrawAdjudicated);
    CHECK(ruling->winner == -1);
}

// fastchess's draw_tracker.hpp with fullMoveNumber() - 1, cutechess's gameadjudicator.cpp with
// plyCount() / 2: the move's number bounds the ruling, not the count.
TEST_CASE("Adjudicator: the least number of all is a lost game, not a level one") {
    Adjudicator judge(draw_plan(1, 1, 20));
    const int least = std::numeric_limits<int>::min();
    CHECK_FALSE(judge.after_move(0, cp(least), 39, 5));
    CHECK_FALSE(judge.after_move(1, cp(least), 39, 6));
    CHECK_FALSE(judge.after_move(0, cp(0), 40, 7));
}

TEST_CASE("Adjudicator: moves before the draw's first move count, and that move is to be over") {
    Adjudicator judge(draw_plan(34, 2, 20));
    for (int move = 30; move < 34; ++move) {
        CHECK_FALSE(judge.after_move(0, cp(0), move, 2 * move));
        CHECK_FALSE(judge.after_move(1, cp(0), move, 2 * move + 1));
    }
    CHECK_FALSE(judge.after_move(0, cp(0), 34, 68));
    CHECK(judge.after_move(1, cp(0), 34, 69));
}

TEST_CASE("Adjudicator: a pawn move or a capture is the first of a new count of the draw") {
    Adjudicator judge(draw_plan(1, 2, 20));
    CHECK_FALSE(judge.after_move(0, cp(0), 40, 3));
    CHECK_FALSE(judge.after_move(1, cp(0), 40, 4));
    CHECK_FALSE(judge.after_move(0, cp(0), 41, 0));
    CHECK_FALSE(judge.after_move(1, cp(0), 41, 1));
    CHECK_FALSE(judge.after_move(0, cp(0), 42, 2));
    CHECK(judge.after_move(1, cp(0), 42, 3));
}

TEST_CASE("Adjudicator: a missing score or a mate's starts the draw's count anew") {
    Adjudicator judge(draw_plan(1, 1, 20));
    CHECK_FALSE(judge.after_move(0, cp(0), 40, 3));
    CHECK_FALSE(judge.after_move(1, std::nullopt, 40, 4));
    CHECK_FALSE(judge.after_move(0, cp(0), 41, 5));
    CHECK_FALSE(judge.after_move(1, mate(1), 41, 6));
    CHECK_FALSE(judge.after_move(0, cp(0), 42, 7));
    CHECK(judge.after_move(1, cp(0), 42, 8));
}

TEST_CASE("Adjudicator: one side resigns by its own score alone") {
    Adjudicator judge(resign_plan(2, 600, false));
    CHECK_FALSE(judge.after_move(0, cp(-600), 1, 1));
    CHECK_FALSE(judge.after_move(1, cp(0), 1, 1));
    const auto ruling = judge.after_move(0, mate(-3), 2, 1);
    REQUIRE(ruling);
    CHECK(ruling->termination == Termination::WinAdjudicated);
    CHECK(ruling->winner == 1);
}

TEST_CASE("Adjudicator: both sides must agree who is lost") {
    Adjudicator judge(resign_plan(1, 600, true));
    CHECK_FALSE(judge.after_move(0, cp(-700), 1, 1));
    CHECK_FALSE(judge.after_move(1, cp(-700), 1, 1));
    CHECK_FALSE(judge.after_move(0, cp(100), 2, 1));
    CHECK_FALSE(judge.after_move(1, cp(700), 2, 1));
    const auto ruling = judge.after_move(0, cp(-700), 3, 1);
    REQUIRE(ruling);
    CHECK(ruling->winner == 1);
}

TEST_CASE("Adjudicator: the length counts full moves since the opening") {
    AdjudicatePlan plan;
    plan.length = 2;
    Adjudicator judge(plan);
    CHECK_FALSE(judge.after_move(1, cp(0), 30, 1));
    CHECK_FALSE(judge.after_move(0, cp(0), 31, 1));
    CHECK_FALSE(judge.after_move(1, cp(0), 31, 1));
    const auto ruling = judge.after_move(0, cp(0), 32, 1);
    REQUIRE(ruling);
    CHECK(ruling->termination == Termination::Length);
}

TEST_CASE("Adjudicator: a bound and a mate in 0 are no scores") {
    Score low = cp(0);
    low.bound = Score::Bound::Lower;
    Score high = mate(-3);
    high.bound = Score::Bound::Upper;
    Adjudicator draw(draw_plan(1, 1, 20));
    CHECK_FALSE(draw.after_move(0, cp(0), 40, 3));
    CHECK_FALSE(draw.after_move(1, low, 40, 4));
    for (const Score& score : {high, mate(0)}) {
        Adjudicator resign(resign_plan(1, 600, false));
        CHECK_FALSE(resign.after_move(0, score, 40, 3));
    }
}
