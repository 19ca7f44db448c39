#include "harness/conditions/judgement.h"

#include <array>
#include <cmath>

#include <doctest/doctest.h>

#include "harness/tournament/tournament_state.h"
#include "stats/estimate/rating.h"
#include "stats/stop/rating_stop.h"

using namespace assay;
using namespace assay::harness;
using ConditionKind = TournamentCondition::Kind;

namespace {

/// "a", "b" and so on, that all meet.
RunPlan plan_with(std::size_t programs, std::vector<TournamentCondition> require) {
    RunPlan plan;
    plan.name = "t";
    for (std::size_t i = 0; i < programs; ++i) {
        ProgramPlan program;
        program.name = std::string(1, static_cast<char>('a' + i));
        plan.programs.push_back(program);
    }
    plan.tournament.emplace();
    plan.tournament->rounds = 1000;
    plan.tournament->time.resize(programs);
    plan.tournament->require = std::move(require);
    expand_tournament(plan);
    return plan;
}

/// A pair of which program 0 got so many half points, in its first game first.
PairDigest pair_of(std::int64_t number, int first, int second) {
    PairDigest pair;
    pair.pair = number;
    const std::array<int, 2> half_points{first, second};
    for (std::size_t game = 0; game < 2; ++game) {
        GameDigest& digest = pair.games[game];
        digest.program = game == 0 ? Lineup{0, 1} : Lineup{1, 0};
        digest.scores.players = 2;
        const float score = static_cast<float>(half_points.at(game)) / 2;
        digest.scores.value[game] = score;
        digest.scores.value[1 - game] = 1 - score;
    }
    return pair;
}

/// `wins` pairs of two wins for the lower program, `draws` of a win each, `losses` of two losses.
void add_pairs(PlayedMeetings& played, std::size_t low, std::size_t high, int wins, int draws,
               int losses) {
    std::int64_t number = 0;
    for (int i = 0; i < wins; ++i) (void)played.add(low, high, pair_of(number++, 2, 2));
    for (int i = 0; i < draws; ++i)
        (void)played.add(low, high, i % 2 == 0 ? pair_of(number++, 2, 0) : pair_of(number++, 0, 2));
    for (int i = 0; i < losses; ++i) (void)played.add(low, high, pair_of(number++, 0, 0));
}

ConditionResult judged(const RunPlan& plan, const PlayedMeetings& played) {
    const auto judgement = judge_conditions(plan, played);
    REQUIRE(judgement);
    REQUIRE(judgement->conditions.size() == 1);
    return judgement->conditions.front();
}

}  // namespace

TEST_CASE("Judgement: an interval holds from its low end on, and is broken above its high end") {
    const stats::Interval interval{-4, 10};
    CHECK(state_against(interval, -4.1) == ConditionState::Holds);
    CHECK(state_against(interval, -4) == ConditionState::Holds);
    CHECK(state_against(interval, -3.9) == ConditionState::Undecided);
    CHECK(state_against(interval, 10) == ConditionState::Undecided);
    CHECK(state_against(interval, 10.1) == ConditionState::Broken);
    CHECK(state_against({std::nullopt, 10}, -1000) == ConditionState::Undecided);
    CHECK(state_against({-4, std::nullopt}, 1000) == ConditionState::Undecided);
}

TEST_CASE("Judgement: a rating over another one is that of the run's ratings, at their edge") {
    PlayedMeetings played(1);
    add_pairs(played, 0, 1, 40, 40, 20);
    add_pairs(played, 0, 2, 50, 30, 20);
    add_pairs(played, 1, 2, 30, 40, 30);
    const stats::RatingTable table(3, played.rated_singles(), played.rated(), {});
    const stats::RatingDifference expected = table.difference(0, 1);
    REQUIRE(expected.simultaneous95.low);
    const double low = *expected.simultaneous95.low;
    const double high = *expected.simultaneous95.high;
    const auto at = [&](double limit) {
        return judged(plan_with(3, {{ConditionKind::Rating, "a", "b", limit}}), played);
    };
    CHECK(at(low - 0.001).state == ConditionState::Holds);
    CHECK(at(low + 0.001).state == ConditionState::Undecided);
    CHECK(at(high - 0.001).state == ConditionState::Undecided);
    CHECK(at(high + 0.001).state == ConditionState::Broken);
    CHECK(*at(0).elo == doctest::Approx(expected.elo));
    CHECK(*at(0).interval.low == doctest::Approx(low));

    const ConditionResult mean =
        judged(plan_with(3, {{ConditionKind::Rating, "a", "", 0}}), played);
    const stats::RatingDifference other = table.difference(0, 2);
    CHECK(*mean.elo == doctest::Approx((expected.elo + other.elo) / 2));
    CHECK(*mean.interval.high == doctest::Approx((high + *other.simultaneous95.high) / 2));
}

TEST_CASE("Judgement: pairings are judged by their own games, and the worst one decides") {
    PlayedMeetings played(1);
    add_pairs(played, 0, 1, 60, 30, 10);
    add_pairs(played, 0, 2, 10, 30, 60);  // a cannot beat c
    add_pairs(played, 1, 2, 80, 15, 5);   // whom b beats, so that c is rated below a
    const ConditionResult rating =
        judged(plan_with(3, {{ConditionKind::Rating, "a", "c", 0}}), played);
    CHECK(*rating.elo > 0);
    const ConditionResult pairings =
        judged(plan_with(3, {{ConditionKind::Pairings, "a", "", 0}}), played);
    CHECK(pairings.state == ConditionState::Broken);
    CHECK(pairings.opponent == "c");
    CHECK(pairings.pairings == 2);
    CHECK(text_of(pairings).starts_with("a at least +0 Elo in each of 2 pairings: -"));
    CHECK(text_of(pairings).ends_with("] against c"));

    const stats::RatingDifference alone =
        stats::RatingTable(2, {}, {played.rated().front()}, stats::RatingSettings())
            .difference(0, 1);
    PlayedMeetings one(1);
    add_pairs(one, 0, 1, 60, 30, 10);
    const double low = alone.elo - stats::bonferroni_factor(0.05, 1) * alone.error;
    const auto at = [&](double limit) {
        return judged(plan_with(3, {{ConditionKind::Pairings, "a", "", limit}}), one).state;
    };
    CHECK(at(low - 0.001) == ConditionState::Holds);
    CHECK(at(low + 0.001) == ConditionState::Undecided);
}

TEST_CASE("Judgement: what the games do not tell is undecided") {
    const PlayedMeetings none(1);
    for (const ConditionKind kind : {ConditionKind::Rating, ConditionKind::Pairings}) {
        const ConditionResult result = judged(plan_with(3, {{kind, "a", "", -1000}}), none);
        CHECK(result.state == ConditionState::Undecided);
        CHECK(text_of(result).ends_with("no games show it"));
    }
    PlayedMeetings apart(1);
    add_pairs(apart, 0, 1, 20, 20, 20);
    CHECK(judged(plan_with(3, {{ConditionKind::Rating, "a", "c", -1000}}), apart).state ==
          ConditionState::Undecided);
    CHECK_FALSE(judge_conditions(plan_with(3, {}), apart));
    CHECK_FALSE(judge_conditions(RunPlan(), apart));
}

TEST_CASE(
    "Judgement: conditions of both kinds share the error, and looks at the orders cost some") {
    PlayedMeetings played(1);
    add_pairs(played, 0, 1, 40, 40, 20);
    const auto width = [&](const RunPlan& plan) {
        const auto judgement = judge_conditions(plan, played);
        const stats::Interval& interval = judgement->conditions.front().interval;
        return *interval.high - *interval.low;
    };
    const TournamentCondition rating{ConditionKind::Rating, "a", "b", 0};
    const double usual = width(plan_with(2, {rating}));
    CHECK(width(plan_with(2, {rating, {ConditionKind::Crashes, "a", "", 0}})) ==
          doctest::Approx(usual));
    CHECK(width(plan_with(2, {rating, {ConditionKind::Pairings, "a", "", 0}})) > 1.1 * usual);

    RunPlan looked = plan_with(2, {rating});
    looked.tournament->until.elo = 8;
    CHECK(width(looked) == doctest::Approx(usual));  // a width does not depend on who won
    looked.tournament->until.orders = true;
    // Looks at 20, 28, 40, 56 and 79 pairs; the end is the sixth.
    const double factor = stats::bonferroni_factor(stats::error_of_look(6), 1);
    const stats::RatingTable table(2, {}, played.rated(), {});
    CHECK(width(looked) == doctest::Approx(2 * factor * table.difference(0, 1).error));
    // With programs added, looks are numbered as those of two programs.
    RunPlan three = plan_with(3, {rating});
    three.tournament->until.orders = true;
    const auto number = [&](bool has_changed) {
        const auto judgement = judge_conditions(three, played, has_changed);
        const stats::Interval& interval = judgement->conditions.front().interval;
        return *interval.high - *interval.low;
    };
    CHECK(number(true) > number(false));
}

TEST_CASE("Judgement: failures have limits, and a late harness decides nothing of Elo") {
    PlayedMeetings played(1);
    add_pairs(played, 0, 1, 40, 40, 20);
    GameDigest crashed = pair_of(200, 0, 0).games[0];
    crashed.termination = Termination::Crash;
    crashed.guilty = 0;
    played.add_failure(0, 1, crashed);
    const auto crashes = [&](double most) {
        return judged(plan_with(2, {{ConditionKind::Crashes, "a", "", most}}), played);
    };
    CHECK(crashes(0).state == ConditionState::Broken);
    CHECK(crashes(1).state == ConditionState::Holds);
    CHECK(text_of(crashes(0)) == "a: 1 crash or stall, at most 0 allowed");
    CHECK(judged(plan_with(2, {{ConditionKind::Crashes, "b", "", 0}}), played).state ==
          ConditionState::Holds);

    const RunPlan rated = plan_with(2, {{ConditionKind::Rating, "a", "b", -900},
                                        {ConditionKind::Pairings, "a", "", 900},
                                        {ConditionKind::Crashes, "a", "", 0}});
    CHECK_FALSE(judge_conditions(rated, played)->is_tainted);
    PairDigest late = pair_of(300, 0, 2);
    late.games[0].harness_caused = true;
    (void)played.add(0, 1, late);
    const auto judgement = judge_conditions(rated, played);
    CHECK(judgement->is_tainted);
    CHECK(judgement->conditions[0].state == ConditionState::Undecided);
    CHECK(judgement->conditions[1].state == ConditionState::Undecided);
    CHECK(judgement->conditions[2].state == ConditionState::Broken);
}

TEST_CASE("Judgement: one that is broken decides before one that is open") {
    TournamentJudgement judgement;
    CHECK(judgement.state() == ConditionState::Holds);
    judgement.conditions.resize(3);
    for (ConditionResult& one : judgement.conditions) one.state = ConditionState::Holds;
    CHECK(judgement.state() == ConditionState::Holds);
    judgement.conditions[1].state = ConditionState::Undecided;
    CHECK(judgement.state() == ConditionState::Undecided);
    judgement.conditions[2].state = ConditionState::Broken;
    CHECK(judgement.state() == ConditionState::Broken);
    REQUIRE(judgement.sentences(ConditionState::Undecided).size() == 1);
    CHECK(judgement.sentences(ConditionState::Undecided).front().ends_with(", undecided"));
    CHECK_FALSE(judgement.sentences(ConditionState::Broken).front().ends_with(", undecided"));
}
