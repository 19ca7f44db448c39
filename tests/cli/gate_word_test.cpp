// Every way in which a gate ends: its exit code, its word and its reason, the same in all outputs.
#include <optional>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "harness/match/match_summary.h"
#include "harness/plan/resolved_stop.h"
#include "harness/run/run.h"
#include "reports/files/badge.h"
#include "reports/files/junit.h"
#include "reports/files/run_json.h"
#include "reports/history/history.h"
#include "reports/text/github.h"
#include "reports/text/markdown.h"
#include "reports/text/summary.h"
#include "reports/view/outcome_words.h"
#include "reports/web/run_page.h"
#include "tests/harness/store/sample_records.h"
#include "tests/reports/sample_run.h"
#include "tests/support/contains.h"
#include "tests/support/sample_suite.h"
#include "tests/support/sample_tally.h"
#include "tests/support/temp_dir.h"

using namespace assay;
using assay::test::contains;
using harness::InconclusiveAs;
using harness::MatchEnd;
using harness::RunState;
using harness::SearchEnd;
using harness::SpeedFinding;

namespace {

enum class Games { Accepted, Rejected, Open, Tainted, Crashed };

/// One way to end. Expectations: "size" of head is 100 at most, where a bound is asked for.
struct Row {
    const char* name;
    int code;
    const char* word;
    Games games = Games::Accepted;
    InconclusiveAs inconclusive = InconclusiveAs::Code3;
    std::optional<SpeedFinding::State> speed = {};
    std::optional<double> size = {};  // a suite's first answer of head
    std::optional<SearchEnd> head = {};
    std::optional<SearchEnd> base = {};
    const char* control = "";
    std::optional<MatchEnd> end = {};
    int signal = 0;
    std::optional<int> returned = {};  // where an artefact could not be written
};

const std::vector<Row>& rows() {
    using Speed = SpeedFinding::State;
    using Cause = MatchEnd::Cause;
    constexpr auto kPass = InconclusiveAs::Pass;
    constexpr auto kFail = InconclusiveAs::Fail;
    static const std::vector<Row> all{
        {"accepted", 0, "accepted"},
        {"rejected", 1, "rejected", Games::Rejected},
        {"open", 3, "inconclusive", Games::Open},
        {"open, pass", 0, "inconclusive", Games::Open, kPass},
        {"open, fail", 1, "inconclusive", Games::Open, kFail},
        {"tainted", 3, "tainted", Games::Tainted},
        {"tainted, pass", 3, "tainted", Games::Tainted, kPass},
        {"a requirement", 1, "rejected", Games::Crashed},
        {"control", 3, "tainted", {}, {}, {}, {}, {}, {}, "it differs"},
        {"speed open", 3, "inconclusive", {}, {}, Speed::Undecided},
        {"speed open, pass", 0, "inconclusive", {}, kPass, Speed::Undecided},
        {"speed open, fail", 1, "inconclusive", {}, kFail, Speed::Undecided},
        {"speed broken", 1, "rejected", {}, {}, Speed::Broken},
        {"speed broken, tainted", 1, "rejected", Games::Tainted, {}, Speed::Broken},
        {"speed broken, open", 1, "rejected", Games::Open, kPass, Speed::Broken},
        {"suite holds", 0, "accepted", {}, {}, {}, 50},
        {"suite fails", 1, "rejected", {}, {}, {}, 150},
        {"suite fails, tainted", 1, "rejected", Games::Tainted, {}, {}, 150},
        {"suite open", 3, "inconclusive", {}, {}, {}, 50, SearchEnd::Unfinished},
        {"suite open, pass", 0, "inconclusive", {}, kPass, {}, 50, SearchEnd::Unfinished},
        {"suite open, pass, rejected",
         1,
         "rejected",
         Games::Rejected,
         kPass,
         {},
         50,
         SearchEnd::Unfinished},
        {"head crashed", 1, "rejected", {}, {}, {}, 50, SearchEnd::Crash},
        {"head crashed, tainted", 1, "rejected", Games::Tainted, {}, {}, 50, SearchEnd::Crash},
        {"head crashed, open", 1, "rejected", Games::Open, {}, {}, 50, SearchEnd::Hang},
        {"no log", 4, "no verdict", {}, {}, {}, 50, SearchEnd::NoLog},
        {"base crashed", 4, "no verdict", {}, {}, {}, 50, {}, SearchEnd::Crash},
        {"base crashed, fails", 4, "no verdict", {}, {}, {}, 150, {}, SearchEnd::Crash},
        {"base crashed, rejected",
         4,
         "no verdict",
         Games::Rejected,
         {},
         {},
         50,
         {},
         SearchEnd::Crash},
        {"head keeps failing",
         1,
         "rejected",
         {},
         {},
         {},
         {},
         {},
         {},
         "",
         MatchEnd{Cause::KeepsFailing, 0, ""}},
        {"base keeps failing",
         4,
         "no verdict",
         {},
         {},
         {},
         {},
         {},
         {},
         "",
         MatchEnd{Cause::KeepsFailing, 1, ""}},
        {"base keeps failing, a requirement",
         4,
         "no verdict",
         Games::Crashed,
         {},
         {},
         {},
         {},
         {},
         "",
         MatchEnd{Cause::KeepsFailing, 1, ""}},
        {"cannot start",
         4,
         "no verdict",
         {},
         {},
         {},
         {},
         {},
         {},
         "",
         MatchEnd{Cause::CannotStart, 0, ""}},
        {"store failed",
         4,
         "no verdict",
         Games::Rejected,
         {},
         {},
         {},
         {},
         {},
         "",
         MatchEnd{Cause::StoreFailed, -1, ""}},
        {"stopped",
         143,
         "stopped",
         Games::Rejected,
         {},
         {},
         {},
         {},
         {},
         "",
         MatchEnd{Cause::Interrupted, -1, ""},
         15},
        {"no junit.xml", 0, "no verdict", {}, {}, {}, {}, {}, {}, "", {}, 0, 4},
        {"no junit.xml, rejected",
         1,
         "no verdict",
         Games::Rejected,
         {},
         {},
         {},
         {},
         {},
         "",
         {},
         0,
         4},
        {"no junit.xml, suite fails", 1, "no verdict", {}, {}, {}, 150, {}, {}, "", {}, 0, 4},
    };
    return all;
}

harness::RunRecord run_of(const Row& row) {
    harness::RunRecord run = test::report_run();
    run.plan.seed = 1;
    run.plan.programs[0].name = "head";
    run.plan.programs[1].name = "base";
    harness::MatchPlan& match = run.plan.matches[0];
    match.stop.rule = row.games == Games::Tainted ? harness::StopPlan::Rule::Fixed
                                                  : harness::StopPlan::Rule::Sprt;
    if (match.stop.rule == harness::StopPlan::Rule::Sprt) {
        match.stop.e0 = 0;
        match.stop.e1 = 100;
    }
    match.pairs = row.games == Games::Tainted ? 12 : 400;
    match.require.crashes = 0;
    run.findings.is_gate = true;
    run.findings.control = row.control;
    if (row.speed) {
        SpeedFinding& speed = run.findings.speed.emplace_back();
        speed.state = *row.speed;
    }
    if (row.size) {
        run.plan.suite = test::suite_plan(1).suite;
        run.plan.suite->expectations[0].max = 100;
    }
    run.state = RunState::Finished;
    if (row.end) run.state = row.signal != 0 ? RunState::Interrupted : RunState::Failed;
    return run;
}

void play(harness::MatchTally& tally, Games games) {
    switch (games) {
        case Games::Accepted:
            while (tally.verdict() == harness::Verdict::None)
                test::add_pairs(tally, {0, 1, 1, 4, 6});
            break;
        case Games::Rejected:
            while (tally.verdict() == harness::Verdict::None)
                test::add_pairs(tally, {6, 4, 1, 1, 0});
            break;
        case Games::Open:
            test::add_pairs(tally, {1, 1, 1, 1, 1});
            break;
        case Games::Tainted:
            for (std::int64_t i = 0; i < 3; ++i) tally.add(test::pair_of(i, 1, 1));
            for (std::int64_t i = 3; i < 12; ++i)
                tally.add(test::failed_pair(i, 1, harness::Termination::Time, 1));
            break;
        case Games::Crashed:
            tally.add(test::failed_pair(0, 0, harness::Termination::Crash, 0));
            while (tally.verdict() == harness::Verdict::None)
                test::add_pairs(tally, {0, 1, 1, 4, 6});
            break;
    }
}

harness::SearchRecord search_of(std::size_t program, const Row& row) {
    const std::optional<SearchEnd>& end = program == 0 ? row.head : row.base;
    const bool is_answered = !end || *end == SearchEnd::Searched;
    harness::SearchRecord search = test::search_of(
        program, 0, is_answered ? std::optional(program == 0 ? *row.size : 50) : std::nullopt);
    if (end) search.end = *end;
    return search;
}

/// All reports of the run say this outcome.
void check_outputs(const reports::RunView& view, const harness::Outcome& outcome,
                   const harness::Store& store) {
    const std::string word(harness::name_of(outcome.word));
    const std::string reason(harness::name_of(outcome.reason));
    const std::string clause(harness::text_of(outcome.reason));
    const int code = outcome.exit_code.value();

    const std::string terminal = reports::run_summary(view, false);
    CHECK(contains(terminal, fmt::format("gate: {}, exit {}\n", word, code)));
    CHECK((outcome.reason == harness::OutcomeReason::Verdict ||
           contains(terminal, "\nreason: " + clause + "\n")));
    const auto json = boost::json::parse(reports::run_json(view)).as_object();
    CHECK(json.at("outcome").as_string() == word);
    CHECK(json.at("outcome_reason").as_string() == reason);
    CHECK(json.at("exit_code") == code);
    const std::string junit = reports::junit_report(view);
    CHECK(contains(junit, fmt::format(R"(<property name="outcome" value="{}"/>)", word)));
    CHECK(contains(junit, fmt::format(R"(<property name="outcome_reason" value="{}"/>)", reason)));
    CHECK(contains(junit, fmt::format(R"(<property name="exit_code" value="{}"/>)", code)));
    CHECK(contains(reports::markdown_report(view),
                   fmt::format("gate: **{}**, exit {}: {}\n", word, code, clause)));
    const auto badge = boost::json::parse(reports::badge_json(view)).as_object();
    CHECK(badge.at("message").as_string().starts_with(word));
    const std::string page = reports::web::run_page(view, store);
    CHECK(contains(page, " " + word + "</span></dt><dd>Exit code " + std::to_string(code) + ": "));
    CHECK(contains(page, fmt::format("<dd>{} <small>{}</small></dd>", code, word)));
    const std::string outputs = reports::github_outputs(view, code);
    CHECK(contains(outputs, fmt::format("exit_code={}\n", code)));
    CHECK(contains(outputs, fmt::format("\noutcome={}\n", word)));
}

}  // namespace

TEST_CASE("Gate: every exit code has its word, and the night that of the run") {
    for (const Row& row : rows()) {
        CAPTURE(row.name);
        const test::TempDir dir;
        harness::Store store(dir.path("assay.db"), harness::Store::Access::Write);
        harness::RunOutcome outcome;
        outcome.run = run_of(row);
        outcome.signal = row.signal;
        if (row.end) outcome.ends.push_back(*row.end);
        outcome.matches.emplace_back(outcome.run.plan.matches[0],
                                     harness::make_stop_rule(outcome.run.plan.matches[0]));
        harness::MatchTally& tally = outcome.matches[0];
        play(tally, row.games);
        const std::int64_t id = store.begin_run(outcome.run);
        outcome.run.id = id;
        for (std::size_t program = 0; row.size && program < 2; ++program)
            store.write_search(id, search_of(program, row));
        if (row.size) outcome.suite.emplace().result = judge(outcome.run.plan, store.searches(id));
        store.set_state(id, outcome.run.state, "it was so");

        const harness::Outcome played = harness::outcome_of(outcome, row.inconclusive);
        CHECK(played.exit_code == row.code);
        const int returned = row.returned.value_or(row.code);
        if (row.signal == 0) outcome.run.findings.exit_code = returned;
        reports::RunView view{outcome.run, {{&tally, {}}}, {}, dir.path("assay.db")};
        if (outcome.suite) view.suite = &outcome.suite->result;
        view.exit_code = returned;
        const harness::Outcome shown = reports::outcome_of(view);
        CHECK(harness::name_of(shown.word) == row.word);
        CHECK(shown.exit_code == returned);
        CHECK(shown.match == 0U);
        // The store does not keep why the run ended; it is found out from what it does keep.
        if (!row.returned) CHECK(shown == played);
        check_outputs(view, shown, store);

        if (row.signal == 0) store.set_exit_code(id, returned);
        if (outcome.run.state == RunState::Finished) {
            store.set_summary(id, 0, to_json(harness::summary_of(tally, store, id, 0)));
        } else {
            test::write_sample_pair(store, id, 0);  // it has no summary
        }
        const reports::History history = reports::history_of(store, "");
        REQUIRE(history.nights.size() == 1);
        CHECK(reports::night_word(history.nights[0]) == row.word);
        CHECK(history.nights[0].outcome.reason == shown.reason);
        CHECK(history.nights[0].exit_code == outcome.run.findings.exit_code);
    }
}
