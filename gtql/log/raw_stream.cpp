#include "gtql/log/raw_stream.h"

#include <utility>

#include "base/text.h"

namespace assay::gtql {

namespace {

constexpr std::uint64_t kSmallMoves = 1U << 16;

/// A stream's own codes of moves as codes of the tree.
class MoveMap {
public:
    explicit MoveMap(MoveTexts& texts) : texts_(texts), small_(kSmallMoves, -1) {}

    void name(std::int64_t move, std::string_view text) {
        slot(move) = texts_.code_of(printable_utf8(text));
    }

    std::int64_t code_of(std::int64_t move) {
        std::int64_t& code = slot(move);
        if (code < 0) code = texts_.code_of(move == -1 ? "none" : std::to_string(move));
        return code;
    }

private:
    std::int64_t& slot(std::int64_t move) {
        if (move >= 0 && move < static_cast<std::int64_t>(kSmallMoves))
            return small_[static_cast<std::size_t>(move)];
        return large_.try_emplace(move, -1).first->second;
    }

    MoveTexts& texts_;
    std::vector<std::int64_t> small_;
    std::unordered_map<std::int64_t, std::int64_t> large_;
};

class StreamDecoder {
public:
    StreamDecoder(const RawSchema& schema, bool is_owner, MoveTexts& moves)
        : moves_(moves), is_owner_(is_owner) {
        for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
            if (schema.attributes[i].at_entry) entries_.push_back(i);
            if (schema.attributes[i].at_exit) exits_.push_back(i);
        }
        stream_.values.resize(schema.attributes.size());
        if (is_owner) stream_.segments.push_back({});
    }

    /// False, with the reason in why(), at an event that cannot be; its place is cursor's.
    bool decode(Cursor& cursor) {
        while (cursor.left() > 0) {
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

    [[nodiscard]] const char* why() const { return why_; }

    [[nodiscard]] std::uint64_t nodes() const { return stream_.level.size(); }

    RawStream take() {
        abort();
        return std::move(stream_);
    }

private:
    bool fail(const char* why) {
        why_ = why;
        return false;
    }

    /// The values of an event whose first byte is `tag`.
    bool take_values(Cursor& cursor, unsigned tag, std::size_t count) {
        if (values_.size() < count) values_.resize(count);
        if (codes_.size() < count / 4) codes_.resize(count / 4);
        for (std::size_t i = 0; i < count / 4; ++i)
            codes_[i] = static_cast<unsigned>(cursor.number(1));
        for (std::size_t i = 0; i < count; ++i) {
            const unsigned code =
                i < 3 ? tag >> (2 * i + 2) : codes_[(i - 3) / 4] >> (2 * ((i - 3) % 4));
            values_[i] = unzigzag(cursor.number(1 << (code & 3)));
        }
        return cursor.is_good() || fail("an event is cut");
    }

    bool enter(Cursor& cursor, unsigned tag) {
        if (stream_.segments.empty()) return fail("a node comes before its stream joined the tree");
        if (!take_values(cursor, tag, entries_.size() + 1)) return false;
        if (is_owner_ && open_.empty() && nodes() > 0) below_root_ = 1;
        stream_.level.push(static_cast<std::int64_t>(open_.size() + below_root_));
        open_.push_back(nodes() - 1);
        stream_.move.push(moves_.code_of(values_[0]));
        stream_.unfinished.push(0);
        for (auto& column : stream_.values) column.push(0);
        for (std::size_t i = 0; i < entries_.size(); ++i)
            stream_.values[entries_[i]].set(nodes() - 1, values_[i + 1]);
        return true;
    }

    bool leave(Cursor& cursor, unsigned tag) {
        if (!take_values(cursor, tag, exits_.size())) return false;
        if (open_.empty()) return fail("a node is left that was not entered");
        for (std::size_t i = 0; i < exits_.size(); ++i)
            stream_.values[exits_[i]].set(open_.back(), values_[i]);
        open_.pop_back();
        return true;
    }

    bool cut() {
        if (open_.empty()) return fail("a node is left that was not entered");
        stream_.unfinished.set(open_.back(), 1);
        ++stream_.unfinished_nodes;
        open_.pop_back();
        return true;
    }

    void abort() {
        while (!open_.empty()) cut();
    }

    bool other(Cursor& cursor, unsigned what) {
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
            if (is_owner_) return fail("the tree's owner joins it");
            abort();
            stream_.segments.push_back(segment);
            return true;
        }
        if (what != 3) return fail("an event is of no known kind");
        abort();
        return true;
    }

    MoveMap moves_;
    bool is_owner_;
    RawStream stream_;
    std::vector<std::size_t> entries_;
    std::vector<std::size_t> exits_;
    std::vector<std::uint64_t> open_;
    std::size_t below_root_ = 0;  // 1 where the owner enters more after its root was left
    std::vector<std::int64_t> values_;
    std::vector<unsigned> codes_;
    const char* why_ = "";
};

}  // namespace

std::int64_t MoveTexts::code_of(const std::string& text) {
    const auto [place, is_new] = codes_.try_emplace(text, static_cast<std::int64_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return place->second;
}

RawStream decode_stream(const RandomAccess& file, const RawSchema& schema,
                        std::vector<RawBlock> blocks, bool is_owner, MoveTexts& moves,
                        std::vector<Remark>& remarks) {
    StreamDecoder decoder(schema, is_owner, moves);
    std::vector<std::byte> content;
    bool is_whole = !blocks.empty() && blocks.back().is_last;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const RawBlock& block = blocks[i];
        if (block.number != i) {
            remarks.push_back({block.offset, "a block of nodes before this one is lost"});
            is_whole = false;
            break;
        }
        content.resize(block.size);
        file.read(block.offset, content);
        Cursor cursor(content);
        if (decoder.decode(cursor)) continue;
        remarks.push_back({block.offset + cursor.position(), decoder.why()});
        is_whole = false;
        break;
    }
    RawStream stream = decoder.take();
    stream.is_whole = is_whole;
    return stream;
}

}  // namespace assay::gtql
