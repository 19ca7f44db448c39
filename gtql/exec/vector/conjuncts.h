#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "gtql/lang/syntax.h"

namespace assay::gtql {

/// The truth values that an expression joins by `and`, in their order; of an empty one none.
[[nodiscard]] std::vector<Expression> conjuncts_of(const Expression& expression);

/// What is true where all parts are; empty where there are none.
[[nodiscard]] Expression joined(std::vector<Expression> parts);

/// A comparison of a column of the bare node with one of the queried node.
struct ColumnComparison {
    Op op = Op::Equal;     // bare `op` queried
    std::size_t bare = 0;  // slots of the columns
    std::size_t queried = 0;
};

/// nullopt where the expression, whose columns are bound to slots, is anything else.
[[nodiscard]] std::optional<ColumnComparison> comparison_of(const Expression& expression);

/// The same comparison with its sides changed.
[[nodiscard]] Op mirrored(Op op);

}  // namespace assay::gtql
