#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gtql/log/bytes.h"
#include "gtql/log/raw_blocks.h"
#include "gtql/log/raw_stream.h"
#include "gtql/log/tree.h"

namespace assay::gtql {

/// A raw tree log (docs/tree-log.md), read block by block. A tree is built in memory when asked
/// for: a row's values at exit come after all of its subtree.
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

    /// What was found wrong when the file was opened.
    [[nodiscard]] const std::vector<Remark>& remarks() const { return index_.remarks; }

private:
    [[nodiscard]] std::unique_ptr<Tree> merged_tree(TreeInfo info, const RawTree& raw,
                                                    const std::vector<std::uint32_t>& numbers,
                                                    std::vector<RawStream>& streams,
                                                    MoveTexts& moves,
                                                    std::vector<Remark>& remarks) const;

    std::unique_ptr<RandomAccess> file_;
    RawIndex index_;
};

}  // namespace assay::gtql
