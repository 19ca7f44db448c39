#include "harness/tournament/tournament_pairing.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "base/random.h"
#include "harness/plan/tournament_plan.h"

using namespace assay::harness;  // NOLINT(google-build-using-namespace)
using assay::mix64;
using assay::Random;

namespace {

constexpr std::array kKinds{TournamentKind::RoundRobin, TournamentKind::Gauntlet,
                            TournamentKind::Pyramid,    TournamentKind::LeastPlayed,
                            TournamentKind::Knockout,   TournamentKind::Swiss};

RunPlan plan_of(TournamentKind kind, std::size_t programs, int rounds = 2, int openings = 2) {
    RunPlan plan;
    plan.seed = 7;
    plan.programs.resize(programs);
    for (std::size_t i = 0; i < programs; ++i) plan.programs[i].name = "p" + std::to_string(i);
    TournamentPlan& tournament = plan.tournament.emplace();
    tournament.kind = kind;
    tournament.rounds = kind == TournamentKind::Knockout ? 1 : rounds;
    tournament.openings = openings;
    tournament.replays = kind == TournamentKind::Knockout ? 1 : 0;
    tournament.time.resize(programs);
    expand_tournament(plan);
    return plan;
}

assay::openings::Opening opening_of(std::int64_t number) {
    assay::openings::Opening opening;
    opening.index = static_cast<std::uint64_t>(number);
    return opening;
}

/// Games whose results depend on the match and the pair alone.
PairDigest played(const Encounter& encounter) {
    PairDigest pair;
    pair.match = encounter.match;
    pair.pair = encounter.pair;
    pair.attempt = encounter.attempt;
    pair.opening_index = encounter.opening.index;
    pair.is_single = encounter.games == 1;
    Random random(mix64(encounter.match, static_cast<std::uint64_t>(encounter.pair)));
    for (int game = 0; game < encounter.games; ++game) {
        GameDigest& digest = pair.games[static_cast<std::size_t>(game)];
        digest.program = encounter.turn_of(game) % 2 == 1 ? Lineup{1, 0} : Lineup{0, 1};
        const auto result = random.below(3);
        digest.scores = {{0.5F * static_cast<float>(result), 1 - 0.5F * static_cast<float>(result)},
                         2};
    }
    return pair;
}

/// Plays with so many places at once, in an order by lot, at most so many pairs.
std::vector<PairDigest> play(TournamentPairing& pairing, std::size_t places, std::size_t most,
                             std::uint64_t seed = 1) {
    std::vector<PairDigest> all;
    std::deque<Encounter> in_play;
    Random random(seed);
    while (all.size() < most) {
        while (in_play.size() < places) {
            auto encounter = pairing.next();
            if (!encounter) break;
            in_play.push_back(std::move(*encounter));
        }
        if (in_play.empty()) break;
        const auto at = static_cast<std::ptrdiff_t>(random.below(in_play.size()));
        all.push_back(played(in_play[static_cast<std::size_t>(at)]));
        in_play.erase(in_play.begin() + at);
        CHECK(pairing.finished(all.back()).size() == 1);
    }
    return all;
}

using Key = std::pair<std::size_t, std::int64_t>;

std::set<Key> keys_of(const std::vector<PairDigest>& pairs) {
    std::set<Key> keys;
    for (const PairDigest& pair : pairs) CHECK(keys.emplace(pair.match, pair.pair).second);
    return keys;
}

void restore(TournamentPairing& pairing, const std::vector<PairDigest>& pairs) {
    std::map<std::size_t, std::vector<PairDigest>> by_match;
    for (const PairDigest& pair : pairs) by_match[pair.match].push_back(pair);
    for (auto& [match, of_match] : by_match) (void)pairing.restore(match, of_match, {});
    pairing.begin();
}

}  // namespace

TEST_CASE("TournamentPairing: everyone meets everyone with all openings, first with both sides") {
    const RunPlan plan = plan_of(TournamentKind::RoundRobin, 5);
    TournamentPairing pairing(plan, opening_of);
    pairing.begin();
    std::map<std::size_t, std::map<std::int64_t, Encounter>> met;
    while (auto encounter = pairing.next()) {
        (void)pairing.finished(played(*encounter));
        met[encounter->match][encounter->pair] = *encounter;
    }
    CHECK(pairing.is_complete());
    REQUIRE(met.size() == 10);
    for (const auto& one : met) {
        const std::size_t match = one.first;
        const auto& pairs = one.second;
        CAPTURE(match);
        REQUIRE(pairs.size() == 4);
        for (const auto& [number, encounter] : pairs) {
            CHECK(encounter.entrants == std::vector<std::size_t>{plan.matches[match].between[0],
                                                                 plan.matches[match].between[1]});
            CHECK(encounter.first_game == 2 * number + 1);
            // All of a cycle have the same openings.
            CHECK(encounter.opening.index == static_cast<std::uint64_t>(number));
        }
        CHECK(pairs.at(0).begins_reversed == pairs.at(1).begins_reversed);
        CHECK(pairs.at(0).begins_reversed != pairs.at(2).begins_reversed);
    }
}

TEST_CASE("TournamentPairing: cut anywhere in any kind, nothing is lost and nothing played twice") {
    for (const TournamentKind kind : kKinds) {
        const std::string name(name_of(kind));
        CAPTURE(name);
        const RunPlan plan = plan_of(kind, 6);
        TournamentPairing whole(plan, opening_of);
        whole.begin();
        const std::vector<PairDigest> uncut = play(whole, 3, 100'000);
        CHECK(whole.is_complete());
        CHECK(uncut.size() >= 10);
        for (std::size_t cut = 0; cut <= uncut.size(); ++cut) {
            CAPTURE(cut);
            TournamentPairing first(plan, opening_of);
            first.begin();
            std::vector<PairDigest> all = play(first, 3, cut, cut);
            CHECK(first.is_complete() == (cut == uncut.size()));
            TournamentPairing second(plan, opening_of);
            restore(second, all);
            for (const PairDigest& pair : play(second, 2, 100'000, cut + 1)) all.push_back(pair);
            CHECK(second.is_complete());
            CHECK(keys_of(all) == keys_of(uncut));
            CHECK(second.state().is_over);
            CHECK(second.state().winner == whole.state().winner);
        }
    }
}

TEST_CASE("TournamentPairing: a pair with one game keeps its opening, its sides and its attempt") {
    const RunPlan plan = plan_of(TournamentKind::RoundRobin, 3);
    TournamentPairing pairing(plan, opening_of);
    PairDigest voided;
    voided.match = 1;
    voided.pair = 0;
    voided.state = PairState::Void;
    GameRecord half;
    half.match = 1;
    half.pair = 0;
    half.attempt = 1;
    half.program = {1, 0};
    half.opening_index = 99;
    half.reason = "kept";
    CHECK(pairing.restore(1, {voided}, {half}).empty());
    pairing.begin();
    int open = 0;
    pairing.visit_open([&open](std::size_t match, const GameDigest&) {
        CHECK(match == 1);
        ++open;
    });
    CHECK(open == 1);
    int found = 0;
    while (auto encounter = pairing.next()) {
        if (encounter->match != 1 || encounter->pair != 0) {
            CHECK(encounter->attempt == 0);
            CHECK_FALSE(encounter->played);
            continue;
        }
        ++found;
        CHECK(encounter->attempt == 1);
        REQUIRE(encounter->played);
        CHECK(encounter->played->reason == "kept");
        CHECK(encounter->opening.index == 99);
        CHECK(encounter->begins_reversed);
    }
    CHECK(found == 1);
}

TEST_CASE("TournamentPairing: in a runner's order no number of a game is given twice by a resume") {
    RunPlan plan = plan_of(TournamentKind::Knockout, 4, 1, 1);
    plan.tournament->order = PairingOrder::Cutechess;
    plan.tournament->games_an_encounter = 2;
    TournamentPairing whole(plan, opening_of);
    whole.begin();
    const auto begun = whole.next();
    REQUIRE(begun);
    CHECK(begun->first_game == 1);
    GameRecord half;
    half.match = begun->match;
    half.pair = begun->pair;
    half.number = 1;
    half.program = {0, 1};
    TournamentPairing rest(plan, opening_of);
    (void)rest.restore(half.match, {}, {half});
    rest.begin();
    std::int64_t number = 1;
    while (const auto encounter = rest.next()) {
        CHECK(encounter->first_game == number);
        CHECK(encounter->played.has_value() == (number == 1));
        number += encounter->games;
        (void)rest.finished(played(*encounter));
    }
    CHECK(rest.is_complete());
    CHECK(number > 6);  // three ties at least
}

TEST_CASE("TournamentPairing: behind a late attempt a new claim begins") {
    const RunPlan plan = plan_of(TournamentKind::RoundRobin, 3);
    TournamentPairing pairing(plan, opening_of);
    PairDigest late;
    late.match = 1;
    late.attempt = 4;
    late.state = PairState::Late;
    CHECK(pairing.restore(1, {late}, {}).empty());
    pairing.begin();
    int found = 0;
    while (auto encounter = pairing.next()) {
        const bool is_late = encounter->match == 1 && encounter->pair == 0;
        CHECK(encounter->attempt == (is_late ? 8 : 0));
        found += is_late ? 1 : 0;
    }
    CHECK(found == 1);
}

TEST_CASE("TournamentPairing: it ends when the ratings show what is asked, at a planned look") {
    RunPlan plan = plan_of(TournamentKind::RoundRobin, 4, 5000, 1);
    plan.tournament->until.elo = 60;
    TournamentPairing pairing(plan, opening_of);
    pairing.begin();
    const std::vector<PairDigest> all = play(pairing, 1, 20'000);
    CHECK(pairing.is_complete());
    CHECK(pairing.end_reason() == "the ratings show every rating within 60 Elo");
    CHECK_FALSE(pairing.next());
    assay::stats::RatingStop looks(plan.tournament->until, {0, 1, 2, 3}, 0);
    std::set<std::int64_t> planned{looks.next_look()};
    for (std::int64_t pairs = 0; pairs < 20'000; ++pairs)
        planned.insert(
            assay::stats::RatingStop(plan.tournament->until, {0, 1, 2, 3}, pairs).next_look());
    CHECK(planned.contains(static_cast<std::int64_t>(all.size())));
    CHECK(all.size() < 20'000);
    // Taken up it looks again at the next planned number of pairs only.
    TournamentPairing later(plan, opening_of);
    restore(later, all);
    CHECK_FALSE(later.is_complete());
    CHECK(later.next().has_value());
    CHECK(pairing.progress().pairs == static_cast<std::int64_t>(all.size()));
}

TEST_CASE(
    "TournamentPairing: a look takes the first pairs of the schedule, not those that end first") {
    for (const TournamentKind kind : {TournamentKind::RoundRobin, TournamentKind::Gauntlet,
                                      TournamentKind::Pyramid, TournamentKind::LeastPlayed}) {
        CAPTURE(std::string(name_of(kind)));
        RunPlan plan = plan_of(kind, 4, 5000, 2);
        plan.tournament->until.elo = 60;
        TournamentPairing in_order(plan, opening_of);
        in_order.begin();
        const std::set<Key> looked_at = keys_of(play(in_order, 1, 20'000));
        REQUIRE(in_order.is_complete());

        // Decided pairs end soon, so that many of those that are over by any time are decided. The
        // session is cut again and again.
        auto pairing = std::make_unique<TournamentPairing>(plan, opening_of);
        pairing->begin();
        std::vector<PairDigest> all;
        std::vector<PairDigest> in_play;
        while (!pairing->is_complete() && all.size() < 20'000) {
            while (in_play.size() < 8) in_play.push_back(played(pairing->next().value()));
            auto next = std::ranges::find_if(in_play, [](const PairDigest& pair) {
                return half_points(pair.games[0], 0) + half_points(pair.games[1], 0) != 2;
            });
            if (next == in_play.end()) next = in_play.begin();
            all.push_back(*next);
            in_play.erase(next);
            (void)pairing->finished(all.back());
            if (all.size() % 37 != 0 || pairing->is_complete()) continue;
            pairing = std::make_unique<TournamentPairing>(plan, opening_of);
            restore(*pairing, all);
            in_play.clear();
        }
        CHECK(std::ranges::includes(keys_of(all), looked_at));
    }
}

TEST_CASE("TournamentPairing: single games without an end of their own end by the ratings") {
    RunPlan plan = plan_of(TournamentKind::LeastPlayed, 4, 0, 1);
    plan.tournament->games = 1;
    plan.tournament->until.elo = 60;
    TournamentPairing pairing(plan, opening_of);
    pairing.begin();
    CHECK(play(pairing, 3, 20'000).size() < 20'000);
    CHECK(pairing.is_complete());
    CHECK(pairing.state().played.rated().empty());
}

TEST_CASE("TournamentPairing: looks before programs were added or left out count as made") {
    RunPlan before = plan_of(TournamentKind::RoundRobin, 3, 5000, 1);
    before.tournament->until.elo = 60;
    TournamentPairing first(before, opening_of);
    first.begin();
    const std::vector<PairDigest> games = play(first, 1, 20'000);
    REQUIRE(first.is_complete());

    RunPlan named = before;
    named.programs[0].name = "p3";  // p0 is left out, and p3 is new
    const auto now = with_programs(before, named);
    REQUIRE(now);
    TournamentPairing second(*now, opening_of, true);
    restore(second, games);
    const std::vector<PairDigest> more = play(second, 1, 20'000);
    CHECK(second.is_complete());
    std::set<std::int64_t> planned;
    for (std::int64_t pairs = std::ssize(games); pairs < 20'000; ++pairs)
        planned.insert(assay::stats::RatingStop({60, false}, {0, 1}, pairs).next_look());
    CHECK(planned.contains(std::ssize(games) + std::ssize(more)));
}

TEST_CASE("TournamentPairing: a bye of a Swiss counts when its round is over") {
    const RunPlan plan = plan_of(TournamentKind::Swiss, 5, 3, 1);
    TournamentPairing pairing(plan, opening_of);
    pairing.begin();
    const auto byes = [&pairing] {
        std::int64_t half_points = 0;
        for (const std::int64_t one : pairing.progress().bye_half_points) half_points += one;
        std::int64_t counted = 0;
        for (const StandingRow& row : standings_of(pairing.state())) counted += row.byes;
        CHECK(half_points == 4 * counted);  // as two games won
        return counted;
    };
    (void)play(pairing, 1, 1);
    CHECK(byes() == 0);
    (void)play(pairing, 1, 1);
    CHECK(byes() == 1);
}

TEST_CASE("TournamentPairing: a void pair is played again, before new ones, from its opening") {
    const RunPlan plan = plan_of(TournamentKind::RoundRobin, 4);
    TournamentPairing pairing(plan, opening_of);
    pairing.begin();
    (void)pairing.next();
    const auto second = pairing.next();
    (void)pairing.next();
    REQUIRE(second);
    PairDigest voided = played(*second);
    voided.state = PairState::Void;
    pairing.replay(voided);
    const auto again = pairing.next();
    REQUIRE(again);
    CHECK(again->match == second->match);
    CHECK(again->pair == second->pair);
    CHECK(again->attempt == 1);
    CHECK(again->opening == second->opening);
    CHECK(again->begins_reversed == second->begins_reversed);
    CHECK(pairing.next()->attempt == 0);
}

TEST_CASE(
    "TournamentPairing: a program more plays all others, and one that is left out keeps its games") {
    const RunPlan three = plan_of(TournamentKind::RoundRobin, 3);
    TournamentPairing before(three, opening_of);
    before.begin();
    const std::vector<PairDigest> games = play(before, 2, 100'000);
    CHECK(games.size() == 3 * 4);

    RunPlan named = plan_of(TournamentKind::RoundRobin, 3);
    named.programs[0].name = "p3";  // p0 is left out, and p3 is new and comes behind
    const auto now = with_programs(three, named);
    REQUIRE(now);
    CHECK(now->programs.size() == 4);
    CHECK(now->tournament->left_out == std::vector<std::size_t>{0});
    TournamentPairing after(*now, opening_of);
    restore(after, games);
    const std::vector<PairDigest> more = play(after, 2, 100'000);
    CHECK(after.is_complete());
    CHECK(keys_of(more) == std::set<Key>{{couple_of(1, 3), 0},
                                         {couple_of(1, 3), 1},
                                         {couple_of(1, 3), 2},
                                         {couple_of(1, 3), 3},
                                         {couple_of(2, 3), 0},
                                         {couple_of(2, 3), 1},
                                         {couple_of(2, 3), 2},
                                         {couple_of(2, 3), 3}});
    CHECK(after.state().complete == 6);  // three programs that play on, twice each two
    CHECK(after.progress().meetings == 6);
    // So do its pairs: those of p0 are no part of what is planned.
    CHECK(after.progress().planned == 6);
    CHECK(after.progress().pairs == 12);
    const std::vector<StandingRow> table = standings_of(after.state());
    REQUIRE(table.size() == 4);
    for (const StandingRow& row : table) {
        const std::int64_t played_games = row.games.wins + row.games.draws + row.games.losses;
        CHECK(played_games == (row.program == 0 || row.program == 3 ? 16 : 24));
    }
}

TEST_CASE("TournamentPairing: results know their rounds, and an unfinished meeting counts so far") {
    const RunPlan plan = plan_of(TournamentKind::Knockout, 4, 1, 3);
    TournamentPairing pairing(plan, opening_of);
    pairing.begin();
    const std::vector<PairDigest> all = play(pairing, 1, 100'000);
    const TournamentState state = pairing.state();
    REQUIRE(state.winner);
    CHECK(standings_of(state).front().program == *state.winner);
    const auto last = std::ranges::max_element(state.results, {}, &MeetingResult::round);
    CHECK(last->round == 1);
    CHECK((last->first == *state.winner || last->second == *state.winner));

    TournamentPairing begun(plan, opening_of);
    restore(begun, {all.front()});
    CHECK(begun.state().results.size() == 1);
    CHECK(begun.state().complete == 0);
    CHECK(begun.progress().pairs == 1);
}

TEST_CASE("TournamentPairing: a meeting that the schedule asks for no more is not counted") {
    // A round robin's meetings; of a gauntlet those of two others would be left over.
    const RunPlan all = plan_of(TournamentKind::RoundRobin, 3);
    TournamentPairing before(all, opening_of);
    before.begin();
    const std::vector<PairDigest> games = play(before, 2, 100'000);
    const RunPlan gauntlet = plan_of(TournamentKind::Gauntlet, 3);
    TournamentPairing after(gauntlet, opening_of);
    restore(after, games);
    CHECK(after.is_complete());
    CHECK(after.progress().planned == 4);
    CHECK(after.progress().meetings == 4);
    CHECK(after.state().complete == 4);
    CHECK(after.state().results.size() == 6);  // all games are in the table
}

TEST_CASE("TournamentPairing: by encounter no opening is played twice, whatever was added since") {
    for (const TournamentKind kind : {TournamentKind::RoundRobin, TournamentKind::Gauntlet,
                                      TournamentKind::Pyramid, TournamentKind::LeastPlayed}) {
        CAPTURE(std::string(name_of(kind)));
        std::vector<PairDigest> games;
        for (const std::size_t programs : {3U, 4U, 7U}) {
            RunPlan now = plan_of(kind, programs);
            now.tournament->policy = OpeningPolicy::Encounter;
            TournamentPairing pairing(now, opening_of);
            restore(pairing, games);
            for (const PairDigest& pair : play(pairing, 2, 100'000)) games.push_back(pair);
            std::set<std::uint64_t> openings;
            for (const PairDigest& pair : games) openings.insert(pair.opening_index);
            CHECK(openings.size() == games.size());
            // Nor is one left out, so that the book need not be larger than that.
            CHECK(*openings.rbegin() == games.size() - 1);
            CHECK(distinct_matches(now).front().pairs == std::ssize(games));
        }
    }
}
