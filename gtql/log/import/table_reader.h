#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtql/log/import/line_source.h"
#include "gtql/log/import/table_import.h"

namespace assay::gtql {

/// The part of an import that all text formats share: lines, the head with facts about the tree,
/// the rows of the table, and errors that point at their place. A format says in take_line() what a
/// line means, and calls the other functions.
class TableReader {
public:
    /// REQUIRES: both outlive this.
    TableReader(const RandomAccess& file, const ImportOptions& options);
    TableReader(const TableReader&) = delete;
    TableReader& operator=(const TableReader&) = delete;
    virtual ~TableReader() = default;

    /// Reads the whole file. Throws SyntaxError at a line that is not valid, Error where the file
    /// is cut or holds no tree.
    [[nodiscard]] std::unique_ptr<Tree> run(std::vector<std::string>& warnings);

protected:
    using Place = std::pair<std::size_t, std::size_t>;  // begin and width within the line

    virtual void take_line() = 0;
    /// The error of a file without a table.
    [[nodiscard]] virtual const char* why_empty() const = 0;
    /// Where a cell of the row stands; by default the whole line.
    [[nodiscard]] virtual Place place_of(int cell) const;

    [[nodiscard]] std::string_view line() const { return line_; }

    [[noreturn]] void fail(Place place, std::string what) const;
    [[noreturn]] void fail(std::string what) const;

    /// A fact of the head: "position", "game", "search", "iteration", "nodes". Others are ignored.
    void set_fact(std::string_view key, std::string_view text);

    void set_incomplete() { info_.complete = false; }

    void add_parameter(std::string name, std::string value);
    void add_constant(std::string name, std::int64_t value);
    /// Adds those whose names the head did not define.
    void add_missing_constants(const std::vector<Constant>& constants);

    [[nodiscard]] bool has_table() const { return table_.has_value(); }

    [[nodiscard]] std::uint64_t rows() const { return table_ ? table_->rows() : 0; }

    void begin_table(std::vector<std::string> names);
    /// REQUIRES: has_table().
    void add_row(const std::vector<std::string_view>& cells);

    /// The file says that it ends here, after so many nodes.
    void end(std::optional<std::uint64_t> nodes);

    [[nodiscard]] bool is_ended() const { return is_ended_; }

private:
    /// Throws SyntaxError where a packed tree could not hold the text.
    void check_length(std::string_view what, std::string_view text) const;

    const RandomAccess& file_;
    const ImportOptions& options_;
    LineSource lines_;
    std::string_view line_;
    TreeInfo info_;
    std::uint64_t nodes_ = 0;  // according to the head; 0: it does not say
    std::vector<Constant> constants_;
    std::optional<TreeTable> table_;
    bool is_ended_ = false;
};

}  // namespace assay::gtql
