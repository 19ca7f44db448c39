// A run of several matches has one outcome, and every report shows the same.
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "harness/match/pair_counter.h"
#include "reports/files/badge.h"
#include "reports/files/junit.h"
#include "reports/files/run_json.h"
#include "reports/plot/scale.h"
#include "reports/text/github.h"
#include "reports/text/markdown.h"
#include "reports/text/summary.h"
#include "reports/view/estimates.h"
#include "reports/view/number_text.h"
#include "reports/view/outcome_words.h"
#include "reports/web/run_page.h"
#include "tests/support/sample_store.h"
#include "tests/support/sample_tally.h"
#include "tests/support/temp_dir.h"

using namespace assay;
using namespace assay::reports;

namespace {

using Counts = std::array<int, 5>;

/// Two matches named stc and ltc; pairs of these counts are added to each until its rule decides.
struct TwoMatches {
    TwoMatches(bool is_gate, const Counts& first, const Counts& second,
               harness::StopPlan::Rule rule = harness::StopPlan::Rule::Capped)
        : store(dir.path("assay.db"), harness::Store::Access::Write),
          run(stored_run(is_gate, rule)) {
        for (std::size_t i = 0; i < 2; ++i) {
            harness::MatchTally& tally = tallies.emplace_back(run.plan.matches[i]);
            const Counts& counts = i == 0 ? first : second;
            while (counts[2] > 0 && tally.verdict() == harness::Verdict::None &&
                   tally.pairs() < tally.plan().pairs)
                test::add_pairs(tally, counts);
        }
    }

    [[nodiscard]] RunView view() const {
        return {run, {{tallies.data(), {}}, {&tallies[1], {}}}, {}, "assay.db"};
    }

    [[nodiscard]] std::string page() const { return web::run_page(view(), store); }

    test::TempDir dir;
    harness::Store store;
    harness::RunRecord run;
    std::vector<harness::MatchTally> tallies;

private:
    harness::RunRecord stored_run(bool is_gate, harness::StopPlan::Rule rule) {
        test::SampleRun settings;
        settings.matches = 2;
        settings.pairs = 10;
        settings.planned = 400;
        settings.command = is_gate ? "assay gate gate.yaml" : "assay run nightly.yaml";
        settings.stop.rule = rule;
        harness::RunRecord found =
            *store.find_run(std::to_string(test::write_sample_run(store, settings)));
        found.plan.matches[0].name = "stc";
        found.plan.matches[1].name = "ltc";
        found.findings.is_gate = is_gate;
        return found;
    }
};

constexpr Counts kBetter{1, 3, 6, 5, 2};
constexpr Counts kWorse{2, 5, 6, 3, 1};
constexpr Counts kEqual{1, 4, 6, 4, 1};

std::string part_between(const std::string& text, const std::string& before,
                         const std::string& after) {
    const std::size_t begin = text.find(before);
    if (begin == std::string::npos) return "";
    const std::size_t from = begin + before.size();
    return text.substr(from, text.find(after, from) - from);
}

}  // namespace

TEST_CASE("Several matches: badge, JSON, page, Markdown and exit code have one outcome") {
    struct Case {
        bool is_gate;
        Counts first;
        Counts second;
        const char* word;
        int code;
        std::size_t match;
        const char* headline;
    };

    for (const Case& c : {
             Case{false, kBetter, kWorse, "rejected", 0, 1, ""},
             Case{false, kWorse, kBetter, "rejected", 0, 0, ""},
             Case{true, kBetter, kWorse, "rejected", 1, 1, "Worse: head is stopped (match ltc)."},
             Case{true, kWorse, kBetter, "rejected", 1, 0, "Worse: head is stopped (match stc)."},
             Case{true, kBetter, kBetter, "accepted", 0, 1, "Not worse: head passes."},
         }) {
        CAPTURE(c.is_gate);
        CAPTURE(c.headline);
        const TwoMatches run(c.is_gate, c.first, c.second);
        const RunView view = run.view();
        const harness::Outcome outcome = outcome_of(view);
        CHECK(harness::name_of(outcome.word) == c.word);
        CHECK(outcome.exit_code == c.code);
        const boost::json::value json = boost::json::parse(run_json(view));
        CHECK(json.at("outcome") == c.word);
        CHECK(json.at("verdict") == c.word);
        CHECK(json.at("deciding_match") == c.match + 1);
        CHECK(json.at("matches").at(0).at("verdict").as_string() ==
              harness::name_of(run.tallies[0].verdict()));
        const std::string elo = estimate_text(estimates_of(run.tallies[c.match]).quoted.elo);
        const boost::json::value badge = boost::json::parse(badge_json(view));
        CHECK(badge.at("message").as_string() == std::string(c.word) + " · Elo " + elo);
        CHECK(github_outputs(view, c.code).find("outcome=" + std::string(c.word)) !=
              std::string::npos);
        const std::string page = run.page();
        const std::string headline = part_between(page, "<h1>", "</h1>");
        if (c.is_gate) CHECK(headline == c.headline);
        CHECK(headline.starts_with(std::string(c.word) == "accepted" ? "Not worse" : "Worse"));
        if (!c.is_gate) CHECK(headline.ends_with(c.match == 0 ? " (match stc)." : " (match ltc)."));
        // The key figures are of the match that the line above speaks of.
        const std::string figures = part_between(page, "<p class=\"s\">Key figures of ", "</dl>");
        CHECK(figures.starts_with(c.match == 0 ? "match stc<" : "match ltc<"));
        CHECK(figures.find(plot::with_minus(elo.substr(0, elo.find(' ')))) != std::string::npos);
    }
}

TEST_CASE("Several matches: what is undecided is named, and what was won beside it stands") {
    const TwoMatches run(false, kBetter, kEqual, harness::StopPlan::Rule::Fixed);
    REQUIRE(run.tallies[0].verdict() == harness::Verdict::Accepted);
    REQUIRE(run.tallies[1].verdict() == harness::Verdict::Inconclusive);
    const std::string page = run.page();
    CHECK(part_between(page, "<h1>", "</h1>").starts_with("Undecided: the match ended after 4"));
    CHECK(part_between(page, "<h1>", "</h1>").ends_with(" (match ltc)."));
    CHECK(page.find("<span>Match stc</span><span class=\"v acc\">▲ accepted</span>") !=
          std::string::npos);
}

TEST_CASE("Several matches: games of interest and their boards name their match") {
    const TwoMatches run(false, kBetter, kEqual, harness::StopPlan::Rule::Fixed);
    const std::string page = run.page();
    CHECK(page.find("<h2 id=\"gtitle\">Game ") != std::string::npos);
    CHECK(part_between(page, "<h2 id=\"gtitle\">", "</h2>").find(" of match stc: ") !=
          std::string::npos);
    CHECK(page.find("<span class=\"s\">match ltc · ") != std::string::npos);
    CHECK(page.find("data-f=\"match=2\" aria-pressed=\"false\">match ltc</button>") !=
          std::string::npos);
    CHECK(page.find(" data-match=\"2\">") != std::string::npos);
}

TEST_CASE("Several matches: a stopped run says so before what its first match found") {
    TwoMatches run(false, kEqual, kEqual, harness::StopPlan::Rule::Fixed);
    run.run.state = harness::RunState::Interrupted;
    REQUIRE(run.tallies[0].verdict() == harness::Verdict::Inconclusive);
    CHECK(part_between(run.page(), "<h1>", "</h1>")
              .starts_with("The run was stopped. Undecided: the match ended after "));
}

TEST_CASE("Several matches: a match that is not over claims nothing beside others") {
    using Rule = harness::StopPlan::Rule;

    SUBCASE("a fixed number of pairs that a signal cut short") {
        TwoMatches run(false, kBetter, Counts{}, Rule::Fixed);
        run.run.state = harness::RunState::Interrupted;
        test::add_pairs(run.tallies[1], {0, 0, 0, 0, 16});
        const boost::json::value holm = boost::json::parse(run_json(run.view())).at("holm");
        CHECK(holm.at(0).at("holds") == true);
        CHECK(holm.at(1).at("holds") == false);
        CHECK(holm.at(1).at("p_value").is_null());
        CHECK(holm.at(1).at("adjusted").is_null());
        // It stays one of the two tests that were meant.
        CHECK(holm.at(0).at("adjusted").as_double() ==
              doctest::Approx(2 * holm.at(0).at("p_value").as_double()));
        CHECK(run_summary(run.view(), false, 100)
                  .find(" (ltc): not decided, so that it claims nothing\n") != std::string::npos);
    }
    SUBCASE("a sequential test that has not decided") {
        TwoMatches run(false, kBetter, Counts{}, Rule::Capped);
        test::add_pairs(run.tallies[1], {0, 1, 3, 2, 4});
        REQUIRE(run.tallies[1].verdict() == harness::Verdict::None);
        const boost::json::value holm = boost::json::parse(run_json(run.view())).at("holm");
        CHECK(holm.at(0).at("p_value").is_double());
        CHECK(holm.at(1).at("p_value").is_null());
    }
    SUBCASE("none of them") {
        TwoMatches run(false, Counts{}, Counts{}, Rule::Fixed);
        test::add_pairs(run.tallies[1], {0, 0, 0, 0, 16});
        CHECK(!boost::json::parse(run_json(run.view())).as_object().contains("holm"));
    }
}

TEST_CASE("Several matches: Markdown has the name of each before its verdict") {
    const TwoMatches run(false, kBetter, kEqual, harness::StopPlan::Rule::Fixed);
    const std::string text = markdown_report(run.view());
    const std::size_t first = text.find("\n#### stc\n");
    const std::size_t second = text.find("\n#### ltc\n");
    REQUIRE(first != std::string::npos);
    REQUIRE(second != std::string::npos);
    CHECK(first < text.find("**accepted**"));
    CHECK(text.find("**accepted**") < second);
    CHECK(second < text.find("**inconclusive**"));
}

TEST_CASE("Several matches: conditions say which match they are of") {
    TwoMatches run(true, kBetter, kBetter);
    for (harness::MatchPlan& match : run.run.plan.matches) match.require.crashes = 0;
    run.tallies.clear();
    for (const harness::MatchPlan& match : run.run.plan.matches)
        test::add_pairs(run.tallies.emplace_back(match), kBetter);
    run.tallies[1].add(test::failed_pair(17, 0, harness::Termination::Crash, 1));
    const std::string page = run.page();
    CHECK(page.find("<dd>match stc: crashes and stalls 0; match ltc: crashes and stalls 1 (at most "
                    "0). <a href=\"#failures-2\">") != std::string::npos);
}
