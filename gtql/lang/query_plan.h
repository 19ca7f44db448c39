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

/// A query whose names are looked up in one tree's schema: each Name step became Integer, Column or
/// Builtin, each Text the code of its move in that tree (-1 where the tree never played it).
struct Plan {
    Query query;
    std::vector<ColumnId> columns;  // that it reads, each once; the level column only where named
    bool uses_size = false;         // Builtin::Size or Children somewhere
    std::vector<bool> is_move_key;  // beside query.keys
};

/// Throws SyntaxError where a name is unknown, where a role stands before a constant, where a move
/// stands for a number, and where an attribute stands outside the functions of a statement.
[[nodiscard]] Plan bind(const Query& query, const TreeSchema& schema,
                        const std::vector<std::string>& moves);

/// All names that a query may use in such a tree: attributes, constants, built-ins.
[[nodiscard]] std::vector<std::string_view> names_in(const TreeSchema& schema);

}  // namespace assay::gtql
