#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "reports/web/tournament/tournament_charts.h"
#include "reports/web/tournament/tournament_section.h"
#include "tests/support/contains.h"
#include "tests/support/sample_tournament.h"

using namespace assay;
using namespace assay::reports;
using harness::TournamentKind;
using test::contains;

using assay::test::times_in;

namespace {}  // namespace

TEST_CASE("Tournament page: the table is there in each order, of which one is chosen at first") {
    const std::string page =
        web::tournament_sections(test::sample_view({.programs = 8, .crasher = 5}));
    for (const char* order : {"rank", "elo", "name", "failures"}) {
        CAPTURE(order);
        CHECK(contains(page, std::string("<table class=\"by-") + order + "\">"));
        CHECK(contains(page, std::string("<label for=\"by-") + order + "\">"));
    }
    CHECK(times_in(page, " checked>") == 1);
    CHECK_FALSE(contains(page, "<script"));
    // By failures the program that crashed stands first.
    const std::string failures = page.substr(page.find("class=\"by-failures\""));
    CHECK(failures.find("zeta") < failures.find("alpha"));
    const std::string names = page.substr(page.find("class=\"by-name\""));
    CHECK(names.find("alpha") < names.find("beta"));
}

TEST_CASE("Tournament page: it does not grow by a section for each two programs") {
    const std::string small = web::tournament_sections(test::sample_view({.programs = 4}));
    const std::string wide =
        web::tournament_sections(test::sample_view({.programs = 32, .rounds = 1, .openings = 1}));
    CHECK(times_in(small, "<section") == times_in(wide, "<section"));
    CHECK(times_in(wide, "<details") == 1);
    CHECK(wide.size() < 600'000);
}

TEST_CASE("Tournament page: names are text, wherever they stand") {
    test::PlayedSample sample = test::played_sample({.programs = 3});
    sample.input.names[0] = "<script>alert(1)</script>";
    sample.input.versions[0] = "\"><img src=x>";
    const TournamentView view = tournament_view(sample.input, sample.counts);
    web::Values page;
    web::add_tournament_head(page, view);
    const std::string sections = web::tournament_sections(view);
    CHECK_FALSE(contains(sections, "<script"));
    CHECK_FALSE(contains(sections, "<img"));
    CHECK(contains(sections, "&lt;script&gt;"));
}

TEST_CASE("Tournament page: each kind and state has its word") {
    const auto word_of = [](const TournamentView& view) {
        web::Values head;
        web::add_tournament_head(head, view);
        return head.lists.at("parts").front().text.at("word");
    };
    CHECK(word_of(test::sample_view({.kind = TournamentKind::Gauntlet, .programs = 4})) ==
          "● complete");
    CHECK(word_of(test::sample_view(
              {.kind = TournamentKind::Knockout, .programs = 4, .most_meetings = 1})) ==
          "◆ goes on");
    test::PlayedSample endless = test::played_sample(
        {.kind = TournamentKind::LeastPlayed, .programs = 4, .rounds = 0, .most_meetings = 5});
    endless.input.is_over = true;
    CHECK(word_of(tournament_view(endless.input, endless.counts)) == "● complete");
    test::PlayedSample cut = test::played_sample({.programs = 4, .most_meetings = 5});
    cut.input.is_over = true;
    CHECK(word_of(tournament_view(cut.input, cut.counts)) == "◆ ended early");
}

TEST_CASE("Rating chart: a limit beyond its edge is marked, and long names are whole") {
    // Two programs of many games, and one of two, whose limits are far outside.
    const auto row = [](std::size_t a, std::size_t b, double wins, double draws, double losses) {
        return stats::RatedGames{a, b, wins, draws, losses, -1, false};
    };
    const std::string name = "an engine whose name is rather long 1.2.3";
    const stats::RatingTable table(3, {row(0, 1, 400, 400, 400), row(0, 2, 1, 0, 1)});
    const std::string chart = web::rating_chart(table, {name, name + "4", "short"});
    CHECK(contains(chart, "‹"));
    CHECK(contains(chart, "›"));
    // In each width.
    CHECK(times_in(chart, name + "<") == times_in(chart, "<svg"));
    const stats::RatingTable sure(2, {row(0, 1, 400, 400, 400)});
    CHECK_FALSE(contains(web::rating_chart(sure, {"a", "b"}), "‹"));
}

TEST_CASE(
    "Crosstable: a long name takes the room that few programs leave, and is cut in a narrow one") {
    test::PlayedSample sample = test::played_sample({.programs = 4});
    const std::string name = "alpha-with-a-rather-long-name-20261130";
    sample.input.names[0] = name;
    const TournamentView view = tournament_view(sample.input, sample.counts);
    const std::string chart = web::crosstable_chart(view, {});
    // Of the three widths.
    CHECK(times_in(chart, name + "<") == 2);
    CHECK(times_in(chart, "<svg") == 3);
}

TEST_CASE("Rating history: the line joins the strongest so far, where all can be compared") {
    const std::vector<web::RatingDate> dates{{"a", 0, {-5, 5}, 86'400'000'000},
                                             {"b", 20, {10, 30}, 2 * 86'400'000'000}};
    CHECK(contains(web::rating_history_chart(dates, true), "<polyline"));
    CHECK_FALSE(contains(web::rating_history_chart(dates, false), "<polyline"));
}

TEST_CASE(
    "Tournament page: a knockout has its ties with who goes on, and one without games says so") {
    const std::string page = web::tournament_sections(
        test::sample_view({.kind = TournamentKind::Knockout, .programs = 6}));
    CHECK(contains(page, "<h3>final</h3>"));
    CHECK(times_in(page, "▸ </span>") == 5);
    CHECK(times_in(page, "bye: ") == 2);
    const TournamentView nothing = test::sample_view({.programs = 4, .most_meetings = 0});
    web::Values head;
    web::add_tournament_head(head, nothing);
    CHECK(head.text["headline"] == "No game has been counted yet.");
    const std::string empty = web::tournament_sections(nothing);
    CHECK(contains(empty, "id=\"standings\""));
    CHECK_FALSE(contains(empty, "id=\"crosstable\""));
    CHECK_FALSE(contains(empty, "id=\"ratings\""));
}
