#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gtql/log/bytes.h"
#include "gtql/log/raw/raw_blocks.h"
#include "gtql/log/raw/raw_decoder.h"
#include "gtql/log/tree.h"

namespace assay::gtql {

/// A tree of one stream that stays in its raw log. It is decoded once when it is made, for its
/// size, its moves and what nodes got at exit that were open over many others; and again each time
/// it is read. Memory: a window of nodes, the moves' texts, and the nodes that windows' ends cut.
class RawTreeSource final : public TreeSource {
public:
    /// `info` says all but nodes and completeness. `is_whole`: no block is known to be lost.
    /// `window`: nodes of a block, at least 1. What cannot be is remarked, and the tree ends there
    /// and is not complete. Throws Error where the file cannot be read.
    RawTreeSource(std::shared_ptr<const RandomAccess> file, const RawSchema& schema,
                  std::vector<RawBlock> blocks, TreeInfo info, bool is_whole, std::size_t window,
                  std::vector<Remark>& remarks);

    [[nodiscard]] const TreeInfo& info() const override { return info_; }

    [[nodiscard]] TreeInfo& info() { return info_; }

    [[nodiscard]] const TreeSchema& schema() const override { return tree_schema_; }

    [[nodiscard]] const std::vector<std::string>& moves() const override { return texts_; }

    [[nodiscard]] std::unique_ptr<BlockReader> read(
        std::span<const ColumnId> wanted) const override;

private:
    class Reader;

    std::shared_ptr<const RandomAccess> file_;
    RawSchema raw_schema_;
    std::vector<RawBlock> blocks_;
    std::size_t window_;
    TreeInfo info_;
    TreeSchema tree_schema_;
    std::vector<std::string> texts_;
    LateExits late_;
};

}  // namespace assay::gtql
