#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "gtql/lang/syntax.h"

namespace assay::gtql {

/// The parts that an expression joins by `and`, in their order; none for an empty expression.
[[nodiscard]] std::vector<Expression> conjuncts_of(const Expression& expression);

/// The expression that is true where all parts are; empty without parts.
[[nodiscard]] Expression joined(std::vector<Expression> parts);

/// A comparison of a column of the bare node with one of the queried node.
struct ColumnComparison {
    Op op = Op::Equal;     // bare `op` queried
    std::size_t bare = 0;  // slots of the columns
    std::size_t queried = 0;
};

/// nullopt where the expression is anything else. REQUIRES: its columns are bound to slots.
[[nodiscard]] std::optional<ColumnComparison> comparison_of(const Expression& expression);

/// The operator of the same comparison with its sides exchanged.
[[nodiscard]] Op mirrored(Op op);

}  // namespace assay::gtql
