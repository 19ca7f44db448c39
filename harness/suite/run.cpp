// Searches a suite in an event loop of its own and judges it. Before the first search of a new run,
// each program makes one short search (probe()), to find the queries that its logs cannot answer at
// all: an attribute that is misspelled would otherwise be known at the end. A tree is kept only
// where it explains something (`keep: failed`), since logs are gigabytes.
#include "harness/suite/run.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/build/build_versions.h"
#include "harness/machine/machine.h"
#include "harness/match/match_setting.h"
#include "harness/plan/protocol_fit.h"
#include "harness/program/program_loop.h"
#include "harness/suite/analysis.h"
#include "harness/suite/probe.h"

namespace assay::harness {

namespace {

/// `plan`: the run's, or that of its probe.
SuiteRunner::Setup setup_of(const RunPlan& plan, const RunRecord& run, const Store& store,
                            ProgramLoop& loop) {
    const SuitePlan& suite = *plan.suite;
    SuiteRunner::Setup setup{plan, run.id, {}, {}, 1, 5, {}, {}, {}, {}};
    setup.trees = std::filesystem::absolute(trees_folder(store.path())).string();
    for (const std::size_t program : suite.programs) {
        const VersionRecord& version = run.versions.at(program);
        const ProgramPlan placed = placed_program(run.plan.programs[program], version);
        setup.specs.push_back(spec_of(placed, version, suite.game.name));
    }
    setup.concurrency = suite_concurrency(plan);
    setup.failures_in_a_row = run.plan.failures_in_a_row;
    setup.limits.start = run.plan.start_limit;
    setup.post = [&loop](std::function<void()> work) { loop.post(std::move(work)); };
    setup.wall_clock_us = [] { return wall_clock_us(); };
    return setup;
}

/// Files beside a run's trees that a killed harness or program has left: raw logs and trees that
/// are packed in part. Removed before and after a session.
class Leftovers {
public:
    explicit Leftovers(std::string folder) : folder_(std::move(folder)) { remove(); }

    Leftovers(const Leftovers&) = delete;
    Leftovers& operator=(const Leftovers&) = delete;

    ~Leftovers() { remove(); }

private:
    void remove() const {
        namespace fs = std::filesystem;
        std::error_code error;
        std::vector<fs::path> found;
        for (fs::recursive_directory_iterator it(folder_, error), end; !error && it != end;
             it.increment(error)) {
            const std::string name = it->path().filename().string();
            // The name of a whole tree ends with ".gtl", whatever its position is called.
            const bool is_left = name.find(".gtl.") != std::string::npos && !name.ends_with(".gtl");
            if (is_left) found.push_back(it->path());
        }
        for (const fs::path& one : found) fs::remove(one, error);
    }

    std::string folder_;
};

void note_identities(RunRecord& run, Store& store, const SuiteRunner& runner) {
    for (const auto& [program, identity] : runner.identities()) {
        const std::size_t index = run.plan.suite->programs[program];
        if (index >= run.versions.size()) continue;
        run.versions[index].id_name = identity.name;
        run.versions[index].id_author = identity.author;
    }
    store.set_versions(run.id, run.versions);
}

/// With `keep: failed`: a tree is wanted where a failed expectation looks at its position.
void drop_trees(const RunRecord& run, Store& store, SuiteResult& result) {
    const SuitePlan& suite = *run.plan.suite;
    if (suite.keep != SuitePlan::Keep::Failed) return;
    std::vector<bool> is_wanted(suite.positions.size(), false);
    for (const ExpectationResult& one : result.expectations)
        if (one.holds == Holds::No)
            for (const std::size_t position : one.shown) is_wanted[position] = true;
    for (SearchRecord& search : result.searches) {
        if (search.tree.empty() || is_wanted[search.position]) continue;
        std::error_code ignored;
        std::filesystem::remove(trees_folder(store.path()) + "/" + search.tree, ignored);
        store.forget_tree(run.id, search.program, search.position);
        search.tree.clear();
    }
}

/// Tells which queries the programs' logs cannot answer, before the first search. Returns the
/// signal that stopped it, or 0.
int probe(const RunRecord& run, const Store& store, const std::vector<Listener*>& listeners,
          const Clock& clock) {
    const RunPlan plan = probe_plan(run.plan);
    const SuiteAnalyst analyst(*plan.suite);
    ProgramLoop loop(clock, "");
    const SuiteRunner::Setup setup = setup_of(plan, run, store, loop);
    std::vector<SearchRecord> searches;
    SuiteRunner runner(
        setup, loop.players(),
        [&](const LogJob& job, SearchRecord& record, const std::atomic<bool>& is_cancelled) {
            analyst.look_at(job, record, is_cancelled);
        },
        clock, [&](const SearchRecord& record) { searches.push_back(record); }, {});
    runner.start();
    loop.run({[&](TimePoint now) { runner.tick(now); }, [&] { runner.interrupt(); },
              [&] { return runner.is_done(); }});
    for (const SearchRecord& search : searches) {
        std::error_code ignored;
        if (search.tree.empty()) continue;
        std::filesystem::remove(trees_folder(store.path()) + "/" + search.tree, ignored);
    }
    for (const std::string& sentence : unanswerable_queries(plan, searches))
        for (Listener* const listener : listeners) listener->on_warning("suite", sentence);
    return loop.signal();
}

}  // namespace

int suite_concurrency(const RunPlan& plan) {
    const SuitePlan& suite = *plan.suite;
    if (suite.concurrency > 0) return suite.concurrency;
    int threads = 1;
    for (const std::size_t program : suite.programs)
        threads = std::max(threads, threads_of(plan.programs[program]));
    return default_concurrency(this_machine(), threads, suite.limit.is_deterministic());
}

SuiteOutcome search_suite(RunRecord& run, Store& store, const std::string& log_dir,
                          const std::vector<Listener*>& listeners, const Clock& clock) {
    // First, so that it goes last, when no program is left.
    const Leftovers leftovers(trees_folder(store.path()) + "/" + std::to_string(run.id));
    const bool is_new = store.searches(run.id).empty();
    if (is_new && can_probe(run.plan)) {
        SuiteOutcome stopped;
        stopped.signal = probe(run, store, listeners, clock);
        if (stopped.signal != 0) {
            stopped.end.cause = SuiteEnd::Cause::Interrupted;
            stopped.result = judge(run.plan, {});
            return stopped;
        }
    }
    ProgramLoop loop(clock, log_dir);
    const SuiteAnalyst analyst(*run.plan.suite);
    const SuiteRunner::Setup setup = setup_of(run.plan, run, store, loop);
    SuiteRunner runner(
        setup, loop.players(),
        [&](const LogJob& job, SearchRecord& record, const std::atomic<bool>& is_cancelled) {
            analyst.look_at(job, record, is_cancelled);
        },
        clock, [&](const SearchRecord& record) { store.write_search(run.id, record); }, listeners);
    runner.restore(store.searches(run.id));
    for (Listener* const listener : listeners) listener->on_suite_start(run, setup.concurrency);
    runner.start();
    loop.run({[&](TimePoint now) { runner.tick(now); }, [&] { runner.interrupt(); },
              [&] { return runner.is_done(); }});
    SuiteOutcome outcome;
    outcome.signal = loop.signal();
    note_identities(run, store, runner);
    outcome.end = runner.end();
    outcome.result = judge(run.plan, runner.records());
    const bool is_whole = outcome.end.cause == SuiteEnd::Cause::Searched;
    if (is_whole) drop_trees(run, store, outcome.result);
    for (Listener* const listener : listeners)
        if (is_whole) listener->on_suite_end(run, outcome.result);
    return outcome;
}

}  // namespace assay::harness
