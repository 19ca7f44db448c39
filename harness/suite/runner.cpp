// Plays the searches of a suite: `concurrency` slots, each of which makes one search after the
// other and then has its log analysed in a thread. The slot is not free before the analysis is
// done: logs are larger than what a query leaves of them, and searches that run ahead of their
// analysis would fill the disk.
//
// Positions are taken in their order and for all programs before the next one, so that a suite that
// is stopped has compared what it has. What a session finds in the store is not searched again.
//
// A search is a program of its own: a hash table that knew the position before would make the
// result depend on the order.
#include "harness/suite/runner.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "adapters/protocols.h"
#include "base/diagnostic.h"
#include "harness/machine/machine.h"

namespace assay::harness {

namespace {

/// The most bytes of a failed program's last lines that are stored.
constexpr std::size_t kMostLines = 4000;

bool is_costly(SearchEnd end) {
    return end == SearchEnd::NoStart || end == SearchEnd::Hang;
}

}  // namespace

/// Makes one search after the other: the search, then its analysis.
struct SuiteRunner::Slot {
    Task task;
    bool is_free = true;
    LogJob job;
    adapters::ProgramSpec spec;
    SearchRecord record;
    std::unique_ptr<SuiteSearch> search;
    std::thread analyst;
    std::optional<Solution> solution;
    std::string trouble;  // of the machine, found by the analysis
};

SuiteRunner::SuiteRunner(Setup setup, PlayerFactory factory, LogAnalysis analysis,
                         const Clock& clock, std::function<void(const SearchRecord&)> save,
                         std::vector<Listener*> listeners)
    : setup_(std::move(setup)),
      factory_(std::move(factory)),
      analysis_(std::move(analysis)),
      clock_(clock),
      save_(std::move(save)),
      listeners_(std::move(listeners)),
      launches_(setup_.limits.start),
      in_a_row_(setup_.specs.size(), 0) {
    if (!setup_.spawn)
        setup_.spawn = [](std::function<void()> work) { return std::thread(std::move(work)); };
    if (setup_.plan.suite->is_solving()) game_ = game_of(*setup_.plan.suite);
    setup_.limits.wall = setup_.plan.suite->limit.wall_limit;
}

SuiteRunner::~SuiteRunner() {
    is_cancelled_ = true;
    for (const auto& slot : slots_)
        if (slot->analyst.joinable()) slot->analyst.join();
}

void SuiteRunner::restore(std::vector<SearchRecord> done) {
    records_ = std::move(done);
}

void SuiteRunner::start() {
    const SuitePlan& suite = *setup_.plan.suite;
    // From the back: tasks are taken from the end of the list.
    for (std::size_t position = suite.positions.size(); position-- > 0;) {
        for (std::size_t program = suite.programs.size(); program-- > 0;) {
            const bool is_known =
                std::any_of(records_.begin(), records_.end(), [&](const SearchRecord& record) {
                    return record.program == program && record.position == position;
                });
            if (!is_known) tasks_.push_back({program, position});
        }
    }
    for (int i = 0; i < setup_.concurrency; ++i) slots_.push_back(std::make_unique<Slot>());
    fill_slots();
}

bool SuiteRunner::is_given_up(std::size_t program) const {
    return in_a_row_[program] >= setup_.failures_in_a_row;
}

void SuiteRunner::fill_slots() {
    for (const auto& slot : slots_) {
        while (slot->is_free && !tasks_.empty() && end_.cause == SuiteEnd::Cause::Searched) {
            const Task task = tasks_.back();
            tasks_.pop_back();
            begin(*slot, task);
        }
    }
}

void SuiteRunner::begin(Slot& slot, const Task& task) {
    const SuitePlan& suite = *setup_.plan.suite;
    const adapters::ProgramSpec& spec = setup_.specs[task.program];
    slot.task = task;
    slot.record = {};
    slot.record.program = task.program;
    slot.record.position = task.position;
    slot.record.started_us = setup_.wall_clock_us();
    if (suite.logs_trees)
        slot.record.tree = tree_file(setup_.run, spec.name, suite.positions[task.position].id);
    if (is_given_up(task.program)) {
        slot.record.end = SearchEnd::NoStart;
        slot.record.tree.clear();
        slot.record.reason =
            fmt::format("not tried: it failed {} times in a row", setup_.failures_in_a_row);
        finish(slot.record);
        return;
    }
    slot.spec = spec;
    if (suite.logs_trees && !prepare_log(slot)) return;
    slot.is_free = false;
    const SuitePosition& position = suite.positions[task.position];
    auto watch = suite.is_solving()
                     ? std::make_unique<SolutionWatch>(position, *game_, spec.protocol)
                     : nullptr;
    slot.search = std::make_unique<SuiteSearch>(
        slot.spec, position, suite.limit, factory_, clock_, setup_.limits, std::move(watch),
        [this, name = spec.name](const std::string& why) { warn_of_machine(name + ": " + why); });
    slot.search->start();
}

/// Where the search writes its tree log, and how the program learns of it. False where the folder
/// cannot be made, which ends the suite.
bool SuiteRunner::prepare_log(Slot& slot) {
    const SuitePlan& suite = *setup_.plan.suite;
    slot.job.tree = setup_.trees + "/" + slot.record.tree;
    slot.job.raw = slot.job.tree + ".log";
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(slot.job.tree).parent_path(), error);
    if (error) {
        fail(fmt::format("{}: cannot make the folder: {}", setup_.trees, error.message()));
        return false;
    }
    std::filesystem::remove(slot.job.raw, error);
    slot.spec.env.emplace_back("ASSAY_TREE_LOG", slot.job.raw);
    if (suite.log_nodes > 0)
        slot.spec.env.emplace_back("ASSAY_TREE_LOG_LIMIT", std::to_string(suite.log_nodes));
    if (suite.log_from_ply > 0)
        slot.spec.env.emplace_back("ASSAY_TREE_LOG_FROM_PLY", std::to_string(suite.log_from_ply));
    const auto* const protocol = adapters::find_protocol(slot.spec.protocol);
    if (protocol != nullptr && !protocol->info.tree_log_option.empty())
        slot.spec.options_if_any.emplace_back(protocol->info.tree_log_option, slot.job.raw);
    return true;
}

void SuiteRunner::tick(TimePoint now) {
    for (const auto& slot : slots_) {
        if (!slot->search) continue;
        slot->search->tick(now);
        warn_of_ignored_nodes(*slot);
        if (slot->search->is_done()) after_search(*slot);
    }
    check_launches(now);
    fill_slots();
}

void SuiteRunner::take_results(Slot& slot) {
    SearchRecord& record = slot.record;
    const SuiteSearch& search = *slot.search;
    record.end = search.end();
    record.reason = search.reason();
    record.best_move = search.best_move();
    record.used_us = search.used().count();
    slot.solution = search.solution();
    if (!setup_.plan.suite->logs_trees) {
        record.iteration = static_cast<std::uint64_t>(std::max(search.depth(), 0));
        record.nodes = record.all_nodes = search.nodes();
    }
    if (search.identity()) identities_[record.program] = *search.identity();
    if (record.is_failure()) {
        record.last_lines = search.last_lines().substr(0, kMostLines);
        record.tree.clear();
    }
    launch_steps_ += slot.search->running().launch_steps();
}

void SuiteRunner::after_search(Slot& slot) {
    take_results(slot);
    SearchRecord& record = slot.record;
    const bool was_not_launched = slot.search->was_not_launched();
    const bool was_replaced = slot.search->was_replaced();
    slot.search.reset();
    slot.is_free = true;
    const std::string& name = setup_.specs[slot.task.program].name;
    if (end_.cause != SuiteEnd::Cause::Searched) return remove_log(slot);
    if (was_not_launched)
        return fail(fmt::format("the machine ({}) cannot start programs: {}: {}",
                                this_machine().host, name, record.reason));
    if (was_replaced) return fail(fmt::format("{} could not be started: {}", name, record.reason));
    in_a_row_[record.program] = is_costly(record.end) ? in_a_row_[record.program] + 1 : 0;
    if (record.is_failure()) {
        remove_log(slot);
        finish(record);
    } else if (!setup_.plan.suite->logs_trees) {
        record.answers.assign(setup_.plan.suite->expectations.size(), {});
        finish_measured(slot);
    } else {
        analyse(slot);
    }
}

/// In a thread of its own: queries over a large tree would hold up the other searches. The slot is
/// not free until it is done, so that there are never more of these threads than searches.
void SuiteRunner::analyse(Slot& slot) {
    slot.is_free = false;
    slot.trouble.clear();
    const auto work = [this, &slot] {
        try {
            analysis_(slot.job, slot.record, is_cancelled_);
        } catch (const std::exception& error) {
            slot.trouble = error.what();
        }
        setup_.post([this, &slot] { after_analysis(slot); });
    };
    try {
        slot.analyst = setup_.spawn(work);
    } catch (const std::system_error& error) {
        slot.is_free = true;
        fail(std::string("no thread to analyse a tree log: ") + error.what());
    }
}

void SuiteRunner::warn_of_ignored_nodes(const Slot& slot) {
    if (told_of_nodes_.contains(slot.task.program)) return;
    const std::string said = slot.search->ignored_nodes();
    if (said.empty()) return;
    told_of_nodes_.insert(slot.task.program);
    for (Listener* const listener : listeners_)
        listener->on_warning("nodes", setup_.specs[slot.task.program].name + ": " + said +
                                          "; limit the suite by depth, or by the time of a search");
}

void SuiteRunner::remove_log(const Slot& slot) {
    std::error_code ignored;
    if (!slot.job.raw.empty()) std::filesystem::remove(slot.job.raw, ignored);
}

void SuiteRunner::warn_of_machine(const std::string& text) {
    for (Listener* const listener : listeners_) listener->on_warning("machine", text);
}

void SuiteRunner::check_launches(TimePoint now) {
    bool is_any_waiting = false;
    std::uint64_t steps = launch_steps_;
    for (const auto& slot : slots_) {
        if (!slot->search) continue;
        is_any_waiting = is_any_waiting || slot->search->running().is_waiting_for_launch();
        steps += slot->search->running().launch_steps();
    }
    if (!launches_.is_stuck(now, is_any_waiting, steps)) return;
    fail(fmt::format("the machine ({}) cannot start programs: none was started within {} s",
                     this_machine().host, launches_.limit().count() / 1'000'000));
}

void SuiteRunner::after_analysis(Slot& slot) {
    if (slot.analyst.joinable()) slot.analyst.join();
    slot.is_free = true;
    remove_log(slot);
    if (end_.cause != SuiteEnd::Cause::Searched) return;
    if (slot.trouble.empty())
        finish_measured(slot);
    else
        fail(slot.trouble);
    fill_slots();
}

/// Adds the measures to what the analysis found.
void SuiteRunner::finish_measured(Slot& slot) {
    const auto& expectations = setup_.plan.suite->expectations;
    for (std::size_t i = 0; i < expectations.size() && i < slot.record.answers.size(); ++i)
        if (!expectations[i].is_query())
            slot.record.answers[i] = answer_of(expectations[i].measure, slot.solution);
    finish(slot.record);
}

void SuiteRunner::finish(const SearchRecord& record) {
    try {
        save_(record);
    } catch (const Error& error) {
        fail(error.what());
        return;
    }
    records_.push_back(record);
    for (Listener* const listener : listeners_) listener->on_search_end(record, records_.size());
}

void SuiteRunner::fail(const std::string& message) {
    if (end_.cause != SuiteEnd::Cause::Searched) return;
    interrupt();
    end_ = {SuiteEnd::Cause::StoreFailed, message};
}

void SuiteRunner::interrupt() {
    if (end_.cause == SuiteEnd::Cause::Searched) end_.cause = SuiteEnd::Cause::Interrupted;
    is_cancelled_ = true;
    tasks_.clear();
    for (const auto& slot : slots_)
        if (slot->search) slot->search->kill();
}

bool SuiteRunner::is_done() const {
    return tasks_.empty() && std::all_of(slots_.begin(), slots_.end(),
                                         [](const auto& slot) { return slot->is_free; });
}

}  // namespace assay::harness
