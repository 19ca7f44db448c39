#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gtql/log/bytes.h"
#include "gtql/log/tree.h"

namespace assay::gtql {

/// An attribute of a raw log: a name and when its value is known.
struct RawAttribute {
    std::string name;
    bool at_entry = false;
    bool at_exit = false;
};

/// The declarations of a raw log (block S).
struct RawSchema {
    std::string program;
    std::string game;
    std::vector<RawAttribute> attributes;
    std::vector<Constant> constants;
};

/// The place of a block of nodes in the file.
struct RawBlock {
    std::uint64_t offset = 0;  // of its content
    std::uint32_t size = 0;    // of its content
    std::uint32_t number = 0;  // within its stream and tree
    bool is_last = false;      // of its stream and tree
};

/// One tree's blocks.
struct RawTree {
    std::uint32_t number = 0;
    std::uint32_t owner = 0;
    std::uint32_t search = 0;
    std::uint32_t iteration = 0;
    std::string position;
    std::string parameters;
    std::string filter;
    bool has_end = false;
    bool is_limited = false;
    std::uint32_t streams = 0;                              // that took part, as the end says
    std::map<std::uint32_t, std::vector<RawBlock>> blocks;  // by stream
};

/// The contents of a raw log, found in one pass that checks every block.
struct RawIndex {
    RawSchema schema;
    std::vector<RawTree> trees;  // in the order in which they began
    std::vector<Remark> remarks;
};

/// Throws Error where the file is no raw log or ends before its schema. Damage further on is in
/// the remarks, and the trees that it touches lack blocks.
[[nodiscard]] RawIndex index_raw_log(const RandomAccess& file);

/// True for the first bytes of a raw log.
[[nodiscard]] bool is_raw_log(std::string_view first_bytes);

/// True for a name as logs declare them: a letter, then letters, digits and '_',
/// and kLongestName bytes at most.
[[nodiscard]] bool is_log_name(std::string_view name);

}  // namespace assay::gtql
