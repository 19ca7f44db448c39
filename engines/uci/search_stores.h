#pragma once
#include <memory>
#include <optional>
#include <string>

#include "engines/search/node_log.h"
#include "engines/search/searcher.h"

namespace assay::engines {

/// What a player keeps beside its options: the memory of its searches, and the log of their trees.
class SearchStores {
public:
    [[nodiscard]] Memory& memory() { return memory_; }

    /// Null while nothing is logged.
    [[nodiscard]] NodeLog* log() const { return log_.get(); }

    /// Sizes the table; 0: none. False without enough memory: the table is then unchanged or empty.
    bool size_table(std::size_t bytes);

    /// Opens the log at this path, or where it is empty at the one that the environment names; the
    /// same path again changes nothing. Returns a sentence if that fails. See NodeLog for the
    /// others.
    std::optional<std::string> open_log(std::string path, const std::string& game,
                                        NodeLog::MoveName name, const void* context);

private:
    Memory memory_;
    std::unique_ptr<NodeLog> log_;
    std::string log_path_;
};

}  // namespace assay::engines
