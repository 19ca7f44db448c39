#include "reports/text/markdown.h"

#include <string>

#include <doctest/doctest.h>

#include "tests/reports/report_samples.h"
#include "tests/reports/sample_run.h"

using namespace assay;
using reports::FailedGame;
using reports::MatchView;
using reports::RunView;

TEST_CASE("Markdown: every kind of run is as in the golden file") {
    std::string text;
    for (const test::ReportSample& sample : test::report_samples())
        text += reports::markdown_report(sample.view());
    CHECK(text == test::golden("report.md", text));
}

TEST_CASE("Markdown: names and reasons bring no markup, and rows stay rows") {
    const test::ReportSample sample = test::hostile_run();
    const std::string text = reports::markdown_report(sample.view());
    CHECK(text.find("<script") == std::string::npos);
    CHECK(text.find("@team") == std::string::npos);
    CHECK(text.find(" #1") == std::string::npos);
    CHECK(text.find("a|b") == std::string::npos);
    CHECK(text.find("a\\|b\\`c") != std::string::npos);
}

TEST_CASE("Markdown: a run of any size stays below 64 KB") {
    test::ReportSample sample = test::hostile_run();
    const std::string most(20'000, '|');
    sample.run.name = most;
    sample.run.plan.programs[0].name = most;
    sample.run.end_reason = most;
    sample.failed.assign(1000, test::failed_on_time());
    for (FailedGame& game : sample.failed) game.reason = most;
    sample.warnings.assign(1000, most);
    RunView view = sample.view();
    view.matches.assign(100, view.matches[0]);
    for (MatchView& match : view.matches) match.failed.resize(20);
    CHECK(reports::markdown_report(view).size() < 64 * 1024);
}
