#include "reports/history/history.h"

#include <algorithm>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "harness/match/match_summary.h"
#include "harness/match/pair_counter.h"
#include "reports/files/badge.h"
#include "reports/history/history_series.h"
#include "reports/text/history_text.h"
#include "reports/web/charts/history_charts.h"
#include "reports/web/history_page.h"
#include "stats/data/sample.h"
#include "tests/support/sample_nights.h"
#include "tests/support/sample_suite.h"
#include "tests/support/temp_dir.h"

using namespace assay;
using namespace assay::reports;

namespace {

/// A store of nights and its history.
struct Nights {
    explicit Nights(const std::vector<test::SampleRun>& runs)
        : store(dir.path("assay.db"), harness::Store::Access::Write) {
        for (const test::SampleRun& run : runs) (void)test::write_sample_run(store, run);
        history = history_of(store, "nightly");
    }

    test::TempDir dir;
    harness::Store store;
    History history;
};

std::vector<NightStep> elo_steps(const History& history) {
    std::vector<NightStep> steps = history.steps;
    std::erase_if(steps, [](const NightStep& step) { return step.is_speed; });
    return steps;
}

}  // namespace

TEST_CASE("History: steps are found where they are, and none goes across a change of machine") {
    const Nights nights(test::sample_nights(60, 60));
    const std::vector<NightStep> steps = elo_steps(nights.history);
    REQUIRE(steps.size() == 2);
    CHECK(std::abs(static_cast<int>(steps[0].night) - 20) <= 1);
    CHECK(steps[0].step.change > 0);
    CHECK(std::abs(static_cast<int>(steps[1].night) - 54) <= 1);
    CHECK(steps[1].step.change < 0);
    CHECK(nights.history.nights[30].change == "machine ci-3 → ci-7");
    CHECK(nights.history.nights[29].series + 1 == nights.history.nights[30].series);
    for (const NightLevel& level : nights.history.speed_levels)
        CHECK(nights.history.nights[level.first].series ==
              nights.history.nights[level.last].series);
    CHECK(history_sentence(nights.history).find("weaker") != std::string::npos);
}

TEST_CASE("History: every match of a config has its nights, levels and steps, in every form") {
    std::vector<test::SampleRun> runs = test::sample_nights(40, 60);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        runs[i].host = "ci-3";
        runs[i].matches = i == 7 ? 1 : 2;
    }
    Nights nights(runs);
    for (harness::RunRecord run : nights.store.runs()) {
        run.plan.matches[0].name = "match 1";
        nights.store.set_plan(run.id, run.plan);
        std::vector<harness::VersionRecord> versions = run.versions;
        versions[0].source = harness::SourceRecord{};
        versions[0].source->commit = "abcdef" + std::to_string(100 + run.id);
        versions[0].source->subject = "Try | idea " + std::to_string(run.id);
        nights.store.set_versions(run.id, versions);
    }
    const History history = history_of(nights.store, "nightly");
    REQUIRE(history.others.size() == 1);
    const History& other = history.others[0];
    CHECK(other.match == "match 2");
    REQUIRE(other.nights.size() == history.nights.size());
    for (std::size_t i = 0; i < other.nights.size(); ++i)
        CHECK(other.nights[i].run == history.nights[i].run);
    CHECK(other.nights[7].skipped == "the run has no such match");
    CHECK(history.nights[7].is_played());
    // The same programs play both matches, so both have the gain and the loss of the nights.
    // What chance adds at kStepAlpha is left out.
    std::vector<NightStep> steps = elo_steps(other);
    std::erase_if(steps, [](const NightStep& step) { return step.step.false_alarm > 1e-6; });
    REQUIRE(steps.size() == 2);
    CHECK(std::abs(static_cast<int>(steps[0].night) - 13) <= 1);
    CHECK(steps[0].step.change > 0);
    CHECK(steps[1].step.change < 0);
    CHECK(other.nights[39].elo.value != history.nights[39].elo.value);  // its own games

    const auto json = boost::json::parse(history_json(history)).as_object();
    CHECK(json.at("match").as_string() == history.match);
    CHECK(json.at("step_alpha").to_number<double>() == 0.01);
    const auto& second = json.at("other_matches").at(0).as_object();
    CHECK(second.at("match") == "match 2");
    CHECK(second.at("steps").as_array().size() == other.steps.size());
    CHECK(second.at("nights").at(39).at("version_text") == "abcdef1 Try | idea 40");
    const std::string markdown = history_markdown(history);
    CHECK(markdown.find("#### Match 1: head against base") < markdown.find("#### Match 2"));
    CHECK(markdown.find("#### Match 2: head against base") != std::string::npos);
    CHECK(markdown.find("abcdef1 Try \\| idea 40") != std::string::npos);
    CHECK(markdown.find("in at most 1 % of series of nights") != std::string::npos);
    const std::string text = history_text(history);
    CHECK(text.starts_with("history of nightly\n\nmatch match 1: head against base\n"));
    CHECK(text.find("\nmatch match 2: head against base\n") != std::string::npos);
    CHECK(text.find("  abcdef1 Try | idea 40  ") != std::string::npos);
    CHECK(text.find("| ---") == std::string::npos);
    // Columns are aligned: a version stands below its title.
    const std::size_t at = text.find("  version  ");
    REQUIRE(at != std::string::npos);
    const std::size_t cell = text.find("  abcdef1 Try | idea 33  ", at);
    CHECK(cell - text.rfind('\n', cell) == at - text.rfind('\n', at));
    CHECK(text.find("in at most 1 % of series of nights") != std::string::npos);
    const std::string page = web::history_page(history);
    CHECK(page.find(fmt::format("Match 2: Elo over base: {} steps", elo_steps(other).size())) !=
          std::string::npos);
    CHECK(page.find("in at most 1 % of series in which nothing changes") != std::string::npos);
    CHECK(page.find("Elo, match 2") != std::string::npos);
    CHECK(page.find("match match") == std::string::npos);
    CHECK(page.find("<td class=\"opt np\">abcdef1 Try | idea 40</td>") != std::string::npos);
}

TEST_CASE("History: a match is followed by its name, where the order of matches has changed") {
    std::vector<test::SampleRun> runs = test::sample_nights(4, 10);
    for (test::SampleRun& run : runs) run.matches = 2;
    Nights nights(runs);
    harness::RunRecord last = *nights.store.find_run("4");
    std::swap(last.plan.matches[0].name, last.plan.matches[1].name);
    nights.store.set_plan(4, last.plan);
    const History history = history_of(nights.store, "nightly");
    CHECK(history.match == "match 2");
    const auto elo = [](const stats::Pentanomial& pairs) {
        return stats::estimate_strength(stats::sample_of(pairs)).elo.value;
    };
    const harness::RunRecord first = *nights.store.find_run("1");
    CHECK(history.nights[0].run == 1);
    CHECK(history.nights[0].elo.value ==
          elo(harness::tally_of(nights.store, first, 1).pentanomial()));
    CHECK(history.nights[3].elo.value ==
          elo(harness::tally_of(nights.store, last, 0).pentanomial()));
}

TEST_CASE("History: nights of one day are told apart by the time of day") {
    std::vector<test::SampleRun> runs = test::sample_nights(3, 10);
    for (std::size_t i = 0; i < runs.size(); ++i)
        runs[i].started_us = 1'795'899'840'000'000 + static_cast<long long>(i) * 3'600'000'000;
    const Nights nights(runs);
    CHECK(day_labels(nights.history) ==
          std::vector<std::string>{"28 Nov 21:04", "28 Nov 22:04", "28 Nov 23:04"});
    CHECK(history_markdown(nights.history).find("| 28 Nov 22:04 |") != std::string::npos);
}

TEST_CASE("History: a stored summary says what the pairs say, and is taken in their place") {
    Nights nights(test::sample_nights(12, 20));
    const std::string counted = history_json(nights.history);
    for (const harness::RunRecord& run : nights.store.runs()) {
        if (run.state != harness::RunState::Finished) continue;
        const harness::MatchSummary summary =
            harness::summary_of(harness::tally_of(nights.store, run, 0), nights.store, run.id, 0);
        CHECK(harness::summary_from_json(harness::to_json(summary)) == summary);
        nights.store.set_summary(run.id, 0, harness::to_json(summary));
    }
    CHECK(history_json(history_of(nights.store, "nightly")) == counted);
    harness::MatchSummary other;
    other.pairs = 7;
    other.pentanomial = {{0, 1, 4, 1, 1}};
    nights.store.set_summary(12, 0, harness::to_json(other));
    CHECK(history_of(nights.store, "nightly").nights.back().pairs == 7);
    // One from before the present reasons for `tainted` is counted anew, as a damaged one is; one
    // of a run that goes on is gone.
    std::string older = harness::to_json(other);
    const std::size_t rules = older.find("\"taint_rules\"");
    REQUIRE(rules != std::string::npos);
    older.erase(rules, older.find(',', rules) + 1 - rules);
    CHECK_FALSE(harness::summary_from_json(older));
    nights.store.set_summary(12, 0, "{}");
    CHECK(history_of(nights.store, "nightly").nights.back().pairs == 20);
    nights.store.set_state(12, harness::RunState::Running, "");
    CHECK(nights.store.summaries().count({12, 0}) == 0);
}

TEST_CASE(
    "History: what queries answered is a series over the nights, where the suite is the same") {
    Nights nights(test::sample_nights(6, 10));
    for (harness::RunRecord run : nights.store.runs()) {
        run.plan.suite = test::suite_plan(2).suite;
        if (run.id == 1) run.plan.suite->limit.depth = 9;
        nights.store.set_plan(run.id, run.plan);
        nights.store.write_search(run.id,
                                  test::search_of(0, 0, 100.0 + static_cast<double>(run.id)));
        if (run.id != 3) nights.store.write_search(run.id, test::search_of(0, 1, 50));
        nights.store.write_search(run.id, test::search_of(1, 0, 7));
    }
    const History history = history_of(nights.store, "nightly");
    CHECK(history.queries == std::vector<std::string>{"size"});
    CHECK(history.nights[5].answers == std::vector<std::optional<double>>{156.0});
    CHECK_FALSE(history.nights[0].answers[0].has_value());  // to another depth
    CHECK_FALSE(history.nights[2].answers[0].has_value());  // a position is missing
    const auto json = boost::json::parse(history_json(history)).as_object();
    CHECK(json.at("nights").at(5).at("queries").at("size").to_number<double>() == 156);
    CHECK(json.at("nights").at(5).at("query_means").as_object().empty());
    CHECK(history_csv(history).find(",change,outcome,estimate,\"query size\"\r\n") !=
          std::string::npos);
    const std::string page = web::history_page(history);
    CHECK(page.find("Query: size of head") != std::string::npos);
    CHECK(page.find(">156</text>") != std::string::npos);
    // Of answers that do not add up the mean is told.
    for (harness::RunRecord run : nights.store.runs()) {
        run.plan.suite->expectations[0].query = "node: max(depth)";
        nights.store.set_plan(run.id, run.plan);
    }
    const History means = history_of(nights.store, "nightly");
    CHECK(means.nights[5].answers == std::vector<std::optional<double>>{78.0});
    // A script that has kept last week's file finds the same number under the same key.
    const auto night = boost::json::parse(history_json(means)).at("nights").at(5).as_object();
    CHECK(night.at("queries").at("size").to_number<double>() == 156);
    CHECK(night.at("query_means").at("size").to_number<double>() == 78);
    CHECK(history_csv(means).find(",156\r\n") != std::string::npos);
    CHECK(history_csv(means).find(",78\r\n") == std::string::npos);
}

TEST_CASE("History: of a suite alone the nights are its answers and whether it holds") {
    const test::TempDir dir;
    harness::Store store(dir.path("assay.db"), harness::Store::Access::Write);
    for (int night = 0; night < 4; ++night) {
        harness::RunRecord run;
        run.name = "tactics";
        run.plan = test::suite_plan(2);
        run.plan.name = run.name;
        run.plan.suite->expectations[0].max = 200;
        run.versions = {{"head", "/head", "aa1" + std::to_string(night), "", "", {}},
                        {"base", "/base", "bb22", "", "", {}}};
        run.machine.host = "ci-3";
        run.started_us = 1'759'000'000'000'000 + night * 86'400'000'000LL;
        run.state = harness::RunState::Running;
        const std::int64_t id = store.begin_run(run);
        if (night == 1) {
            store.set_state(id, harness::RunState::Failed, "head does not build: 'make' exited");
            continue;
        }
        for (const harness::SearchRecord& search :
             test::searches_of({100.0 + night, night == 3 ? 300.0 : 50.0}, {80, 80}))
            store.write_search(id, search);
        store.set_state(id, harness::RunState::Finished, "");
    }
    const History history = history_of(store, "tactics");
    CHECK_FALSE(history.has_match);
    REQUIRE(history.nights.size() == 4);
    CHECK(history.nights[1].skipped == "head does not build: 'make' exited");
    CHECK(history.nights[2].suite == harness::Holds::Yes);
    CHECK(history.nights[3].suite == harness::Holds::No);
    CHECK(changed_answers(history, 2) == std::vector<std::string>{"size 150 → 152"});
    CHECK(history_sentence(history) ==
          "One expectation fails on 30 Sep; since the night before size 152 → 403.");
    CHECK(history_markdown(history).find("| fails | 403 |") != std::string::npos);
    CHECK(history_text(history).find("  fails ") != std::string::npos);
    CHECK(history_csv(history).find("fails") != std::string::npos);
    const auto json = boost::json::parse(history_json(history)).as_object();
    CHECK(json.at("nights").at(3).at("suite").at("failed") == 1);
    CHECK(history_benchmark(history).find("tactics: query size") != std::string::npos);
    const std::string page = web::history_page(history);
    CHECK(page.find("id=\"queries\"") != std::string::npos);
    CHECK(page.find("▼ fails") != std::string::npos);
    CHECK(page.find("id=\"elo\"") == std::string::npos);
    CHECK(page.find("head does not build") != std::string::npos);
}

TEST_CASE(
    "History: a night that failed says so with its reason, and only a missing one is skipped") {
    std::vector<test::SampleRun> runs = test::sample_nights(20, 10);
    runs.erase(runs.begin() + 10);
    const Nights nights(runs);
    REQUIRE(nights.history.nights.size() == 20);
    CHECK(nights.history.nights[4].skipped == "base does not start: no such file");
    CHECK(night_word(nights.history.nights[4]) == "no verdict");
    CHECK(history_markdown(nights.history)
              .find("| no verdict: base does not start: no such file |") != std::string::npos);
    CHECK(night_word(nights.history.nights[10]) == "skipped");
    CHECK(web::history_page(nights.history).find("× no verdict") != std::string::npos);
    CHECK(nights.history.nights[10].run == 0);
    CHECK(nights.history.nights[10].skipped == "no run in the store");
    CHECK(nights.history.nights[11].is_played());
}

TEST_CASE("History: another opponent begins a series, unless it is another one every night") {
    std::vector<test::SampleRun> runs = test::sample_nights(8, 10);
    for (test::SampleRun& run : runs) run.host = "ci-3";
    runs[6].second_hash = runs[7].second_hash = "cc33";
    const Nights fixed(runs);
    CHECK_FALSE(fixed.history.against_previous);
    CHECK(fixed.history.nights[6].change == "another base");
    for (std::size_t i = 0; i < runs.size(); ++i) runs[i].second_hash = std::to_string(i);
    const Nights moving(runs);
    CHECK(moving.history.against_previous);
    for (const Night& night : moving.history.nights) CHECK(night.change.empty());
}

TEST_CASE("History: what a config plays against the version before is known from its first night") {
    harness::RunRecord run;
    run.plan.programs.resize(2);
    run.plan.programs[1].git.emplace().ref = "previous";
    run.plan.matches.resize(1);
    CHECK(is_against_previous({run}, 0));
    run.plan.programs[1].git->ref = "HEAD";
    CHECK_FALSE(is_against_previous({run}, 0));
}

TEST_CASE("History: the first night of a suite is not said to answer as before") {
    History history;
    history.has_match = false;
    history.queries = {"leaves"};
    Night night;
    night.run = 1;
    night.answers = night.sums = {10.0};
    night.suite = harness::Holds::Yes;
    history.nights = {night};
    CHECK(history_sentence(history).find("All expectations hold on ") == 0);
    CHECK(history_sentence(history).find("as before") == std::string::npos);
    history.nights.push_back(night);
    CHECK(history_sentence(history).find("same answers as before") != std::string::npos);
}

TEST_CASE("History: a night with one limit shows it, in the table, on the scale and in the chart") {
    std::vector<test::SampleRun> runs = test::sample_nights(4, 40);
    for (test::SampleRun& run : runs) run.failure_rate = 0;
    Nights nights(runs);
    for (Night& night : nights.history.nights) {
        night.skipped.clear();
        night.elo = {2.0, {-10, 14}};
    }
    nights.history.nights[2].elo = {std::nullopt, {std::nullopt, -140.0}};
    nights.history.elo_levels.clear();
    const std::string page = web::history_page(nights.history, {});
    CHECK(page.find("<td class=\"n\">&lt; −140.0<span") != std::string::npos);
    CHECK(page.find("<th class=\"opt wide-only\">−140 to +14</th>") != std::string::npos);
    // The limit is a tick of the chart, whose scale goes beyond it.
    CHECK(page.find(">−100</text>") != std::string::npos);
    CHECK(page.find("Failures of head: none</h3>\n") != std::string::npos);
    CHECK(history_text(nights.history).find("< -140.0") != std::string::npos);
    const std::string bar =
        web::interval_bar({std::nullopt, {std::nullopt, -140.0}}, -150, 0, true);
    CHECK(bar.find("M0 8H") != std::string::npos);
    CHECK(web::interval_bar({}, -150, 0, true) == "");
}

TEST_CASE("History: the headline tells of nights that have games and count for no level") {
    std::vector<test::SampleRun> runs = test::sample_nights(8, 40);
    for (test::SampleRun& run : runs) {
        run.failure_rate = 0;
        run.host = "ci-3";
        run.pairs = 40;
        run.state = harness::RunState::Finished;
        run.strength = 0;
    }
    runs[3].strength = 9;
    runs[5].strength = 9;
    const Nights nights(runs);
    REQUIRE_FALSE(nights.history.nights[3].elo.value);
    const std::string said =
        " 2 nights are one-sided (all won or all lost) and count for no level.";
    CHECK(history_sentence(nights.history).ends_with("against base." + said));
    CHECK(web::history_page(nights.history).find(said.substr(1)) != std::string::npos);
    CHECK(history_text(nights.history).find(said.substr(1)) != std::string::npos);
    History history = nights.history;
    history.nights[6].tainted = true;
    history.nights[5].elo = history.nights[4].elo;
    CHECK(history_sentence(history).ends_with(
        " 1 night is one-sided (all won or all lost) and counts for no level."
        " 1 night is tainted and counts for no level."));
    // Those of an earlier series are not of this level.
    for (std::size_t i = 0; i < 7; ++i) history.nights[i].series = 0;
    history.nights[7].series = 1;
    CHECK(history_sentence(history).find("for no level") == std::string::npos);
}

TEST_CASE("History: the column of verdicts is the match's own, beside the word of the whole run") {
    std::vector<test::SampleRun> runs = test::sample_nights(3, 40);
    for (test::SampleRun& run : runs) {
        run.pairs = 40;
        run.state = harness::RunState::Finished;
    }
    Nights nights(runs);
    History& history = nights.history;
    const std::string alone = history_markdown(history);
    CHECK(alone.find("whole run") == std::string::npos);
    history.nights[1].match_word = harness::OutcomeWord::Accepted;
    history.nights[1].outcome.word = harness::OutcomeWord::Rejected;
    const std::string markdown = history_markdown(history);
    CHECK(markdown.find(" | failures | whole run |\n") != std::string::npos);
    CHECK(markdown.find("| accepted | ") != std::string::npos);
    CHECK(markdown.find(" | rejected |\n") != std::string::npos);
    CHECK(history_text(history).find("whole run") != std::string::npos);
    const std::string page = web::history_page(history);
    CHECK(page.find("▲ accepted</span>") != std::string::npos);
    CHECK(page.find("whole run: rejected</span>") != std::string::npos);
}

TEST_CASE("History: a tainted night counts for no level") {
    Night night;
    night.elo.value = 3;
    CHECK(night.counts());
    night.tainted = true;
    CHECK_FALSE(night.counts());
}

TEST_CASE("History: JSON, CSV, Markdown and the benchmark's form say the same nights") {
    const Nights nights(test::sample_nights(40, 10));
    const auto json = boost::json::parse(history_json(nights.history)).as_object();
    CHECK(json.at("nights").as_array().size() == 40);
    CHECK(json.at("schema").as_int64() == 1);
    const std::string csv = history_csv(nights.history);
    CHECK(std::ranges::count(csv, '\n') == 41);
    const auto columns = std::ranges::count(csv.substr(0, csv.find('\n')), ',');
    const std::string last = csv.substr(csv.rfind('\n', csv.size() - 2) + 1);
    CHECK(last.find("\"ci-7, A processor\"") != std::string::npos);
    CHECK(std::ranges::count(last, ',') == columns + 1);  // the quoted one
    const std::string markdown = history_markdown(nights.history);
    CHECK(markdown.size() < 64 * 1024);
    CHECK(markdown.find("10 earlier nights") != std::string::npos);
    const auto benchmark = boost::json::parse(history_benchmark(nights.history)).as_array();
    REQUIRE(benchmark.size() == 2);
    CHECK(benchmark[0].at("unit") == "Elo");
    CHECK(benchmark[0].at("range").as_string().starts_with("+- "));
    CHECK(benchmark[1].at("unit") == "nodes/s");
}

TEST_CASE("History: the page escapes what others write and links the runs that have pages") {
    std::vector<test::SampleRun> runs = test::sample_nights(6, 10);
    for (test::SampleRun& run : runs) {
        run.first = "<script>alert(1)</script>";
        run.host = "<img src=x>";
    }
    const Nights nights(runs);
    const std::string page = web::history_page(
        nights.history,
        {"assay.db", [](std::int64_t run) { return "run-" + std::to_string(run); }});
    CHECK(page.find("<script>alert") == std::string::npos);
    CHECK(page.find("<img") == std::string::npos);
    CHECK(page.find("href=\"run-6\"") != std::string::npos);
}

TEST_CASE("Badge: verdict and figure, and OpenMetrics with escaped labels") {
    test::SampleRun settings;
    settings.name = "a\"b\\c";
    settings.pairs = 200;
    settings.strength = 0.3;
    settings.stop.rule = harness::StopPlan::Rule::Capped;
    const test::TempDir dir;
    harness::Store store(dir.path("assay.db"), harness::Store::Access::Write);
    const auto run = *store.find_run(std::to_string(test::write_sample_run(store, settings)));
    harness::MatchTally tally = harness::tally_of(store, run, 0);
    harness::RunMeters meters = tally.meters();
    meters.delay.p99_us = 2500;
    tally.set_meters(meters);
    const RunView view{run, {{&tally, {}}}, {}, "assay.db"};
    const auto badge = boost::json::parse(badge_json(view)).as_object();
    CHECK(badge.at("schemaVersion").as_int64() == 1);
    CHECK(badge.at("message").as_string().starts_with("accepted · Elo +"));
    CHECK(badge.at("color") == "blue");
    CHECK(badge.at("isError") == false);
    const std::string metrics = open_metrics(view);
    CHECK(metrics.find("assay_pairs{config=\"a\\\"b\\\\c\",match=\"1\"} ") != std::string::npos);
    CHECK(metrics.find("\nassay_harness_delay_p99_seconds{config=\"a\\\"b\\\\c\",match=\"1\"} "
                       "0.0025\n") != std::string::npos);
    CHECK(metrics.ends_with("# EOF\n"));
}
