#include "reports/tournament/tournament_view.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "base/text.h"
#include "reports/files/junit.h"
#include "reports/files/tournament_files.h"
#include "reports/text/tournament_report.h"
#include "reports/text/tournament_text.h"
#include "reports/text/tournament_words.h"
#include "reports/view/json_text.h"
#include "reports/view/number_text.h"
#include "stats/estimate/rating.h"
#include "tests/reports/sample_run.h"
#include "tests/support/how_many.h"
#include "tests/support/sample_tournament.h"

using namespace assay;
using namespace assay::reports;
using harness::TournamentKind;
using test::PlayedSample;
using test::SampleTournament;

namespace {

std::int64_t points_of(const TournamentView& view) {
    std::int64_t half_points = 0;
    for (const TournamentRow& row : view.rows) half_points += row.standing.half_points;
    return half_points;
}

/// Two programs, pairs of which the first one got these half points in its games.
PlayedSample two_programs(const std::vector<std::array<int, 2>>& pairs) {
    PlayedSample sample;
    sample.input.setup.programs = {0, 1};
    sample.input.names = {"a", "b"};
    sample.counts = harness::PlayedMeetings(1);
    for (std::size_t i = 0; i < pairs.size(); ++i)
        (void)sample.counts.add(
            0, 1, test::pair_of(static_cast<std::int64_t>(i), pairs[i][0], pairs[i][1]));
    return sample;
}

}  // namespace

TEST_CASE("Tournament view: points, games and sides add up in every kind") {
    for (const auto kind :
         {TournamentKind::RoundRobin, TournamentKind::Gauntlet, TournamentKind::Pyramid,
          TournamentKind::LeastPlayed, TournamentKind::Swiss, TournamentKind::Knockout}) {
        CAPTURE(harness::name_of(kind));
        const TournamentView view = test::sample_view({.kind = kind, .programs = 7});
        std::int64_t byes = 0;
        std::int64_t games = 0;
        for (const TournamentRow& row : view.rows) {
            games += row.games();
            CHECK(row.sides.first.games() + row.sides.second.games() == row.games());
            CHECK(row.sides.first.games() == row.sides.second.games());
        }
        for (const TournamentRound& round : view.rounds)
            for (const harness::Bye& bye : round.byes) byes += bye.half_points;
        CHECK(games == 2 * view.games());
        CHECK(points_of(view) == 2 * view.games() + byes);
        for (std::size_t row = 0; row < view.rows.size(); ++row) {
            std::int64_t won = 0;
            for (std::size_t other = 0; other < view.rows.size(); ++other) {
                CHECK(view.between(row, other) == view.between(other, row).mirrored());
                won += view.between(row, other).wins;
            }
            CHECK(won == view.rows[row].standing.games.wins);
        }
    }
}

TEST_CASE("Tournament view: ratings are those of the model fitted to the games one by one") {
    const PlayedSample sample = test::played_sample({.programs = 6, .openings = 6});
    const TournamentView view = tournament_view(sample.input, sample.counts);
    std::vector<stats::RatedGames> games;
    std::int64_t cluster = 0;
    for (const stats::RatedPairs& row : sample.counts.rated()) {
        for (int outcome = 0; outcome < 9; ++outcome) {
            const auto count = static_cast<int>(row.counts[static_cast<std::size_t>(outcome)]);
            for (int i = 0; i < count; ++i, ++cluster) {
                stats::RatedPairs one{row.first, row.second, {}, row.swaps_sides};
                one.counts[static_cast<std::size_t>(outcome)] = 1;
                for (stats::RatedGames game : one.games()) {
                    game.cluster = cluster;
                    games.push_back(game);
                }
            }
        }
    }
    const stats::RatingTable table(6, games);
    for (const TournamentRow& row : view.rows) {
        const stats::Rating& rating = table.ratings()[row.standing.program];
        REQUIRE(row.rating);
        CHECK(row.rating->elo == doctest::Approx(rating.elo).epsilon(1e-9));
        CHECK(row.rating->error == doctest::Approx(rating.error).epsilon(1e-9));
        CHECK(*row.rating->simultaneous95.low ==
              doctest::Approx(*rating.simultaneous95.low).epsilon(1e-9));
    }
    REQUIRE(view.rows[0].los_to_next);
    CHECK(*view.rows[0].los_to_next ==
          doctest::Approx(
              table.difference(view.rows[0].standing.program, view.rows[1].standing.program).los)
              .epsilon(1e-9));
    CHECK_FALSE(view.rows.back().los_to_next);
    CHECK(*view.first_move->value == doctest::Approx(*table.first_move()->value).epsilon(1e-9));
}

TEST_CASE("Tournament view: a knockout is replayed with its rounds, byes and who went on") {
    const TournamentView view =
        test::sample_view({.kind = TournamentKind::Knockout, .programs = 6, .step = 400});
    REQUIRE(view.rounds.size() == 3);
    CHECK(view.rounds[0].byes.size() == 2);
    CHECK(view.rounds[0].meetings.size() == 2);
    CHECK(view.rounds[0].went_on.size() == 4);
    CHECK(view.rounds[1].went_on.size() == 2);
    CHECK(view.rounds[2].went_on == std::vector<std::size_t>{0});
    CHECK(round_name(view, view.rounds[0]) == "round 1");
    CHECK(round_name(view, view.rounds[1]) == "semifinals");
    CHECK(round_name(view, view.rounds[2]) == "final");
    REQUIRE(view.winner);
    CHECK(view.rows[*view.winner].name == "alpha");
    CHECK(leader_sentence(view) == "alpha won the knockout.");
    CHECK(view.done == 5);
    CHECK(view.all == 5);
    CHECK(view.tie_breaks.empty());
}

TEST_CASE("Tournament view: a knockout that goes on names who is still in, winners of ties first") {
    const TournamentView semifinals = test::sample_view(
        {.kind = TournamentKind::Knockout, .programs = 4, .most_meetings = 2, .step = 400});
    CHECK(leader_sentence(semifinals) == "alpha and beta are still in the knockout.");
    CHECK(semifinals.done == 2);
    CHECK_FALSE(semifinals.is_complete());
    const TournamentView begun = test::sample_view(
        {.kind = TournamentKind::Knockout, .programs = 4, .most_meetings = 1, .step = 400});
    CHECK(leader_sentence(begun) == "alpha, beta and gamma are still in the knockout.");
    CHECK(std::ranges::count(begun.rows, true,
                             [](const TournamentRow& row) { return row.standing.is_out; }) == 1);
    CHECK(begun.rows.back().standing.is_out);

    PlayedSample sample;
    sample.input.setup.kind = TournamentKind::Knockout;
    sample.input.setup.programs = {0, 1, 2, 3};
    sample.input.setup.replays = 2;
    sample.input.names = {"a", "b", "c", "d"};
    sample.counts = harness::PlayedMeetings(1);
    (void)sample.counts.add(0, 3, test::pair_of(0, 2, 1));
    (void)sample.counts.add(1, 2, test::pair_of(0, 1, 1));
    (void)sample.counts.add(1, 2, test::pair_of(1, 1, 1));
    (void)sample.counts.add(1, 2, test::pair_of(2, 2, 1));
    const TournamentView replayed = tournament_view(sample.input, sample.counts);
    CHECK(leader_sentence(replayed) == "b and a are still in the knockout.");
    CHECK(replayed.rows[1].name == "a");
    CHECK(replayed.rows[2].name == "c");  // it has more points than a, by the replays
    CHECK(replayed.rows[2].standing.half_points > replayed.rows[1].standing.half_points);
}

TEST_CASE("Tournament view: of a gauntlet the seeds' score against the field is said") {
    PlayedSample sample = test::played_sample(
        {.kind = TournamentKind::Gauntlet, .programs = 5, .rounds = 2, .openings = 2, .step = 0});
    const TournamentView view = tournament_view(sample.input, sample.counts);
    CHECK(view.is_complete());
    const TournamentRow& seed = *std::ranges::find(view.rows, true, &TournamentRow::is_seed);
    CHECK(seed.name == "alpha");
    CHECK(seed.games() == 4 * view.rows[view.rows[0].is_seed ? 1 : 0].games());
    const std::string sentence = leader_sentence(view);
    CHECK(sentence == "alpha scored " + score_text(seed.standing.half_points) + " of 32 points (" +
                          percent(*seed.score(), 1) + ") against the field.");
    // The seed has the most points, and its share decides its place.
    for (std::size_t row = 1; row < view.rows.size(); ++row)
        CHECK(*view.rows[row - 1].score() >= *view.rows[row].score());
    const TournamentView begun = test::sample_view(
        {.kind = TournamentKind::Gauntlet, .programs = 5, .rounds = 2, .most_meetings = 3});
    CHECK(leader_sentence(begun).starts_with("alpha has scored "));
}

TEST_CASE("Tournament view: it is complete when nothing lacks, or its time is up without an end") {
    PlayedSample endless = test::played_sample(
        {.kind = TournamentKind::LeastPlayed, .programs = 4, .rounds = 0, .most_meetings = 7});
    const TournamentView running = tournament_view(endless.input, endless.counts);
    CHECK_FALSE(running.all);
    CHECK_FALSE(running.is_complete());
    CHECK(progress_text(running) == "7 meetings, 56 games");
    CHECK_FALSE(running.left);
    endless.input.is_over = true;  // its minutes are
    const TournamentView ended = tournament_view(endless.input, endless.counts);
    CHECK(ended.is_complete());
    CHECK(leader_sentence(ended).find(" won the least-played tournament with ") !=
          std::string::npos);
    PlayedSample cut = test::played_sample({.programs = 4, .most_meetings = 5});
    cut.input.is_over = true;
    CHECK_FALSE(tournament_view(cut.input, cut.counts).is_complete());
}

TEST_CASE("Tournament view: a Swiss tournament has its rounds, byes with points and Buchholz") {
    const TournamentView view = test::sample_view(
        {.kind = TournamentKind::Swiss, .programs = 5, .rounds = 3, .openings = 1});
    REQUIRE(view.rounds.size() == 3);
    for (const TournamentRound& round : view.rounds) {
        CHECK(round.meetings.size() == 2);
        CHECK(round.byes.size() == 1);
        CHECK(round.went_on.empty());
    }
    CHECK(view.tie_breaks == std::vector<harness::TieBreak>{harness::TieBreak::BuchholzCut1,
                                                            harness::TieBreak::Buchholz,
                                                            harness::TieBreak::SonnebornBerger});
}

TEST_CASE("Tournament view: one that goes on says how far it is and how long it takes") {
    const TournamentView view = test::sample_view({.programs = 4, .most_meetings = 5});
    CHECK_FALSE(view.is_over);
    CHECK(view.done == 5);
    CHECK(view.all == 12);
    CHECK(view.pairs == 20);
    REQUIRE(view.left);
    CHECK(view.left->count() == 7 * 4 * 2'500'000LL);
    CHECK(progress_text(view) == "5 of 12 meetings, 40 games");
    const TournamentView nothing = test::sample_view({.programs = 4, .most_meetings = 0});
    CHECK(leader_sentence(nothing) == "No game has been counted yet.");
    CHECK(strength_sentence(nothing).empty());
    CHECK(conditions_sentence(nothing).empty());
    CHECK_FALSE(nothing.draw_rate());
    CHECK_FALSE(nothing.rows[0].rating);
}

TEST_CASE("Tournament view: groups that never met are a warning, and have no order") {
    PlayedSample sample;
    sample.input.setup.programs = {0, 1, 2, 3};
    sample.input.names = {"a", "b", "c", "d"};
    sample.counts = harness::PlayedMeetings(1);
    (void)sample.counts.add(0, 1, test::pair_of(0, 2, 2));
    (void)sample.counts.add(2, 3, test::pair_of(0, 1, 1));
    const TournamentView view = tournament_view(sample.input, sample.counts);
    REQUIRE(view.warnings.size() == 2);
    CHECK(view.warnings[0] ==
          "No chain of games connects c, d with the others: ratings of the groups cannot be "
          "compared.");
    CHECK(view.warnings[1].starts_with("The results among a, b are one-sided"));
    CHECK(view.all_orders == 2);
}

TEST_CASE("Tournament view: results that are all draws are called so") {
    PlayedSample sample;
    sample.input.setup.programs = {0, 1};
    sample.input.names = {"a", "b"};
    sample.counts = harness::PlayedMeetings(1);
    (void)sample.counts.add(0, 1, test::pair_of(0, 1, 1));
    const TournamentView view = tournament_view(sample.input, sample.counts);
    REQUIRE(view.warnings.size() >= 1);
    CHECK(view.warnings[0].starts_with("The results among a, b are all draws, so that"));
}

TEST_CASE("Tournament view: who is the strongest is said where it is shown, and only there") {
    std::vector<std::array<int, 2>> level;
    std::vector<std::array<int, 2>> clear;
    for (int i = 0; i < 40; ++i) {
        level.push_back(i % 2 == 0 ? std::array{2, 0} : std::array{0, 2});
        clear.push_back(i % 2 == 0 ? std::array{2, 1} : std::array{1, 2});
    }
    const PlayedSample even = two_programs(level);
    const PlayedSample one = two_programs(clear);
    const TournamentView undecided = tournament_view(even.input, even.counts);
    CHECK(
        strength_sentence(undecided) ==
        "No program is shown to be the strongest; the order of two programs is not shown (95 %).");
    const TournamentView decided = tournament_view(one.input, one.counts);
    CHECK(strength_sentence(decided) ==
          "a is shown to be the strongest; the order of two programs is shown (95 %).");
}

TEST_CASE("Tournament view: none is shown to be the strongest while a program has no game") {
    std::vector<std::array<int, 2>> clear;
    for (int i = 0; i < 40; ++i) clear.push_back(i % 2 == 0 ? std::array{2, 1} : std::array{1, 2});
    PlayedSample sample = two_programs(clear);
    CHECK(tournament_view(sample.input, sample.counts).strongest);
    sample.input.setup.programs.push_back(2);
    sample.input.names.emplace_back("c");
    CHECK_FALSE(tournament_view(sample.input, sample.counts).strongest);
}

TEST_CASE(
    "Tournament view: losses on time by the harness are said, and are no program's failures") {
    PlayedSample sample = test::played_sample({.programs = 3, .openings = 2});
    CHECK(tournament_view(sample.input, sample.counts).warnings.empty());
    harness::PairDigest late = test::failed_pair(0, 0, harness::Termination::Time, 1);
    late.games[0].harness_caused = true;
    sample.counts = harness::PlayedMeetings(1);
    (void)sample.counts.add(0, 1, late);
    const TournamentView view = tournament_view(sample.input, sample.counts);
    REQUIRE_FALSE(view.warnings.empty());
    CHECK(view.warnings[0].starts_with("1 game was lost on time because the harness was late (" +
                                       sample.input.names[0] + " 1): "));
    for (const TournamentRow& row : view.rows) CHECK(row.failures.total() == 0);
}

TEST_CASE("Tournament view: a program that is left out stands in the table with its games") {
    PlayedSample sample = test::played_sample({.programs = 4});
    sample.input.setup.programs = {0, 1, 3};
    const TournamentView view = tournament_view(sample.input, sample.counts);
    REQUIRE(view.rows.size() == 4);
    for (const TournamentRow& row : view.rows) CHECK(row.games() == 3 * 2 * 4 * 2);
    // It neither leads nor has rounds in the schedule of those that play on.
    sample = test::played_sample({.programs = 4, .step = 400});
    sample.input.setup.programs = {1, 2, 3};
    const TournamentView others = tournament_view(sample.input, sample.counts);
    CHECK(others.rows[0].is_left_out);
    CHECK(leader_sentence(others).starts_with(others.rows[1].name + " won the round robin"));
    CHECK(others.round_text(0, 1, 0, 0) == "?");
    CHECK(others.round_text(1, 2, 0, 1).ends_with(".2"));
}

TEST_CASE("Tournament text: the live line says who leads, or what a kind asks for") {
    harness::RunRecord run;
    run.plan.programs.resize(3);
    for (const std::size_t i : {0U, 1U, 2U}) run.plan.programs[i].name = std::string(1, "abc"[i]);
    run.plan.tournament.emplace();
    harness::PlayedMeetings played(1);
    harness::TournamentProgress progress;
    CHECK(leader_text(run, played, progress).empty());
    (void)played.add(0, 1, test::pair_of(0, 2, 2));
    (void)played.add(0, 2, test::pair_of(0, 2, 1));
    CHECK(leader_text(run, played, progress) == "first a 3.5/4");
    run.plan.tournament->left_out = {0};
    CHECK(leader_text(run, played, progress) == "first c 0.5/2");
    run.plan.tournament->left_out = {};
    run.plan.tournament->kind = TournamentKind::Swiss;
    progress.bye_half_points = {0, 8, 0};
    CHECK(leader_text(run, played, progress) == "first b 4/6");
    run.plan.tournament->kind = TournamentKind::Gauntlet;
    progress.bye_half_points = {};
    CHECK(leader_text(run, played, progress) == "seed a 3.5/4");
    run.plan.tournament->seeds = 2;
    CHECK(leader_text(run, played, progress) == "seeds 3.5/6");
    run.plan.tournament->kind = TournamentKind::Knockout;
    progress.out = {1};
    CHECK(leader_text(run, played, progress) == "2 programs still in");
}

TEST_CASE("Tournament Markdown: it keeps its limit with thousands of rounds, programs and names") {
    const int rounds = test::is_long() ? 5000 : 1200;
    const TournamentView swiss = test::sample_view(
        {.kind = TournamentKind::Swiss, .programs = 5, .rounds = rounds, .openings = 1});
    const std::string markdown = tournament_markdown(swiss);
    CHECK(markdown.size() < 44'000);
    CHECK(markdown.find(" more rounds\n") != std::string::npos);
    CHECK(markdown.find("round " + std::to_string(rounds)) == std::string::npos);
    PlayedSample wide = test::played_sample(
        {.kind = TournamentKind::Swiss, .programs = 128, .rounds = 3, .openings = 1});
    for (std::string& name : wide.input.names) name = std::string(64, '*') + name;
    const std::string table = tournament_markdown(tournament_view(wide.input, wide.counts));
    CHECK(table.size() < 44'000);
    CHECK(table.find(" more programs\n") != std::string::npos);
}

TEST_CASE("Tournament text: columns go where a terminal is narrow, the names and points never") {
    const TournamentView view = test::sample_view({.programs = 8, .crasher = 5});
    for (const int width : {120, 80, 60, 40}) {
        CAPTURE(width);
        std::string text = tournament_report(view, {width, false});
        text = text.substr(text.find("\nrank"));
        text = text.substr(1, text.find("\n\n") - 1);
        std::string_view rest = text;
        const std::string head(take_line(rest));
        CHECK(head.find("program") != std::string::npos);
        CHECK(head.find("points") != std::string::npos);
        while (!rest.empty()) CHECK(columns(take_line(rest)) <= static_cast<std::size_t>(width));
    }
    CHECK(tournament_report(view, {}).find("points of the row") != std::string::npos);
    CHECK(tournament_report(view, {40, false}).find("points of the row") == std::string::npos);
}

TEST_CASE("Tournament JUnit: a program that crashed or hung fails, one that was late does not") {
    TournamentView view = test::sample_view({.programs = 5});
    for (TournamentRow& row : view.rows) row.failures = {};
    view.rows[1].failures.crashes = 1;
    view.rows[2].failures.stalls = 1;
    view.rows[3].failures.time_losses = 1;
    view.rows[4].failures.illegal_moves = 1;
    const harness::RunRecord run = test::report_run();
    RunView whole{run, {}, {}, "assay.db"};
    whole.tournament = &view;
    const std::string junit = junit_report(whole);
    for (std::size_t i = 0; i < view.rows.size(); ++i) {
        CAPTURE(i);
        const std::size_t begin = junit.find("name=\"" + view.rows[i].name + "\"");
        REQUIRE(begin != std::string::npos);
        const std::string one = junit.substr(begin, junit.find("<testcase", begin) - begin);
        CHECK((one.find("<failure ") != std::string::npos) == (i == 1 || i == 2));
    }
}

TEST_CASE("Tournament forms: each is as it was") {
    const TournamentView robin =
        test::sample_view({.programs = 4, .most_meetings = 10, .crasher = 3});
    const TournamentView swiss = test::sample_view(
        {.kind = TournamentKind::Swiss, .programs = 5, .rounds = 3, .openings = 2});
    const TournamentView knockout =
        test::sample_view({.kind = TournamentKind::Knockout, .programs = 6});
    std::string text;
    std::string markdown;
    std::string json;
    std::string csv;
    for (const TournamentView* view : {&robin, &swiss, &knockout}) {
        text += tournament_report(*view, {}) + "\n";
        markdown += tournament_markdown(*view) + "\n";
        json += json_text(tournament_json(*view)) + "\n";
        csv += tournament_csv(*view) + "\n";
    }
    CHECK(text == test::golden("tournament.txt", text));
    CHECK(markdown == test::golden("tournament.md", markdown));
    CHECK(json == test::golden("tournament.jsonl", json));
    CHECK(csv == test::golden("tournament.csv", csv));
}
