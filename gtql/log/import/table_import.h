#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "gtql/log/raw/raw_stream.h"
#include "gtql/log/tree.h"
#include "gtql/log/value_column.h"

namespace assay::gtql {

/// Facts about a table that the user gives, for files that do not contain them.
struct ImportOptions {
    std::vector<Constant> constants;
    std::string position;  // of the root; empty: as the file says, or not known
};

/// An invalid row or cell; `cell` counts from 0, -1 is the whole row.
struct TableFault {
    int cell = -1;
    std::string what;
};

/// Builds a tree from a table with one row a node, in preorder, that has `node_id` and `parent_id`
/// or `level`. `last_move` (else `move`) is read as text, `thread` and `unfinished` have the
/// meaning of their names, other columns of integers become attributes, other text is left out with
/// a warning. node_id, parent_id and level become attributes only where they differ from the tree's
/// shape.
class TreeTable {
public:
    /// Throws TableFault where columns of the shape are missing or a name occurs twice.
    TreeTable(TreeInfo info, std::vector<std::string> names);

    /// Throws TableFault where a cell is not a number or the row cannot follow the rows before.
    void add_row(const std::vector<std::string_view>& cells);

    [[nodiscard]] std::uint64_t rows() const { return level_.size(); }

    /// Call it after the last row, with the number of rows that the file announces, or 0. With
    /// fewer rows the tree is not complete, and there is a warning.
    void expect_rows(std::uint64_t expected);

    [[nodiscard]] TreeInfo& info() { return info_; }

    /// A later constant of a name replaces an earlier one.
    void set_constant(const std::string& name, std::int64_t value);

    /// A sentence for each column that was left out.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

    /// The tree. Call it once.
    std::unique_ptr<Tree> take();

private:
    enum class Use : std::uint8_t { Number, Move, Ignored };

    struct ShapeColumn {
        int at = -1;           // of names_
        bool is_plain = true;  // the same as the tree's shape says
    };

    void classify(const std::vector<std::string_view>& cells);
    std::int64_t number(const std::vector<std::string_view>& cells, int at) const;
    void close_last();
    void check_no_cycle(std::int64_t id, std::int64_t parent) const;
    std::int64_t level_of(const std::vector<std::string_view>& cells);
    bool is_shape(int at) const;

    TreeInfo info_;
    std::vector<std::string> names_;
    std::vector<Use> uses_;
    std::vector<ValueColumn> values_;  // beside names_
    ShapeColumn id_;
    ShapeColumn parent_;
    ShapeColumn level_column_;
    ValueColumn level_;
    std::vector<std::pair<std::int64_t, std::uint64_t>> open_;  // ids and rows of the ancestors
    std::unordered_set<std::int64_t> open_ids_;                 // of the ancestors
    std::int64_t root_parent_ = 0;                              // that the first row names
    MoveTexts moves_;
    std::vector<Constant> constants_;
    std::vector<std::string> warnings_;
};

}  // namespace assay::gtql
