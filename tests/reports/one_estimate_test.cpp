// One run has one estimate to quote, and all of its outputs quote it with the same digits.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "harness/match/match_summary.h"
#include "harness/match/pair_counter.h"
#include "reports/files/badge.h"
#include "reports/files/junit.h"
#include "reports/files/run_json.h"
#include "reports/history/history.h"
#include "reports/plot/scale.h"
#include "reports/text/github.h"
#include "reports/text/history_text.h"
#include "reports/text/markdown.h"
#include "reports/text/match/live_facts.h"
#include "reports/text/summary.h"
#include "reports/view/escape.h"
#include "reports/view/estimates.h"
#include "reports/view/match_left.h"
#include "reports/view/number_text.h"
#include "reports/web/history_page.h"
#include "reports/web/index_page.h"
#include "reports/web/run_page.h"
#include "tests/support/sample_store.h"
#include "tests/support/temp_dir.h"

using namespace assay;
using namespace assay::reports;
using harness::StopPlan;

namespace {

/// A stored run with its view.
struct Run {
    explicit Run(const test::SampleRun& settings)
        : store(dir.path("assay.db"), harness::Store::Access::Write),
          run(*store.find_run(std::to_string(test::write_sample_run(store, settings)))) {
        for (std::size_t i = 0; i < run.plan.matches.size(); ++i)
            tallies.push_back(harness::tally_of(store, run, i));
    }

    [[nodiscard]] RunView view() const {
        RunView view{run, {}, {}, "assay.db"};
        for (const harness::MatchTally& tally : tallies) view.matches.push_back({&tally, {}});
        return view;
    }

    test::TempDir dir;
    harness::Store store;
    harness::RunRecord run;
    std::vector<harness::MatchTally> tallies;
};

test::SampleRun sample(StopPlan::Rule rule, double strength, std::int64_t pairs) {
    test::SampleRun run;
    run.stop.rule = rule;
    run.strength = strength;
    run.pairs = pairs;
    if (rule == StopPlan::Rule::Sprt || rule == StopPlan::Rule::Anytime) {
        run.stop.e0 = 0;
        run.stop.e1 = 40;
    }
    return run;
}

test::SampleRun stopped(test::SampleRun run, std::int64_t planned) {
    run.planned = planned;
    run.state = harness::RunState::Interrupted;
    return run;
}

stats::Estimate estimate_of(const boost::json::value& json) {
    const auto number = [](const boost::json::value& value) {
        return value.is_null() ? std::optional<double>() : value.to_number<double>();
    };
    return {number(json.at("value")),
            {number(json.at("ci95").at(0)), number(json.at("ci95").at(1))}};
}

bool has(const std::string& text, const std::string& part) {
    CAPTURE(part);
    const bool found = text.find(part) != std::string::npos;
    CHECK(found);
    return found;
}

std::string line_after(const std::string& text, const std::string& before) {
    const std::size_t begin = text.find(before);
    if (begin == std::string::npos) return "";
    return text.substr(begin + before.size(), text.find('\n', begin) - begin - before.size());
}

}  // namespace

TEST_CASE(
    "One estimate: the history and the server's list quote the one that the run's page does") {
    const std::vector<test::SampleRun> cases{
        sample(StopPlan::Rule::None, 0.1, 60),
        sample(StopPlan::Rule::Sprt, 0.15, 400),
        stopped(sample(StopPlan::Rule::None, 0.1, 60), 500),
        sample(StopPlan::Rule::Anytime, 0.2, 200),
    };
    for (const test::SampleRun& settings : cases) {
        Run stored(settings);
        const KindOfEstimate quoted = estimates_of(stored.tallies[0]).quoted;
        CAPTURE(words_of(quoted.kind));
        // All digits that anybody shows; a number in JSON may differ in its last bit.
        const auto said = [](const stats::Estimate& elo, EstimateKind kind) {
            return estimate_text(elo, 6) + " " + std::string(words_of(kind));
        };
        const auto in_history = [&] {
            const History history = history_of(stored.store, "");
            const auto json = boost::json::parse(history_json(history));
            const auto night = json.at("nights").as_array().back();
            CHECK(night.at("estimate").as_string() ==
                  harness::name_of(history.nights.back().estimate));
            return said(estimate_of(night.at("elo")), history.nights.back().estimate);
        };
        const std::string wanted = said(quoted.elo, quoted.kind);
        CHECK(in_history() == wanted);
        const std::string elo = signed_number(*quoted.elo.value, 1);
        const History history = history_of(stored.store, "");
        has(history_markdown(history), "| " + elo + " |");
        has(history_text(history), "  " + elo + "  ");
        has(web::history_page(history), plot::with_minus(elo));
        const RunView view = stored.view();
        const std::string shown = plot::with_minus(estimate_text(quoted.elo));
        has(web::index_page({{&stored.run, &view}}, "s"), "<td class=\"n opt\">" + shown + "</td>");

        // A stored one is taken as it is; without one, as older versions stored it, it is computed.
        harness::MatchSummary summary =
            harness::summary_of(stored.tallies[0], stored.store, stored.run.id, 0);
        const auto read = harness::summary_from_json(to_json(summary)).value();
        CHECK(said(read.quoted->elo, read.quoted->kind) == wanted);
        CHECK(estimate_text(read.quoted->nelo, 6) == estimate_text(summary.quoted->nelo, 6));
        CHECK(read.quoted->los.value_or(-1) == doctest::Approx(summary.quoted->los.value_or(-1)));
        summary.quoted.reset();
        stored.store.set_summary(stored.run.id, 0, to_json(summary));
        CHECK(in_history() == wanted);
        if (stored.run.state != harness::RunState::Finished) continue;
        summary.quoted = harness::MatchEstimate{};
        summary.quoted->kind = EstimateKind::Naive;
        summary.quoted->elo = {7.0, {1.0, 9.0}};
        stored.store.set_summary(stored.run.id, 0, to_json(summary));
        CHECK(in_history() == said(summary.quoted->elo, EstimateKind::Naive));
    }
}

TEST_CASE("One estimate: what a server counted once it counts again only after a change") {
    Run stored(sample(StopPlan::Rule::Sprt, 0.15, 40));
    harness::SummaryMemo memo;
    int counts = 0;
    const auto ask = [&](const harness::RunRecord& run) {
        const harness::MatchSummary summary = memo.of(stored.store, run, 0, 0, [&] {
            harness::MatchSummary fresh;
            fresh.pairs = ++counts;
            return fresh;
        });
        return summary.pairs;
    };
    CHECK(ask(stored.run) == 1);
    CHECK(ask(stored.run) == 1);
    harness::RunRecord other = stored.run;
    other.state = harness::RunState::Interrupted;
    CHECK(ask(other) == 2);
    other.started_us += 1;  // another store of the same name
    CHECK(ask(other) == 3);
    CHECK(ask(stored.run) == 1);
}

TEST_CASE("One estimate: all outputs of a run quote the same one, with the same digits") {
    struct Case {
        const char* name;
        test::SampleRun run;
        EstimateKind kind;
    };

    const std::vector<Case> cases{
        {"a fixed number of pairs", sample(StopPlan::Rule::None, 0.1, 60), EstimateKind::Fixed},
        {"a fixed test", sample(StopPlan::Rule::Fixed, 0.1, 60), EstimateKind::Fixed},
        {"a gate that accepts", sample(StopPlan::Rule::Capped, 0.2, 400),
         EstimateKind::MedianUnbiased},
        {"a gate that rejects", sample(StopPlan::Rule::Capped, -0.2, 400),
         EstimateKind::MedianUnbiased},
        {"a test that is stopped", stopped(sample(StopPlan::Rule::Sprt, 0.1, 60), 4000),
         EstimateKind::MedianUnbiased},
        {"a test of few pairs", stopped(sample(StopPlan::Rule::Sprt, 0.1, 9), 4000),
         EstimateKind::ConfidenceSequence},
        {"programs far apart", sample(StopPlan::Rule::Capped, 0.9, 400),
         EstimateKind::ConfidenceSequence},
        {"a few pairs that are all won", sample(StopPlan::Rule::Capped, 9, 40),
         EstimateKind::Naive},
        {"evidence", sample(StopPlan::Rule::Anytime, 0.2, 200), EstimateKind::ConfidenceSequence},
        {"a fixed number that is stopped", stopped(sample(StopPlan::Rule::Fixed, 0.3, 40), 500),
         EstimateKind::ConfidenceSequence},
    };
    for (const Case& c : cases) {
        const std::string name = c.name;
        CAPTURE(name);
        const Run stored(c.run);
        const RunView view = stored.view();
        const KindOfEstimate quoted = estimates_of(stored.tallies[0]).quoted;
        REQUIRE(name_of(quoted.kind) == name_of(c.kind));
        const std::string elo = estimate_text(quoted.elo);
        const std::string summary = run_summary(view, false);
        const std::string markdown = markdown_report(view);
        const std::string junit = junit_report(view, {});
        CHECK(line_after(summary, "\n  Elo ").starts_with(elo));
        CHECK(badge_json(view).find(" · Elo " + elo + "\"") != std::string::npos);
        has(markdown, " | " + elo + " |\n");
        CHECK(markdown.find("| Elo") ==
              markdown.find(c.kind == EstimateKind::Fixed
                                ? "| Elo | " + elo
                                : "| Elo (" + std::string(words_of(c.kind)) + ") | " + elo));
        has(junit, "\nElo " + xml(elo) + "\n");
        const boost::json::value json = boost::json::parse(run_json(view));
        CHECK(estimate_text(estimate_of(json.at("elo"))) == elo);
        CHECK(json.at("estimate").as_string() == name_of(c.kind));
        const std::string outputs = github_outputs(view, 3);
        const std::string value = line_after(outputs, "\nelo=");
        if (quoted.elo.value)
            CHECK(signed_number(std::stod(value), decimals_for(quoted.elo)) ==
                  signed_number(*quoted.elo.value, decimals_for(quoted.elo)));
        has(outputs, "\nestimate=" + std::string(name_of(c.kind)) + "\n");
        const std::string page = web::run_page(view, stored.store);
        has(page, "Elo " + xml(plot::with_minus(elo)));
        if (!quoted.has_nelo()) continue;
        const std::string nelo = estimate_text(quoted.nelo);
        has(summary, "   nElo " + nelo);
        has(markdown, " | " + nelo + " |\n");
        has(junit, "\nnElo " + xml(nelo) + "\n");
        has(page, "nElo " + xml(plot::with_minus(nelo)));
        CHECK(estimate_text(estimate_of(json.at("nelo"))) == nelo);
    }
}

TEST_CASE("One estimate: the others have their kind and what they are right for, in each output") {
    const Run stored(sample(StopPlan::Rule::Capped, 0.2, 400));
    const RunView view = stored.view();
    const Estimates estimates = estimates_of(stored.tallies[0]);
    REQUIRE(estimates.others.size() == 2);
    const std::string summary = run_summary(view, false);
    const std::string markdown = markdown_report(view);
    const std::string page = web::run_page(view, stored.store);
    const boost::json::value json = boost::json::parse(run_json(view));
    for (std::size_t i = 0; i < 2; ++i) {
        const KindOfEstimate& other = estimates.others[i];
        const std::string kind(words_of(other.kind));
        const std::string elo = estimate_text(other.elo);
        CHECK(elo != estimate_text(estimates.quoted.elo));
        has(summary, "    " + kind + ": Elo " + elo);
        has(summary, "      " + other.meaning + "\n");
        has(markdown, "| " + kind + " | " + elo + " | ");
        has(markdown, " | " + other.meaning + " |\n");
        has(page,
            "<td><span class=\"nw\">" + kind + "</span><span class=\"s small\">" + other.meaning);
        has(page, "<td class=\"n\">" + plot::with_minus(elo));
        const boost::json::value& one = json.at("other_estimates").at(i);
        CHECK(one.at("kind").as_string() == name_of(other.kind));
        CHECK(estimate_text(estimate_of(one.at("elo"))) == elo);
        CHECK(one.at("meaning").as_string() == other.meaning);
    }
    // The naive one is too far from 0 after an accepted test.
    CHECK(*estimates.others[0].elo.value > *estimates.quoted.elo.value);
    const Run fixed(sample(StopPlan::Rule::None, 0.1, 60));
    CHECK(estimates_of(fixed.tallies[0]).others.empty());
    CHECK(run_summary(fixed.view(), false).find("other estimates") == std::string::npos);
    CHECK(web::run_page(fixed.view(), fixed.store).find("Other estimates") == std::string::npos);
}

TEST_CASE("One estimate: a run stopped before its number of pairs has no p-value to show") {
    for (const StopPlan::Rule rule : {StopPlan::Rule::None, StopPlan::Rule::Fixed}) {
        const Run stored(stopped(sample(rule, 0.8, 25), 500));
        const RunView view = stored.view();
        // After 25 pairs chosen beforehand this would be a finding.
        REQUIRE(figures_of(stored.tallies[0]).sign_flip.p_value < 0.05);
        const std::string page = web::run_page(view, stored.store);
        for (const std::string& text :
             {run_summary(view, false), markdown_report(view), junit_report(view, {}), page}) {
            CHECK(text.find("the stronger one") == std::string::npos);
            for (const char* const word : {"sign-flip (exact)", "sign-flip p", "sign-flip test p",
                                           "Sign-flip, exact", "rinomial", "LOS"}) {
                CAPTURE(word);
                CHECK(text.find(word) == std::string::npos);
            }
            has(text, "confidence sequence");
        }
        has(run_summary(view, false),
            "25 of at most 500 pairs are played, and a p-value holds only after the last one");
    }
}

TEST_CASE("One estimate: a sequential test that is stopped says where its LLR stands") {
    const Run stored(stopped(sample(StopPlan::Rule::Sprt, 0.1, 60), 4000));
    const std::string summary = run_summary(stored.view(), false);
    has(summary, "  LLR ");
    has(summary, "    confidence sequence: Elo ");
    const stats::TestState test = *test_state(stored.tallies[0]);
    has(summary, signed_number(*test.llr, 2) + " between ");
}

TEST_CASE("One count of failures: those between games stand in each output as in the condition") {
    Run stored(sample(StopPlan::Rule::None, 0.1, 60));
    harness::RunMeters meters = stored.tallies[0].meters();
    meters.between_games = {{39, 2}, {0, 0}};
    stored.store.set_meters(stored.run.id, 0, meters);
    stored.tallies[0] = harness::tally_of(stored.store, stored.run, 0);
    harness::MatchTally& tally = stored.tallies[0];
    REQUIRE(tally.failures()[0].total() == 0);
    REQUIRE(tally.all_failures()[0].crashes == 39);
    const RunView view = stored.view();
    const std::string text = "39 crashes, 2 stalls (41 not in counted games)";
    has(run_summary(view, false), "failures of head: " + text + "\n");
    const std::vector<std::string> facts = live_facts(tally, mean_speed(tally));
    CHECK(std::ranges::count(facts, "39 crashes, 2 stalls") == 1);
    const std::string markdown = markdown_report(view);
    has(markdown, "| crashes | 39 / 0 |\n");
    has(markdown, "| failures | 41 / 0 | none in a counted game |\n");
    has(markdown, "| stalls | 2 / 0 |\n| of these not in counted games | 41 / 0 |\n");
    const std::string page = web::run_page(view, stored.store);
    has(page, "<h2>Failures: 41 of head, 0 of base</h2>");
    has(page, "<td>crash, disconnect</td><td class=\"n\">39</td><td class=\"n\">0</td>");
    has(page, "Not in counted games: 41. ");
    has(page, "crashes and stalls 41 (at most 0)");
    const auto failures = boost::json::parse(run_json(view)).at("failures");
    CHECK(failures.at(0).at("crashes") == 39);
    CHECK(failures.at(0).at("stalls") == 2);
    CHECK(failures.at(1).at("crashes") == 0);
    const std::string metrics = open_metrics(view);
    has(line_after(metrics, "assay_crashes{"), "} 39");
    has(line_after(metrics, "assay_stalls{"), "} 2");
    // Of a stored summary, and counted anew.
    stored.store.set_summary(stored.run.id, 0,
                             to_json(harness::summary_of(tally, stored.store, stored.run.id, 0)));
    for (const bool is_stored : {true, false}) {
        if (!is_stored) stored.store.set_summary(stored.run.id, 0, "none");
        const History history = history_of(stored.store, "");
        CHECK(history.nights.back().failures == tally.all_failures()[0]);
        has(web::history_page(history), "39 crashes, 2 stalls");
        has(history_markdown(history), "39 crashes, 2 stalls");
    }
}

TEST_CASE("Time left: a page, its JSON and the terminal say what a test still needs") {
    test::SampleRun settings = sample(StopPlan::Rule::Sprt, 0.15, 60);
    settings.planned = 4000;
    settings.state = harness::RunState::Running;
    const Run stored(settings);
    const harness::MatchTally& tally = stored.tallies[0];
    const auto left = left_of(tally, mean_speed(tally));
    REQUIRE(left);
    REQUIRE(left->expected_pairs);
    CHECK(left->most_pairs == 3940);
    CHECK(*left->expected_pairs < 3940);
    CHECK(*left->expected_pairs > 1);
    REQUIRE(left->expected_time);
    REQUIRE(left->most_time);
    const double each = static_cast<double>(tally.meters().wall_us) / 60;
    CHECK(static_cast<double>(left->most_time->count()) == doctest::Approx(3940 * each));
    CHECK(static_cast<double>(left->expected_time->count()) ==
          doctest::Approx(*left->expected_pairs * each));
    const boost::json::value json = boost::json::parse(run_json(stored.view()));
    CHECK(json.at("left").at("most_pairs") == 3940);
    CHECK(json.at("left").at("expected_pairs").to_number<double>() ==
          doctest::Approx(*left->expected_pairs));
    CHECK(json.at("left").at("most_seconds").to_number<double>() ==
          doctest::Approx(3940 * each / 1e6));
    CHECK(json.at("left").at("expected_seconds").to_number<double>() ==
          doctest::Approx(*left->expected_pairs * each / 1e6));
    const std::string page = web::run_page(stored.view(), stored.store);
    has(page, "<dt>Left</dt><dd>about " + grouped(expected_pairs(*left), "pair") + " <small>" +
                  rough_duration(*left->expected_time) + "; at most 3,940 pairs, " +
                  rough_duration(*left->most_time) + "</small>");
    const std::vector<std::string> facts = live_facts(tally, mean_speed(tally));
    REQUIRE(facts.size() > 2);
    CHECK(facts[facts.size() - 2] == expected_left_text(*left));
    CHECK(facts.back() == most_left_text(*left));
    CHECK(facts.back().starts_with("at most 3,940 pairs left ("));
}

TEST_CASE("Time left: minutes that the rule allows bound the time, not the pairs") {
    test::SampleRun settings = sample(StopPlan::Rule::Sprt, 0.15, 60);
    settings.planned = 4000;
    settings.stop.minutes = std::chrono::minutes(60);
    settings.state = harness::RunState::Running;
    const Run stored(settings);
    const MatchSpeed slow{1e9, std::chrono::minutes(50)};
    const auto left = left_of(stored.tallies[0], slow);
    REQUIRE(left);
    CHECK(left->most_time == Micros(std::chrono::minutes(10)));
    CHECK(left->expected_time == Micros(std::chrono::minutes(10)));
    CHECK(left->most_pairs == 3940);
    const auto unknown = left_of(stored.tallies[0], {std::nullopt, Micros(0)});
    REQUIRE(unknown);
    CHECK_FALSE(unknown->expected_time);
    CHECK(unknown->most_time == Micros(std::chrono::minutes(60)));
}

TEST_CASE("Time left: none once a match has ended") {
    const Run decided(sample(StopPlan::Rule::Capped, 0.2, 400));
    CHECK_FALSE(left_of(decided.tallies[0], mean_speed(decided.tallies[0])));
    const Run whole(sample(StopPlan::Rule::None, 0.1, 60));
    CHECK_FALSE(left_of(whole.tallies[0], mean_speed(whole.tallies[0])));
    CHECK(boost::json::parse(run_json(decided.view())).at("left").is_null());
    CHECK(web::run_page(decided.view(), decided.store).find("<dt>Left</dt>") == std::string::npos);
}
