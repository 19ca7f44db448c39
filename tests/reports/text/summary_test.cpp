#include "reports/text/summary.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "reports/text/markdown.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"
#include "stats/plan/sample_size.h"
#include "tests/reports/report_samples.h"
#include "tests/reports/sample_run.h"
#include "tests/support/sample_tally.h"

using namespace assay;
using namespace assay::harness;

TEST_CASE("Summary: every kind of run reads as in the golden file") {
    std::string text;
    for (const test::ReportSample& sample : test::report_samples())
        text += reports::run_summary(sample.view(), false) + "----\n";
    CHECK(text == test::golden("summary.txt", text));
}

TEST_CASE("Summary: verdict words alone are coloured") {
    const test::ReportSample sample = test::accepted_run();
    const std::string text = reports::run_summary(sample.view(), true);
    CHECK(text.find("\x1b[32maccepted\x1b[0m: head is not worse than base") != std::string::npos);
    CHECK(std::ranges::count(text, '\x1b') == 2);
}

TEST_CASE("Verdict: an interval that seems to contradict the test is explained") {
    const auto note = [](const test::ReportSample& sample, double low, double high) {
        reports::KindOfEstimate quoted;
        quoted.elo = {low / 2 + high / 2, {low, high}};
        const reports::RunView view = sample.view();
        return reports::interval_note(view.matches[0], reports::figures_of(*view.matches[0].tally),
                                      quoted);
    };
    test::ReportSample fixed(test::ruled_run(StopPlan::Rule::Fixed, 12));
    test::add_pairs(fixed.tally, {0, 1, 3, 1, 7});
    REQUIRE(fixed.tally.verdict() == harness::Verdict::Accepted);
    CHECK(note(fixed, 10, 300) == "");
    CHECK(note(fixed, -10, 300) ==
          "The interval of 95 % contains 0 all the same: it is an approximation, and rough for 12 "
          "pairs; the sign-flip test is exact.");
    test::ReportSample even(test::ruled_run(StopPlan::Rule::Fixed, 4));
    test::add_pairs(even.tally, {0, 1, 1, 1, 1});
    REQUIRE(even.tally.verdict() == harness::Verdict::Inconclusive);
    CHECK(note(even, -10, 300) == "");
    CHECK(note(even, 10, 300).starts_with("The interval of 95 % excludes 0 all the same: "));
    // A match that goes on says nothing yet.
    test::ReportSample open(test::ruled_run(StopPlan::Rule::Fixed, 50));
    test::add_pairs(open.tally, {0, 1, 3, 1, 7});
    CHECK(note(open, -10, 300) == "");
}

TEST_CASE("Summary: nothing that programs say reaches the terminal as a control sequence") {
    const test::ReportSample sample = test::hostile_run();
    const std::string text = reports::run_summary(sample.view(), false);
    CHECK(std::ranges::all_of(
        text, [](char c) { return c == '\n' || static_cast<unsigned char>(c) >= 0x20; }));
}

TEST_CASE("Summary: of a few pairs nothing is said that only their spread would tell") {
    test::ReportSample sample(test::ruled_run(StopPlan::Rule::Sprt, 3));
    test::add_pairs(sample.tally, {0, 0, 1, 0, 2});
    const std::string text = reports::run_summary(sample.view(), false);
    CHECK(text.find("LOS") == std::string::npos);
    CHECK(text.find("median-unbiased") == std::string::npos);
    CHECK(text.find("  Elo +280 (no limits yet)   (confidence sequence)\n") != std::string::npos);
    test::ReportSample plain;
    test::add_pairs(plain.tally, {0, 0, 1, 0, 2});
    CHECK(reports::run_summary(plain.view(), false)
              .find("3 of at most 50 pairs are played, and a p-value holds only after") !=
          std::string::npos);
    test::ReportSample whole(test::ruled_run(StopPlan::Rule::None, 3));
    test::add_pairs(whole.tally, {0, 0, 1, 0, 2});
    CHECK(reports::run_summary(whole.view(), false)
              .find("To tell 10 nElo from 0 at 95 % with power 80 % takes about 4,700 pairs.") !=
          std::string::npos);
}

TEST_CASE("Summary: the pairs that a difference takes are those of stats plan") {
    test::ReportSample sample(test::ruled_run(StopPlan::Rule::None, 40));
    test::add_pairs(sample.tally, {10, 8, 10, 6, 6});
    const double nelo = std::round(-*reports::figures_of(sample.tally).strength.nelo.value);
    CHECK(reports::run_summary(sample.view(), false)
              .find(fmt::format(
                  "To tell {:.0f} nElo from 0 at 95 % with power 80 % takes about {} "
                  "pairs.",
                  nelo, reports::grouped(reports::rough(stats::fixed_pairs(nelo, 0.05, 0.8))))) !=
          std::string::npos);
    // What `assay stats plan --nelo 80` says.
    CHECK(reports::rough(stats::fixed_pairs(80, 0.05, 0.8)) == 75);
}

TEST_CASE("Summary: an inconclusive end says why and what to do") {
    struct Case {
        bool book_exhausted;
        bool out_of_time;
        const char* expected;
    };

    for (const Case& c :
         {Case{true, false, "inconclusive: the book is used up after 18 of at most 400 pairs"},
          Case{false, true,
               "inconclusive: the 60 minutes ended after 18 of at most 400 pairs; --extend PAIRS "
               "goes on, with the time anew."},
          Case{false, false, "inconclusive: stopped after 18 of at most 400 pairs; resume with"}}) {
        RunRecord run = test::ruled_run(StopPlan::Rule::Capped, 400);
        run.plan.matches[0].stop.minutes = std::chrono::minutes(60);
        test::ReportSample sample(run);
        test::add_pairs(sample.tally, {2, 4, 6, 4, 2});
        sample.tally.close(c.book_exhausted, c.out_of_time);
        CHECK(reports::match_summary(sample.view(), 0, false).starts_with(c.expected));
    }
}

TEST_CASE("Summary: a match without a book that ends early is told to have one") {
    for (const char* book : {"none", "default"}) {
        CAPTURE(book);
        RunRecord run = test::ruled_run(StopPlan::Rule::None, 400);
        run.plan.matches[0].openings.book = book;
        // The default book is of chess.
        if (std::string_view(book) == "default") run.plan.matches[0].game.text = "game tiny";
        test::ReportSample sample(run);
        test::add_pairs(sample.tally, {0, 0, 1, 0, 0});
        sample.tally.close(true, false);
        CHECK(reports::match_summary(sample.view(), 0, false)
                  .starts_with("ended early: its one opening is used up after 1 of at most 400 "
                               "pairs; give it a book.\n"));
    }
}

TEST_CASE("Summary: without a rule an early end says what ran out") {
    RunRecord run = test::ruled_run(StopPlan::Rule::None, 400);
    run.plan.matches[0].stop.minutes = std::chrono::minutes(60);
    test::ReportSample sample(run);
    test::add_pairs(sample.tally, {2, 4, 6, 4, 2});
    CHECK(reports::match_summary(sample.view(), 0, false).starts_with("head scores 18 of 36"));
    sample.tally.close(true, false);
    CHECK(reports::match_summary(sample.view(), 0, false)
              .starts_with("ended early: the book is used up after 18 of at most 400 pairs; take a "
                           "larger one.\nhead scores 18 of 36"));
    sample.tally.close(false, true);
    CHECK(reports::match_summary(sample.view(), 0, false)
              .starts_with("ended early: the 60 minutes ended after 18 of at most 400 pairs; "
                           "--extend PAIRS goes on, with the time anew.\n"));
}

TEST_CASE("Summary: bounds in logistic Elo say what they need, and by which guess") {
    RunRecord run = test::ruled_run(StopPlan::Rule::Sprt, 20);
    run.plan.matches[0].stop.model = StopPlan::Model::Logistic;
    run.plan.matches[0].stop.e0 = 0;
    run.plan.matches[0].stop.e1 = 5;
    // 5 Elo are 7.07 nElo there, and [0, 10] nElo takes 3,199 to 5,233 pairs.
    CHECK(reports::match_header(test::ReportSample(run).view(), 0, 0)
              .find("sprt between 0 and 5 Elo, errors 5 % and 5 %: needs 6,400 to 10,000 pairs on "
                    "average, if half of the games are drawn; you allow 20: will most likely end "
                    "inconclusive\n") != std::string::npos);
}

TEST_CASE("Summary: an accepted test names what it excludes below, a rejected one above") {
    RunRecord run = test::ruled_run(StopPlan::Rule::Sprt, 20'000);
    StopPlan& stop = run.plan.matches[0].stop;
    stop.e0 = 10;
    stop.e1 = 45;
    stop.alpha = 0.02;
    stop.beta = 0.1;
    for (const auto& [pairs, expected] :
         {std::pair{std::array{0, 0, 1, 2, 1},
                    "accepted: head is better than base by more than 10 nElo (2 % error), after "},
          std::pair{std::array{1, 2, 1, 0, 0},
                    "rejected: head is not better than base by 45 nElo or more (10 % error), "
                    "after "}}) {
        test::ReportSample sample(run);
        while (sample.tally.verdict() == Verdict::None) test::add_pairs(sample.tally, pairs);
        CHECK(reports::match_summary(sample.view(), 0, false).starts_with(expected));
    }
}

TEST_CASE("Summary: what was found when the run had ended is among its warnings") {
    harness::RunRecord run = test::report_run();
    run.findings.control = "the control match differs: old scores 9 of 20 against itself";
    run.findings.drift = {"new: nodes per second changed by +91 %"};
    harness::MatchTally tally(run.plan.matches[0]);
    test::add_pairs(tally, {1, 2, 4, 2, 1});
    const std::string text = run_summary({run, {{&tally, {}}}, {}, "assay.db"}, false, 100);
    CHECK(text.find("warning: the control match differs: old scores 9 of 20 against itself\n"
                    "warning: new: nodes per second changed by +91 %\n") != std::string::npos);
}

TEST_CASE("Summary: a closing test is called so, and by no word of our own for its shape") {
    for (const double lower : {0.0, -5.0}) {
        RunRecord run = test::ruled_run(StopPlan::Rule::Closing, 20'000);
        run.plan.matches[0].stop.e0 = lower;
        run.plan.matches[0].stop.e1 = lower + 5;
        test::ReportSample sample(run);
        const std::string header = reports::match_header(sample.view(), 0, 0);
        CAPTURE(header);
        CHECK(header.find("closing between ") != std::string::npos);
        CHECK(header.find("closing-ff") == std::string::npos);
        test::add_pairs(sample.tally, {10, 8, 10, 6, 6});
        CHECK(reports::run_summary(sample.view(), false).find("closing-ff") == std::string::npos);
        CHECK(reports::markdown_report(sample.view()).find("closing-ff") == std::string::npos);
    }
}
