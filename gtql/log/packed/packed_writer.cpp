// Writes a packed file, one block of nodes at a time. For each block: read the columns, code each
// against its guess (packed_codec.cpp), compress it with zstd, with the columns side by side on
// several threads. Moves are numbered by frequency first, which takes a pass of its own over the
// tree: the frequent moves then have codes of one byte. The index is written last, so that a file
// without one is known to be incomplete.
#include "gtql/log/packed/packed_writer.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/diagnostic.h"
#include "base/packing.h"

namespace assay::gtql {

namespace {

/// A plan of codings costs more than packing a block, and a tree changes slowly.
constexpr std::size_t kBlocksPerPlan = 32;

/// Codes of moves by frequency, the most frequent first: these then fit in one byte.
std::vector<std::int64_t> codes_by_use(const TreeSource& tree, ColumnId column) {
    std::vector<std::uint64_t> uses(tree.moves().size(), 0);
    const std::array<ColumnId, 1> wanted{column};
    const auto reader = tree.read(wanted);
    TreeBlock block;
    while (reader->next(block)) {
        for (std::size_t i = 0; i < block.size; ++i)
            ++uses.at(static_cast<std::size_t>(block.columns[0].at(i)));
    }
    std::vector<std::size_t> order(uses.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return uses[a] > uses[b]; });
    std::vector<std::int64_t> codes(uses.size());
    for (std::size_t i = 0; i < order.size(); ++i) codes[order[i]] = static_cast<std::int64_t>(i);
    return codes;
}

/// For each column the codes that its moves get, empty where it is of numbers. Numbers the head's
/// moves anew.
std::vector<std::vector<std::int64_t>> renumber_moves(const TreeSource& tree,
                                                      const std::vector<ColumnId>& ids,
                                                      TreeHead& head) {
    std::vector<std::vector<std::int64_t>> all(ids.size());
    std::vector<std::int64_t> codes;
    for (std::size_t c = 0; c < ids.size(); ++c) {
        if (ids[c] < 0 || !head.schema.attributes[static_cast<std::size_t>(ids[c])].is_move)
            continue;
        if (codes.empty()) codes = codes_by_use(tree, ids[c]);
        all[c] = codes;
    }
    if (codes.empty()) return all;
    head.moves.resize(codes.size());
    for (std::size_t i = 0; i < codes.size(); ++i)
        head.moves[static_cast<std::size_t>(codes[i])] = tree.moves()[i];
    return all;
}

/// Appends a part of a column; moves in their new codes.
void append_values(ColumnId id, const ColumnView& from, const std::vector<std::int64_t>& codes,
                   std::vector<std::int64_t>& to) {
    for (std::size_t i = 0; i < from.size; ++i) {
        std::int64_t value = from.at(i);
        if (!codes.empty()) value = codes.at(static_cast<std::size_t>(value));
        if (id == kUnfinishedColumn) value = value != 0 ? 1 : 0;
        if (id == kThreadColumn && static_cast<std::int32_t>(value) != value)
            throw Error("a thread's number is beyond 32 bits");
        to.push_back(value);
    }
}

}  // namespace

PackedWriter::PackedWriter(std::string path, PackOptions options)
    : file_(std::move(path)), options_(options) {
    if (options_.block == 0 || options_.block > kMostBlockNodes)
        throw Error("expected 1 to " + std::to_string(kMostBlockNodes) + " nodes a block");
    file_.write(kPackedMagic);
}

void PackedWriter::add(const TreeSource& tree, std::optional<std::uint64_t> search) {
    if (tree.schema().attributes.size() > kMostPackedColumns)
        throw Error(tree.info().name + ": more than " + std::to_string(kMostPackedColumns) +
                    " columns");
    TreeHead head{tree.info(), tree.schema(), {}};
    head.info.search = search.value_or(head.info.search);
    const std::vector<ColumnId> ids = head.columns();
    const auto codes = renumber_moves(tree, ids, head);
    IndexEntry entry;
    entry.head = file_.bytes();
    file_.write(make_record('S', write_tree_head(head), 0));
    TreeEnd end;
    end.is_complete = tree.info().complete;
    add_blocks(tree, head, codes, end);
    entry.end = file_.bytes();
    file_.write(make_record('E', write_tree_end(end), 0));
    index_.push_back(entry);
}

void PackedWriter::add_blocks(const TreeSource& tree, const TreeHead& head,
                              const std::vector<std::vector<std::int64_t>>& codes, TreeEnd& end) {
    const std::vector<ColumnId> ids = head.columns();
    plan_.clear();
    blocks_planned_ = 0;
    BlockValues block;
    block.columns.resize(ids.size());
    const auto reader = tree.read(ids);
    TreeBlock given;
    while (reader->next(given)) {
        for (std::size_t from = 0; from < given.size;) {
            const std::size_t count = std::min(given.size - from, options_.block - block.size());
            for (std::size_t c = 0; c < ids.size(); ++c)
                append_values(ids[c], given.columns[c].part(from, count), codes[c],
                              block.columns[c]);
            from += count;
            if (block.size() == options_.block) write_block(block, end);
        }
    }
    if (block.size() > 0) write_block(block, end);
}

/// Empties the block for the nodes after it.
void PackedWriter::write_block(BlockValues& block, TreeEnd& end) {
    const bool can_follow = has_narrow_levels(block);
    if (plan_.empty() || blocks_planned_ % kBlocksPerPlan == 0 || !can_follow)
        plan_ = plan_codings(block, options_.threads);
    blocks_planned_ = can_follow ? blocks_planned_ + 1 : 0;
    BlockHead head;
    head.first = end.nodes;
    head.nodes = static_cast<std::uint32_t>(block.size());
    head.level_before = block.level_before;
    head.chunks.resize(block.columns.size());
    std::vector<std::string> data(block.columns.size());
    run_side_by_side(options_.threads, data.size(), [&](std::size_t c) {
        Chunk& chunk = head.chunks[c];
        chunk.coding = plan_[c];
        const std::string stored = encode_column(block, c, plan_[c], chunk.bytes);
        if (chunk.bytes > 0) data[c] = zstd_frame(stored, options_.level);
        chunk.size = static_cast<std::uint32_t>(data[c].size());
        chunk.checksum = checksum(std::as_bytes(std::span(data[c])));
        const auto [least, most] =
            std::minmax_element(block.columns[c].begin(), block.columns[c].end());
        chunk.least = *least;
        chunk.most = *most;
    });
    std::uint64_t all = 0;
    for (const std::string& each : data) all += each.size();
    end.blocks.push_back(file_.bytes());
    end.firsts.push_back(end.nodes);
    file_.write(make_record('B', write_block_head(head), all));
    for (const std::string& each : data) file_.write(each);
    end.nodes += block.size();
    block.level_before = block.columns[0].back();
    for (auto& column : block.columns) column.clear();
}

void PackedWriter::finish() {
    std::string trailer;
    append_number(trailer, file_.bytes(), 8);
    trailer += "gtlindex";
    file_.write(make_record('I', write_index(index_), 0));
    file_.write(trailer);
    file_.commit();
}

}  // namespace assay::gtql
