// Bytes of the records of a packed file, as docs/tree-log.md describes them; both directions side
// by side, so that a change of one shows in the other. Readers take nothing on trust: sizes are
// checked against the bytes that are there before anything is allocated, and a block whose columns
// refer to each other in a circle at the same node is refused, since no order could decode it.
#include "gtql/log/packed/packed_format.h"

#include <algorithm>
#include <set>

#include "base/check.h"
#include "base/packing.h"
#include "gtql/log/raw/raw_blocks.h"

namespace assay::gtql {

namespace {

constexpr std::string_view kRecordMagic = "GTr1";
constexpr std::size_t kMostHead = 1U << 26;  // of record S before compression

void append_value(std::string& to, std::int64_t value) {
    const std::uint64_t z = zigzag(value);  // small negative numbers are short too
    int bytes = 0;
    while (bytes < 8 && z >> 8 * bytes != 0) ++bytes;
    append_number(to, static_cast<std::uint64_t>(bytes), 1);
    append_number(to, z, bytes);
}

std::int64_t take_value(Cursor& cursor) {
    const auto bytes = cursor.number(1);
    if (bytes > 8) throw "a number is longer than 8 bytes";
    return unzigzag(cursor.number(static_cast<int>(bytes)));
}

void append_name(std::string& to, const std::string& name) {
    append_number(to, std::min<std::size_t>(name.size(), 255), 1);
    to += name.substr(0, 255);
}

Width width_from(std::uint64_t bytes) {
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) throw "a width is not 1, 2, 4 or 8";
    return static_cast<Width>(bytes);
}

TreeInfo read_info(Cursor& cursor) {
    TreeInfo info;
    info.game = cursor.text();
    info.position = cursor.text();
    info.search = cursor.number(8);
    info.iteration = cursor.number(8);
    const std::uint64_t parameters = cursor.number(2);
    for (std::uint64_t i = 0; i < parameters && cursor.is_good(); ++i) {
        std::string name(cursor.text());
        info.parameters.emplace_back(std::move(name), std::string(cursor.text()));
    }
    return info;
}

TreeSchema read_schema(Cursor& cursor) {
    TreeSchema schema;
    schema.level_width = width_from(cursor.number(1));
    const std::uint64_t flags = cursor.number(1);
    schema.has_thread = (flags & 1) != 0;
    schema.has_unfinished = (flags & 2) != 0;
    const std::uint64_t attributes = cursor.number(2);
    const std::uint64_t constants = cursor.number(2);
    std::set<std::string> names;
    if (attributes > kMostPackedColumns) throw "too many columns";
    for (std::uint64_t i = 0; i < attributes; ++i) {
        Attribute attribute;
        attribute.name = cursor.name();
        attribute.width = width_from(cursor.number(1));
        attribute.is_move = cursor.number(1) != 0;
        if (!is_log_name(attribute.name) || !names.insert(attribute.name).second)
            throw "a column's name is used twice or invalid";
        schema.attributes.push_back(std::move(attribute));
    }
    names.clear();
    for (std::uint64_t i = 0; i < constants; ++i) {
        Constant constant;
        constant.name = cursor.name();
        constant.value = take_value(cursor);
        if (!is_log_name(constant.name) || !names.insert(constant.name).second)
            throw "a constant's name is used twice or invalid";
        schema.constants.push_back(std::move(constant));
    }
    return schema;
}

}  // namespace

std::string make_record(char kind, std::string_view covered, std::uint64_t data) {
    ASSAY_CHECK(covered.size() <= 0xFFFFFFFFU && data <= 0xFFFFFFFFU);
    std::string checked(1, kind);
    append_number(checked, 0, 3);
    append_number(checked, covered.size(), 4);
    append_number(checked, data, 4);
    const std::size_t fixed = checked.size();
    checked += covered;
    std::string record(kRecordMagic);
    append_number(record, checksum(std::as_bytes(std::span(checked))), 8);
    record += checked.substr(0, fixed);
    record += covered;
    return record;
}

std::optional<Record> read_record(const RandomAccess& file, std::uint64_t at,
                                  std::vector<std::byte>& covered) {
    if (at > file.size() || file.size() - at < kRecordHead) return std::nullopt;
    std::vector<std::byte> bytes(kRecordHead);
    file.read(at, bytes);
    Cursor cursor(bytes);
    if (cursor.bytes(4) != kRecordMagic) return std::nullopt;
    Record record;
    record.at = at;
    record.checksum = cursor.number(8);
    record.kind = static_cast<char>(cursor.number(1));
    (void)cursor.number(3);
    record.covered = static_cast<std::uint32_t>(cursor.number(4));
    record.data = static_cast<std::uint32_t>(cursor.number(4));
    if (record.end() > file.size()) return std::nullopt;
    bytes.resize(kRecordHead + record.covered);
    file.read(at + kRecordHead, std::span(bytes).subspan(kRecordHead));
    // From the kind on: what stands before it is the mark and the checksum itself.
    if (checksum(std::span(bytes).subspan(12)) != record.checksum) return std::nullopt;
    covered.assign(bytes.begin() + static_cast<std::ptrdiff_t>(kRecordHead), bytes.end());
    return record;
}

std::vector<ColumnId> TreeHead::columns() const {
    std::vector<ColumnId> ids = {kLevelColumn};
    if (schema.has_thread) ids.push_back(kThreadColumn);
    if (schema.has_unfinished) ids.push_back(kUnfinishedColumn);
    for (std::size_t i = 0; i < schema.attributes.size(); ++i) ids.push_back(static_cast<int>(i));
    return ids;
}

std::vector<Width> TreeHead::widths() const {
    std::vector<Width> widths = {schema.level_width};
    if (schema.has_thread) widths.push_back(Width::I32);
    if (schema.has_unfinished) widths.push_back(Width::I8);
    for (const Attribute& each : schema.attributes) widths.push_back(each.width);
    return widths;
}

std::string write_tree_head(const TreeHead& head) {
    std::string text;
    append_text(text, head.info.game);
    append_text(text, head.info.position);
    append_number(text, head.info.search, 8);
    append_number(text, head.info.iteration, 8);
    append_number(text, head.info.parameters.size(), 2);
    for (const auto& [name, value] : head.info.parameters) {
        append_text(text, name);
        append_text(text, value);
    }
    const TreeSchema& schema = head.schema;
    append_number(text, static_cast<std::uint64_t>(schema.level_width), 1);
    append_number(text, (schema.has_thread ? 1U : 0U) | (schema.has_unfinished ? 2U : 0U), 1);
    append_number(text, schema.attributes.size(), 2);
    append_number(text, schema.constants.size(), 2);
    for (const Attribute& each : schema.attributes) {
        append_name(text, each.name);
        append_number(text, static_cast<std::uint64_t>(each.width), 1);
        append_number(text, each.is_move ? 1 : 0, 1);
    }
    for (const Constant& each : schema.constants) {
        append_name(text, each.name);
        append_value(text, each.value);
    }
    append_number(text, head.moves.size(), 4);
    for (const std::string& each : head.moves) append_name(text, each);
    std::string covered;
    append_number(covered, text.size(), 4);
    // Level 19: a head is small and written once, and the moves' texts in it are what grows.
    return covered + zstd_frame(text, 19);
}

TreeHead read_tree_head(std::span<const std::byte> covered) {
    Cursor outer(covered);
    const std::uint64_t size = outer.number(4);
    if (size > kMostHead) throw "the tree's head is longer than 64 MiB";
    std::string text;
    if (!ZstdFrames().unpack(outer.bytes(outer.left()), size, text))
        throw "compressed data is damaged";
    Cursor cursor(std::as_bytes(std::span(text)));
    TreeHead head;
    head.info = read_info(cursor);
    head.schema = read_schema(cursor);
    const std::uint64_t moves = cursor.number(4);
    for (std::uint64_t i = 0; i < moves && cursor.is_good(); ++i)
        head.moves.emplace_back(cursor.name());
    if (!cursor.is_good() || cursor.left() != 0) throw "the tree's head is malformed";
    return head;
}

std::string write_block_head(const BlockHead& head) {
    std::string text;
    append_number(text, head.first, 8);
    append_number(text, head.nodes, 4);
    append_value(text, head.level_before);
    for (const Chunk& chunk : head.chunks) {
        const auto coding = static_cast<unsigned>(chunk.coding.coding);
        append_number(text, coding | (chunk.coding.by_level ? 8U : 0U) | chunk.bytes * 16U, 1);
        append_number(text, chunk.coding.ref, 1);
        append_number(text, chunk.size, 4);
        append_number(text, chunk.checksum, 8);
        append_value(text, chunk.least);
        append_value(text, chunk.most);
    }
    return text;
}

BlockHead read_block_head(std::span<const std::byte> covered, std::size_t columns) {
    Cursor cursor(covered);
    BlockHead head;
    head.first = cursor.number(8);
    head.nodes = static_cast<std::uint32_t>(cursor.number(4));
    head.level_before = take_value(cursor);
    for (std::size_t c = 0; c < columns; ++c) {
        Chunk chunk;
        const std::uint64_t bits = cursor.number(1);
        chunk.coding.coding = static_cast<Coding>(bits & 7);
        chunk.coding.by_level = (bits & 8) != 0;
        chunk.bytes = static_cast<std::uint8_t>(bits >> 4);
        chunk.coding.ref = static_cast<std::uint8_t>(cursor.number(1));
        chunk.size = static_cast<std::uint32_t>(cursor.number(4));
        chunk.checksum = cursor.number(8);
        chunk.least = take_value(cursor);
        chunk.most = take_value(cursor);
        const Coding coding = chunk.coding.coding;
        const bool is_level = coding == Coding::Level && !chunk.coding.by_level;
        const bool is_right = c == 0 ? is_level : coding < Coding::Level;
        const bool is_ref_right =
            (coding != Coding::Minus || chunk.coding.ref < c) &&
            (coding != Coding::PlusParent || (chunk.coding.ref > 0 && chunk.coding.ref < columns));
        if (!is_right || !is_ref_right || chunk.bytes > 8) throw "a column's coding is malformed";
        head.chunks.push_back(chunk);
    }
    const bool is_sized = head.nodes > 0 && head.nodes <= kMostBlockNodes;
    if (!cursor.is_good() || cursor.left() != 0 || !is_sized || head.level_before < -1)
        throw "the block's head is malformed";
    return head;
}

std::string write_tree_end(const TreeEnd& end) {
    std::string text;
    append_number(text, end.nodes, 8);
    append_number(text, end.is_complete ? 1 : 0, 1);
    append_number(text, end.blocks.size(), 4);
    for (std::size_t i = 0; i < end.blocks.size(); ++i) {
        append_number(text, end.blocks[i], 8);
        append_number(text, end.firsts[i], 8);
    }
    return text;
}

TreeEnd read_tree_end(std::span<const std::byte> covered) {
    Cursor cursor(covered);
    TreeEnd end;
    end.nodes = cursor.number(8);
    end.is_complete = cursor.number(1) != 0;
    const std::uint64_t blocks = cursor.number(4);
    // Before the loop: the number is a stranger's, and the bytes that are there bound it.
    if (blocks * 16 != cursor.left()) throw "the tree's end is malformed";
    for (std::uint64_t i = 0; i < blocks; ++i) {
        end.blocks.push_back(cursor.number(8));
        end.firsts.push_back(cursor.number(8));
    }
    return end;
}

std::string write_index(const std::vector<IndexEntry>& entries) {
    std::string text;
    append_number(text, entries.size(), 4);
    for (const IndexEntry& each : entries) {
        append_number(text, each.head, 8);
        append_number(text, each.end, 8);
    }
    return text;
}

std::vector<IndexEntry> read_index(std::span<const std::byte> covered) {
    Cursor cursor(covered);
    const std::uint64_t count = cursor.number(4);
    if (count * 16 != cursor.left()) throw "the index is malformed";
    std::vector<IndexEntry> entries;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t head = cursor.number(8);
        entries.push_back({head, cursor.number(8)});
    }
    return entries;
}

}  // namespace assay::gtql
