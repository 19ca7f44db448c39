#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gtql/log/bytes.h"
#include "gtql/log/raw/raw_blocks.h"
#include "gtql/log/raw/raw_stream.h"
#include "gtql/log/tree.h"

namespace assay::gtql {

/// A raw tree log (docs/tree-log.md), read block by block. The values of a node at exit follow its
/// whole subtree, so that a tree is either built in memory or decoded twice.
class RawLog {
public:
    /// Throws Error as index_raw_log() does.
    explicit RawLog(std::unique_ptr<RandomAccess> file);

    [[nodiscard]] std::size_t trees() const { return index_.trees.size(); }

    [[nodiscard]] std::uint64_t search(std::size_t i) const { return index_.trees.at(i).search; }

    [[nodiscard]] std::uint64_t iteration(std::size_t i) const {
        return index_.trees.at(i).iteration;
    }

    [[nodiscard]] const std::string& program() const { return index_.schema.program; }

    /// Tree `i` with all threads' nodes in one preorder: columns "last_move" and the attributes,
    /// `thread` where there are several, `unfinished` where there are any. What is damaged or cut
    /// is remarked, and the tree is then not complete.
    [[nodiscard]] std::unique_ptr<Tree> load(std::size_t i, std::vector<Remark>& remarks) const;

    /// When a tree stays in the log, and is decoded whenever it is read: where it is of one stream
    /// and its blocks take more bytes than this, so many nodes at a time.
    struct Limits {
        std::uint64_t bytes = 256U << 20;
        std::size_t window = 1U << 16;
        /// The most bytes of blocks of a tree of several streams, which is joined in memory; 0: a
        /// twelfth of the machine's memory, as joining takes up to twelve bytes for each.
        std::uint64_t several = 0;
    };

    /// The same tree, in memory or not, called `name`. Throws Error where it is of several streams
    /// and too large to be joined.
    [[nodiscard]] std::unique_ptr<TreeSource> open(std::size_t i, const std::string& name,
                                                   std::vector<Remark>& remarks) const {
        return open(i, name, remarks, Limits());
    }

    [[nodiscard]] std::unique_ptr<TreeSource> open(std::size_t i, const std::string& name,
                                                   std::vector<Remark>& remarks,
                                                   const Limits& limits) const;

    /// The faults found when the file was opened.
    [[nodiscard]] const std::vector<Remark>& remarks() const { return index_.remarks; }

private:
    [[nodiscard]] TreeInfo info_of(const RawTree& raw) const;
    [[nodiscard]] std::unique_ptr<Tree> merged_tree(TreeInfo info, const RawTree& raw,
                                                    const std::vector<std::uint32_t>& numbers,
                                                    std::vector<RawStream>& streams,
                                                    MoveTexts& moves,
                                                    std::vector<Remark>& remarks) const;

    std::shared_ptr<const RandomAccess> file_;
    RawIndex index_;
};

}  // namespace assay::gtql
