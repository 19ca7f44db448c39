#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace assay::gtql {

/// Which node an attribute belongs to.
enum class Role : std::uint8_t {
    Bare,      // outside a function and inside child: functions the queried node, else the counted
    Child,     // []: the child being looked at
    Previous,  // [<]: the child before it
    Parent,    // [^]: the parent of what a bare name means there
    Queried,   // [*]: the queried node, inside a function
};

/// One step of an expression in postfix order. A step takes its operands from a stack and leaves
/// its result there, so that neither reading nor running an expression needs recursion.
enum class Op : std::uint8_t {
    Integer,  // pushes `value`
    Text,     // pushes a quoted move; binding makes it an Integer
    Name,     // an attribute or a constant; binding makes it Integer, Column or Builtin
    Column,   // pushes column `value` (a ColumnId) of the node in `role`
    Builtin,  // pushes built-in `value` of the node in `role`
    Call,     // pushes the answer of Query::calls[value]
    Truth,    // number to truth value: not 0
    BitAnd,
    BitOr,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    In,  // takes a number and the `value` numbers after it
    Not,
    And,
    Or,
};

struct Step {
    Op op = Op::Integer;
    Role role = Role::Bare;
    std::int64_t value = 0;
    Span span;  // into the text: the operand, or the operator
};

struct Expression {
    std::vector<Step> steps;  // empty: true, in a condition or a part that was left out

    [[nodiscard]] bool empty() const { return steps.empty(); }
};

enum class Function : std::uint8_t { Count, Min, Max, Sum, Avg };

/// Parts of a query in their order, and the nodes that functions in them look at: all nodes, the
/// parent, all proper ancestors, the parent's other children, the children, all proper descendants.
enum class Part : std::uint8_t { Node, Parent, Ancestor, Sibling, Child, Subtree };

inline constexpr std::array<std::string_view, 6> kPartNames{"node",    "parent", "ancestor",
                                                            "sibling", "child",  "subtree"};

struct Call {
    Function function = Function::Count;
    Part scope = Part::Node;
    Expression value;      // of Min, Max, Sum and Avg; a number
    Expression condition;  // empty: all nodes of the scope
    Span span;
};

enum class AnswerKind : std::uint8_t {
    Count,  // a stand-alone count
    Nodes,  // the nodes for which all parts are true
    Table,  // functions by keys
    Value,  // another number about the tree
    Bool,   // a statement about the tree
};

/// The word that JSON has for it.
[[nodiscard]] std::string_view name_of(AnswerKind kind);

/// A text with queries in it and the name that messages give it.
struct QueryText {
    std::string path;
    std::string text;
};

/// One parsed query. A query whose node: part has functions is a statement about the tree: its
/// `columns` are computed over the nodes for which the other parts are true.
struct Query {
    std::shared_ptr<const QueryText> text;  // shared with the other queries of one file
    Span range;                             // of the query in text->text
    std::string name;                       // from the file; may be empty
    int level = 2;                          // that it was read with
    AnswerKind kind = AnswerKind::Nodes;
    std::array<Expression, 6> parts;  // by Part
    std::vector<Expression> columns;  // of a statement; one, or for a Table at least one
    std::vector<std::string> titles;  // the text of each key, then of each column
    std::vector<Expression> keys;     // of a Table; may be none: then it has one row
    std::vector<Call> calls;

    [[nodiscard]] const Expression& part(Part which) const {
        return parts.at(static_cast<std::size_t>(which));
    }

    [[nodiscard]] std::string_view spelled(Span span) const {
        return std::string_view(text->text).substr(span.begin, span.end - span.begin);
    }

    /// The query on one line, without comments.
    [[nodiscard]] std::string one_line() const;
};

}  // namespace assay::gtql
