#include "harness/suite/run.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "adapters/make_player.h"
#include "adapters/process/event_loop.h"
#include "base/diagnostic.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "harness/build/build_versions.h"
#include "harness/machine/machine.h"
#include "harness/match/match_setting.h"
#include "harness/program/line_log.h"
#include "harness/suite/analysis.h"

namespace assay::harness {

namespace {

constexpr Micros kTick{10'000};

int threads_of(const ProgramPlan& program) {
    for (const auto& [name, value] : program.options)
        if (equal_ignoring_case(name, "Threads"))
            return std::max(1, to_number<int>(trim(value)).value_or(1));
    return 1;
}

SuiteRunner::Setup setup_of(const RunRecord& run, const Store& store, adapters::EventLoop& loop) {
    const SuitePlan& suite = *run.plan.suite;
    SuiteRunner::Setup setup{run.plan, run.id, {}, {}, 1, 5, {}, {}, {}, {}};
    setup.trees = std::filesystem::absolute(trees_folder(store.path())).string();
    for (const std::size_t program : suite.programs) {
        const ProgramPlan placed =
            placed_program(run.plan.programs[program], run.versions.at(program));
        setup.specs.push_back(spec_of(placed, suite.variant == "chess960"));
    }
    setup.concurrency = suite_concurrency(run.plan);
    setup.failures_in_a_row = run.plan.failures_in_a_row;
    setup.limits.start = run.plan.start_limit;
    setup.post = [&loop](std::function<void()> work) { loop.post(std::move(work)); };
    setup.wall_clock_us = [] { return wall_clock_us(); };
    return setup;
}

/// What lies beside a run's trees before and after a sitting: raw logs, and trees half packed, of a
/// harness or a program that was killed.
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
            // A tree that is whole ends with it, whatever its position is called.
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
    // First, so that no program is left when it goes.
    const Leftovers leftovers(trees_folder(store.path()) + "/" + std::to_string(run.id));
    adapters::EventLoop loop(clock);
    std::unique_ptr<LineLog> line_log;
    if (!log_dir.empty()) line_log = std::make_unique<LineLog>(log_dir, clock.now());
    const SuiteAnalyst analyst(*run.plan.suite);
    const SuiteRunner::Setup setup = setup_of(run, store, loop);
    SuiteRunner runner(
        setup,
        [&](const adapters::ProgramSpec& spec, adapters::PlayerListener& listener) {
            return adapters::make_player(loop, spec, listener, line_log.get());
        },
        [&](const LogJob& job, SearchRecord& record, const std::atomic<bool>& is_cancelled) {
            analyst.look_at(job, record, is_cancelled);
        },
        clock, [&](const SearchRecord& record) { store.write_search(run.id, record); }, listeners);
    SuiteOutcome outcome;
    loop.on_signals(stop_signals(), [&](int signal) {
        const bool is_first = outcome.signal == 0;
        if (is_first) outcome.signal = signal;
        if (is_first) runner.interrupt();
        const bool is_second = !is_first && signal != SIGHUP;  // which may be told twice
        if (is_second || runner.is_done()) loop.stop();
    });
    loop.every(kTick, [&] {
        runner.tick(clock.now());
        if (runner.is_done()) loop.stop();
    });
    runner.restore(store.searches(run.id));
    for (Listener* const listener : listeners) listener->on_suite_start(run, setup.concurrency);
    runner.start();
    if (!runner.is_done()) loop.run();
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
