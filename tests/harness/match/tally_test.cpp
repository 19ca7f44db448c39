#include "harness/match/tally.h"

#include <array>
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/random.h"
#include "harness/plan/resolved_stop.h"
#include "tests/support/sample_tally.h"

using namespace assay;
using namespace assay::harness;
using test::failed_pair;
using test::pair_of;

namespace {

constexpr int kLoss = 0;
constexpr int kDraw = 1;
constexpr int kWin = 2;

MatchPlan plan_of(StopPlan::Rule rule, std::int64_t pairs) {
    MatchPlan plan;
    plan.pairs = pairs;
    plan.stop.rule = rule;
    if (rule == StopPlan::Rule::Sprt) {
        plan.stop.e0 = 0;
        plan.stop.e1 = 50;
    }
    return plan;
}

}  // namespace

TEST_CASE("Tally: counts are of the first program, whoever moved first") {
    MatchTally tally(plan_of(StopPlan::Rule::None, 10));
    tally.add(pair_of(0, kWin, kDraw));
    tally.add(pair_of(1, kLoss, kWin));
    tally.add(pair_of(2, kDraw, kDraw));
    CHECK(tally.pentanomial() == stats::Pentanomial{{0, 0, 2, 1, 0}});
    CHECK(tally.wdl() == stats::Wdl{2, 3, 1});
    CHECK(tally.cells()[3 * kWin + kDraw] == 1);
    CHECK(tally.cells()[3 * kLoss + kWin] == 1);
    // Player 0 won the first game of pair 0 only; in pair 1 the second player won both.
    CHECK(tally.first_player_wins() == 1);
    CHECK(tally.plies() == 240);
    CHECK(tally.terminations().at(Termination::by_rules("mate")) == 3);
    CHECK(tally.verdict() == Verdict::None);
    CHECK_FALSE(tally.is_tainted());
}

TEST_CASE("Tally: results with and without the first move are told apart, whoever began") {
    MatchTally tally(plan_of(StopPlan::Rule::None, 10));
    PairDigest pair = pair_of(0, kWin, kLoss);
    tally.add(pair);
    std::swap(pair.games[0], pair.games[1]);
    pair.pair = 1;
    tally.add(pair);
    REQUIRE(tally.observed().size() == 2);
    CHECK(tally.observed()[0].cell == 3 * kWin + kLoss);
    CHECK(tally.observed()[1].cell == 3 * kWin + kLoss);
}

TEST_CASE("Tally: only counted pairs enter the counts") {
    MatchTally tally(plan_of(StopPlan::Rule::None, 10));
    PairDigest pair = pair_of(0, kWin, kWin);
    pair.state = PairState::Duplicate;
    tally.add(pair);
    pair.state = PairState::AfterStop;
    tally.add(pair);
    pair.state = PairState::Void;
    tally.add(pair);
    CHECK(tally.pairs() == 0);
    CHECK(tally.duplicates() == 1);
    CHECK(tally.after_stop() == 1);
    CHECK(tally.voided() == 1);
}

TEST_CASE("Tally: a sequential rule accepts, rejects, and ignores what follows") {
    MatchTally winner(plan_of(StopPlan::Rule::Sprt, 1000));
    MatchTally loser(plan_of(StopPlan::Rule::Sprt, 1000));
    Random random(7);
    std::int64_t decided_at = 0;
    for (int i = 0; i < 1000; ++i) {
        const bool draws = random.below(2) == 0;
        winner.add(pair_of(i, draws ? kDraw : kWin, random.below(4) == 0 ? kLoss : kWin));
        loser.add(pair_of(i, draws ? kDraw : kLoss, random.below(4) == 0 ? kWin : kLoss));
        if (winner.verdict() != Verdict::None && decided_at == 0) decided_at = winner.pairs();
    }
    CHECK(winner.verdict() == Verdict::Accepted);
    CHECK(loser.verdict() == Verdict::Rejected);
    CHECK(decided_at > 0);
    CHECK(winner.rule()->pairs().pairs() == decided_at);
}

TEST_CASE("Tally: a rule that has not decided when all pairs are in is inconclusive") {
    MatchTally tally(plan_of(StopPlan::Rule::Sprt, 4));
    for (int i = 0; i < 4; ++i) {
        CHECK(tally.verdict() == Verdict::None);
        tally.add(pair_of(i, i % 2 == 0 ? kWin : kLoss, kDraw));
    }
    CHECK(tally.verdict() == Verdict::Inconclusive);
}

TEST_CASE("Tally: what ends a run early makes it inconclusive where there is a rule") {
    MatchTally tally(plan_of(StopPlan::Rule::Sprt, 100));
    tally.add(pair_of(0, kWin, kLoss));
    tally.close(false, true);
    CHECK(tally.verdict() == Verdict::Inconclusive);
    CHECK(tally.is_out_of_time());
    CHECK_FALSE(tally.is_book_exhausted());
    MatchTally none(plan_of(StopPlan::Rule::None, 100));
    none.close(true, false);
    CHECK(none.verdict() == Verdict::None);
}

TEST_CASE(
    "Tally: the fixed rule decides by the sign-flip test after all pairs, duplicates left out") {
    struct Case {
        const char* what;
        int first;
        int second;
        Verdict expected;
    };

    for (const Case& c : {Case{"all won", kWin, kWin, Verdict::Accepted},
                          Case{"all lost", kLoss, kLoss, Verdict::Rejected},
                          Case{"all drawn", kDraw, kDraw, Verdict::Inconclusive}}) {
        CAPTURE(c.what);
        MatchTally tally(plan_of(StopPlan::Rule::Fixed, 12));
        PairDigest duplicate = pair_of(0, kDraw, kDraw);
        duplicate.state = PairState::Duplicate;
        tally.add(duplicate);
        for (int i = 1; i < 13; ++i) {
            CHECK(tally.verdict() == Verdict::None);
            tally.add(pair_of(i, c.first, c.second));
        }
        CHECK(tally.verdict() == c.expected);
        CHECK_FALSE(tally.is_tainted());
    }
}

TEST_CASE("Tally: failures are charged to the program that was to blame") {
    MatchTally tally(plan_of(StopPlan::Rule::None, 10));
    tally.add(failed_pair(0, 0, Termination::Time, kWin));
    tally.add(failed_pair(1, 0, Termination::Disconnect, kDraw));
    tally.add(failed_pair(2, 1, Termination::IllegalMove, kWin));
    tally.add(failed_pair(3, 1, Termination::Stall, kWin));
    tally.add(pair_of(4, kDraw, kDraw));
    CHECK(tally.failures()[0] == Failures{1, 1, 0, 0});
    CHECK(tally.failures()[1] == Failures{0, 0, 1, 1});
    CHECK(tally.without_failures() == stats::Pentanomial{{0, 0, 1, 0, 0}});
    CHECK(tally.best_case() == stats::Pentanomial{{0, 0, 1, 1, 3}});
    CHECK(tally.worst_case() == stats::Pentanomial{{0, 1, 4, 0, 0}});
}

TEST_CASE("Tally: a verdict that rests on the failures is tainted") {
    MatchTally tally(plan_of(StopPlan::Rule::Fixed, 12));
    for (int i = 0; i < 12; ++i)
        tally.add(i < 9 ? failed_pair(i, 1, Termination::Time, kDraw) : pair_of(i, kDraw, kDraw));
    CHECK(tally.verdict() == Verdict::Accepted);
    CHECK(tally.scenario_verdicts().without_failures == Verdict::Inconclusive);
    CHECK(tally.scenario_verdicts().worst_case == Verdict::Rejected);
    CHECK(tally.is_tainted());
}

TEST_CASE("Tally: a verdict that stands whatever the failures count is not tainted") {
    MatchTally tally(plan_of(StopPlan::Rule::Fixed, 40));
    for (int i = 0; i < 40; ++i)
        tally.add(i == 30 ? failed_pair(i, 1, Termination::Crash, kWin) : pair_of(i, kWin, kWin));
    CHECK(tally.verdict() == Verdict::Accepted);
    CHECK_FALSE(tally.is_tainted());
}

TEST_CASE("Tally: the other ways to score failures see the pairs before the first failure too") {
    MatchTally tally(plan_of(StopPlan::Rule::Sprt, 1000));
    for (int i = 0; tally.verdict() == Verdict::None; ++i) {
        REQUIRE(i < 900);
        tally.add(i == 20 ? failed_pair(i, 0, Termination::Time, kDraw)
                          : pair_of(i, i % 3 == 0 ? kDraw : kWin, i % 5 == 0 ? kLoss : kWin));
    }
    CHECK(tally.verdict() == Verdict::Accepted);
    // The loss on time made it harder, and without it the rule had accepted no later.
    CHECK(tally.scenario_verdicts().without_failures == Verdict::Accepted);
    CHECK(tally.scenario_verdicts().best_case == Verdict::Accepted);
}

TEST_CASE("Tally: a sequential verdict that rests on the failures is tainted") {
    MatchTally tally(plan_of(StopPlan::Rule::Sprt, 1000));
    for (int i = 0; tally.verdict() == Verdict::None; ++i) {
        REQUIRE(i < 900);
        tally.add(i % 2 == 0 ? failed_pair(i, 1, Termination::Time, kDraw)
                             : pair_of(i, kDraw, i % 3 == 0 ? kWin : kDraw));
    }
    CHECK(tally.verdict() == Verdict::Accepted);
    CHECK(tally.scenario_verdicts().without_failures == Verdict::None);
    CHECK(tally.scenario_verdicts().best_case == Verdict::Accepted);
    CHECK(tally.is_changed_by_failures());
}

TEST_CASE("Tally: duplicates bring a sequential rule no nearer to its end") {
    MatchTally tally(plan_of(StopPlan::Rule::Sprt, 4));
    PairDigest duplicate = pair_of(0, kDraw, kDraw);
    duplicate.state = PairState::Duplicate;
    for (int i = 0; i < 10; ++i) tally.add(duplicate);
    for (int i = 0; i < 3; ++i) tally.add(pair_of(10 + i, i % 2 == 0 ? kWin : kLoss, kDraw));
    CHECK(tally.verdict() == Verdict::None);
    tally.add(pair_of(13, kDraw, kDraw));
    CHECK(tally.verdict() == Verdict::Inconclusive);
}

TEST_CASE("Tally: more than one game in a hundred voided taints") {
    MatchTally tally(plan_of(StopPlan::Rule::None, 100));
    PairDigest voided = pair_of(0, kLoss, kLoss);
    voided.state = PairState::Void;
    tally.add(voided);  // the first games say little of the share: it is of all that are planned
    CHECK_FALSE(tally.is_tainted());
    for (int i = 0; i < 99; ++i) tally.add(pair_of(i, kDraw, kDraw));
    tally.add(voided);
    CHECK_FALSE(tally.is_tainted());
    tally.add(voided);
    CHECK(tally.is_tainted());
}

TEST_CASE("Tally: at the end the voided games are a share of those played, not of those planned") {
    MatchTally tally(plan_of(StopPlan::Rule::Sprt, 10'000));
    PairDigest voided = pair_of(0, kLoss, kLoss);
    voided.state = PairState::Void;
    for (int i = 0; i < 5; ++i) tally.add(voided);
    CHECK_FALSE(tally.is_tainted());
    for (int i = 0; tally.verdict() == Verdict::None; ++i) {
        REQUIRE(i < 100);
        tally.add(pair_of(i, kWin, i % 3 == 0 ? kDraw : kWin));
    }
    CHECK(tally.is_tainted());
}

TEST_CASE("Tally: a loss on time by the harness that had to be counted taints") {
    MatchTally tally(plan_of(StopPlan::Rule::None, 1000));
    PairDigest pair = failed_pair(0, 0, Termination::Time, kWin);
    tally.add(pair);
    CHECK_FALSE(tally.is_tainted());
    pair.games[0].harness_caused = true;
    tally.add(pair);
    CHECK(tally.harness_losses() == 1);
    CHECK(tally.is_tainted());
    CHECK(tally.failures()[0].time_losses == 2);
    CHECK(tally.all_failures()[0].time_losses == 1);  // the other one is none of the program's
}

TEST_CASE("Tally: all that a program did wrong is known, also in pairs that do not count") {
    MatchTally tally(plan_of(StopPlan::Rule::None, 10));
    PairDigest pair = failed_pair(0, 0, Termination::Crash, kWin);
    for (const PairState state :
         {PairState::Counted, PairState::Duplicate, PairState::AfterStop, PairState::Void}) {
        pair.state = state;
        tally.add(pair);
    }
    CHECK(tally.failures()[0].crashes == 1);
    CHECK(tally.all_failures()[0].crashes == 4);
    CHECK(tally.all_failures()[1] == Failures{});
}

TEST_CASE("Tally: a capped match of a few pairs decides nothing") {
    MatchTally few(plan_of(StopPlan::Rule::Capped, 2));
    few.add(failed_pair(0, 1, Termination::Crash, kWin));
    CHECK(few.verdict() == Verdict::None);
    few.add(pair_of(1, kWin, kWin));
    CHECK(few.verdict() == Verdict::Inconclusive);
    CHECK_FALSE(few.is_tainted());
}

TEST_CASE("Stop rules: a capped test spends exactly the pairs that the plan allows") {
    for (const std::int64_t pairs : {100, 2400, 5000, 20'000}) {
        CAPTURE(pairs);
        const auto rule = make_stop_rule(plan_of(StopPlan::Rule::Capped, pairs));
        REQUIRE(rule->cap());
        CHECK(*rule->cap() <= pairs);
        CHECK(*rule->cap() >= pairs - 1);
    }
    const ResolvedStop stop = resolve_stop(plan_of(StopPlan::Rule::Capped, 5000));
    CHECK(stop.elo1 == 0);
    // docs/statistics.md: 885.8 / sqrt(pairs) at errors of 5 %.
    CHECK(stop.elo0 == doctest::Approx(-12.53).epsilon(0.001));
}

TEST_CASE("Stop rules: a capped test for a gain has its lower bound at 0") {
    MatchPlan plan = plan_of(StopPlan::Rule::Capped, 10'000);
    plan.stop.preset = "gain";
    const ResolvedStop stop = resolve_stop(plan);
    CHECK(stop.elo0 == 0);
    CHECK(stop.elo1 == doctest::Approx(8.86).epsilon(0.001));
}

TEST_CASE("Stop rules: a capped test with bounds gets its errors from the pairs") {
    MatchPlan plan = plan_of(StopPlan::Rule::Capped, 7847);
    plan.stop.e0 = 0;
    plan.stop.e1 = 10;
    CHECK(resolve_stop(plan).alpha == doctest::Approx(0.05).epsilon(0.001));
    plan.stop.alpha = 0.05;
    plan.pairs = 2400;
    CHECK_THROWS_WITH_AS(static_cast<void>(resolve_stop(plan)),
                         "a capped test between 0 and 10 nElo with errors 0.05 and 0.05 needs 7847 "
                         "pairs, and match.pairs is 2400: allow 7847 pairs, or take bounds 18.1 "
                         "nElo apart",
                         Error);
}

TEST_CASE("Stop rules: a closing test takes the shape for the likely outcome") {
    MatchPlan plan = plan_of(StopPlan::Rule::Closing, 1000);
    plan.stop.e0 = 0;
    plan.stop.e1 = 5;
    CHECK(make_stop_rule(plan)->state().rule == "closing-ff");
    plan.stop.e0 = -5;
    plan.stop.e1 = 0;
    CHECK(make_stop_rule(plan)->state().rule == "closing-ff-mirror");
    plan.stop.shape = StopPlan::Shape::Symmetric;
    CHECK(make_stop_rule(plan)->state().rule == "closing");
}

TEST_CASE("Tally: 300 machines are told apart") {
    assay::harness::MatchPlan plan;
    plan.pairs = 600;
    assay::harness::MatchTally tally(plan);
    for (std::int64_t index = 0; index < 600; ++index) {
        assay::harness::PairDigest pair = assay::test::pair_of(index, 2, 0);
        pair.machine = 1000 + index % 300;
        tally.add(pair);
    }
    REQUIRE(tally.machines().size() == 300);
    for (std::size_t index = 0; index < 600; ++index)
        CHECK(tally.observed()[index].machine == index % 300);
}
