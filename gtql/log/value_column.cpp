#include "gtql/log/value_column.h"

#include <utility>

namespace assay::gtql {

Column ValueColumn::take() {
    Column column(width_);
    const std::size_t bytes = size_ * static_cast<std::size_t>(width_);
    void* const to = column.grow(size_);
    if (bytes != 0) std::memcpy(to, bytes_.data(), bytes);
    *this = ValueColumn();
    return column;
}

void ValueColumn::widen(Width width) {
    ValueColumn wide;
    wide.width_ = width;
    wide.size_ = size_;
    wide.bytes_.resize((size_ + size_ / 2 + 64) * static_cast<std::size_t>(width));
    for (std::size_t i = 0; i < size_; ++i) wide.set(i, at(i));
    *this = std::move(wide);
}

}  // namespace assay::gtql
