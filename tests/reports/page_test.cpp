#include <algorithm>
#include <array>
#include <memory>
#include <regex>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/random.h"
#include "harness/match/pair_counter.h"
#include "reports/files/suite_json.h"
#include "reports/plot/scale.h"
#include "reports/text/suite_text.h"
#include "reports/view/assumption_checks.h"
#include "reports/web/charts/charts.h"
#include "reports/web/charts/game_pack.h"
#include "reports/web/charts/match_facts.h"
#include "reports/web/charts/move_survey.h"
#include "reports/web/page/template.h"
#include "reports/web/run_page.h"
#include "rules/game.h"
#include "rules/make_game.h"
#include "tests/support/contains.h"
#include "tests/support/sample_store.h"
#include "tests/support/sample_suite.h"
#include "tests/support/temp_dir.h"

using namespace assay;
using namespace assay::reports;

using assay::test::times_in;

namespace {

/// A stored run with all that its page needs.
struct Stored {
    explicit Stored(const test::SampleRun& settings)
        : store(dir.path("assay.db"), harness::Store::Access::Write),
          run(*store.find_run(std::to_string(test::write_sample_run(store, settings)))) {
        tallies.push_back(harness::tally_of(store, run, 0));
    }

    [[nodiscard]] RunView view() const { return {run, {{tallies.data(), {}}}, {}, "assay.db"}; }

    [[nodiscard]] std::string page() const { return web::run_page(view(), store); }

    test::TempDir dir;
    harness::Store store;
    harness::RunRecord run;
    std::vector<harness::MatchTally> tallies;
};

test::SampleRun capped(double strength) {
    test::SampleRun run;
    run.pairs = 400;
    run.strength = strength;
    run.stop.rule = harness::StopPlan::Rule::Capped;
    return run;
}

std::string between(const std::string& text, const std::string& before, const std::string& after) {
    const std::size_t begin = text.find(before);
    if (begin == std::string::npos) return "";
    const std::size_t from = begin + before.size();
    return text.substr(from, text.find(after, from) - from);
}

std::string headline(const std::string& page) {
    return between(page, "<h1>", "</h1>");
}

}  // namespace

TEST_CASE("Page: the range of few pairs stays above the axis and below their number") {
    const std::string chart = web::pair_chart({{0, 1, 4, 0, 1}});
    const std::regex vertical("M[0-9.]+ ([0-9.]+)V([0-9.]+)");
    std::size_t lines = 0;
    for (std::sregex_iterator line(chart.begin(), chart.end(), vertical), end; line != end;
         ++line) {
        CHECK(std::stod((*line)[1]) <= 210);  // the axis
        CHECK(std::stod((*line)[2]) <= 210);
        ++lines;
    }
    CHECK(lines >= 4);
}

TEST_CASE("Page: the verdict comes first, in words") {
    const std::string accepted = Stored(capped(0.2)).page();
    CHECK(headline(accepted) == "Not worse: head passes.");
    CHECK(accepted.find("▲ accepted") < accepted.find("id=\"test\""));
    const std::string rejected = Stored(capped(-0.3)).page();
    CHECK(headline(rejected) == "Worse: head is stopped.");
    test::SampleRun plain;
    plain.command = "assay run nightly.yaml";
    plain.strength = 0.5;
    CHECK(headline(Stored(plain).page()).ends_with("head is the stronger one."));
    plain.strength = 0;
    CHECK(headline(Stored(plain).page()).ends_with("no difference is shown."));
    plain.pairs = 0;
    CHECK(headline(Stored(plain).page()) == "No pair is finished, so nothing is known.");
    plain.state = harness::RunState::Running;
    CHECK(headline(Stored(plain).page()) == "head against base: the first games are being played.");
    plain.state = harness::RunState::Failed;
    plain.end_reason = "base does not start";
    CHECK(headline(Stored(plain).page()).find("nothing is known") != std::string::npos);
    test::SampleRun failed = capped(0);
    failed.pairs = 3;
    failed.planned = 400;
    failed.state = harness::RunState::Failed;
    failed.end_reason = "base does not start";
    CHECK(headline(Stored(failed).page()).find("base does not start") != std::string::npos);
}

TEST_CASE("Page: before the first game it says so, and draws and claims nothing") {
    for (const harness::RunState state :
         {harness::RunState::Running, harness::RunState::Interrupted, harness::RunState::Failed}) {
        test::SampleRun settings = capped(0);
        settings.pairs = 0;
        settings.planned = 400;
        settings.state = state;
        if (state == harness::RunState::Failed)
            settings.end_reason = "head does not build: 'make' exited with code 2";
        Stored stored(settings);
        stored.run.plan.matches[0].require.crashes = 0;
        stored.tallies[0] = harness::tally_of(stored.store, stored.run, 0);
        const std::string page = stored.page();
        for (const char* const said :
             {"<h2>Elo: no pair yet</h2>", "<h2>Pairs: none yet</h2>",
              "<h2>Sides: no games yet</h2>", "<h2>Openings: no games yet</h2>", "– no games",
              "No game is over yet."}) {
            CAPTURE(said);
            CHECK(page.find(said) != std::string::npos);
        }
        for (const char* const unsaid : {"▲ hold", "scores 0", "0 split", "each was played once",
                                         "Other estimates", "Sign-flip"}) {
            CAPTURE(unsaid);
            CHECK(page.find(unsaid) == std::string::npos);
        }
        CHECK(between(page, "id=\"elo\"", "</section>").find("<svg") == std::string::npos);
        CHECK(between(page, "id=\"sides\"", "</section>").find("<svg") == std::string::npos);
        // Crashes before the first game's end are facts.
        harness::RunMeters meters;
        meters.between_games = {{1, 0}, {0, 0}};
        stored.tallies[0].set_meters(meters);
        CHECK(stored.page().find("▼ fail") != std::string::npos);
    }
}

TEST_CASE("Page: what others write is text, wherever it stands") {
    test::SampleRun settings = capped(0.1);
    settings.pairs = 40;
    settings.failure_rate = 0.3;
    settings.first = "<script>alert(1)</script>\"'&";
    settings.second = "</script><b onclick=x>\x01";
    settings.name = "<img src=x onerror=alert(1)>";
    settings.command = "assay gate '<svg/onload=alert(1)>.yaml'";
    Stored stored(settings);
    stored.run.end_reason = "<script>\xff";
    stored.run.machine.cpu = "<i>";
    stored.run.versions[0].id_name = "<script>x</script>";
    const std::string page = stored.page();
    CHECK(times_in(page, "<script") == 2);  // the data and ours
    CHECK(times_in(page, "</script") == 2);
    CHECK(times_in(page, "<img") == 0);
    CHECK(times_in(page, "<b onclick") == 0);
    CHECK(times_in(page, "<svg/") == 0);
    CHECK(times_in(page, "alert(1)</script>") == 0);
    CHECK(page.find('\x01') == std::string::npos);
    CHECK(page.find('\xff') == std::string::npos);
    const std::string data =
        between(page, "<script type=\"application/json\" id=\"data\">", "</script>");
    CHECK_NOTHROW((void)boost::json::parse(data));
}

TEST_CASE("Page: it needs no network") {
    const std::string page = Stored(capped(0.1)).page();
    for (const char* part : {"<link", " src=", "@import", "url(", "https://"})
        CHECK(page.find(part) == std::string::npos);
    CHECK(times_in(page, "http://") == times_in(page, "http://www.w3.org/2000/svg"));
}

TEST_CASE("Page: a row of the openings leads to one of its games in the list, and to the board") {
    test::SampleRun run;
    run.pairs = 400;
    const Stored stored(run);
    const std::string page = stored.page();
    const std::string chart = between(page, "id=\"openings\"", "</section>");
    const std::size_t at = chart.find("data-open=\"");
    REQUIRE(at != std::string::npos);
    const std::string id = chart.substr(at + 11, chart.find('"', at + 11) - at - 11);
    CHECK(chart.find("href=\"#g-" + id + "\"") != std::string::npos);
    CHECK(page.find("<tr id=\"g-" + id + "\" data-open=\"" + id + "\"") != std::string::npos);
    CHECK(page.find("{\"id\":\"" + id + "\",\"match\":0") != std::string::npos);
}

TEST_CASE("Page: how to play it again pins programs to the commits that were built") {
    Stored stored(capped(0.1));
    stored.run.plan.programs[0].git = harness::GitPlan();
    stored.run.plan.programs[0].git->ref = "HEAD";
    stored.run.versions[0].source = harness::SourceRecord();
    stored.run.versions[0].source->commit = "a1b2c3d4e5f6";
    CHECK(
        between(stored.page(), "<pre id=\"cmd1\">", "</pre>") ==
        "assay gate gate.yaml <span class=\"w\">--seed</span> 8841 <span class=\"w\">--set</span> "
        "programs.head.git.ref=a1b2c3d4e5f6");
    CHECK(stored.page().find("are not stored") == std::string::npos);
    stored.run.versions[0].source->tree = "99";
    CHECK(stored.page().find("The files that were changed since the commit are not stored.") !=
          std::string::npos);
    stored.run.plan.programs[0].git->ref = "a1b2c3d4e5f6";
    CHECK(between(stored.page(), "<pre id=\"cmd1\">", "</pre>") ==
          "assay gate gate.yaml <span class=\"w\">--seed</span> 8841");
}

TEST_CASE("Page: a command breaks between its words alone, and is copied as it is") {
    const std::string markup =
        web::command_markup("assay query <b> --show path,fen --db my-runs.db");
    CHECK(markup ==
          "assay query &lt;b&gt; <span class=\"w\">--show</span> path,fen <span "
          "class=\"w\">--db</span> <span class=\"w\">my-runs.db</span>");
    CHECK(web::command_markup("") == "");
    CHECK(web::command_markup("one ") == "one ");
}

TEST_CASE("Page: the state stands beside the time, and not under the seed") {
    Stored stored(capped(0.1));
    stored.run.state = harness::RunState::Interrupted;
    const std::string page = stored.page();
    CHECK(between(page, "<header>", "</header>").find(" UTC, interrupted</span>") !=
          std::string::npos);
    CHECK(page.find("<small>interrupted</small>") == std::string::npos);
}

TEST_CASE("Page: of a stopped run the headline has no command, and what resumes it can be copied") {
    Stored stored(capped(0.1));
    stored.run.state = harness::RunState::Interrupted;
    stored.run.end_reason = "stopped by a signal";
    stored.run.command_line = "assay run long.yaml --db my.db";
    stored.run.plan.matches[0].stop.rule = harness::StopPlan::Rule::None;
    stored.tallies[0] = harness::tally_of(stored.store, stored.run, 0);
    const std::string page = stored.page();
    CHECK(headline(page).find("No verdict: stopped by a signal after ") == 0);
    CHECK(headline(page).find("resume") == std::string::npos);
    CHECK(page.find("continues it") != std::string::npos);
}

TEST_CASE("Page: where not all failures are listed, the warnings are called the first ones") {
    Stored stored(capped(0.1));
    RunView view{stored.run, {{stored.tallies.data(), {}}}, {}, "assay.db"};
    view.matches[0].failed.resize(12);
    CHECK(web::run_page(view, stored.store).find(">12 warnings<") != std::string::npos);
    view.matches[0].failed.resize(13);
    CHECK(web::run_page(view, stored.store).find(">The first 12 warnings<") != std::string::npos);
}

TEST_CASE("Page: the label of the LLR stands beside its curve") {
    // The curve comes up to the last point from the lower left, where the label stood.
    std::vector<web::LookPoint> looks;
    for (int pair = 0; pair <= 20; ++pair)
        looks.push_back({pair, pair < 19 ? 0.0 : 1.4 * (pair - 18), -2.9, 2.9});
    const std::string chart =
        web::llr_chart(looks, {{0, std::nullopt, -2.9, 2.9}, {22, std::nullopt, -2.9, 2.9}}, false,
                       {"accept", "reject", "20 pairs", "LLR +2.80"});
    const std::string svg = chart.substr(chart.find("class=\"w\""));
    const std::string dot = between(svg, "<circle class=\"fi\" cx=\"", "\"");
    const std::string place = svg.substr(svg.rfind("<text", svg.find("LLR +2.80</text>")));
    const double left = std::stod(between(place, "x=\"", "\"")) - 9 * 7.3;
    // The last two pieces of the curve take 48 pixels; the label ends before, or lies right of
    // them.
    CHECK(place.find("text-anchor=\"end\"") != std::string::npos);
    CHECK(left + 9 * 7.3 < std::stod(dot) - 20);
}

TEST_CASE("Page: no line of the delays runs through a label") {
    harness::DelayRecord delay;
    delay.p50_us = 30;
    delay.p99_us = 9100;
    delay.max_us = 14'000;
    const std::string chart = web::delay_chart({{10, 100, 50}, {100, 10'000, 3}}, delay);
    const std::string svg = chart.substr(chart.find("class=\"w\""));
    // The longest is in the highest row, and each text ends left of its line.
    CHECK(svg.find(">max 14 ms<") < svg.find(">p99 9.1 ms<"));
    const auto row_of = [&](const std::string& text) {
        const std::string tag = svg.substr(svg.rfind("<text", svg.find(text)));
        return std::stod(between(tag, " y=\"", "\""));
    };
    CHECK(row_of(">max 14 ms<") < row_of(">p99 9.1 ms<"));
    CHECK(row_of(">p99 9.1 ms<") < row_of(">p50 0.03 ms<"));
    CHECK(times_in(svg, " text-anchor=\"end\">max") == 1);
    CHECK(times_in(svg, " text-anchor=\"end\">p99") == 1);
}

TEST_CASE("Page: a one-sided estimate is inside its chart, with room beyond its limit") {
    stats::Estimate after;
    after.ci95.high = -140;
    std::vector<web::EloPoint> path;
    for (int pair = 1; pair <= 10; ++pair)
        path.push_back({pair, {std::nullopt, {std::nullopt, 300.0 - 44 * pair}}, {}});
    const std::string chart = web::elo_chart(path, after);
    CHECK(chart.find(">−200<") != std::string::npos);
    CHECK(chart.find(">−140<") != std::string::npos);
}

TEST_CASE("Page: a limit for each move is a time to lose on, nodes are none") {
    Stored stored(capped(0.1));
    harness::TimeControl move;
    move.kind = harness::TimeControl::Kind::MoveTime;
    move.move_time = Micros(10'000);
    harness::TimeControl nodes;
    nodes.kind = harness::TimeControl::Kind::Nodes;
    nodes.nodes = 1000;
    const auto section = [&](const harness::TimeControl& time) {
        harness::RunRecord run = stored.run;
        run.plan.matches[0].time = {time, time};
        const harness::MatchTally tally(run.plan.matches[0]);
        const RunView view{run, {{&tally, {}}}, {}, "assay.db"};
        test::TempDir dir;
        harness::Store none(dir.path("none.db"), harness::Store::Access::Write);
        return between(web::run_page(view, none), "<section id=\"time\" class=\"o7\">",
                       "</section>");
    };
    CHECK(section(move).find("A move that takes longer is lost on time.") != std::string::npos);
    CHECK(section(move).find("no clock ran") == std::string::npos);
    CHECK(section(nodes).find("no clock ran") != std::string::npos);
}

TEST_CASE(
    "Page: what makes a repeated game another one is a clock only where a clock is the limit") {
    const Stored stored(capped(0.1));
    harness::RunRecord run = stored.run;
    harness::TimeControl nodes;
    nodes.kind = harness::TimeControl::Kind::Nodes;
    nodes.nodes = 1000;
    const auto caption_is = [&](const std::string& text) {
        const harness::MatchTally tally(run.plan.matches[0]);
        const RunView view{run, {{&tally, {}}}, {}, "assay.db"};
        test::TempDir dir;
        harness::Store none(dir.path("none.db"), harness::Store::Access::Write);
        return web::run_page(view, none).find("The same openings in the same order" + text) !=
               std::string::npos;
    };
    const std::string of_clocks = "; clocks make single games differ.";
    CHECK(caption_is(of_clocks));
    harness::MatchPlan& match = run.plan.matches[0];
    match.time[0] = nodes;
    CHECK(caption_is(of_clocks));
    match.time[1] = nodes;
    // Equal pairs count, as in a tournament and in another runner's place.
    match.deterministic = false;
    CHECK(caption_is(", and the same games."));
    run.plan.programs[1].options = {{"Threads", "4"}};
    CHECK(caption_is("; programs of several threads make single games differ."));
}

TEST_CASE("Page: suites stand there with what fails first, and only where a run has them") {
    const Stored stored(capped(0.2));
    CHECK(stored.page().find("id=\"suite\"") == std::string::npos);
    harness::RunRecord run = stored.run;
    const auto searches = test::add_sample_suite(run.plan);
    harness::SuiteResult suite = harness::judge(run.plan, searches);
    RunView view{run, {{stored.tallies.data(), {}}}, {}, "assay.db"};
    view.suite = &suite;
    const std::string page = web::run_page(view, stored.store);
    CHECK(headline(page) ==
          "The gate stops head: it plays no worse than base, but one search expectation fails.");
    const std::string section = between(page, "id=\"suite\"", "</section>");
    CHECK(section.find("Suite tactics: 1 of 2 expectations fails<") != std::string::npos);
    CHECK(section.find("quiescence &lt;explosion&gt;") < section.find(">size<"));
    CHECK(section.find("▼ fails") != std::string::npos);
    CHECK(section.find("data-open=\"n2-1\">position p4, node 1,204,331, size 840</a>: a5c7 d2b3") !=
          std::string::npos);
    CHECK(section.find("aria-label=\"Board of position p4, node 1,204,331") != std::string::npos);
    CHECK(page.find("{\"id\":\"n2-1\"") != std::string::npos);
    CHECK(section.find("−5.0 %") != std::string::npos);

    SUBCASE("what holds though its sum is beyond the limit says why") {
        for (harness::ExpectationResult& one : suite.expectations)
            if (one.holds == harness::Holds::Yes) one.reason = "+12 %, but few positions cause it";
        const std::string explained = web::run_page(view, stored.store);
        CHECK(explained.find("+12 %, but few positions cause it") != std::string::npos);
        CHECK(page.find("few positions") == std::string::npos);
    }
    SUBCASE("without a match it is all that there is to say") {
        view.matches.clear();
        const std::string alone = web::run_page(view, stored.store);
        CHECK(headline(alone) ==
              "Suite tactics: 1 of 2 expectations fails: quiescence &lt;explosion&gt;.");
        CHECK(between(alone, "id=\"suite\"", "</section>") == section);
        CHECK(alone.find("id=\"games\"") == std::string::npos);
        CHECK(alone.find("id=\"board\"") != std::string::npos);
        CHECK(alone.find("--format pgn") == std::string::npos);
        CHECK(alone.find("searches it again") != std::string::npos);
    }
}

TEST_CASE("Page: a share's mean over a suite is in every kind of report, in JSON beside the sum") {
    const Stored stored(capped(0.2));
    harness::RunRecord run = stored.run;
    const auto searches = test::add_sample_suite(run.plan);
    run.plan.suite->expectations[0].query = "node: count(depth > 0) * 1000 / count(*)";
    const harness::SuiteResult suite = harness::judge(run.plan, searches);
    RunView view{run, {}, {}, "assay.db"};
    view.suite = &suite;
    CHECK(suite_table(view, false).find("mean 1,000 → 950") != std::string::npos);
    CHECK(suite_markdown(view).find("| mean 1,000 → 950 |") != std::string::npos);
    const auto json = expectations_json(view).at(0).as_object();
    CHECK(json.at("before").as_int64() == 9000);  // of nine positions, as ever
    CHECK(json.at("after").as_int64() == 8550);
    CHECK(json.at("total").as_string() == "mean");
    CHECK(json.at("mean_before").as_int64() == 1000);
    CHECK(json.at("mean_after").as_int64() == 950);
    const auto sum = expectations_json(view).at(1).as_object();
    CHECK(sum.at("total").as_string() == "sum");
    CHECK(sum.at("after").as_int64() == 4);
    CHECK(sum.at("mean_after").is_null());
    const std::string page = web::run_page(view, stored.store);
    CHECK(page.find("mean 1,000") != std::string::npos);
    CHECK(page.find("mean 950") != std::string::npos);
}

TEST_CASE("Page: the checks are those of every report, and the speed's") {
    test::SampleRun run = capped(0.1);
    run.failure_rate = 0.02;
    const Stored stored(run);
    const std::string section = between(stored.page(), "id=\"diag\"", "</section>");
    for (const Check& check : checks_of(stored.tallies[0], stored.run)) {
        CAPTURE(check.name);
        CHECK(section.find("<td>" + check.name + "</td><td class=\"n\">" +
                           plot::with_minus(check.value) + "</td>") != std::string::npos);
    }
    CHECK(section.find("Elo as scored ") != std::string::npos);
    CHECK(section.find("nodes/s") != std::string::npos);
}

TEST_CASE("Page: a packed game steps through the positions of the rules") {
    const std::unique_ptr<rules::Game> chess = rules::make_game("chess");
    Random random(11);
    // Castling, en passant and promotion, then games of chance.
    std::vector<std::vector<std::string>> games{{"e2e4", "g8f6", "e4e5", "d7d5", "e5d6", "g7g6",
                                                 "g1f3", "f8g7", "f1e2", "e8g8", "e1g1", "a7a6",
                                                 "d6c7", "a6a5", "c7d8q"}};
    for (int i = 0; i < 20; ++i) {
        const auto position = chess->start();
        std::vector<rules::Move> legal;
        std::vector<std::string>& names = games.emplace_back();
        for (int ply = 0; ply < 120 && !position->result(); ++ply) {
            position->moves(legal);
            const rules::Move move = legal[random.below(legal.size())];
            names.push_back(position->name_of(move, rules::Notation::Canonical));
            position->make(move);
        }
    }
    for (const std::vector<std::string>& names : games) {
        harness::GameRecord record;
        record.opening = {names[0]};
        for (std::size_t i = 1; i < names.size(); ++i) {
            harness::MoveRecord move;
            move.name = names[i];
            record.moves.push_back(move);
        }
        const web::PackedGame packed = web::packed(*chess, record);
        REQUIRE(packed.names.size() == names.size());
        const auto position = chess->start();
        for (std::size_t ply = 0; ply < names.size(); ++ply) {
            CHECK(packed.board_after(ply) == web::board_of(*chess, *position)->squares);
            position->make(*position->move_of(names[ply], rules::Notation::Canonical));
        }
        CHECK(packed.board_after(names.size()) == web::board_of(*chess, *position)->squares);
    }
}

TEST_CASE("Page: a bad start gives no plies, and no board") {
    harness::GameRecord record;
    record.start = "no position";
    const web::PackedGame packed = web::packed(*rules::make_game("chess"), record);
    CHECK(packed.names.empty());
    CHECK(packed.columns == 0);
}

TEST_CASE("Page: the LLR's bounds are those that the rule compared with") {
    for (const double strength : {0.0, 0.2}) {
        const Stored stored(capped(strength));
        const auto pairs = stored.store.pairs(stored.run.id, 0);
        const web::MatchFacts facts = web::facts_of(stored.tallies[0], pairs);
        const auto bounds = web::bounds_of(stored.tallies[0], 0);
        REQUIRE(bounds.size() > 2);
        CHECK(bounds.back().pairs == 400);
        int compared = 0;
        for (std::size_t i = 1; i < facts.looks.size(); ++i) {
            const web::LookPoint& look = facts.looks[i];
            if (look.upper == facts.looks[i - 1].upper || look.pairs >= 400) continue;
            const std::size_t at = static_cast<std::size_t>(look.pairs / 5);
            const double share = static_cast<double>(look.pairs % 5) / 5;
            const auto& next = bounds[std::min(at + 1, bounds.size() - 1)];
            const double upper = *bounds[at].upper + share * (*next.upper - *bounds[at].upper);
            const double lower = *bounds[at].lower + share * (*next.lower - *bounds[at].lower);
            CHECK(*look.upper == doctest::Approx(upper).epsilon(0.002));
            CHECK(*look.lower == doctest::Approx(lower).epsilon(0.002));
            ++compared;
        }
        CHECK(compared > 2);
        CHECK(facts.elo.back().pairs == stored.tallies[0].pairs());
    }
}

TEST_CASE("Page: a short test's LLR ends outside of the curve that is drawn, where it decides") {
    test::SampleRun run = capped(0.6);
    run.pairs = 20;
    const Stored stored(run);
    const harness::MatchTally& tally = stored.tallies[0];
    const web::MatchFacts facts = web::facts_of(tally, stored.store.pairs(stored.run.id, 0));
    const web::LookPoint& last = facts.looks.back();
    REQUIRE(tally.verdict() == harness::Verdict::Accepted);
    REQUIRE(last.pairs < 20);
    for (const web::LookPoint& point : web::bounds_of(tally, 0)) {
        if (point.pairs == last.pairs) CHECK(*last.llr >= *point.upper);
    }
}

TEST_CASE("Page: endings and sides count the games that the tally counts") {
    const Stored stored(capped(0.1));
    const harness::MatchTally& tally = stored.tallies[0];
    const web::MatchFacts facts = web::facts_of(tally, stored.store.pairs(stored.run.id, 0));
    std::int64_t games = 0;
    std::int64_t won = 0;
    for (const web::Ending& ending : facts.endings) {
        games += ending.games();
        won += ending.first_won;
    }
    CHECK(games == tally.games());
    CHECK(won == tally.wdl().wins);
    CHECK(facts.as_first[0].wins + facts.as_first[1].losses == tally.wdl().wins);
    CHECK(facts.halves[0].games() + facts.halves[1].games() == tally.games());
}

TEST_CASE("Page: pairs that wait for one that is not finished are in no figure") {
    const Stored stored(capped(0.1));
    const auto pairs = stored.store.pairs(stored.run.id, 0);
    harness::MatchTally tally(stored.run.plan.matches[0]);
    for (const std::size_t counted : {std::size_t{0}, std::size_t{3}}) {
        while (tally.pairs() < static_cast<std::int64_t>(counted))
            tally.add(pairs[static_cast<std::size_t>(tally.pairs())]);
        const web::MatchFacts facts = web::facts_of(tally, pairs);
        std::int64_t games = 0;
        for (const web::Ending& ending : facts.endings) games += ending.games();
        CHECK(games == tally.games());
        CHECK(facts.halves[0].games() + facts.halves[1].games() == tally.games());
        REQUIRE(facts.elo.empty() == (counted == 0));
        if (counted > 0) CHECK(facts.elo.back().pairs == tally.pairs());
    }
}

TEST_CASE("Page: the survey finds the swing, the disagreement and the slowest move") {
    harness::GameRecord game;
    const std::array<int, 8> scores{50, -40, 300, 20, 310, 30, -400, 390};
    for (std::size_t i = 0; i < scores.size(); ++i) {
        harness::MoveRecord move;
        move.name = "e2e4";
        move.player = static_cast<int>(i % 2);
        move.score = adapters::Score{false, scores[i], {}};
        move.used = Micros(100'000);
        move.nodes = 200'000;
        move.delay = Micros(i == 5 ? 2500 : 40);
        move.left = Micros(1'000'000 * (9 - static_cast<long long>(i)));
        game.moves.push_back(move);
    }
    web::MoveSurvey survey(web::scale_of(rules::make_game("chess")->info()));
    survey.add(game);
    const web::GameMarks& marks = survey.marks().front();
    CHECK(marks.swing == doctest::Approx(7.1));
    CHECK(marks.swing_from == doctest::Approx(3.1));
    CHECK(marks.swing_to == doctest::Approx(-4.0));
    CHECK(marks.swing_ply == 7);
    CHECK(marks.disagreeing_plies == 5);
    CHECK(marks.delay_us == 2500);
    CHECK(marks.delay_ply == 6);
    CHECK(*survey.nodes_per_second(0) == doctest::Approx(2e6));
    CHECK(*survey.least_left(1) == doctest::Approx(2.0));
    REQUIRE(survey.clocks(0).size() == 4);
    CHECK(survey.clocks(0)[3].median == doctest::Approx(3.0));
}

TEST_CASE("Page: a score beyond the curve's end is told as the program said it") {
    harness::GameRecord game;
    const auto add = [&game](int player, const adapters::Score& score) {
        harness::MoveRecord move;
        move.name = "e2e4";
        move.player = player;
        move.score = score;
        game.moves.push_back(move);
    };
    add(0, {false, -3520, {}});
    add(1, {true, 3, {}});
    add(0, {false, 1234, {}});
    add(1, {true, -2, {}});
    const web::ScoreScale scale = web::scale_of(rules::make_game("chess")->info());
    CHECK(*web::score_of(game.moves[0], scale) == -10);
    web::MoveSurvey survey(scale);
    survey.add(game);
    CHECK(survey.marks().front().swing == doctest::Approx(20));
    CHECK(survey.marks().front().said_from == "−35.2");
    CHECK(survey.marks().front().said_to == "+12.3");
    CHECK(web::said_score(game.moves[1], scale, 2) == "mate in 3");
    CHECK(web::said_score(game.moves[3], scale, 2) == "mated in 2");
    CHECK(web::is_cut(game.moves[0], scale));
    game.moves[0].score->value = 990;
    CHECK_FALSE(web::is_cut(game.moves[0], scale));
    CHECK(web::said_score(game.moves[0], scale, 2) == "+9.90");
}

TEST_CASE("Page: the survey tells two moves in a row by one player from an answer") {
    harness::GameRecord game;
    game.program = {1, 0};
    // Player 1 begins and moves twice: +3 then +3 of one player is no disagreement.
    const std::array<std::pair<int, int>, 4> moves{{{1, 300}, {1, 300}, {0, -300}, {1, 300}}};
    for (const auto& [player, score] : moves) {
        harness::MoveRecord move;
        move.player = player;
        move.score = adapters::Score{false, score, {}};
        move.used = Micros(100'000);
        move.nodes = player == 0 ? 100'000 : 300'000;
        game.moves.push_back(move);
    }
    web::MoveSurvey survey(web::scale_of(rules::make_game("chess")->info()));
    survey.add(game);
    CHECK(survey.marks().front().disagreeing_plies == 0);
    CHECK(*survey.nodes_per_second(0) == doctest::Approx(3e6));
    CHECK(*survey.nodes_per_second(1) == doctest::Approx(1e6));
}

TEST_CASE("Template: text is escaped, markup of ours is not, sections repeat") {
    web::Values values;
    values.set("name", "<b>&\"'\xff").set("raw", "<i>");
    values.lists["rows"].resize(2);
    values.lists["rows"][0].set("x", "1");
    values.lists["rows"][1].set("x", "2");
    values.show("none", false);
    CHECK(web::filled("{{name}} {{{raw}}} {{#rows}}[{{x}}]{{/rows}}{{^none}}-{{/none}}", values) ==
          "&lt;b&gt;&amp;&quot;&#39;\\xff <i> [1][2]-");
    CHECK_THROWS_AS((void)web::filled("{{#open}}", values), Error);
}
