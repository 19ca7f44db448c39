// A tree that is read from its raw log each time. A raw log stores a node's value after its
// subtree, and a reader wants whole rows in preorder, so that the tree is decoded twice: once when
// it is opened, to collect the late values of nodes that are open across a window's end
// (LateExits), and then for each reader, window by window. That costs twice the time of decoding
// and almost no memory; building the tree would take memory for all of its columns.
#include "gtql/log/raw/raw_source.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/diagnostic.h"

namespace assay::gtql {

namespace {

std::size_t exits_of(const RawSchema& schema) {
    return static_cast<std::size_t>(
        std::ranges::count_if(schema.attributes, [](const auto& each) { return each.at_exit; }));
}

/// Feeds a stream's blocks to a decoder, a window of nodes at a time.
class Feed {
public:
    Feed(const RandomAccess& file, const std::vector<RawBlock>& blocks, StreamDecoder& decoder)
        : file_(file), blocks_(blocks), decoder_(decoder) {}

    /// Decodes until the window is full; false at the end of what can be read.
    bool fill() {
        while (!decoder_.is_full()) {
            if (!cursor_ || cursor_->left() == 0) {
                if (next_ == blocks_.size() || !open_block()) return false;
            }
            if (decoder_.decode(*cursor_)) continue;
            fault_ = Remark{blocks_[next_ - 1].offset + cursor_->position(), decoder_.why()};
            next_ = blocks_.size();
            cursor_.reset();
            return false;
        }
        return true;
    }

    /// The reason why it ended before the last block's end.
    [[nodiscard]] const std::optional<Remark>& fault() const { return fault_; }

private:
    bool open_block() {
        const RawBlock& block = blocks_[next_];
        if (block.number != next_) {
            fault_ = Remark{block.offset, "a block of nodes before this one is lost"};
            next_ = blocks_.size();
            return false;
        }
        ++next_;
        content_.resize(block.size);
        file_.read(block.offset, content_);
        cursor_.emplace(content_);
        return true;
    }

    const RandomAccess& file_;
    const std::vector<RawBlock>& blocks_;
    StreamDecoder& decoder_;
    std::size_t next_ = 0;
    std::vector<std::byte> content_;
    std::optional<Cursor> cursor_;
    std::optional<Remark> fault_;
};

/// Values of a column in the width that the tree's schema has.
template <class T>
void widen_to(const ColumnView& from, std::vector<std::byte>& to) {
    to.resize(from.size * sizeof(T));
    for (std::size_t i = 0; i < from.size; ++i) store_value<T>(to.data(), i, from.at(i));
}

void widen(const ColumnView& from, Width width, std::vector<std::byte>& to) {
    switch (width) {
        case Width::I8:
            return widen_to<std::int8_t>(from, to);
        case Width::I16:
            return widen_to<std::int16_t>(from, to);
        case Width::I32:
            return widen_to<std::int32_t>(from, to);
        case Width::I64:
            return widen_to<std::int64_t>(from, to);
    }
}

void measure(const ColumnView& column, Width& width) {
    width = std::max(width, column.width);
}

}  // namespace

class RawTreeSource::Reader final : public BlockReader {
public:
    Reader(const RawTreeSource& tree, std::span<const ColumnId> wanted)
        : tree_(tree),
          wanted_(wanted.begin(), wanted.end()),
          decoder_(tree.raw_schema_, true, moves_),
          feed_(*tree.file_, tree.blocks_, decoder_),
          columns_(wanted.size()) {
        decoder_.set_window(tree.window_);
    }

    bool next(TreeBlock& block) override {
        decoder_.hand_over(nullptr);
        first_ += size_;
        if (!feed_.fill()) decoder_.abort();
        const RawStream& stream = decoder_.peek(tree_.late_);
        size_ = stream.level.size();
        const bool is_other =
            first_ + size_ > tree_.info_.nodes || (size_ == 0 && first_ != tree_.info_.nodes);
        if (is_other) throw Error(tree_.info_.name + ": the file has changed");
        block.first = first_;
        block.size = size_;
        block.columns.clear();
        for (std::size_t i = 0; i < wanted_.size(); ++i) {
            const Width width = width_of_column(wanted_[i]);
            widen(column_of(stream, wanted_[i]), width, columns_[i]);
            block.columns.push_back({columns_[i].data(), size_, width});
        }
        return size_ > 0;
    }

private:
    /// Attribute 0 is the move, as in Tree's from RawLog::load().
    [[nodiscard]] static ColumnView column_of(const RawStream& stream, ColumnId id) {
        if (id == kLevelColumn) return stream.level.view();
        if (id == kUnfinishedColumn) return stream.unfinished.view();
        if (id == 0) return stream.move.view();
        return stream.values[static_cast<std::size_t>(id) - 1].view();
    }

    [[nodiscard]] Width width_of_column(ColumnId id) const {
        if (id == kLevelColumn) return tree_.tree_schema_.level_width;
        if (id == kUnfinishedColumn) return Width::I8;
        return tree_.tree_schema_.attributes[static_cast<std::size_t>(id)].width;
    }

    const RawTreeSource& tree_;
    std::vector<ColumnId> wanted_;
    MoveTexts moves_;
    StreamDecoder decoder_;
    Feed feed_;
    std::uint64_t first_ = 0;
    std::size_t size_ = 0;
    std::vector<std::vector<std::byte>> columns_;
};

RawTreeSource::RawTreeSource(std::shared_ptr<const RandomAccess> file, const RawSchema& schema,
                             std::vector<RawBlock> blocks, TreeInfo info, bool is_whole,
                             std::size_t window, std::vector<Remark>& remarks)
    : file_(std::move(file)),
      raw_schema_(schema),
      blocks_(std::move(blocks)),
      window_(window),
      info_(std::move(info)),
      late_(exits_of(schema)) {
    MoveTexts moves;
    StreamDecoder decoder(raw_schema_, true, moves);
    decoder.set_window(window_);
    Feed feed(*file_, blocks_, decoder);
    tree_schema_.attributes.push_back({"last_move", Width::I8, true});
    for (const RawAttribute& each : raw_schema_.attributes) {
        tree_schema_.attributes.push_back({each.name, Width::I8, false});
    }
    tree_schema_.constants = raw_schema_.constants;
    bool is_going_on = true;
    std::uint64_t unfinished = 0;
    while (is_going_on) {
        is_going_on = feed.fill();
        if (!is_going_on) decoder.abort();
        const RawStream& stream = decoder.peek(late_);
        unfinished = stream.unfinished_nodes;
        measure(stream.level.view(), tree_schema_.level_width);
        measure(stream.move.view(), tree_schema_.attributes[0].width);
        for (std::size_t i = 0; i < stream.values.size(); ++i) {
            measure(stream.values[i].view(), tree_schema_.attributes[i + 1].width);
        }
        decoder.hand_over(&late_);
    }
    late_.each([this, &decoder](const std::int64_t* values) {
        for (std::size_t k = 0; k < decoder.exits().size(); ++k) {
            Width& width = tree_schema_.attributes[decoder.exits()[k] + 1].width;
            width = std::max(width, width_of(values[k]));
        }
    });
    texts_ = moves.take();
    if (feed.fault()) remarks.push_back(*feed.fault());
    tree_schema_.has_unfinished = unfinished > 0;
    info_.nodes = decoder.nodes();
    info_.complete = is_whole && !feed.fault() && unfinished == 0 && info_.nodes > 0;
}

std::unique_ptr<BlockReader> RawTreeSource::read(std::span<const ColumnId> wanted) const {
    return std::make_unique<Reader>(*this, wanted);
}

}  // namespace assay::gtql
