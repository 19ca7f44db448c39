#include "reports/files/junit.h"

#include <algorithm>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "tests/reports/report_samples.h"
#include "tests/reports/sample_run.h"
#include "tests/support/sample_tally.h"

using namespace assay;
using namespace assay::harness;
using reports::FailedGame;
using reports::RunView;

TEST_CASE("JUnit: every kind of run is as in the golden file") {
    std::string text;
    for (const test::ReportSample& sample : test::report_samples())
        text += reports::junit_report(sample.view());
    CHECK(text == test::golden("junit.xml", text));
}

TEST_CASE("JUnit: what went wrong decides between failure, error and skipped") {
    struct Case {
        const char* what;
        RunState state;
        std::array<int, 5> pairs;
        const char* expected;
    };

    for (const Case& c :
         {Case{"rejected", RunState::Finished, {30, 0, 0, 0, 0}, "<failure message=\"rejected: "},
          Case{"accepted", RunState::Finished, {0, 0, 0, 0, 30}, "<system-out>accepted: "},
          Case{"open", RunState::Finished, {1, 0, 28, 0, 1}, "<skipped message=\"inconclusive: "},
          Case{"broken", RunState::Failed, {1, 0, 0, 0, 1}, "<error message=\"stopped: no disk"}}) {
        CAPTURE(c.what);
        test::ReportSample sample(test::ruled_run(StopPlan::Rule::Fixed, 30));
        sample.run.state = c.state;
        sample.run.end_reason = "no disk";
        test::add_pairs(sample.tally, c.pairs);
        sample.tally.close(false, false);
        CHECK(reports::junit_report(sample.view()).find(c.expected) != std::string::npos);
    }
}

TEST_CASE("JUnit: what the plan requires is a case each, and fails for the first program alone") {
    test::ReportSample sample = test::tainted_run();
    sample.run.plan.matches[0].require.time_losses = 0;
    sample.run.plan.matches[0].require.crashes = 0;
    MatchTally tally(sample.run.plan.matches[0]);
    tally.add(test::failed_pair(0, 0, Termination::Time, 1));
    tally.add(test::failed_pair(1, 1, Termination::Crash, 1));
    RunView view = sample.view();
    view.matches[0].tally = &tally;
    const std::string text = reports::junit_report(view);
    CHECK(text.find("<failure message=\"head: 1 loss on time, at most 0 allowed\">") !=
          std::string::npos);
    CHECK(text.find("crashes or stalls of head") != std::string::npos);
    CHECK(text.find("assay replay 12 113 34") != std::string::npos);
    CHECK(text.find("failures=\"1\"") != std::string::npos);
}

TEST_CASE("JUnit: names of cases are unique over all matches of a run") {
    test::ReportSample sample = test::plain_run();
    sample.run.plan.matches[0].require.crashes = 0;
    MatchTally tally(sample.run.plan.matches[0]);
    test::add_pairs(tally, {1, 0, 0, 0, 1});
    RunView view = sample.view();
    view.matches.assign(3, {&tally, {}});
    const std::string text = reports::junit_report(view);
    std::multiset<std::string> names;
    for (std::size_t at = text.find("<testcase "); at != std::string::npos;
         at = text.find("<testcase ", at + 1))
        names.insert(text.substr(at, text.find(" time=", at) - at));
    CHECK(names.size() == 6);
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == 6);
}

TEST_CASE("JUnit: files are attached where a reader looks, one system-out a case") {
    test::ReportSample sample = test::tainted_run();
    sample.run.plan.matches[0].require.time_losses = 0;
    sample.run.plan.matches[0].require.crashes = 5;
    MatchTally tally(sample.run.plan.matches[0]);
    tally.add(test::failed_pair(0, 0, Termination::Time, 1));
    RunView view = sample.view();
    view.matches[0].tally = &tally;
    const std::string text = reports::junit_report(view, {"out/report.html", "out/a&b.txt"});
    const std::string tags =
        "\n[[ATTACHMENT|out/report.html]]\n[[ATTACHMENT|out/a&amp;b.txt]]\n</system-out>";
    std::size_t cases = 0;
    std::size_t attached = 0;
    for (std::size_t at = text.find("<testcase "); at != std::string::npos;
         at = text.find("<testcase ", at + 1)) {
        const std::string one = text.substr(at, text.find("</testcase>", at) - at);
        const std::size_t first = std::min(one.find("<system-out>"), one.size());
        CHECK(one.find("<system-out>", first + 1) == std::string::npos);
        ++cases;
        const bool is_verdict = one.find("name=\"verdict: ") != std::string::npos;
        const bool is_broken = one.find("<failure") != std::string::npos;
        CHECK((one.find(tags) != std::string::npos) == (is_verdict || is_broken));
        attached += one.find(tags) != std::string::npos ? 1U : 0U;
    }
    CHECK(cases == 3);
    CHECK(attached == 2);
    CHECK(reports::junit_report(view).find("ATTACHMENT") == std::string::npos);
}

TEST_CASE("JUnit: nothing that others write breaks the document") {
    const std::string text = reports::junit_report(test::hostile_run().view());
    CHECK(text.find("<script") == std::string::npos);
    CHECK(text.find("]]>") == std::string::npos);
    CHECK(text.find("\xEF\xBF\xBF") == std::string::npos);
    CHECK(text.find('\x01') == std::string::npos);
}

TEST_CASE("JUnit: a match that the machine was too slow for is an error and not skipped") {
    test::ReportSample sample(test::ruled_run(StopPlan::Rule::Fixed, 30));
    for (int i = 0; i < 5; ++i) {
        PairDigest pair = test::pair_of(i, 1, 1);
        pair.state = PairState::Void;
        sample.tally.add(pair);
    }
    test::add_pairs(sample.tally, {0, 0, 0, 0, 30});
    REQUIRE(sample.tally.is_voided_too_often());
    const std::string text = reports::junit_report(sample.view());
    CHECK(text.find("<error message=\"tainted: 5 pairs were voided for the harness") !=
          std::string::npos);
    CHECK(text.find("errors=\"1\"") != std::string::npos);
    CHECK(text.find("skipped=\"0\"") != std::string::npos);
}

TEST_CASE("JUnit: a limit of the first program shows its games and not the opponent's") {
    test::ReportSample sample(test::ruled_run(StopPlan::Rule::Fixed, 30));
    sample.run.plan.matches[0].require.crashes = 1;
    MatchTally tally(sample.run.plan.matches[0]);
    tally.add(test::failed_pair(0, 0, Termination::Stall, 1));
    tally.add(test::failed_pair(1, 0, Termination::Crash, 1));
    tally.add(test::failed_pair(2, 1, Termination::Crash, 1));
    FailedGame own = test::failed_on_time();
    own.termination = Termination::Crash;
    own.reason = "head crashed: killed by signal 11";
    FailedGame others = own;
    others.number = 115;
    others.program = "base";
    others.reason = "base crashed: killed by signal 6";
    sample.failed = {own, others};
    RunView view = sample.view();
    view.matches[0].tally = &tally;
    const std::string text = reports::junit_report(view);
    CHECK(text.find("<failure message=\"head: 2 crashes or stalls, at most 1 allowed\">") !=
          std::string::npos);
    CHECK(text.find("game 113, ply 34: head crashed") != std::string::npos);
    CHECK(text.find("base crashed") == std::string::npos);
}

TEST_CASE("JUnit: a speed that is not settled is skipped, and neither passes nor fails") {
    test::ReportSample sample = test::accepted_run();
    SpeedFinding speed;
    for (const auto& [state, element] : {std::pair{SpeedFinding::State::Holds, ""},
                                         {SpeedFinding::State::Broken, "<failure "},
                                         {SpeedFinding::State::Undecided, "<skipped "}}) {
        speed.state = state;
        sample.run.findings.speed = {speed};
        const std::string junit = reports::junit_report(sample.view());
        const std::size_t begin = junit.find("name=\"speed of head\"");
        REQUIRE(begin != std::string::npos);
        const std::string one = junit.substr(begin, junit.find("</testcase>", begin) - begin);
        for (const char* other : {"<failure ", "<skipped ", "<error "})
            CHECK_MESSAGE(
                (one.find(other) != std::string::npos) == (std::string_view(other) == element),
                one);
    }
}
