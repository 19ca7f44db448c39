#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "gtql/lang/syntax.h"
#include "gtql/log/tree.h"

namespace assay::gtql {

/// Attributes that every tree has.
enum class Builtin : std::uint8_t {
    NodeId,      // preorder number from 1
    ParentId,    // 0 at the root
    Level,       // tree depth; the root has 0
    ChildIndex,  // place among the parent's children in search order, from 1; 0 at the root
    Children,    // how many
    Size,        // proper descendants
    Thread,      // 0 in a log that has no threads
    Unfinished,  // 1 where the call never returned
};

/// A query bound to the schema of one tree: each Name step is now Integer, Column or Builtin, each
/// Text the code of its move in that tree (-1 if the move does not occur).
struct Plan {
    Query query;
    std::vector<ColumnId> columns;  // that it reads, each once; the level column only where named
    bool uses_size = false;         // whether it uses Builtin::Size or Children
    std::vector<bool> is_move_key;  // beside query.keys
};

/// Throws SyntaxError for an unknown name, a role before a constant, a move in place of a number,
/// and an attribute outside the functions of a statement.
[[nodiscard]] Plan bind(const Query& query, const TreeSchema& schema,
                        const std::vector<std::string>& moves);

/// All names that a query may use in such a tree: attributes, constants, built-ins.
[[nodiscard]] std::vector<std::string_view> names_in(const TreeSchema& schema);

}  // namespace assay::gtql
