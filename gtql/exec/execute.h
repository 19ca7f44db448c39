#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "gtql/lang/syntax.h"
#include "gtql/log/tree.h"

namespace assay::gtql {

/// One value of an answer: none (such as the least of no nodes), an integer, an average, a move, a
/// truth value.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string, bool>;

/// The answer of a query for one tree.
struct Answer {
    AnswerKind kind = AnswerKind::Nodes;
    std::uint64_t count = 0;              // of a Count; of Nodes: how many; of a Table: rows
    std::vector<std::uint64_t> ids;       // of Nodes: the first ones, ascending (preorder, from 1)
    Cell value;                           // of a Value or Bool
    std::vector<std::string> titles;      // of a Table: keys, then columns
    std::vector<std::vector<Cell>> rows;  // of a Table, ascending by the keys
};

/// The number that bounds are compared with: the count of a Count, of Nodes and of a Table, the
/// number of a Value, 1 or 0 of a Bool; nullopt where the value is none.
[[nodiscard]] std::optional<double> number_of(const Answer& answer);

inline constexpr std::uint64_t kAllIds = std::numeric_limits<std::uint64_t>::max();
/// A table with more rows is refused: nobody could read it, and it could use up the memory.
inline constexpr std::size_t kMostRows = 1'000'000;

struct ExecuteOptions {
    std::uint64_t ids = 50;       // at most so many of each answer; kAllIds: all
    std::size_t batch = 1 << 15;  // nodes looked at together; any size gives the same answers
};

/// Answers all queries in one pass over the tree. Memory: some hundred bytes a node of a batch and
/// of the deepest path for each query, the ids and rows that are asked for, and 2 bytes a node of
/// the tree where a query names another node's `size` or `children`, or groups by them. Throws
/// SyntaxError where a name is unknown in this tree, and Error where its data is damaged or a table
/// has more than kMostRows rows.
[[nodiscard]] std::vector<Answer> execute(const TreeSource& tree, std::span<const Query> queries,
                                          const ExecuteOptions& options = {});

}  // namespace assay::gtql
