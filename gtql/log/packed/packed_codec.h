#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gtql/log/tree.h"

namespace assay::gtql {

/// How the values of a column in a block are coded: what is stored is the value minus a guess.
enum class Coding : std::uint8_t {
    Plain = 0,       // guess 0
    Previous = 1,    // the node before in the block; 0 for its first
    Parent = 2,      // the parent's value; 0 where the parent is in an earlier block
    Minus = 3,       // another column's value at the same node; that column comes earlier
    PlusParent = 4,  // minus another column's value at the parent: windows turn around at a move
    Level = 5,       // the level column alone: the level before plus 1, minus the level
};

/// A column's coding in a block. Columns are counted as the block holds them: level, thread and
/// unfinished where there are such, then the attributes.
struct ColumnCoding {
    Coding coding = Coding::Plain;
    bool by_level = false;  // stored level by level, each in preorder
    std::uint8_t ref = 0;   // the other column of Minus and PlusParent
};

/// A stored column of a block.
struct Chunk {
    ColumnCoding coding;
    std::uint8_t bytes = 0;  // a value takes; 0: all values are as guessed, and there is no data
    std::uint32_t size = 0;  // of the compressed data
    std::uint64_t checksum = 0;
    std::int64_t least = 0;  // of the values
    std::int64_t most = 0;
};

inline constexpr std::size_t kMostBlockNodes = 1U << 20;
/// Codings that follow the tree keep a value for each level between a block's least and most.
inline constexpr std::int64_t kMostLevelRange = 4096;

/// The values of a block, columns in the block's order, 64 bits each.
struct BlockValues {
    std::int64_t level_before = -1;  // of the node before the block
    std::vector<std::vector<std::int64_t>> columns;

    [[nodiscard]] std::size_t size() const { return columns.at(0).size(); }
};

/// Whether codings that follow the tree may be used.
[[nodiscard]] bool has_narrow_levels(const BlockValues& block);

/// The column's stored bytes before compression: zigzag of value minus guess, plane by plane (all
/// lowest bytes, then all second ones, ...). Sets `bytes` to the number of planes.
[[nodiscard]] std::string encode_column(const BlockValues& block, std::size_t column,
                                        const ColumnCoding& coding, std::uint8_t& bytes);

/// Buffers for decoding, used for one block after the other.
struct DecodeBuffers {
    std::vector<std::vector<std::int32_t>> narrow;  // values by column, and one behind the last
    std::vector<std::vector<std::int64_t>> wide;
    std::vector<std::uint32_t> places;  // of nodes that are stored level by level
    std::vector<std::uint32_t> parents;
    std::vector<std::string> stored;
    std::string packed;
};

/// A block's columns being decoded: chunks, widths in bytes, and stored bytes after decompression
/// for those that are needed. Malformed data is reported by an exception of const char*.
class BlockDecoder {
public:
    /// REQUIRES: chunks[0] is the level's, coded Level.
    BlockDecoder(std::span<const Chunk> chunks, std::span<const Width> widths, std::size_t nodes,
                 std::int64_t level_before)
        : chunks_(chunks), widths_(widths), nodes_(nodes), level_before_(level_before) {}

    /// The columns whose stored bytes decode() needs for the wanted ones, true where needed.
    [[nodiscard]] std::vector<bool> needed(std::span<const std::size_t> wanted) const;

    /// Decodes. `stored` holds, for each needed column, chunk.bytes * nodes bytes; `out` gets the
    /// wanted columns' values in their widths. Throws const char* where the data is malformed.
    void decode(std::span<const std::size_t> wanted, std::span<const std::string> stored,
                DecodeBuffers& buffers, std::vector<std::vector<std::byte>>& out) const;

private:
    std::span<const Chunk> chunks_;
    std::span<const Width> widths_;
    std::size_t nodes_;
    std::int64_t level_before_;
};

}  // namespace assay::gtql
