#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/random.h"
#include "harness/run/outcome.h"
#include "reports/files/badge.h"
#include "reports/files/csv.h"
#include "reports/files/junit.h"
#include "reports/files/run_json.h"
#include "reports/text/github.h"
#include "reports/text/markdown.h"
#include "reports/text/summary.h"
#include "reports/view/assumption_checks.h"
#include "reports/view/machine_rows.h"
#include "reports/view/number_text.h"
#include "reports/view/verdict_text.h"
#include "stats/plan/sample_size.h"
#include "tests/reports/sample_run.h"
#include "tests/support/sample_tally.h"

using namespace assay;
using namespace assay::harness;
using reports::FailedGame;
using reports::MatchView;
using reports::RunView;

namespace {

/// A run of one match with its tally; views refer to it.
struct Sample {
    explicit Sample(RunRecord record = test::report_run())
        : run(std::move(record)), tally(run.plan.matches[0]) {
        tally.set_meters(test::sample_meters());
    }

    [[nodiscard]] RunView view() const { return {run, {{&tally, failed}}, warnings, "assay.db"}; }

    RunRecord run;
    MatchTally tally;
    std::vector<FailedGame> failed;
    std::vector<std::string> warnings;
};

RunRecord run_with(StopPlan::Rule rule, std::int64_t pairs) {
    RunRecord run = test::report_run();
    run.name = "gate";
    run.command_line = "assay gate gate.yaml";
    run.plan.programs[0].name = "head";
    run.plan.programs[1].name = "base";
    run.plan.matches[0].pairs = pairs;
    run.plan.matches[0].stop.rule = rule;
    return run;
}

/// 50 pairs, no stop rule.
Sample plain() {
    Sample sample;
    test::add_pairs(sample.tally, {4, 9, 18, 12, 7});
    return sample;
}

/// A capped gate that the head passes.
Sample accepted() {
    Sample sample(run_with(StopPlan::Rule::Capped, 400));
    while (sample.tally.verdict() == Verdict::None) test::add_pairs(sample.tally, {1, 3, 6, 5, 2});
    return sample;
}

FailedGame time_loss() {
    FailedGame game;
    game.number = 113;
    game.pair = 56;
    game.ply = 34;
    game.program = "head";
    game.termination = Termination::Time;
    game.reason = "head lost on time: 12 ms too late";
    game.last_command =
        "position startpos moves e2e4 e7e5\ngo wtime 812 btime 2210 winc 80 binc 80\n";
    game.last_lines = "info depth 19 score cp -211\nengine: warning\x1b[31m\n";
    return game;
}

/// Twelve pairs whose verdict rests on nine losses on time.
Sample tainted() {
    Sample sample(run_with(StopPlan::Rule::Fixed, 12));
    for (int i = 0; i < 12; ++i)
        sample.tally.add(i < 9 ? test::failed_pair(i, 1, Termination::Time, 1)
                               : test::pair_of(i, 1, 1));
    sample.failed = {time_loss()};
    sample.warnings = {"head ignores Hash"};
    return sample;
}

Sample one_sided() {
    RunRecord run = run_with(StopPlan::Rule::Sprt, 20);
    run.plan.matches[0].stop.e1 = 5;
    Sample sample(run);
    test::add_pairs(sample.tally, {0, 0, 0, 0, 20});
    return sample;
}

Sample empty() {
    return Sample();
}

std::vector<Sample> all_samples() {
    std::vector<Sample> samples;
    samples.push_back(plain());
    samples.push_back(accepted());
    samples.push_back(tainted());
    samples.push_back(one_sided());
    samples.push_back(empty());
    return samples;
}

std::string hostile() {
    return "a|b`c\"<script>&'\n\x01\xff\x1b[31m]]>@team #1 =1+1 }{ \\ \xEF\xBF\xBF";
}

/// A sample in which everything that others write is hostile.
Sample hostile_sample() {
    Sample sample = tainted();
    sample.run.name = hostile();
    sample.run.plan.name = hostile();
    sample.run.plan.programs[0].name = hostile();
    sample.run.plan.programs[0].options = {{hostile(), hostile()}};
    sample.run.end_reason = hostile();
    sample.run.state = RunState::Failed;
    sample.run.machine.host = hostile();
    sample.failed[0].reason = hostile();
    sample.failed[0].program = hostile();
    sample.failed[0].last_lines = hostile();
    sample.failed[0].last_command = hostile();
    sample.warnings = {hostile()};
    return sample;
}

boost::json::value json_of(const Sample& sample) {
    return boost::json::parse(reports::run_json(sample.view()));
}

}  // namespace

TEST_CASE("Summary: every kind of run reads as in the golden file") {
    std::string text;
    for (const Sample& sample : all_samples())
        text += reports::run_summary(sample.view(), false) + "----\n";
    CHECK(text == test::golden("summary.txt", text));
}

TEST_CASE("Summary: verdict words alone are coloured") {
    const Sample sample = accepted();
    const std::string text = reports::run_summary(sample.view(), true);
    CHECK(text.find("\x1b[32maccepted\x1b[0m: head is not worse than base") != std::string::npos);
    CHECK(std::ranges::count(text, '\x1b') == 2);
}

TEST_CASE("Verdict: an interval that seems to contradict the test is explained") {
    const auto note = [](const Sample& sample, double low, double high) {
        reports::KindOfEstimate quoted;
        quoted.elo = {low / 2 + high / 2, {low, high}};
        const reports::RunView view = sample.view();
        return reports::interval_note(view.matches[0], reports::figures_of(*view.matches[0].tally),
                                      quoted);
    };
    Sample fixed(run_with(StopPlan::Rule::Fixed, 12));
    test::add_pairs(fixed.tally, {0, 1, 3, 1, 7});
    REQUIRE(fixed.tally.verdict() == harness::Verdict::Accepted);
    CHECK(note(fixed, 10, 300) == "");
    CHECK(note(fixed, -10, 300) ==
          "The interval of 95 % contains 0 all the same: it is an approximation, and rough for 12 "
          "pairs; the sign-flip test is exact.");
    Sample even(run_with(StopPlan::Rule::Fixed, 4));
    test::add_pairs(even.tally, {0, 1, 1, 1, 1});
    REQUIRE(even.tally.verdict() == harness::Verdict::Inconclusive);
    CHECK(note(even, -10, 300) == "");
    CHECK(note(even, 10, 300).starts_with("The interval of 95 % excludes 0 all the same: "));
    // A match that goes on says nothing yet.
    Sample open(run_with(StopPlan::Rule::Fixed, 50));
    test::add_pairs(open.tally, {0, 1, 3, 1, 7});
    CHECK(note(open, -10, 300) == "");
}

TEST_CASE("Summary: nothing that programs say reaches the terminal as a control sequence") {
    const Sample sample = hostile_sample();
    const std::string text = reports::run_summary(sample.view(), false);
    CHECK(std::ranges::all_of(
        text, [](char c) { return c == '\n' || static_cast<unsigned char>(c) >= 0x20; }));
}

TEST_CASE("Summary: of a few pairs nothing is said that only their spread would tell") {
    Sample sample(run_with(StopPlan::Rule::Sprt, 3));
    test::add_pairs(sample.tally, {0, 0, 1, 0, 2});
    const std::string text = reports::run_summary(sample.view(), false);
    CHECK(text.find("LOS") == std::string::npos);
    CHECK(text.find("median-unbiased") == std::string::npos);
    CHECK(text.find("  Elo +280 (no limits yet)   (confidence sequence)\n") != std::string::npos);
    Sample plain;
    test::add_pairs(plain.tally, {0, 0, 1, 0, 2});
    CHECK(reports::run_summary(plain.view(), false)
              .find("3 of at most 50 pairs are played, and a p-value holds only after") !=
          std::string::npos);
    Sample whole(run_with(StopPlan::Rule::None, 3));
    test::add_pairs(whole.tally, {0, 0, 1, 0, 2});
    CHECK(reports::run_summary(whole.view(), false)
              .find("To tell 10 nElo from 0 at 95 % with power 80 % takes about 4,700 pairs.") !=
          std::string::npos);
}

TEST_CASE("Summary: the pairs that a difference takes are those of stats plan") {
    Sample sample(run_with(StopPlan::Rule::None, 40));
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
        RunRecord run = run_with(StopPlan::Rule::Capped, 400);
        run.plan.matches[0].stop.minutes = std::chrono::minutes(60);
        Sample sample(run);
        test::add_pairs(sample.tally, {2, 4, 6, 4, 2});
        sample.tally.close(c.book_exhausted, c.out_of_time);
        CHECK(reports::match_summary(sample.view(), 0, false).starts_with(c.expected));
    }
}

TEST_CASE("Summary: a match without a book that ends early is told to have one") {
    RunRecord run = run_with(StopPlan::Rule::None, 400);
    run.plan.matches[0].openings.book = "none";
    Sample sample(run);
    test::add_pairs(sample.tally, {0, 0, 1, 0, 0});
    sample.tally.close(true, false);
    CHECK(reports::match_summary(sample.view(), 0, false)
              .starts_with("ended early: its one opening is used up after 1 of at most 400 pairs; "
                           "give it a book.\n"));
}

TEST_CASE("Summary: without a rule an early end says what ran out") {
    RunRecord run = run_with(StopPlan::Rule::None, 400);
    run.plan.matches[0].stop.minutes = std::chrono::minutes(60);
    Sample sample(run);
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
    RunRecord run = run_with(StopPlan::Rule::Sprt, 20);
    run.plan.matches[0].stop.model = StopPlan::Model::Logistic;
    run.plan.matches[0].stop.e0 = 0;
    run.plan.matches[0].stop.e1 = 5;
    // 5 Elo are 7.07 nElo there, and [0, 10] nElo takes 3,199 to 5,233 pairs.
    CHECK(reports::match_header(Sample(run).view(), 0, 0)
              .find("sprt between 0 and 5 Elo, errors 5 % and 5 %: needs 6,400 to 10,000 pairs on "
                    "average, if half of the games are drawn; you allow 20: will most likely end "
                    "inconclusive\n") != std::string::npos);
}

TEST_CASE("JSON: every kind of run is as in the golden file") {
    std::string text;
    for (const Sample& sample : all_samples()) text += reports::run_json(sample.view());
    CHECK(text == test::golden("runs.jsonl", text));
}

TEST_CASE("JSON: the keys that scripts rely on are there in every run") {
    for (const Sample& sample : all_samples()) {
        const boost::json::object run = json_of(sample).as_object();
        for (const char* key : {"schema", "run", "verdict", "tainted", "games", "pairs", "wdl",
                                "pentanomial", "elo", "nelo", "los", "test", "trinomial",
                                "sign_flip", "terminations", "voided", "harness", "expectations"})
            CHECK_MESSAGE(run.contains(key), key);
        CHECK(run.at("schema") == 1);
        CHECK(run.at("elo").as_object().at("ci95").as_array().size() == 2);
    }
}

TEST_CASE("JSON: figures are of the first program") {
    const boost::json::value run = json_of(plain());
    CHECK(run.at("wdl") == boost::json::value({26, 57, 17}));
    CHECK(run.at("pentanomial") == boost::json::value({4, 9, 18, 12, 7}));
    CHECK(run.at("games") == 100);
    CHECK(run.at("trinomial").at("score") == 9);
    CHECK(run.at("verdict").is_null());
    CHECK(run.at("test").is_null());
    CHECK(run.at("terminations").at("mate") == 43);
    CHECK(run.at("harness").at("delay_us").at("p99") == 110);
}

TEST_CASE("JSON: a one-sided result has no value and one end of its interval") {
    const boost::json::value elo = json_of(one_sided()).at("elo");
    CHECK(elo.at("value").is_null());
    CHECK(elo.at("ci95").at(0).is_number());
    CHECK(elo.at("ci95").at(1).is_null());
}

TEST_CASE("JSON: a run without a game has nulls, never NaN") {
    const std::string text = reports::run_json(empty().view());
    CHECK(text.find("nan") == std::string::npos);
    CHECK(text.find("inf\"") == std::string::npos);
    const boost::json::value run = boost::json::parse(text);
    CHECK(run.at("trinomial").is_null());
    CHECK(run.at("elo").at("value").is_null());
}

TEST_CASE("JSON: several matches stand in a list, and the first at the top too") {
    Sample sample = plain();
    sample.run.plan.matches.push_back(sample.run.plan.matches[0]);
    MatchTally second(sample.run.plan.matches[1]);
    test::add_pairs(second, {0, 0, 3, 0, 0});
    RunView view = sample.view();
    view.matches.push_back({&second, {}});
    const boost::json::value run = boost::json::parse(reports::run_json(view));
    CHECK(run.at("pairs") == 50);
    CHECK(run.at("matches").as_array().size() == 2);
    CHECK(run.at("matches").at(1).at("pairs") == 3);
    CHECK_FALSE(json_of(sample).as_object().contains("matches"));
}

TEST_CASE("JSON: a tainted verdict says so beside the verdict") {
    const boost::json::value run = json_of(tainted());
    CHECK(run.at("verdict") == "accepted");
    CHECK(run.at("tainted") == true);
    CHECK(run.at("failures").at(1).at("time_losses") == 9);
    CHECK(run.at("failed_games").at(0).at("replay") == "assay replay 12 113 34");
}

TEST_CASE("JSON: whatever programs write, the document can be read") {
    CHECK_NOTHROW(static_cast<void>(json_of(hostile_sample())));
}

TEST_CASE("Markdown: every kind of run is as in the golden file") {
    std::string text;
    for (const Sample& sample : all_samples()) text += reports::markdown_report(sample.view());
    CHECK(text == test::golden("report.md", text));
}

TEST_CASE("Checks: what a verdict takes for granted stands in text, Markdown and JSON alike") {
    Sample sample;
    // Slot 3 loses what the others win, and the first move is worth less later on.
    for (int i = 0; i < 200; ++i) {
        const int slot = i % 4;
        const int wins = slot == 3 ? 0 : 2;
        PairDigest pair = i < 100 ? test::pair_of(i, wins, 1) : test::pair_of(i, 1, wins);
        pair.slot = slot;
        pair.opening_index = static_cast<std::uint64_t>(i);
        pair.games[0].moves_hash = static_cast<std::uint64_t>(i);
        sample.tally.add(pair);
    }
    const std::string text = reports::match_summary(sample.view(), 0, false);
    const std::string markdown = reports::markdown_report(sample.view());
    const auto json = reports::checks_json(sample.tally, sample.run);
    const std::vector<reports::Check> checks = reports::checks_of(sample.tally, sample.run);
    CHECK(checks.size() == 8);
    int alarms = 0;
    for (const reports::Check& check : checks) {
        CAPTURE(check.name);
        CHECK(markdown.find("| " + check.name + " | " + check.value + " | ") != std::string::npos);
        if (!check.is_alarm) continue;
        ++alarms;
        CHECK(text.find("  check: " + check.reading + "\n") != std::string::npos);
        CHECK(markdown.find("- check: ") != std::string::npos);
    }
    CHECK(alarms >= 2);
    CHECK(text.find("check: results differ between slots (p < 1e-6), most on slot 3") !=
          std::string::npos);
    CHECK(text.find("check: the first move scored ") != std::string::npos);
    CHECK(json.at("slots").at("worst") == 3);
    CHECK(json.at("slots").at("p_value").to_number<double>() < 1e-6);
    CHECK(std::abs(json.at("first_move").at("z").to_number<double>()) > 3.29);
}

TEST_CASE("Checks: a run on several machines says so, and compares them") {
    Sample sample;
    const harness::MachineRecord other{"bench-2", "Another CPU", "Linux 6.1", 4, 2, 1};
    sample.run.other_machines.emplace(other.id(), other);
    for (int i = 0; i < 200; ++i) {
        PairDigest pair = test::pair_of(i, i % 3, (i / 3) % 3);
        pair.machine = i < 150 ? 0 : other.id();
        pair.games[0].moves_hash = static_cast<std::uint64_t>(i);
        sample.tally.add(pair);
    }
    CHECK(reports::match_summary(sample.view(), 0, false)
              .find("  check: played on 2 machines: bench-host (150 pairs), bench-2 (50 pairs); "
                    "results as alike as chance has it (p") != std::string::npos);
    const auto alike = reports::checks_json(sample.tally, sample.run);
    CHECK(alike.at("machines").at("p_value").to_number<double>() > 0.001);
    CHECK(alike.at("played_on").at(1).at("cpu") == "Another CPU");
    for (int i = 200; i < 300; ++i) {
        PairDigest pair = test::pair_of(i, 0, 0);
        pair.machine = other.id();
        pair.games[0].moves_hash = static_cast<std::uint64_t>(i);
        sample.tally.add(pair);
    }
    CHECK(reports::match_summary(sample.view(), 0, false)
              .find("  check: results differ between machines (p < 1e-6): bench-host (150 pairs), "
                    "bench-2 (150 pairs); most on bench-") != std::string::npos);
    CHECK(reports::checks_json(sample.tally, sample.run).at("machines").at("degrees") == 2);
}

TEST_CASE("Machines: every report has a row of each, and names the one that is unlike the others") {
    Sample sample;
    harness::MachineRecord odd{"node<2>", "Another CPU", "Linux 6.1", 4, 2, 1};
    odd.worker = "gpu";
    odd.nps = 1'234'567;
    odd.factor = 1.25;
    odd.trouble = "it got slower";
    harness::MachineRecord third{"bench-3", "A CPU", "Linux 6.1", 4, 2, 1};
    third.skew_us = 3'000'000;
    for (const harness::MachineRecord& machine : {odd, third})
        sample.run.other_machines.emplace(machine.id(), machine);
    CHECK(reports::machine_rows(sample.tally, sample.run).empty());
    for (int i = 0; i < 300; ++i) {
        const int kind = i < 200 ? i % 3 : 2;
        PairDigest pair = test::pair_of(i, kind, i < 200 ? (i / 3) % 3 : 2);
        pair.machine = i < 100 ? 0 : i < 200 ? third.id() : odd.id();
        pair.games[0].moves_hash = static_cast<std::uint64_t>(i);
        sample.tally.add(pair);
    }
    harness::AttemptRecord attempt;
    attempt.machine = harness::kNoMachine;
    for (int i = 0; i < 10; ++i) sample.tally.add_attempt(attempt);
    CHECK(sample.tally.is_tainted());
    const auto rows = reports::machine_rows(sample.tally, sample.run);
    REQUIRE(rows.size() == 4);
    CHECK(rows[1].trouble == "its clock is 3 s ahead");
    CHECK(rows[2].name == "node<2> gpu");
    CHECK(rows[2].trouble == "it got slower");
    CHECK(rows[2].unlike == "results unlike the others' (p < 1e-6)");
    CHECK(rows[3].name == "not known");
    const auto has = [](const std::string& text, const std::string& part) {
        CHECK_MESSAGE(text.find(part) != std::string::npos, part, text);
    };
    const std::string summary = reports::match_summary(sample.view(), 0, false);
    has(summary,
        "  check: node<2> gpu: results unlike the others' (p < 1e-6); its games count, and the run "
        "is tainted\n");
    has(summary, "it got slower; results unlike the others' (p < 1e-6)\n");
    has(summary,
        "machine      pairs  games    nodes/s  clocks  time losses  crashes  late  lost  ");
    has(summary, "node<2> gpu    100    200  1,234,567  × 1.25");
    has(summary, "tainted: 10 attempts were lost, for 300 pairs that count, more than 2 %");
    const std::string markdown = reports::markdown_report(sample.view());
    has(markdown, "<summary>machines</summary>");
    CHECK(markdown.find("node<2>") == std::string::npos);
    const auto machines =
        boost::json::parse(reports::run_json(sample.view())).at("machines").as_array();
    REQUIRE(machines.size() == 4);
    CHECK(machines[2].at("factor") == 1.25);
    CHECK(machines[2].at("unlike") == true);
    CHECK(machines[0].at("nps").is_null());
    CHECK(machines[3].at("lost") == 10);
    const auto few = reports::shown_machines(rows, 2);
    REQUIRE(few.size() == 2);
    CHECK(few[0].name == "bench-3");  // it has trouble
    CHECK(few[1].name == "3 more");
    CHECK(few[1].count.games == 400);
}

TEST_CASE("Markdown: names and reasons bring no markup, and rows stay rows") {
    const Sample sample = hostile_sample();
    const std::string text = reports::markdown_report(sample.view());
    CHECK(text.find("<script") == std::string::npos);
    CHECK(text.find("@team") == std::string::npos);
    CHECK(text.find(" #1") == std::string::npos);
    CHECK(text.find("a|b") == std::string::npos);
    CHECK(text.find("a\\|b\\`c") != std::string::npos);
}

TEST_CASE("Markdown: a run of any size stays below 64 KB") {
    Sample sample = hostile_sample();
    const std::string most(20'000, '|');
    sample.run.name = most;
    sample.run.plan.programs[0].name = most;
    sample.run.end_reason = most;
    sample.failed.assign(1000, time_loss());
    for (FailedGame& game : sample.failed) game.reason = most;
    sample.warnings.assign(1000, most);
    RunView view = sample.view();
    view.matches.assign(100, view.matches[0]);
    for (MatchView& match : view.matches) match.failed.resize(20);
    CHECK(reports::markdown_report(view).size() < 64 * 1024);
}

TEST_CASE("JUnit: every kind of run is as in the golden file") {
    std::string text;
    for (const Sample& sample : all_samples()) text += reports::junit_report(sample.view());
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
        Sample sample(run_with(StopPlan::Rule::Fixed, 30));
        sample.run.state = c.state;
        sample.run.end_reason = "no disk";
        test::add_pairs(sample.tally, c.pairs);
        sample.tally.close(false, false);
        CHECK(reports::junit_report(sample.view()).find(c.expected) != std::string::npos);
    }
}

TEST_CASE("Reports: a reason of several lines keeps them, or is cut at the first") {
    Sample sample(run_with(StopPlan::Rule::Capped, 400));
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
    Sample sample(run_with(StopPlan::Rule::Capped, 400));
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

TEST_CASE("JUnit: what the plan requires is a case each, and fails for the first program alone") {
    Sample sample = tainted();
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

TEST_CASE("Reports: a requirement that is broken is named where the games alone are accepted") {
    Sample sample(run_with(StopPlan::Rule::Fixed, 32));
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
    Sample sample(run_with(StopPlan::Rule::Fixed, 30));
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

TEST_CASE("JUnit: names of cases are unique over all matches of a run") {
    Sample sample = plain();
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
    Sample sample = tainted();
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

TEST_CASE("JUnit: nothing that others write breaks the document") {
    const std::string text = reports::junit_report(hostile_sample().view());
    CHECK(text.find("<script") == std::string::npos);
    CHECK(text.find("]]>") == std::string::npos);
    CHECK(text.find("\xEF\xBF\xBF") == std::string::npos);
    CHECK(text.find('\x01') == std::string::npos);
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

TEST_CASE("JSON: what was measured of the speed stands there, the lower end first") {
    Sample sample;
    harness::SpeedFinding speed;
    speed.pairs = 16;
    speed.percent = -1.5;
    speed.low = -4;
    speed.high = 0.5;
    speed.limit = -3;
    speed.seconds = 12;
    speed.nodes_per_second = {985, 1000};
    sample.run.findings.speed = {speed};
    const boost::json::value told = json_of(sample).at("speed").at(0);
    const auto number = [](const boost::json::value& value) { return value.to_number<double>(); };
    CHECK(number(told.at("percent")) == -1.5);
    CHECK(number(told.at("interval").at(0)) == -4);
    CHECK(number(told.at("interval").at(1)) == 0.5);
    CHECK(number(told.at("limit")) == -3);
    CHECK(number(told.at("runs")) == 16);
    CHECK(number(told.at("seconds")) == 12);
    CHECK(number(told.at("nps").at(0)) == 985);
    CHECK(number(told.at("nps").at(1)) == 1000);
    CHECK(told.at("state") == "undecided");
}

TEST_CASE("JSON: an interval holds its value, whatever the counts") {
    Random random(11);
    for (int round = 0; round < 150; ++round) {
        CAPTURE(round);
        Sample sample;
        std::array<int, 5> counts{};
        for (int& count : counts) count = static_cast<int>(random.below(4) * random.below(9));
        test::add_pairs(sample.tally, counts);
        const boost::json::value run = json_of(sample);
        for (const char* key : {"elo", "nelo"}) {
            const boost::json::value& value = run.at(key).at("value");
            const boost::json::array& ends = run.at(key).at("ci95").as_array();
            if (value.is_null() || ends[0].is_null() || ends[1].is_null()) continue;
            CHECK(ends[0].to_number<double>() <= value.to_number<double>());
            CHECK(ends[1].to_number<double>() >= value.to_number<double>());
        }
        CHECK(run.at("sign_flip").at("p_value").to_number<double>() <= 1);
    }
}

TEST_CASE("Summary: an accepted test names what it excludes below, a rejected one above") {
    RunRecord run = run_with(StopPlan::Rule::Sprt, 20'000);
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
        Sample sample(run);
        while (sample.tally.verdict() == Verdict::None) test::add_pairs(sample.tally, pairs);
        CHECK(reports::match_summary(sample.view(), 0, false).starts_with(expected));
    }
}

TEST_CASE("JUnit: a match that the machine was too slow for is an error and not skipped") {
    Sample sample(run_with(StopPlan::Rule::Fixed, 30));
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
    Sample sample(run_with(StopPlan::Rule::Fixed, 30));
    sample.run.plan.matches[0].require.crashes = 1;
    MatchTally tally(sample.run.plan.matches[0]);
    tally.add(test::failed_pair(0, 0, Termination::Stall, 1));
    tally.add(test::failed_pair(1, 0, Termination::Crash, 1));
    tally.add(test::failed_pair(2, 1, Termination::Crash, 1));
    FailedGame own = time_loss();
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
    Sample sample = accepted();
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

TEST_CASE("OpenMetrics: each kind of failure is the first program's own") {
    Sample sample(run_with(StopPlan::Rule::None, 20));
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
    Sample sample = accepted();
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
