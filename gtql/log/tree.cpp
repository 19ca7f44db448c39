// Columns of a tree in memory. A column begins with one byte a value and is widened as a whole when
// a value comes that does not fit: most attributes of search trees fit in one or two bytes, and a
// tree may have 10^8 nodes. Widening copies the column at most three times in its life.
#include "gtql/log/tree.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/check.h"
#include "base/diagnostic.h"
#include "gtql/log/bytes.h"

namespace assay::gtql {

namespace {

template <class T>
T load(const void* data, std::size_t i) {
    T value{};
    std::memcpy(&value, static_cast<const std::byte*>(data) + i * sizeof(T), sizeof(T));
    return value;
}

void store_as(std::byte* data, Width width, std::size_t i, std::int64_t value) {
    switch (width) {
        case Width::I8:
            return store_value<std::int8_t>(data, i, value);
        case Width::I16:
            return store_value<std::int16_t>(data, i, value);
        case Width::I32:
            return store_value<std::int32_t>(data, i, value);
        case Width::I64:
            return store_value<std::int64_t>(data, i, value);
    }
}

/// The first node whose level cannot follow the node before in a preorder; the size if all can.
template <class T>
std::size_t first_wrong(const ColumnView& levels, std::int64_t before) {
    const T* const level = static_cast<const T*>(levels.data);
    std::int64_t last = before;
    for (std::size_t i = 0; i < levels.size; ++i) {
        const std::int64_t now = level[i];
        // Level 0 belongs to the root, and there is one.
        const std::int64_t least = last < 0 ? 0 : 1;
        if (now < least || now > last + 1) return i;
        last = now;
    }
    return levels.size;
}

/// Returns all nodes as one block.
class WholeReader final : public BlockReader {
public:
    WholeReader(const Tree& tree, std::span<const ColumnId> wanted) : tree_(tree) {
        for (const ColumnId id : wanted) views_.push_back(tree.column(id));
    }

    bool next(TreeBlock& block) override {
        if (is_done_ || tree_.info().nodes == 0) return false;
        is_done_ = true;
        block.first = 0;
        block.size = tree_.info().nodes;
        block.columns = views_;
        return true;
    }

private:
    const Tree& tree_;
    std::vector<ColumnView> views_;
    bool is_done_ = false;
};

}  // namespace

Width width_of(std::int64_t value) {
    const auto fits = [value](auto limit) {
        using T = decltype(limit);
        return value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max();
    };
    if (fits(std::int8_t{})) return Width::I8;
    if (fits(std::int16_t{})) return Width::I16;
    return fits(std::int32_t{}) ? Width::I32 : Width::I64;
}

std::int64_t ColumnView::at(std::size_t i) const {
    switch (width) {
        case Width::I8:
            return load<std::int8_t>(data, i);
        case Width::I16:
            return load<std::int16_t>(data, i);
        case Width::I32:
            return load<std::int32_t>(data, i);
        case Width::I64:
            break;
    }
    return load<std::int64_t>(data, i);
}

ColumnView ColumnView::part(std::size_t from, std::size_t count) const {
    const auto* const bytes = static_cast<const std::byte*>(data);
    return {bytes + from * static_cast<std::size_t>(width), count, width};
}

void Column::widen(Width width) {
    const std::size_t count = size();
    std::vector<std::byte> wide(count * static_cast<std::size_t>(width));
    const ColumnView old = view();
    for (std::size_t i = 0; i < count; ++i) store_as(wide.data(), width, i, old.at(i));
    bytes_ = std::move(wide);
    width_ = width;
}

void Column::push(std::int64_t value) {
    const Width needed = width_of(value);
    if (needed > width_) widen(needed);
    const std::size_t count = size();
    grow(1);
    store_as(bytes_.data(), width_, count, value);
}

void* Column::grow(std::size_t values) {
    const std::size_t before = bytes_.size();
    bytes_.resize(before + values * static_cast<std::size_t>(width_));
    return bytes_.data() + before;
}

int TreeSchema::attribute(std::string_view name) const {
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        if (attributes[i].name == name) return static_cast<int>(i);
    }
    return -1;
}

int TreeSchema::move_attribute() const {
    const int last_move = attribute("last_move");
    if (last_move >= 0 && attributes[static_cast<std::size_t>(last_move)].is_move) return last_move;
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [](const Attribute& each) { return each.is_move; });
    return found == attributes.end() ? -1 : static_cast<int>(found - attributes.begin());
}

const Constant* TreeSchema::constant(std::string_view name) const {
    for (const Constant& each : constants) {
        if (each.name == name) return &each;
    }
    return nullptr;
}

Tree::Tree(TreeInfo info, Column level) : info_(std::move(info)), level_(std::move(level)) {
    info_.nodes = level_.size();
    schema_.level_width = level_.width();
    const std::size_t wrong = first_wrong_level(level_.view(), -1);
    if (wrong != level_.size()) {
        throw Error(info_.name + ": the level of node " + std::to_string(wrong + 1) +
                    " does not follow from the node before");
    }
}

void Tree::check_length(const std::string& name, const Column& column) const {
    if (column.size() == info_.nodes) return;
    throw Error(info_.name + ": column '" + name + "' has " + std::to_string(column.size()) +
                " values for " + std::to_string(info_.nodes) + " nodes");
}

void Tree::add_attribute(const std::string& name, Column values) {
    check_length(name, values);
    if (schema_.attribute(name) >= 0) throw Error(info_.name + ": two columns '" + name + "'");
    schema_.attributes.push_back({name, values.width(), false});
    values_.push_back(std::move(values));
}

void Tree::add_moves(const std::string& name, Column codes, std::vector<std::string> texts) {
    const ColumnView view = codes.view();
    for (std::size_t i = 0; i < view.size; ++i) {
        const std::int64_t code = view.at(i);
        if (code < 0 || static_cast<std::uint64_t>(code) >= texts.size()) {
            throw Error(info_.name + ": '" + name + "' of node " + std::to_string(i + 1) +
                        " names no move");
        }
    }
    add_attribute(name, std::move(codes));
    schema_.attributes.back().is_move = true;
    moves_ = std::move(texts);
}

void Tree::add_constant(const std::string& name, std::int64_t value) {
    if (schema_.constant(name) != nullptr) {
        throw Error(info_.name + ": two constants '" + name + "'");
    }
    schema_.constants.push_back({name, value});
}

void Tree::set_thread(Column values) {
    check_length("thread", values);
    thread_ = std::move(values);
    schema_.has_thread = true;
}

void Tree::set_unfinished(Column values) {
    check_length("unfinished", values);
    unfinished_ = std::move(values);
    schema_.has_unfinished = true;
}

ColumnView Tree::column(ColumnId id) const {
    switch (id) {
        case kLevelColumn:
            return level_.view();
        case kThreadColumn:
            return thread_.view();
        case kUnfinishedColumn:
            return unfinished_.view();
        default:
            break;
    }
    ASSAY_CHECK(id >= 0 && static_cast<std::size_t>(id) < values_.size());
    return values_[static_cast<std::size_t>(id)].view();
}

std::unique_ptr<BlockReader> Tree::read(std::span<const ColumnId> wanted) const {
    return std::make_unique<WholeReader>(*this, wanted);
}

std::size_t first_wrong_level(const ColumnView& levels, std::int64_t before) {
    switch (levels.width) {
        case Width::I8:
            return first_wrong<std::int8_t>(levels, before);
        case Width::I16:
            return first_wrong<std::int16_t>(levels, before);
        case Width::I32:
            return first_wrong<std::int32_t>(levels, before);
        case Width::I64:
            break;
    }
    return first_wrong<std::int64_t>(levels, before);
}

}  // namespace assay::gtql
