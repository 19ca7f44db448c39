#include "engines/uci/search_stores.h"

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <unistd.h>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::engines {

namespace {

const char* environment(const char* name) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody here changes the environment
    return std::getenv(name);
}

std::size_t memory_of_machine() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long page = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0) return std::numeric_limits<std::size_t>::max();
    return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page);
}

}  // namespace

bool SearchStores::size_table(std::size_t bytes) {
    // The system would grant more than the machine has, and kill the program once it is used.
    if (bytes > memory_of_machine()) return false;
    try {
        memory_.size_table(bytes);
        return true;
    } catch (const std::bad_alloc&) {
        memory_.size_table(0);
        return false;
    }
}

std::optional<std::string> SearchStores::open_log(std::string path, const std::string& game,
                                                  NodeLog::MoveName name, const void* context) {
    const char* const by_environment = environment("ASSAY_TREE_LOG");
    if (path.empty() && by_environment != nullptr) path = by_environment;
    if (path == log_path_) return std::nullopt;
    log_path_ = path;
    log_.reset();
    if (path.empty()) return std::nullopt;
    std::uint64_t most_nodes = 0;
    if (const char* const limit = environment("ASSAY_TREE_LOG_LIMIT")) {
        most_nodes = to_number<std::uint64_t>(limit).value_or(0);
    }
    log_ = std::make_unique<NodeLog>(path, game, most_nodes, name, context);
    const std::string error = log_->error();
    if (error.empty()) return std::nullopt;
    return "no tree log: " + printable_utf8(error);
}

}  // namespace assay::engines
