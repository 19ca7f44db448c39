#include <algorithm>
#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <doctest/doctest.h>

#include "reports/files/badge.h"
#include "reports/files/csv.h"
#include "reports/files/junit.h"
#include "reports/files/run_json.h"
#include "reports/text/github.h"
#include "reports/text/markdown.h"
#include "reports/text/summary.h"
#include "tests/reports/report_samples.h"
#include "tests/reports/sample_run.h"
#include "tests/support/sample_tally.h"

using namespace assay;
using namespace assay::harness;
using reports::RunView;

TEST_CASE("Reports: a reason of several lines keeps them, or is cut at the first") {
    test::ReportSample sample(test::ruled_run(StopPlan::Rule::Capped, 400));
    sample.run.findings.is_gate = true;
    sample.run.state = RunState::Failed;
    sample.run.end_reason = "head does not build: 'make' exited with code 2\n  cc: fatal error\n";
    const RunView view = sample.view();
    const std::string annotation = reports::github_annotation(view, 4);
    CHECK(annotation.find("exited with code 2%0A  cc: fatal error assay report") !=
          std::string::npos);
    const std::string junit = reports::junit_report(view);
    CHECK(junit.find(
              "message=\"stopped: head does not build: &#39;make&#39; exited with code 2\">") !=
          std::string::npos);
    CHECK(junit.find("code 2\n  cc: fatal error\n") != std::string::npos);
    const std::string markdown = reports::markdown_report(view);
    CHECK(markdown.find("exited with code 2<br>") != std::string::npos);
    for (const std::string& text : {annotation, junit, markdown, reports::run_summary(view, false)})
        CHECK(text.find("x0a") == std::string::npos);
}

TEST_CASE("Reports: a gate that its first program's failures end is rejected, not stopped") {
    test::ReportSample sample(test::ruled_run(StopPlan::Rule::Capped, 400));
    sample.run.findings.is_gate = true;
    sample.run.state = RunState::Failed;
    sample.run.end_reason = "head failed 4 times in a row";
    test::add_pairs(sample.tally, {1, 0, 0, 0, 0});
    RunView view = sample.view();
    view.exit_code = 1;
    CHECK(reports::github_annotation(view, 1).starts_with(
        "::error title=assay gate%3A rejected::head failed 4 times in a row"));
    CHECK(reports::junit_report(view).find("<failure message=\"rejected: head failed") !=
          std::string::npos);
    for (const std::string& text :
         {reports::junit_report(view), reports::markdown_report(view),
          reports::run_summary(view, false), reports::github_annotation(view, 1)})
        CHECK(text.find("stopped") == std::string::npos);
    view.exit_code = 4;
    CHECK(reports::junit_report(view).find("<error message=\"stopped: head failed") !=
          std::string::npos);
}

TEST_CASE("Reports: a requirement that is broken is named where the games alone are accepted") {
    test::ReportSample sample(test::ruled_run(StopPlan::Rule::Fixed, 32));
    sample.run.plan.matches[0].require.crashes = 0;
    MatchTally tally(sample.run.plan.matches[0]);
    tally.add(test::failed_pair(0, 0, Termination::Crash, 1));
    test::add_pairs(tally, {0, 0, 0, 0, 31});
    REQUIRE(tally.verdict() == Verdict::Accepted);
    RunView view = sample.view();
    view.matches[0].tally = &tally;
    const std::string sentence = "1 crash or stall, at most 0 allowed";
    const std::string markdown = reports::markdown_report(view);
    CHECK(markdown.find("**fails**, whatever the games say:\n- required: ") <
          markdown.find("**accepted**"));
    CHECK(markdown.find(sentence) != std::string::npos);
    const auto json = boost::json::parse(reports::run_json(view)).as_object();
    CHECK(json.at("broken_requirements").as_array().size() == 1);
    CHECK(reports::run_summary(view, false).find("required: ") != std::string::npos);
    const auto badge = boost::json::parse(reports::badge_json(view)).as_object();
    CHECK(badge.at("message").as_string().starts_with("rejected by requirement · Elo "));
    CHECK(badge.at("color") == "orange");
    CHECK(reports::github_annotation(view, 1).find("Required: ") != std::string::npos);
    CHECK(reports::github_annotation(view, 1).find(sentence) != std::string::npos);
}

TEST_CASE("Reports: a match that a gate did not come to is skipped, with the reason") {
    test::ReportSample sample(test::ruled_run(StopPlan::Rule::Fixed, 30));
    sample.run.plan.matches.push_back(sample.run.plan.matches[0]);
    sample.run.plan.matches[1].require.crashes = 0;
    test::add_pairs(sample.tally, {30, 0, 0, 0, 0});
    const MatchTally second(sample.run.plan.matches[1]);
    RunView view = sample.view();
    view.matches.push_back({&second, {}});
    const std::string junit = reports::junit_report(view);
    CHECK(junit.find("<skipped message=\"it was not begun: the match before it was not accepted") !=
          std::string::npos);
    CHECK(junit.find("crashes or stalls of") == std::string::npos);
    CHECK(junit.find("skipped=\"1\"") != std::string::npos);
    CHECK(reports::markdown_report(view).find("**not played**: ") != std::string::npos);
}

TEST_CASE(
    "Reports: whether a run was a gate is what the store says, else its command's second word") {
    harness::RunRecord run;
    run.command_line = "assay gate gate.yaml";
    CHECK(harness::is_gate(run));
    run.command_line = "assay run --set 'name=x gate ' --program gate assay gate";
    CHECK_FALSE(harness::is_gate(run));
    run.findings.is_gate = true;
    CHECK(harness::is_gate(run));
    run.command_line = "assay gate gate.yaml";
    run.findings.is_gate = false;
    CHECK_FALSE(harness::is_gate(run));
}

TEST_CASE("CSV: a row has the header's fields, whatever is in them") {
    RunRecord run = test::report_run();
    run.plan.programs[0].name = "=cmd|' /C calc'!A0, \"x\"\n";
    GameRecord game;
    game.pair = 4;
    game.number = 9;
    game.scores = test::scores(0, 1);
    game.termination = Termination::Time;
    game.guilty = 0;
    game.reason = "late, by \"12 ms\"\r\n";
    game.moves = {test::move("e2e4"), test::move("e7e5")};
    game.started_us = 1'700'000'000'000'000;
    const std::string row = reports::csv_row(run, 0, game);
    CHECK(std::ranges::count(row, '\n') == 1);
    std::size_t fields = 1;
    bool is_quoted = false;
    for (const char c : row) {
        if (c == '"') is_quoted = !is_quoted;
        if (c == ',' && !is_quoted) ++fields;
    }
    const std::string_view header = reports::csv_header();
    CHECK(fields == static_cast<std::size_t>(std::ranges::count(header, ',')) + 1);
    CHECK(row.find("\"'=cmd|") != std::string::npos);
    const std::string all = std::string(header) + row;
    CHECK(all == test::golden("games.csv", all));
}

TEST_CASE("CSV: the clocks of a game are in seconds, the harness's delay in milliseconds") {
    GameRecord game;
    game.moves = {test::move("e2e4"), test::move("e7e5")};
    game.moves[0].used = Micros(1'250'000);
    game.moves[1].used = Micros(500'000);
    game.moves[0].delay = Micros(2'500);
    game.moves[1].delay = Micros(40);
    const std::string row = reports::csv_row(test::report_run(), 0, game);
    CHECK_MESSAGE(row.find(",2,1.750000,2.540,") != std::string::npos, row);
}

TEST_CASE("OpenMetrics: each kind of failure is the first program's own") {
    test::ReportSample sample(test::ruled_run(StopPlan::Rule::None, 20));
    std::int64_t pair = 0;
    const auto fail = [&](int program, Termination how, int times) {
        for (int i = 0; i < times; ++i)
            sample.tally.add(test::failed_pair(pair++, program, how, 1));
    };
    fail(0, Termination::Crash, 1);
    fail(0, Termination::Stall, 2);
    fail(0, Termination::Time, 3);
    fail(0, Termination::IllegalMove, 4);
    fail(1, Termination::Crash, 5);
    fail(1, Termination::Stall, 1);
    fail(1, Termination::Time, 1);
    fail(1, Termination::IllegalMove, 1);
    const std::string metrics = reports::open_metrics(sample.view());
    const std::string labels = "{config=\"gate\",match=\"1\"} ";
    for (const auto& [name, count] : {std::pair{"assay_crashes", 1},
                                      {"assay_stalls", 2},
                                      {"assay_time_losses", 3},
                                      {"assay_illegal_moves", 4}}) {
        const std::string line = fmt::format("\n{}{}{}\n", name, labels, count);
        CHECK_MESSAGE(metrics.find(line) != std::string::npos, line);
    }
}

TEST_CASE("Badge: a gate that fails says so, whatever its match says") {
    test::ReportSample sample = test::accepted_run();
    sample.run.findings.is_gate = true;
    const auto badge_of = [](const RunView& view) {
        const auto badge = boost::json::parse(reports::badge_json(view)).as_object();
        return std::string(badge.at("color").as_string()) + ": " +
               std::string(badge.at("message").as_string());
    };
    CHECK(badge_of(sample.view()).starts_with("blue: accepted · Elo "));
    sample.run.findings.control = "the control differs";
    CHECK(badge_of(sample.view()).starts_with("yellow: tainted · Elo "));
    sample.run.findings.control.clear();
    sample.run.plan.matches[0].require.speed_percent = -3;
    SpeedFinding speed;
    speed.state = SpeedFinding::State::Broken;
    sample.run.findings.speed = {speed};
    CHECK(badge_of(sample.view()).starts_with("orange: rejected by requirement · Elo "));
    sample.run.findings.speed[0].state = SpeedFinding::State::Undecided;
    CHECK(badge_of(sample.view()).starts_with("lightgrey: inconclusive · Elo "));
}
