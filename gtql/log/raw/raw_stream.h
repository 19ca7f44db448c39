#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "gtql/log/raw/raw_blocks.h"
#include "gtql/log/value_column.h"

namespace assay::gtql {

/// Numbers the distinct texts of a tree's moves in order of their first use.
class MoveTexts {
public:
    /// Code of a text, new or known.
    std::int64_t code_of(const std::string& text);

    [[nodiscard]] std::vector<std::string> take() { return std::move(texts_); }

private:
    std::vector<std::string> texts_;
    std::unordered_map<std::string, std::int64_t> codes_;
};

/// Consecutive nodes of a stream that hang below one node of another stream.
struct RawSegment {
    std::uint64_t begin = 0;   // of the stream's nodes, to the next segment's begin
    std::uint32_t stream = 0;  // where they hang
    std::uint64_t node = 0;    // ~0: at the tree's top
    std::uint64_t after = 0;
};

/// The part of a tree in one stream: nodes in the order of entry, as columns.
struct RawStream {
    ValueColumn level;  // 0 at the top of a segment
    ValueColumn move;
    std::vector<ValueColumn> values;  // beside the schema's attributes
    ValueColumn unfinished;
    std::vector<RawSegment> segments;  // in order; the owner's first one has no parent
    std::uint64_t unfinished_nodes = 0;
    bool is_whole = true;  // its blocks are there in a row to the last one
};

/// Decodes the blocks of a stream up to the first that is missing or invalid, which is added to the
/// remarks; the stream is not whole then. Nodes that are open at the end are unfinished.
[[nodiscard]] RawStream decode_stream(const RandomAccess& file, const RawSchema& schema,
                                      std::vector<RawBlock> blocks, bool is_owner, MoveTexts& moves,
                                      std::vector<Remark>& remarks);

}  // namespace assay::gtql
