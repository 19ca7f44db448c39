#include "harness/run/run_end.h"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/harness/store/sample_records.h"
#include "tests/support/sample_tally.h"
#include "tests/support/temp_dir.h"

using namespace assay;
using namespace assay::harness;

namespace {

/// A run that was played, with a control whose one pair is no mirror.
RunOutcome played_with_odd_control(Store& store) {
    RunOutcome outcome;
    outcome.run = test::sample_run();
    outcome.run.findings = RunFindings();
    MatchPlan& control = outcome.run.plan.matches.front();
    control.is_control = true;
    control.deterministic = true;
    control.between = {1, 1};
    outcome.run.id = store.begin_run(outcome.run);
    MatchTally tally(control);
    tally.add(assay::test::pair_of(0, 2, 2));
    outcome.matches.push_back(std::move(tally));
    outcome.ends.push_back({});
    return outcome;
}

/// Looks into the store and writes to it as another process would, while it is told of something.
class Neighbour final : public Listener {
public:
    explicit Neighbour(std::string path) : path_(std::move(path)) {}

    void on_warning(std::string_view kind, std::string_view /*text*/) override {
        kinds.emplace_back(kind);
        Store other(path_, Store::Access::Write);
        const RunRecord run = other.find_run("latest").value();
        state = run.state;
        control = run.findings.control;
        other.set_state(run.id, RunState::Finished, "written beside");
    }

    std::vector<std::string> kinds;
    RunState state = RunState::Running;
    std::string control;

private:
    std::string path_;
};

class Thrower final : public Listener {
public:
    void on_warning(std::string_view, std::string_view) override {
        throw std::runtime_error("the pipe is gone");
    }
};

}  // namespace

TEST_CASE("Run's end: listeners hear of findings when they are durable and others may write") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("assay.db");
    Store store(path, Store::Access::Write);
    RunOutcome outcome = played_with_odd_control(store);
    Neighbour neighbour(path);
    end_run(outcome, {}, store, {&neighbour});
    CHECK(neighbour.kinds == std::vector<std::string>{"control"});
    CHECK(neighbour.state == RunState::Finished);
    CHECK(neighbour.control == outcome.run.findings.control);
    CHECK(store.find_run("latest").value().end_reason == "written beside");
}

TEST_CASE("Run's end: a listener that throws does not take the end back") {
    const assay::test::TempDir dir;
    Store store(dir.path("assay.db"), Store::Access::Write);
    RunOutcome outcome = played_with_odd_control(store);
    Thrower thrower;
    CHECK_THROWS_AS(end_run(outcome, {}, store, {&thrower}), std::runtime_error);
    CHECK(store.find_run("latest").value().state == RunState::Finished);
    CHECK(store.summaries().size() == 1);
}

TEST_CASE("Run's end: a run that is continued loses the summary of its earlier end") {
    const assay::test::TempDir dir;
    Store store(dir.path("assay.db"), Store::Access::Write);
    RunOutcome outcome = played_with_odd_control(store);
    end_run(outcome, {}, store, {});
    REQUIRE(store.summaries().size() == 1);
    store.set_state(outcome.run.id, RunState::Finished, "");
    CHECK(store.summaries().size() == 1);
    store.set_state(outcome.run.id, RunState::Running, "");
    CHECK(store.summaries().empty());
}

TEST_CASE("Run's end: the exit code goes with it, but not where a signal stopped the run") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("assay.db");
    Store store(path, Store::Access::Write);
    const RunOptions options;
    RunOutcome outcome = played_with_odd_control(store);
    outcome.run.findings.is_gate = true;
    end_run(outcome, options, store, {});
    CHECK(outcome.run.state == RunState::Finished);
    CHECK(outcome.run.findings.exit_code == 3);
    CHECK(store.find_run("latest").value().findings.exit_code == 3);

    RunOutcome stopped = played_with_odd_control(store);
    stopped.signal = 2;
    end_run(stopped, options, store, {});
    CHECK_FALSE(stopped.run.findings.exit_code.has_value());
    CHECK_FALSE(store.find_run("latest").value().findings.exit_code.has_value());
}

TEST_CASE("Run's end: what failed before the first game is the program's fault or the machine's") {
    const assay::test::TempDir dir;
    Store store(dir.path("assay.db"), Store::Access::Write);
    for (const bool is_machines : {false, true}) {
        CAPTURE(is_machines);
        RunOutcome outcome = played_with_odd_control(store);
        outcome.before = RunOutcome::Before::CannotPlay;
        outcome.before_reason = "head does not build";
        outcome.is_machines = is_machines;
        end_run(outcome, {}, store, {});
        const RunRecord run = store.find_run("latest").value();
        CHECK(run.state == RunState::Failed);
        // By this --resume leaves the run behind where a ref has moved.
        CHECK(run.findings.failed_program.value_or(false) != is_machines);
    }
}

TEST_CASE("Run's end: a match that ran out of time does not hide a later one's failure") {
    RunOutcome outcome;
    std::string reason;
    outcome.ends = {{MatchEnd::Cause::OutOfTime, -1, ""}, {MatchEnd::Cause::Played, -1, ""}};
    CHECK(state_after(outcome, reason) == RunState::Finished);
    CHECK(reason == kOutOfTime);
    for (const MatchEnd::Cause cause :
         {MatchEnd::Cause::CannotStart, MatchEnd::Cause::KeepsFailing,
          MatchEnd::Cause::MachineFailed, MatchEnd::Cause::StoreFailed}) {
        outcome.ends[1] = {cause, 1, "base could not be started"};
        CHECK(state_after(outcome, reason) == RunState::Failed);
        CHECK(reason == "base could not be started");
    }
    outcome.signal = 15;
    CHECK(state_after(outcome, reason) == RunState::Interrupted);
}
