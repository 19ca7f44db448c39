#pragma once
#include <cstdint>
#include <vector>

#include "gtql/log/bytes.h"
#include "gtql/log/tree.h"

namespace assay::gtql {

/// A growing column whose values may be changed later; keeps the narrowest width that holds all.
class ValueColumn {
public:
    [[nodiscard]] std::size_t size() const { return size_; }

    [[nodiscard]] std::int64_t at(std::size_t i) const { return view().at(i); }

    [[nodiscard]] ColumnView view() const { return {bytes_.data(), size_, width_}; }

    void push(std::int64_t value) {
        const auto bytes = static_cast<std::size_t>(width_);
        if (bytes_.size() < (size_ + 1) * bytes) bytes_.resize(2 * bytes_.size() + 64 * bytes);
        ++size_;
        set(size_ - 1, value);
    }

    /// REQUIRES: i < size().
    void set(std::size_t i, std::int64_t value) {
        switch (width_) {
            case Width::I8:
                if (static_cast<std::int8_t>(value) != value) break;
                return store_value<std::int8_t>(bytes_.data(), i, value);
            case Width::I16:
                if (static_cast<std::int16_t>(value) != value) break;
                return store_value<std::int16_t>(bytes_.data(), i, value);
            case Width::I32:
                if (static_cast<std::int32_t>(value) != value) break;
                return store_value<std::int32_t>(bytes_.data(), i, value);
            case Width::I64:
                return store_value<std::int64_t>(bytes_.data(), i, value);
        }
        widen(width_of(value));
        set(i, value);
    }

    /// The values as a tree takes them; empties this one.
    [[nodiscard]] Column take();

private:
    void widen(Width width);

    std::vector<std::byte> bytes_;
    std::size_t size_ = 0;
    Width width_ = Width::I8;
};

}  // namespace assay::gtql
