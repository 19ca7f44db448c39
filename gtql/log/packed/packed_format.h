#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gtql/log/bytes.h"
#include "gtql/log/packed/packed_codec.h"
#include "gtql/log/tree.h"

namespace assay::gtql {

/// The parts of a packed file (docs/tree-log.md): after a head of 16 bytes records, each with a
/// head of 24 bytes, a part that its checksum covers, and for blocks the columns' data.
inline constexpr std::string_view kPackedMagic("gtltree\n\x01\0\0\0\0\0\0\0", 16);
inline constexpr std::uint64_t kRecordHead = 24;
inline constexpr std::uint64_t kTrailer = 16;
inline constexpr std::size_t kMostPackedColumns = 200;

struct Record {
    std::uint64_t at = 0;       // in the file
    char kind = 0;              // S tree begins, B block, E tree ends, I index
    std::uint32_t covered = 0;  // bytes after the head that the checksum covers
    std::uint32_t data = 0;     // bytes after those
    std::uint64_t checksum = 0;

    [[nodiscard]] std::uint64_t end() const { return at + kRecordHead + covered + data; }
};

/// The bytes of a record whose covered part is `covered`, without its data.
[[nodiscard]] std::string make_record(char kind, std::string_view covered, std::uint64_t data);

/// The record at a place and its covered part; nullopt if there is no whole record.
[[nodiscard]] std::optional<Record> read_record(const RandomAccess& file, std::uint64_t at,
                                                std::vector<std::byte>& covered);

/// Content of record S. Nodes and completeness are in E.
struct TreeHead {
    TreeInfo info;
    TreeSchema schema;
    std::vector<std::string> moves;

    /// Columns as a block holds them.
    [[nodiscard]] std::vector<ColumnId> columns() const;
    [[nodiscard]] std::vector<Width> widths() const;
};

[[nodiscard]] std::string write_tree_head(const TreeHead& head);
/// Throws const char* where it is malformed.
[[nodiscard]] TreeHead read_tree_head(std::span<const std::byte> covered);

/// Content of record B before its data.
struct BlockHead {
    std::uint64_t first = 0;  // node of the tree, from 0
    std::uint32_t nodes = 0;
    std::int64_t level_before = -1;
    std::vector<Chunk> chunks;  // a column each
};

[[nodiscard]] std::string write_block_head(const BlockHead& head);
/// Throws const char* where it is malformed, or refers to columns in a circle.
[[nodiscard]] BlockHead read_block_head(std::span<const std::byte> covered, std::size_t columns);

/// Content of record E.
struct TreeEnd {
    std::uint64_t nodes = 0;
    bool is_complete = false;
    std::vector<std::uint64_t> blocks;  // places of the records
    std::vector<std::uint64_t> firsts;  // their first nodes
};

[[nodiscard]] std::string write_tree_end(const TreeEnd& end);
[[nodiscard]] TreeEnd read_tree_end(std::span<const std::byte> covered);

/// A tree as the index of the file names it.
struct IndexEntry {
    std::uint64_t head = 0;  // place of its S
    std::uint64_t end = 0;   // place of its E; 0: lost
};

[[nodiscard]] std::string write_index(const std::vector<IndexEntry>& entries);
[[nodiscard]] std::vector<IndexEntry> read_index(std::span<const std::byte> covered);

}  // namespace assay::gtql
