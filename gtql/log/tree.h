#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::gtql {

/// Bytes a value of a column takes. Values are signed.
enum class Width : std::uint8_t { I8 = 1, I16 = 2, I32 = 4, I64 = 8 };

/// The narrowest width that holds `value`.
[[nodiscard]] Width width_of(std::int64_t value);

/// Values of one column for consecutive nodes, lent by whoever handed it out. The data is aligned
/// to its width.
struct ColumnView {
    const void* data = nullptr;
    std::size_t size = 0;  // values, not bytes
    Width width = Width::I8;

    [[nodiscard]] std::int64_t at(std::size_t i) const;
    /// REQUIRES: from + count <= size.
    [[nodiscard]] ColumnView part(std::size_t from, std::size_t count) const;
};

/// A column that owns its values and widens itself when one does not fit.
class Column {
public:
    explicit Column(Width width = Width::I8) : width_(width) {}

    void push(std::int64_t value);

    void reserve(std::size_t values) { bytes_.reserve(values * static_cast<std::size_t>(width_)); }

    [[nodiscard]] std::size_t size() const {
        // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): no width is 0
        return bytes_.size() / static_cast<std::size_t>(width_);
    }

    [[nodiscard]] Width width() const { return width_; }

    /// Lives until the column is changed.
    [[nodiscard]] ColumnView view() const { return {bytes_.data(), size(), width_}; }

    /// Room for `values` more values of the column's width, to be filled by the caller.
    void* grow(std::size_t values);

private:
    void widen(Width width);

    std::vector<std::byte> bytes_;
    Width width_;
};

/// Columns of a tree, its constants, and its parameters: so many at most. Each is looked for among
/// all the others, and a packed tree counts them in two bytes.
inline constexpr std::size_t kMostNames = 4096;
/// Bytes that the name of a column, a constant or a move can have in a packed tree.
inline constexpr std::size_t kLongestName = 255;
/// Bytes that a position, a game or a parameter can have there.
inline constexpr std::size_t kLongestText = 65'535;

/// A column that a log declares.
struct Attribute {
    std::string name;
    Width width = Width::I32;
    bool is_move = false;  // values are indices into TreeSource::moves()
};

/// A name that queries may use for a number.
struct Constant {
    std::string name;
    std::int64_t value = 0;
};

/// The names that a query may use in a tree. Attribute names are unique, constant names too.
struct TreeSchema {
    std::vector<Attribute> attributes;
    std::vector<Constant> constants;
    Width level_width = Width::I8;
    bool has_thread = false;
    bool has_unfinished = false;

    /// Index into `attributes`, or -1.
    [[nodiscard]] int attribute(std::string_view name) const;
    [[nodiscard]] const Constant* constant(std::string_view name) const;
    /// The attribute with the move that led to a node: "last_move", or else the first one of moves;
    /// -1 without moves.
    [[nodiscard]] int move_attribute() const;
};

/// The game of raw logs and tables that name none.
inline constexpr std::string_view kGameWhereUnnamed = "chess";

/// The origin of a tree.
struct TreeInfo {
    std::string name;             // as answers print it: the file, or the file and the tree in it
    std::string game;             // rules::make_game's name; empty: not known
    std::string position;         // text of the root position; empty: not known
    std::uint64_t search = 0;     // number of the search within its log, from 0
    std::uint64_t iteration = 0;  // 0: not known
    std::uint64_t nodes = 0;
    bool complete = true;  // false: the log was cut, or the search was stopped inside this tree
    std::vector<std::pair<std::string, std::string>> parameters;
};

/// Which column: an index into TreeSchema::attributes, or one of these.
using ColumnId = int;
inline constexpr ColumnId kLevelColumn = -1;       // tree depth; the root has 0
inline constexpr ColumnId kThreadColumn = -2;      // 0 where a log has one thread
inline constexpr ColumnId kUnfinishedColumn = -3;  // 1: the call never returned

/// Consecutive nodes of a tree in preorder (children in search order).
struct TreeBlock {
    std::uint64_t first = 0;  // preorder index of the first node; node_id is this plus 1
    std::size_t size = 0;
    std::vector<ColumnView> columns;  // as many and in the order that were asked for
};

/// Reads a tree once from its first node to its last. One thread at a time.
class BlockReader {
public:
    BlockReader() = default;
    BlockReader(const BlockReader&) = delete;
    BlockReader& operator=(const BlockReader&) = delete;
    virtual ~BlockReader() = default;

    /// The next nodes, at least one; false at the end. The views live until the next call or the
    /// reader's end. Throws Error where the data is damaged: never a silent short answer.
    virtual bool next(TreeBlock& block) = 0;
};

/// One search tree. The level column is a preorder: the first value is 0, all others are at least 1
/// and at most one more than the value before; who implements this checks it. A column has the
/// schema's width in every block. Several readers of one source may run side by side.
class TreeSource {
public:
    TreeSource() = default;
    TreeSource(const TreeSource&) = delete;
    TreeSource& operator=(const TreeSource&) = delete;
    virtual ~TreeSource() = default;

    [[nodiscard]] virtual const TreeInfo& info() const = 0;
    [[nodiscard]] virtual const TreeSchema& schema() const = 0;
    /// Texts of the moves, by the codes of the attributes that are moves.
    [[nodiscard]] virtual const std::vector<std::string>& moves() const = 0;
    /// Decodes only the wanted columns. REQUIRES: each id is in the schema; kThreadColumn and
    /// kUnfinishedColumn only where the schema has them. The source outlives the reader.
    [[nodiscard]] virtual std::unique_ptr<BlockReader> read(
        std::span<const ColumnId> wanted) const = 0;
};

/// A tree whose columns are in memory; its reader hands out all nodes as one block.
class Tree final : public TreeSource {
public:
    /// Takes nodes from the level column. Throws Error where that is no preorder.
    Tree(TreeInfo info, Column level);

    /// Adds a column. Throws Error where the name is taken or the column's length is not the
    /// tree's; for moves also where a code has no text.
    void add_attribute(const std::string& name, Column values);
    void add_moves(const std::string& name, Column codes, std::vector<std::string> texts);
    void add_constant(const std::string& name, std::int64_t value);
    void set_thread(Column values);
    void set_unfinished(Column values);

    [[nodiscard]] const TreeInfo& info() const override { return info_; }

    [[nodiscard]] TreeInfo& info() { return info_; }

    [[nodiscard]] const TreeSchema& schema() const override { return schema_; }

    [[nodiscard]] const std::vector<std::string>& moves() const override { return moves_; }

    [[nodiscard]] std::unique_ptr<BlockReader> read(
        std::span<const ColumnId> wanted) const override;
    [[nodiscard]] ColumnView column(ColumnId id) const;

private:
    void check_length(const std::string& name, const Column& column) const;

    TreeInfo info_;
    TreeSchema schema_;
    std::vector<std::string> moves_;
    Column level_;
    Column thread_;
    Column unfinished_;
    std::vector<Column> values_;  // beside schema_.attributes
};

/// Checks that levels are a preorder, `before` being the level before the first of them (-1 at a
/// tree's start). Returns the index of the first that is not, or levels.size.
[[nodiscard]] std::size_t first_wrong_level(const ColumnView& levels, std::int64_t before);

}  // namespace assay::gtql
