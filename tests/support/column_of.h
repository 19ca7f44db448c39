#pragma once
#include <cstdint>
#include <initializer_list>

#include "gtql/log/tree.h"

namespace assay::test {

/// A column of a tree, of the smallest width that holds the values.
[[nodiscard]] inline gtql::Column column_of(std::initializer_list<std::int64_t> values) {
    gtql::Column column;
    for (const std::int64_t each : values) column.push(each);
    return column;
}

}  // namespace assay::test
