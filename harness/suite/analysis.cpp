#include "harness/suite/analysis.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/machine_fault.h"
#include "gtql/exec/execute.h"
#include "gtql/lang/parser.h"
#include "gtql/log/import/open_trees.h"
#include "gtql/log/packed/packed_writer.h"
#include "harness/suite/nodes.h"

namespace assay::harness {

namespace {

constexpr int kPackLevel = 6;
constexpr int kMachineFailed = 4;  // exit code of an Error that is no fault of a log
// Bytes of a log; running out of memory on a larger one is its program's fault.
constexpr std::uintmax_t kLargeLog = std::uintmax_t{1} << 30U;

/// What a log holds of its last search.
struct Logged {
    std::unique_ptr<gtql::TreeSource> last_whole;
    std::uint64_t all_nodes = 0;
    std::size_t trees = 0;
    bool ends_whole = false;  // its last tree is whole
    std::uint64_t last_iteration = 0;
    std::vector<std::string> warnings;
};

Logged read_log(const std::string& path, const std::atomic<bool>& is_cancelled) {
    Logged logged;
    const auto file = gtql::TreeFile::open(path);
    for (std::size_t i = 0; i < file->size() && !is_cancelled; ++i) {
        const bool is_last_search = file->search(i) == file->search(file->size() - 1);
        if (!is_last_search) continue;
        auto tree = file->tree(i, logged.warnings);
        ++logged.trees;
        logged.all_nodes += tree->info().nodes;
        logged.ends_whole = tree->info().complete;
        logged.last_iteration = file->iteration(i);
        if (logged.ends_whole) logged.last_whole = std::move(tree);
    }
    return logged;
}

void set_end(SearchRecord& record, SearchEnd end, std::string reason) {
    record.end = end;
    record.reason = std::move(reason);
    record.tree.clear();
    record.answers.clear();
}

std::string no_memory_for(const std::string& what) {
    return ": there is not enough memory for " + what +
           "; search fewer positions at once (suite.concurrency) or log less (suite.log.nodes)";
}

/// Runs `work`, which reads a log. False, with the reason in the record, where the log is at fault;
/// throws Error where the machine is: too few descriptors, a bad disk, too little memory for a log
/// of at most kLargeLog.
template <class F>
bool is_sound(const LogJob& job, SearchRecord& record, const std::string& what, F work) {
    std::string fault;
    try {
        work();
        return true;
    } catch (const Error& error) {
        if (error.exit_code() == kMachineFailed) throw;
        fault = error.what();
    } catch (const std::bad_alloc&) {
        std::error_code error;
        const auto bytes = std::filesystem::file_size(job.raw, error);
        if (error || bytes <= kLargeLog)
            throw Error(job.raw + no_memory_for("this tree log"), kMachineFailed);
        fault = job.raw + no_memory_for(fmt::format("a tree log of {} MiB", bytes >> 20U));
    } catch (const std::logic_error& error) {
        fault = error.what();
    }
    set_end(record, SearchEnd::BadLog, what + fault);
    return false;
}

/// What is at the path of a log.
struct LogFile {
    bool is_empty = false;  // or nothing is there
    std::string fault;      // what is there instead of a regular file
};

/// Throws Error where the system refuses to say. The folder is the harness's own.
LogFile look_for(const std::string& path) {
    struct stat status {};

    if (::lstat(path.c_str(), &status) != 0) {
        const int reason = errno;
        if (reason == ENOENT) return {true, ""};
        throw Error(path + ": " + system_reason(reason), kMachineFailed);
    }
    if (S_ISLNK(status.st_mode) && ::stat(path.c_str(), &status) != 0) {
        const int reason = errno;
        if (is_machine_fault(reason))
            throw Error(path + ": " + system_reason(reason), kMachineFailed);
        return {false, path + ": a broken link: " + system_reason(reason)};
    }
    if (S_ISDIR(status.st_mode)) return {false, path + ": a folder, no tree log"};
    if (!S_ISREG(status.st_mode)) return {false, path + ": not a regular file"};
    return {status.st_size == 0, ""};
}

/// Why the log's last tree is not whole, or empty where that is as expected: a limit of nodes or of
/// time ends every search within an iteration.
std::string cut_reason(const SuitePlan& suite, const Logged& logged) {
    if (suite.log_nodes > 0 && logged.all_nodes >= suite.log_nodes)
        return fmt::format("its log reached the limit of {} nodes (suite.log.nodes)",
                           suite.log_nodes);
    if (suite.limit.kind != TimeControl::Kind::Depth && logged.last_whole) return "";
    return fmt::format("its log ends within iteration {}", logged.last_iteration);
}

QueryAnswer answer_from(const gtql::Answer& found) {
    QueryAnswer answer;
    answer.value = gtql::number_of(found);
    if (!answer.value) answer.trouble = "the query has no number here: no node is counted";
    return answer;
}

}  // namespace

SuiteAnalyst::SuiteAnalyst(const SuitePlan& suite) : suite_(suite), game_(game_of(suite)) {
    for (std::size_t i = 0; i < suite.expectations.size(); ++i) {
        const SuiteExpectation& one = suite.expectations[i];
        if (!one.is_query()) continue;
        asked_by_.push_back(i);
        queries_.push_back(gtql::parse_query("query of '" + one.name + "'", one.query));
    }
}

std::vector<QueryAnswer> SuiteAnalyst::answers_of(const gtql::TreeSource& tree) const {
    gtql::ExecuteOptions options;
    options.ids = kNodesKept;
    std::vector<gtql::Answer> found(queries_.size());
    std::vector<std::string> troubles(queries_.size());
    try {
        found = gtql::execute(tree, queries_, options);
    } catch (const SyntaxError&) {
        // A name that this program's log does not have concerns only the query that uses it.
        for (std::size_t i = 0; i < queries_.size(); ++i) {
            try {
                found[i] = std::move(gtql::execute(tree, {&queries_[i], 1}, options).front());
            } catch (const SyntaxError& error) {
                troubles[i] = error.diagnostics().front().message;
            }
        }
    }
    std::vector<std::uint64_t> ids;
    for (const gtql::Answer& one : found) ids.insert(ids.end(), one.ids.begin(), one.ids.end());
    const std::vector<FoundNode> nodes = look_up_nodes(tree, ids, *game_);
    std::vector<QueryAnswer> answers(suite_.expectations.size());
    for (std::size_t i = 0; i < queries_.size(); ++i) {
        QueryAnswer& answer = answers[asked_by_[i]];
        if (!troubles[i].empty()) {
            answer = unanswerable(troubles[i]);
            continue;
        }
        answer = answer_from(found[i]);
        for (const std::uint64_t id : found[i].ids)
            for (const FoundNode& node : nodes)
                if (node.id == id) answer.nodes.push_back(node);
    }
    return answers;
}

void SuiteAnalyst::pack(const LogJob& job, const gtql::TreeSource& last_whole,
                        SearchRecord& record) const {
    // Searches run side by side already; a suite's trees are many, and small ones dominate.
    gtql::PackedWriter writer(job.tree, {kPackLevel, 1, 65536});
    const bool is_packed = is_sound(job, record, "it cannot be packed: ", [&] {
        if (suite_.keep != SuitePlan::Keep::All) return writer.add(last_whole);
        const auto file = gtql::TreeFile::open(job.raw);
        std::vector<std::string> warnings;
        for (std::size_t i = 0; i < file->size(); ++i) writer.add(*file->tree(i, warnings));
    });
    if (!is_packed) return;
    writer.finish();
    record.packed_bytes = writer.bytes();
}

/// Fills in the record but for the packed tree; the tree to pack, or null.
std::unique_ptr<gtql::TreeSource> SuiteAnalyst::ask(const LogJob& job, SearchRecord& record,
                                                    const std::atomic<bool>& is_cancelled) const {
    Logged logged = read_log(job.raw, is_cancelled);
    if (is_cancelled) return nullptr;
    if (logged.trees == 0) {
        set_end(record, SearchEnd::NoLog, "its tree log has no tree");
        return nullptr;
    }
    record.all_nodes = logged.all_nodes;
    if (!logged.ends_whole && record.end == SearchEnd::Searched) {
        const std::string why = cut_reason(suite_, logged);
        if (!why.empty()) {
            record.end = SearchEnd::Unfinished;
            record.reason = why;
        }
    }
    if (!logged.last_whole) {
        record.tree.clear();
        record.answers.assign(suite_.expectations.size(),
                              {std::nullopt, "its log has no whole iteration", {}});
        return nullptr;
    }
    record.iteration = logged.last_whole->info().iteration;
    record.nodes = logged.last_whole->info().nodes;
    record.answers = answers_of(*logged.last_whole);
    return std::move(logged.last_whole);
}

void SuiteAnalyst::look_at(const LogJob& job, SearchRecord& record,
                           const std::atomic<bool>& is_cancelled) const {
    std::error_code error;
    // Left by a session that was killed here.
    std::filesystem::remove(job.tree, error);
    const LogFile found = look_for(job.raw);
    if (!found.fault.empty()) {
        set_end(record, SearchEnd::BadLog, found.fault);
        return;
    }
    if (found.is_empty) {
        set_end(record, SearchEnd::NoLog,
                "it wrote no tree log: does it know ASSAY_TREE_LOG or an option TreeLog?");
        return;
    }
    std::unique_ptr<gtql::TreeSource> tree;
    const bool is_read = is_sound(job, record, "", [&] { tree = ask(job, record, is_cancelled); });
    if (is_read && tree && !is_cancelled) pack(job, *tree, record);
}

}  // namespace assay::harness
