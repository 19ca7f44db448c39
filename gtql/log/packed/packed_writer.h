#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/replaced_file.h"
#include "gtql/log/packed/packed_format.h"
#include "gtql/log/tree.h"

namespace assay::gtql {

/// How a tree is packed.
struct PackOptions {
    int level = 15;               // of zstd, 1 to 19
    int threads = 2;              // that compress columns side by side
    std::uint32_t block = 65536;  // nodes, at most kMostBlockNodes
};

/// Writes a packed file (.gtl) as ReplacedFile does: `path` has the old content or all of the new
/// one. Memory: one block, whatever the tree's size.
class PackedWriter {
public:
    /// Throws Error where the file cannot be written.
    PackedWriter(std::string path, PackOptions options);
    PackedWriter(const PackedWriter&) = delete;
    PackedWriter& operator=(const PackedWriter&) = delete;
    /// Without finish() the file is removed.
    ~PackedWriter() = default;

    /// Appends a tree; reads it twice where it has moves, to give frequent ones small codes.
    /// `search`: the number that its search gets in this file, where it is not the tree's own.
    /// Throws Error of the source, and where the disk is full.
    void add(const TreeSource& tree, std::optional<std::uint64_t> search = std::nullopt);

    /// Writes the index and moves the file to its name. Call it once, after all trees.
    void finish();

    [[nodiscard]] std::uint64_t bytes() const { return file_.bytes(); }

private:
    void add_blocks(const TreeSource& tree, const TreeHead& head,
                    const std::vector<std::vector<std::int64_t>>& codes, TreeEnd& end);
    void write_block(BlockValues& block, TreeEnd& end);

    ReplacedFile file_;
    PackOptions options_;
    std::vector<IndexEntry> index_;
    std::vector<ColumnCoding> plan_;  // of the tree's columns
    std::size_t blocks_planned_ = 0;
};

/// The coding of each column that makes a block smallest, found by trial. Columns refer to others
/// only as read_block_head() allows.
[[nodiscard]] std::vector<ColumnCoding> plan_codings(const BlockValues& block, int threads);

/// Calls work(i) for i below `count` on so many threads, the caller's among them.
void run_side_by_side(int threads, std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace assay::gtql
