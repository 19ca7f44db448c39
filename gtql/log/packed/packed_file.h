#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/packing.h"
#include "gtql/log/bytes.h"
#include "gtql/log/packed/packed_format.h"
#include "gtql/log/tree.h"

namespace assay::gtql {

/// Buffers of one thread that decodes blocks one after the other.
struct Unpacking {
    DecodeBuffers buffers;
    ZstdFrames frames;
};

/// A packed tree. Only the columns of a reader are read and decoded, by two threads that run ahead
/// of it. Keeps the file open.
class PackedTree final : public TreeSource {
public:
    PackedTree(std::shared_ptr<const RandomAccess> file, TreeHead head, TreeEnd end);

    [[nodiscard]] const TreeInfo& info() const override { return head_.info; }

    [[nodiscard]] const TreeSchema& schema() const override { return head_.schema; }

    [[nodiscard]] const std::vector<std::string>& moves() const override { return head_.moves; }

    [[nodiscard]] std::unique_ptr<BlockReader> read(
        std::span<const ColumnId> wanted) const override;

    [[nodiscard]] std::size_t blocks() const { return end_.blocks.size(); }

    /// Its head: codings, sizes, least and greatest values. Throws Error where it is damaged.
    [[nodiscard]] BlockHead block_head(std::size_t block) const;

    /// Reads and decodes some columns of a block, and checks what a reader may rely on: levels are
    /// a preorder, moves have texts. Throws Error with the block's place. May be called by several
    /// threads.
    void decode(std::size_t block, std::span<const ColumnId> wanted, Unpacking& room,
                std::vector<std::vector<std::byte>>& out) const;

    [[nodiscard]] std::size_t nodes_of(std::size_t block) const;

    [[nodiscard]] std::uint64_t first_of(std::size_t block) const { return end_.firsts[block]; }

    [[nodiscard]] Width width_of_column(ColumnId id) const;

    void rename(std::string name) { head_.info.name = std::move(name); }

private:
    struct Loaded;

    [[noreturn]] void fail(std::uint64_t at, const std::string& what) const;
    [[nodiscard]] Loaded load_head(std::size_t block) const;

    std::shared_ptr<const RandomAccess> file_;
    TreeHead head_;
    TreeEnd end_;
    std::vector<ColumnId> columns_;
    std::vector<Width> widths_;
};

/// The trees of a packed file. Where the index at its end is lost, it is rebuilt by walking over
/// the records; a tree whose end is lost has the blocks that are whole, and is not complete. With
/// the index, damage in one tree leaves the others as they are.
class PackedFile {
public:
    /// Throws Error where the file is no packed file.
    explicit PackedFile(std::shared_ptr<const RandomAccess> file);

    [[nodiscard]] std::size_t size() const { return trees_.size(); }

    [[nodiscard]] const PackedTree& tree(std::size_t i) const { return *trees_.at(i); }

    /// Moves tree `i` out. Call it once for each.
    [[nodiscard]] std::unique_ptr<PackedTree> take(std::size_t i) {
        return std::move(trees_.at(i));
    }

    [[nodiscard]] const std::vector<Remark>& remarks() const { return remarks_; }

    [[nodiscard]] bool is_index_lost() const { return is_index_lost_; }

private:
    bool load_indexed();
    void load_tree(const IndexEntry& entry);
    static bool add_block(const Record& record, std::span<const std::byte> covered, TreeEnd& end);
    void rebuild();
    void add_tree(std::uint64_t at, std::span<const std::byte> head, TreeEnd end);

    std::shared_ptr<const RandomAccess> file_;
    std::vector<std::unique_ptr<PackedTree>> trees_;
    std::vector<Remark> remarks_;
    bool is_index_lost_ = false;
};

/// Decodes every column of every block and compares it with the least and greatest values in the
/// block's head. Adds a sentence for each wrong block to `remarks`.
void verify(const PackedTree& tree, std::vector<Remark>& remarks);

/// True for the first bytes of a packed file.
[[nodiscard]] bool is_packed_file(std::string_view first_bytes);

}  // namespace assay::gtql
