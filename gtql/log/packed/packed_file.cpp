// Reading of packed files. Every record has a checksum of its own, and the index at the end only
// repeats what the records say: where the index is lost, because the writer was killed or the file
// was cut, it is rebuilt by a walk over the records. With the index, damage in one tree does not
// affect the others. A reader checks what later code relies on (levels form a preorder, moves have
// texts) once, here, so that queries need no checks of their own.
#include "gtql/log/packed/packed_file.h"

#include <algorithm>
#include <utility>

#include "base/diagnostic.h"

namespace assay::gtql {

namespace {

/// The fault of a tree's end, or null.
const char* fault_of(const TreeEnd& end) {
    std::uint64_t next = 0;
    if (end.blocks.empty() != (end.nodes == 0)) return "a tree without blocks has nodes";
    for (std::size_t i = 0; i < end.firsts.size(); ++i) {
        const std::uint64_t after = i + 1 < end.firsts.size() ? end.firsts[i + 1] : end.nodes;
        if (end.firsts[i] != next || after <= next || after - next > kMostBlockNodes)
            return "the tree's blocks do not follow each other";
        next = after;
    }
    return nullptr;
}

}  // namespace

struct PackedTree::Loaded {
    Record record;
    BlockHead head;
};

PackedTree::PackedTree(std::shared_ptr<const RandomAccess> file, TreeHead head, TreeEnd end)
    : file_(std::move(file)), head_(std::move(head)), end_(std::move(end)) {
    head_.info.name = file_->name();
    head_.info.nodes = end_.nodes;
    head_.info.complete = end_.is_complete;
    columns_ = head_.columns();
    widths_ = head_.widths();
}

void PackedTree::fail(std::uint64_t at, const std::string& what) const {
    throw Error(file_->name() + ": byte " + std::to_string(at) + ": " + what);
}

std::size_t PackedTree::nodes_of(std::size_t block) const {
    const bool is_last = block + 1 == end_.firsts.size();
    return (is_last ? end_.nodes : end_.firsts[block + 1]) - end_.firsts[block];
}

Width PackedTree::width_of_column(ColumnId id) const {
    const auto found = std::find(columns_.begin(), columns_.end(), id);
    return widths_.at(static_cast<std::size_t>(found - columns_.begin()));
}

PackedTree::Loaded PackedTree::load_head(std::size_t block) const {
    const std::uint64_t at = end_.blocks.at(block);
    std::vector<std::byte> covered;
    const auto record = read_record(*file_, at, covered);
    if (!record || record->kind != 'B') fail(at, "the block is damaged or not there");
    Loaded loaded{*record, {}};
    try {
        loaded.head = read_block_head(covered, columns_.size());
    } catch (const char* what) {
        fail(at, what);
    }
    std::uint64_t size = 0;
    for (const Chunk& chunk : loaded.head.chunks) size += chunk.size;
    // The bytes are whole, as their checksums say: a mismatch means that another block lies at this
    // place.
    const bool is_right = size == record->data && loaded.head.first == end_.firsts[block] &&
                          loaded.head.nodes == nodes_of(block);
    if (!is_right) fail(at, "the block is not the one that the tree's end names");
    return loaded;
}

BlockHead PackedTree::block_head(std::size_t block) const {
    return load_head(block).head;
}

void PackedTree::decode(std::size_t block, std::span<const ColumnId> wanted, Unpacking& room,
                        std::vector<std::vector<std::byte>>& out) const {
    const auto [record, head] = load_head(block);
    std::vector<std::size_t> places;
    for (const ColumnId id : wanted) {
        const auto found = std::find(columns_.begin(), columns_.end(), id);
        places.push_back(static_cast<std::size_t>(found - columns_.begin()));
    }
    const BlockDecoder decoder(head.chunks, widths_, head.nodes, head.level_before);
    const std::vector<bool> needed = decoder.needed(places);
    std::vector<std::string>& stored = room.buffers.stored;
    stored.resize(columns_.size());
    std::uint64_t at = record.at + kRecordHead + record.covered;
    try {
        std::string& packed = room.buffers.packed;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const Chunk& chunk = head.chunks[c];
            if (needed[c] && chunk.bytes > 0) {
                packed.resize(chunk.size);
                const auto bytes = std::as_writable_bytes(std::span(packed));
                file_->read(at, bytes);
                if (checksum(bytes) != chunk.checksum) throw "a column is damaged";
                if (!room.frames.unpack(packed, std::size_t{chunk.bytes} * head.nodes, stored[c]))
                    throw "compressed data is damaged";
            }
            at += chunk.size;
        }
        decoder.decode(places, stored, room.buffers, out);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (wanted[i] < 0 ||
                !head_.schema.attributes[static_cast<std::size_t>(wanted[i])].is_move)
                continue;
            const ColumnView view{out[i].data(), head.nodes, widths_[places[i]]};
            for (std::size_t n = 0; n < view.size; ++n) {
                const std::int64_t code = view.at(n);
                if (code < 0 || static_cast<std::uint64_t>(code) >= head_.moves.size())
                    throw "a move has no text";
            }
        }
    } catch (const char* what) {
        fail(at, what);
    }
}

PackedFile::PackedFile(std::shared_ptr<const RandomAccess> file) : file_(std::move(file)) {
    std::string first(std::min<std::uint64_t>(kPackedMagic.size(), file_->size()), '\0');
    file_->read(0, std::as_writable_bytes(std::span(first)));
    if (first != kPackedMagic) {
        throw Error(file_->name() + (first.size() < kPackedMagic.size()
                                         ? ": the file is too short for a packed tree"
                                         : ": not a packed tree of a known version"));
    }
    if (load_indexed()) return;
    trees_.clear();
    remarks_.clear();
    is_index_lost_ = true;
    rebuild();
}

void PackedFile::add_tree(std::uint64_t at, std::span<const std::byte> head, TreeEnd end) {
    const auto fail = [&](const char* what) {
        throw Error(file_->name() + ": byte " + std::to_string(at) + ": " + what);
    };
    if (const char* const fault = fault_of(end)) fail(fault);
    try {
        trees_.push_back(std::make_unique<PackedTree>(file_, read_tree_head(head), std::move(end)));
    } catch (const char* what) {
        fail(what);
    }
}

bool PackedFile::load_indexed() {
    if (file_->size() < kPackedMagic.size() + kTrailer) return false;
    std::vector<std::byte> bytes(kTrailer);
    file_->read(file_->size() - kTrailer, bytes);
    Cursor cursor(bytes);
    const std::uint64_t at = cursor.number(8);
    if (cursor.bytes(8) != "gtlindex") return false;
    const auto index = read_record(*file_, at, bytes);
    if (!index || index->kind != 'I' || index->end() + kTrailer != file_->size()) return false;
    try {
        for (const IndexEntry& each : read_index(bytes)) load_tree(each);
    } catch (const char*) {
        return false;
    }
    return true;
}

/// Loads a tree that the index names. Its damage does not affect other trees.
void PackedFile::load_tree(const IndexEntry& entry) {
    std::vector<std::byte> head_bytes;
    const auto head = read_record(*file_, entry.head, head_bytes);
    if (!head || head->kind != 'S') {
        remarks_.push_back({entry.head, "the head of a tree is damaged; the tree is left out"});
        return;
    }
    std::vector<std::byte> bytes;
    const auto end = read_record(*file_, entry.end, bytes);
    if (end && end->kind == 'E') return add_tree(entry.head, head_bytes, read_tree_end(bytes));
    TreeEnd rest;
    std::uint64_t at = head->end();
    while (const auto record = read_record(*file_, at, bytes)) {
        if (record->kind != 'B' || !add_block(*record, bytes, rest)) break;
        at = record->end();
    }
    remarks_.push_back({at, "a tree ends here, after " + std::to_string(rest.nodes) +
                                " nodes in whole blocks: its end is damaged"});
    add_tree(entry.head, head_bytes, std::move(rest));
}

/// Appends a block. False where it does not continue the blocks before.
bool PackedFile::add_block(const Record& record, std::span<const std::byte> covered, TreeEnd& end) {
    Cursor cursor(covered);
    const std::uint64_t first = cursor.number(8);
    const std::uint64_t nodes = cursor.number(4);
    if (first != end.nodes) return false;
    end.blocks.push_back(record.at);
    end.firsts.push_back(first);
    end.nodes += nodes;
    return true;
}

void PackedFile::rebuild() {
    remarks_.push_back({file_->size(), "the index at the end of the file is lost"});
    std::vector<std::byte> covered;
    std::vector<std::byte> head;
    std::uint64_t head_at = 0;
    TreeEnd end;
    const auto give_up_tree = [&](std::uint64_t at) {
        if (head_at == 0) return;
        remarks_.push_back({at, "a tree ends here, after " + std::to_string(end.nodes) +
                                    " nodes in whole blocks"});
        end.is_complete = false;
        add_tree(head_at, head, std::exchange(end, TreeEnd()));
        head_at = 0;
    };
    std::uint64_t at = kPackedMagic.size();
    while (const auto record = read_record(*file_, at, covered)) {
        if (record->kind == 'S') {
            give_up_tree(at);
            head = covered;
            head_at = at;
            end = TreeEnd();
        } else if (record->kind == 'B' && head_at != 0) {
            if (!add_block(*record, covered, end)) break;
        } else if (record->kind == 'E' && head_at != 0) {
            Cursor cursor(covered);
            if (cursor.number(8) != end.nodes) break;
            end.is_complete = cursor.number(1) != 0;
            add_tree(head_at, head, std::exchange(end, TreeEnd()));
            head_at = 0;
        }
        at = record->end();
    }
    give_up_tree(at);
    if (at < file_->size()) {
        remarks_.push_back(
            {at, std::to_string(file_->size() - at) + " bytes at the end are no whole records"});
    }
}

void verify(const PackedTree& tree, std::vector<Remark>& remarks) {
    const TreeHead head{tree.info(), tree.schema(), {}};
    const std::vector<ColumnId> ids = head.columns();
    std::vector<std::vector<std::byte>> out;
    Unpacking room;
    std::int64_t level_before = -1;
    for (std::size_t block = 0; block < tree.blocks(); ++block) {
        try {
            const BlockHead expected = tree.block_head(block);
            tree.decode(block, ids, room, out);
            for (std::size_t c = 0; c < ids.size(); ++c) {
                const ColumnView view{out[c].data(), tree.nodes_of(block),
                                      tree.width_of_column(ids[c])};
                std::int64_t least = view.at(0);
                std::int64_t most = least;
                for (std::size_t i = 1; i < view.size; ++i) {
                    least = std::min(least, view.at(i));
                    most = std::max(most, view.at(i));
                }
                if (least != expected.chunks[c].least || most != expected.chunks[c].most)
                    throw Error(
                        "block " + std::to_string(block) +
                        ": the least or greatest value of a column differs from the block's head");
                if (c > 0) continue;
                if (expected.level_before != level_before)
                    throw Error("block " + std::to_string(block) +
                                ": its levels do not follow the block before");
                level_before = view.at(view.size - 1);
            }
        } catch (const Error& error) {
            remarks.push_back({0, error.what()});
        }
    }
}

bool is_packed_file(std::string_view first_bytes) {
    return first_bytes.starts_with(kPackedMagic.substr(0, 8));
}

}  // namespace assay::gtql
