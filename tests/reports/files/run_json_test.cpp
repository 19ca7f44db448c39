#include "reports/files/run_json.h"

#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <doctest/doctest.h>

#include "base/random.h"
#include "tests/reports/report_samples.h"
#include "tests/reports/sample_run.h"
#include "tests/support/sample_tally.h"

using namespace assay;
using namespace assay::harness;
using reports::RunView;

TEST_CASE("JSON: every kind of run is as in the golden file") {
    std::string text;
    for (const test::ReportSample& sample : test::report_samples())
        text += reports::run_json(sample.view());
    CHECK(text == test::golden("runs.jsonl", text));
}

TEST_CASE("JSON: the keys that scripts rely on are there in every run") {
    for (const test::ReportSample& sample : test::report_samples()) {
        const boost::json::object run = test::json_of_run(sample).as_object();
        for (const char* key : {"schema", "run", "verdict", "tainted", "games", "pairs", "wdl",
                                "pentanomial", "elo", "nelo", "los", "test", "trinomial",
                                "sign_flip", "terminations", "voided", "harness", "expectations"})
            CHECK_MESSAGE(run.contains(key), key);
        CHECK(run.at("schema") == 1);
        CHECK(run.at("elo").as_object().at("ci95").as_array().size() == 2);
    }
}

TEST_CASE("JSON: figures are of the first program") {
    const boost::json::value run = test::json_of_run(test::plain_run());
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
    const boost::json::value elo = test::json_of_run(test::one_sided_run()).at("elo");
    CHECK(elo.at("value").is_null());
    CHECK(elo.at("ci95").at(0).is_number());
    CHECK(elo.at("ci95").at(1).is_null());
}

TEST_CASE("JSON: a run without a game has nulls, never NaN") {
    const std::string text = reports::run_json(test::empty_run().view());
    CHECK(text.find("nan") == std::string::npos);
    CHECK(text.find("inf\"") == std::string::npos);
    const boost::json::value run = boost::json::parse(text);
    CHECK(run.at("trinomial").is_null());
    CHECK(run.at("elo").at("value").is_null());
}

TEST_CASE("JSON: several matches stand in a list, and the first at the top too") {
    test::ReportSample sample = test::plain_run();
    sample.run.plan.matches.push_back(sample.run.plan.matches[0]);
    MatchTally second(sample.run.plan.matches[1]);
    test::add_pairs(second, {0, 0, 3, 0, 0});
    RunView view = sample.view();
    view.matches.push_back({&second, {}});
    const boost::json::value run = boost::json::parse(reports::run_json(view));
    CHECK(run.at("pairs") == 50);
    CHECK(run.at("matches").as_array().size() == 2);
    CHECK(run.at("matches").at(1).at("pairs") == 3);
    CHECK_FALSE(test::json_of_run(sample).as_object().contains("matches"));
}

TEST_CASE("JSON: a tainted verdict says so beside the verdict") {
    const boost::json::value run = test::json_of_run(test::tainted_run());
    CHECK(run.at("verdict") == "accepted");
    CHECK(run.at("tainted") == true);
    CHECK(run.at("failures").at(1).at("time_losses") == 9);
    CHECK(run.at("failed_games").at(0).at("replay") == "assay replay 12 113 34");
}

TEST_CASE("JSON: whatever programs write, the document can be read") {
    CHECK_NOTHROW(static_cast<void>(test::json_of_run(test::hostile_run())));
}

TEST_CASE("JSON: what was measured of the speed stands there, the lower end first") {
    test::ReportSample sample;
    harness::SpeedFinding speed;
    speed.pairs = 16;
    speed.percent = -1.5;
    speed.low = -4;
    speed.high = 0.5;
    speed.limit = -3;
    speed.seconds = 12;
    speed.nodes_per_second = {985, 1000};
    sample.run.findings.speed = {speed};
    const boost::json::value told = test::json_of_run(sample).at("speed").at(0);
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
        test::ReportSample sample;
        std::array<int, 5> counts{};
        for (int& count : counts) count = static_cast<int>(random.below(4) * random.below(9));
        test::add_pairs(sample.tally, counts);
        const boost::json::value run = test::json_of_run(sample);
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
