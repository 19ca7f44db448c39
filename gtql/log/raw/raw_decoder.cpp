// Decodes the events of one stream of a raw log into columns.
//
// An engine writes two events a node: one when it enters the node (move, depth, window) and one
// when it leaves it (value, best move). Between them lies the whole subtree, so that a node's row
// is complete only when its subtree is. The decoder appends a row at entry and fills in the values
// at exit by the stack of open nodes; entries come in preorder, which is the order of the rows.
//
// An event starts with a tag byte: two bits of kind, then two bits a value that give its width (1,
// 2, 4 or 8 bytes, zigzag). Codes of more than three values follow in further bytes. Variable
// lengths by a bit in each byte (LEB128) would need a branch a byte; here the reader knows every
// length from the tag.
//
// A tree larger than memory is decoded in windows of nodes. When a window is handed over, some of
// its nodes are still open, and their values at exit come later. LateExits keeps those in a first
// pass, by node number; in a second pass peek() fills them in. Only the nodes on the path at the
// end of each window are concerned, which is few. Threads are streams of their own and are joined
// in raw_log.cpp.
//
// The decoder must survive any bytes: an event that is cut or cannot be ends the stream with a
// reason, and everything before it stays valid.
#include "gtql/log/raw/raw_decoder.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/text.h"

namespace assay::gtql {

namespace {

constexpr std::uint64_t kSmallMoves = 1U << 16;

}  // namespace

// ---- moves

MoveMap::MoveMap(MoveTexts& texts) : texts_(texts) {}

void MoveMap::name(std::int64_t move, std::string_view text) {
    slot(move) = texts_.code_of(printable_utf8(text));
}

std::int64_t MoveMap::code_of(std::int64_t move) {
    std::int64_t& code = slot(move);
    if (code < 0) code = texts_.code_of(move == -1 ? "none" : std::to_string(move));
    return code;
}

std::int64_t& MoveMap::slot(std::int64_t move) {
    if (move >= 0 && move < static_cast<std::int64_t>(kSmallMoves)) {
        const auto place = static_cast<std::size_t>(move);
        if (small_.size() <= place) small_.resize(std::max(2 * small_.size(), place + 1), -1);
        return small_[place];
    }
    return large_.try_emplace(move, -1).first->second;
}

// ---- exits

void LateExits::add(std::uint64_t node, bool is_unfinished, const std::int64_t* values) {
    places_.insert_or_assign(node, Place{values_.size(), is_unfinished});
    values_.insert(values_.end(), values, values + values_a_node_);
}

const std::int64_t* LateExits::find(std::uint64_t node, bool& is_unfinished) const {
    const auto found = places_.find(node);
    if (found == places_.end()) return nullptr;
    is_unfinished = found->second.is_unfinished;
    return values_.data() + found->second.at;
}

// ---- events

StreamDecoder::StreamDecoder(const RawSchema& schema, bool is_owner, MoveTexts& moves)
    : moves_(moves), is_owner_(is_owner) {
    for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
        if (schema.attributes[i].at_entry) entries_.push_back(i);
        if (schema.attributes[i].at_exit) exits_.push_back(i);
    }
    stream_.values.resize(schema.attributes.size());
    values_.resize(exits_.size());
    if (is_owner) stream_.segments.push_back({});
}

bool StreamDecoder::decode(Cursor& cursor) {
    while (cursor.left() > 0 && !is_full()) {
        const auto tag = static_cast<unsigned>(cursor.number(1));
        const unsigned kind = tag & 3;
        const bool is_good = kind == 0   ? enter(cursor, tag)
                             : kind == 1 ? leave(cursor, tag)
                             : kind == 2 ? cut()
                                         : other(cursor, tag >> 2);
        if (!is_good) return false;
    }
    return true;
}

RawStream StreamDecoder::take() {
    abort();
    return std::move(stream_);
}

RawStream& StreamDecoder::peek(const LateExits& late) {
    for (std::size_t i = open_.size(); i-- > 0 && open_[i] >= base_;) {
        const std::size_t local = open_[i] - base_;
        bool is_unfinished = false;
        const std::int64_t* const values = late.find(open_[i], is_unfinished);
        if (values == nullptr) continue;
        if (is_unfinished) {
            stream_.unfinished.set(local, 1);
            continue;
        }
        for (std::size_t k = 0; k < exits_.size(); ++k)
            stream_.values[exits_[k]].set(local, values[k]);
    }
    return stream_;
}

void StreamDecoder::hand_over(LateExits* late) {
    late_ = late;
    base_ = nodes();
    (void)stream_.level.take();
    (void)stream_.move.take();
    (void)stream_.unfinished.take();
    for (ValueColumn& each : stream_.values) (void)each.take();
}

bool StreamDecoder::fail(const char* why) {
    why_ = why;
    return false;
}

/// The values of an event whose first byte is `tag`.
bool StreamDecoder::take_values(Cursor& cursor, unsigned tag, std::size_t count) {
    // The tag has room for three codes of widths, each further byte for four.
    if (values_.size() < count) values_.resize(count);
    if (codes_.size() < count / 4) codes_.resize(count / 4);
    for (std::size_t i = 0; i < count / 4; ++i) codes_[i] = static_cast<unsigned>(cursor.number(1));
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned code =
            i < 3 ? tag >> (2 * i + 2) : codes_[(i - 3) / 4] >> (2 * ((i - 3) % 4));
        values_[i] = unzigzag(cursor.number(1 << (code & 3)));
    }
    return cursor.is_good() || fail("an event is cut");
}

bool StreamDecoder::enter(Cursor& cursor, unsigned tag) {
    if (stream_.segments.empty()) return fail("a node comes before its stream joined the tree");
    if (!take_values(cursor, tag, entries_.size() + 1)) return false;
    // Nodes that come after the root was left hang below it: a tree has one root.
    if (is_owner_ && open_.empty() && nodes() > 0) below_root_ = 1;
    stream_.level.push(static_cast<std::int64_t>(open_.size() + below_root_));
    open_.push_back(nodes() - 1);
    const std::size_t local = stream_.level.size() - 1;
    stream_.move.push(moves_.code_of(values_[0]));
    stream_.unfinished.push(0);
    for (auto& column : stream_.values) column.push(0);
    for (std::size_t i = 0; i < entries_.size(); ++i)
        stream_.values[entries_[i]].set(local, values_[i + 1]);
    return true;
}

bool StreamDecoder::leave(Cursor& cursor, unsigned tag) {
    if (!take_values(cursor, tag, exits_.size())) return false;
    if (open_.empty()) return fail("a node is left that was not entered");
    if (open_.back() >= base_) {
        for (std::size_t i = 0; i < exits_.size(); ++i)
            stream_.values[exits_[i]].set(open_.back() - base_, values_[i]);
    } else if (late_ != nullptr) {
        late_->add(open_.back(), false, values_.data());
    }
    open_.pop_back();
    return true;
}

bool StreamDecoder::cut() {
    if (open_.empty()) return fail("a node is left that was not entered");
    if (open_.back() >= base_) {
        stream_.unfinished.set(open_.back() - base_, 1);
    } else if (late_ != nullptr) {
        late_->add(open_.back(), true, values_.data());
    }
    ++stream_.unfinished_nodes;
    open_.pop_back();
    return true;
}

void StreamDecoder::abort() {
    while (!open_.empty()) cut();
}

bool StreamDecoder::other(Cursor& cursor, unsigned what) {
    if (what == 1) {
        const auto move = static_cast<std::int64_t>(cursor.number(8));
        const std::string_view text = cursor.name();
        if (!cursor.is_good()) return fail("an event is cut");
        moves_.name(move, text);
        return true;
    }
    if (what == 2) {
        RawSegment segment;
        segment.begin = nodes();
        segment.stream = static_cast<std::uint32_t>(cursor.number(4));
        segment.node = cursor.number(8);
        segment.after = cursor.number(8);
        if (!cursor.is_good()) return fail("an event is cut");
        if (is_owner_) return fail("the stream that owns the tree cannot join it");
        abort();
        stream_.segments.push_back(segment);
        return true;
    }
    if (what != 3) return fail("an event has an unknown kind");
    abort();
    return true;
}

}  // namespace assay::gtql
