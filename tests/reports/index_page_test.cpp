#include "reports/web/index_page.h"

#include <string>

#include <doctest/doctest.h>

#include "harness/suite/verdict.h"
#include "reports/view/version_text.h"
#include "tests/support/contains.h"
#include "tests/support/sample_suite.h"

using namespace assay;
using namespace assay::reports;
using assay::test::contains;

namespace {

harness::VersionRecord built(const std::string& commit, const std::string& subject) {
    harness::VersionRecord version;
    version.name = "head";
    version.sha256 = "0123456789abcdef";
    version.source = harness::SourceRecord{};
    version.source->commit = commit;
    version.source->subject = subject;
    return version;
}

harness::RunRecord night(std::int64_t id, harness::RunState state) {
    harness::RunRecord run;
    run.id = id;
    run.name = "nightly";
    run.state = state;
    run.started_us = 1'795'899'840'000'000;  // 2026-11-28 21:04 UTC
    run.plan.programs.resize(2);
    run.plan.programs[0].name = "head";
    run.plan.programs[1].name = "base";
    run.plan.matches.resize(1);
    return run;
}

}  // namespace

TEST_CASE("Version text: a commit and its subject, else the program's own name, else the hash") {
    harness::VersionRecord version = built("a1b2c3d4e5", "Fix the <null> move");
    CHECK(version_text(&version) == "a1b2c3d Fix the <null> move");
    version.source->tree = "ffff";
    CHECK(version_text(&version) == "a1b2c3d+ Fix the <null> move");
    CHECK(short_id(&version) == "a1b2c3d+");
    version.source.reset();
    CHECK(version_text(&version) == "0123456789");
    version.id_name = "Engine 1.2";
    CHECK(version_text(&version) == "Engine 1.2");
    CHECK(version_text(nullptr).empty());
    version = built("a1b2c3d4e5", std::string(300, 'x') + "\xe2\x80\xae");
    CHECK(version_text(&version).size() <= 8 + 72);
}

TEST_CASE("Index: nights of one config are told apart by version, outcome and date") {
    harness::RunRecord first = night(1, harness::RunState::Finished);
    first.versions = {built("1111111aaa", "Tune the margins"), built("0000000aaa", "Start")};
    harness::RunRecord second = night(2, harness::RunState::Interrupted);
    second.versions = {built("2222222aaa", "Prune <more>"), built("1111111aaa", "Tune it")};
    second.versions[1].source.reset();
    second.versions[1].id_name = "Engine 1.2";
    const std::string page = web::index_page({{&second}, {&first}}, "assay.db");
    CHECK(contains(page, "<b>head</b> 1111111 Tune the margins"));
    CHECK(contains(page, "<b>head</b> 2222222 Prune &lt;more&gt;"));
    CHECK(contains(page, "<b>base</b> Engine 1.2"));
    CHECK(contains(page, "2026-11-28 21:04 UTC"));
    CHECK(contains(page, "interrupted"));
    CHECK(contains(page, "href=\"/history/nightly\""));
    CHECK_FALSE(contains(page, "http-equiv=\"refresh\""));
}

TEST_CASE("Index: a run that fails by its suite says so, whatever its match says") {
    harness::RunRecord run = night(1, harness::RunState::Finished);
    run.plan.suite = test::suite_plan(1).suite;
    run.plan.suite->expectations[0].max = 5;
    const auto word_of = [&](double answer) {
        const harness::SuiteResult suite =
            harness::judge(run.plan, {test::search_of(0, 0, answer), test::search_of(1, 0, 1)});
        RunView view{run, {}, {}, "assay.db"};
        view.suite = &suite;
        return web::index_page({{&run, &view}}, "assay.db");
    };
    CHECK(contains(word_of(6), "▼ fails"));
    CHECK_FALSE(contains(word_of(5), "fails"));
}

TEST_CASE("Index: the run in play stands first, and one that a kill left behind is no such run") {
    const harness::RunRecord killed = night(3, harness::RunState::Running);
    const harness::RunRecord done = night(2, harness::RunState::Finished);
    const harness::RunRecord played = night(1, harness::RunState::Running);
    const std::string page = web::index_page({{&killed}, {&done}, {&played, nullptr, true}}, "s");
    CHECK(contains(page, "3 runs stored, one in play."));
    CHECK(page.find("● in play") < page.find("× cut off"));
    CHECK(page.find("/run/1\"") < page.find("/run/3\""));
    CHECK(page.find("/run/3\"") < page.find("/run/2\""));
}

TEST_CASE("Index: a store that is not there yet, or has no run, is asked for again") {
    const std::string waits = web::waiting_page("my<store>.db");
    CHECK(contains(waits, "There is no store my&lt;store&gt;.db yet."));
    CHECK(contains(waits, "http-equiv=\"refresh\" content=\"2\""));
    CHECK_FALSE(contains(waits, "<h2>Runs</h2>"));
    CHECK(contains(web::index_page({}, "s"), "http-equiv=\"refresh\" content=\"2\""));
}
