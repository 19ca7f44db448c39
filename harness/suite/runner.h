#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "adapters/protocol/player.h"
#include "base/clock.h"
#include "harness/plan/plan.h"
#include "harness/program/launch_timer.h"
#include "harness/record/listener.h"
#include "harness/record/suite.h"
#include "harness/suite/search.h"

namespace assay::harness {

/// A log that is to be analysed.
struct LogJob {
    std::string raw;   // the tree log as the program wrote it; may be missing
    std::string tree;  // where the packed tree goes
};

/// Analyses a search's log: packs it and answers the queries, filling in the record. Runs on a
/// thread of its own, several side by side; returns early where `is_cancelled` becomes true. What
/// is wrong with the log goes into the record; throws Error where the machine fails, which ends the
/// suite with nothing saved of this search, so that a resumed run repeats it.
using LogAnalysis = std::function<void(const LogJob& job, SearchRecord& record,
                                       const std::atomic<bool>& is_cancelled)>;

/// How a suite ended.
struct SuiteEnd {
    enum class Cause : std::uint8_t { Searched, Interrupted, StoreFailed };

    Cause cause = Cause::Searched;
    std::string message;  // where the disk, the store or a start failed
};

/// Searches the positions of a suite, several at a time, each (program, position) in a process of
/// its own; position by position, so that builds can be compared early. Decides nothing about what
/// is found. All calls come on the event loop's thread.
class SuiteRunner {
public:
    struct Setup {
        const RunPlan& plan;  // with a suite
        std::int64_t run = 0;
        std::string trees;                         // folder of the store's trees, absolute
        std::vector<adapters::ProgramSpec> specs;  // by program of the suite
        int concurrency = 1;
        int failures_in_a_row = 5;  // a program that hangs or does not start so often is given up
        SuiteSearch::Limits limits;
        std::function<void(std::function<void()>)> post;  // to the loop's thread, from any
        std::function<long long()> wall_clock_us;
        /// Starts an analysis; an empty thread means that it is over. Null: on a thread of its own.
        std::function<std::thread(std::function<void()>)> spawn;
    };

    /// `save` makes a record durable before it returns, or throws Error. Throws Error where the
    /// game of a suite that is solving is not known.
    SuiteRunner(Setup setup, PlayerFactory factory, LogAnalysis analysis, const Clock& clock,
                std::function<void(const SearchRecord&)> save, std::vector<Listener*> listeners);
    SuiteRunner(const SuiteRunner&) = delete;
    SuiteRunner& operator=(const SuiteRunner&) = delete;
    /// Waits for analyses in progress.
    ~SuiteRunner();

    /// Searches that an earlier session saved; they are not repeated. Before start().
    void restore(std::vector<SearchRecord> done);
    void start();
    void tick(TimePoint now);
    /// No further search is begun; those in progress are killed and not saved.
    void interrupt();

    [[nodiscard]] bool is_done() const;

    [[nodiscard]] const SuiteEnd& end() const { return end_; }

    /// In no order.
    [[nodiscard]] const std::vector<SearchRecord>& records() const { return records_; }

    /// How the programs of the suite identified themselves.
    [[nodiscard]] const std::map<std::size_t, adapters::Identity>& identities() const {
        return identities_;
    }

private:
    struct Task {
        std::size_t program = 0;
        std::size_t position = 0;
    };

    struct Slot;

    void fill_slots();
    void begin(Slot& slot, const Task& task);
    [[nodiscard]] bool prepare_log(Slot& slot);
    static void remove_log(const Slot& slot);
    void take_results(Slot& slot);
    void after_search(Slot& slot);
    void analyse(Slot& slot);
    void after_analysis(Slot& slot);
    void finish_measured(Slot& slot);
    void finish(const SearchRecord& record);
    void fail(const std::string& message);
    void warn_of_machine(const std::string& text);
    void warn_of_ignored_nodes(const Slot& slot);
    void check_launches(TimePoint now);
    [[nodiscard]] bool is_given_up(std::size_t program) const;

    Setup setup_;
    std::unique_ptr<rules::Game> game_;  // of a suite that is solving
    PlayerFactory factory_;
    LogAnalysis analysis_;
    const Clock& clock_;
    std::function<void(const SearchRecord&)> save_;
    std::vector<Listener*> listeners_;
    LaunchTimer launches_;
    std::uint64_t launch_steps_ = 0;  // of searches that are over
    std::vector<Task> tasks_;         // last first
    std::vector<std::unique_ptr<Slot>> slots_;
    std::vector<SearchRecord> records_;
    std::vector<int> in_a_row_;            // hangs and failed starts, by program
    std::set<std::size_t> told_of_nodes_;  // programs that do not keep to their limit
    std::map<std::size_t, adapters::Identity> identities_;
    std::atomic<bool> is_cancelled_ = false;
    SuiteEnd end_;
};

}  // namespace assay::harness
