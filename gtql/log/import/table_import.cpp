// A tree from rows. The parent of each row is given by id or by level, and rows must be in
// preorder: then the ancestors of the present row are a stack, a wrong row is found at once, and
// the file can be read as a stream. A sort into preorder would accept more files, but would need
// all rows in memory and hide mistakes in a log.
//
// Columns that only repeat the shape of the tree (ids counting from 1, levels) are not kept as
// attributes, which the built-ins `node_id` and `level` answer anyway.
#include "gtql/log/import/table_import.h"

#include <algorithm>

#include "base/text.h"
#include "gtql/log/raw/raw_blocks.h"

namespace assay::gtql {

TreeTable::TreeTable(TreeInfo info, std::vector<std::string> names)
    : info_(std::move(info)), names_(std::move(names)), values_(names_.size()) {
    if (names_.size() > kMostNames) {
        throw TableFault{-1, std::to_string(names_.size()) + " columns: expected at most " +
                                 std::to_string(kMostNames)};
    }
    const auto place = [this](std::string_view name) {
        const auto found = std::find(names_.begin(), names_.end(), name);
        return found == names_.end() ? -1 : static_cast<int>(found - names_.begin());
    };
    for (std::size_t i = 0; i < names_.size(); ++i) {
        if (place(names_[i]) != static_cast<int>(i))
            throw TableFault{static_cast<int>(i), "column '" + names_[i] + "' occurs twice"};
    }
    id_.at = place("node_id");
    parent_.at = place("parent_id");
    level_column_.at = place("level");
    if (level_column_.at < 0 && (id_.at < 0 || parent_.at < 0))
        throw TableFault{-1, "expected the columns node_id and parent_id, or level"};
}

bool TreeTable::is_shape(int at) const {
    return at == id_.at || at == parent_.at || at == level_column_.at;
}

void TreeTable::classify(const std::vector<std::string_view>& cells) {
    const bool has_last_move = std::find(names_.begin(), names_.end(), "last_move") != names_.end();
    for (std::size_t i = 0; i < names_.size(); ++i) {
        Use use = Use::Number;
        if (names_[i] == (has_last_move ? "last_move" : "move")) {
            use = Use::Move;
        } else if (!is_log_name(names_[i])) {
            use = Use::Ignored;
            warnings_.push_back("column '" + printable_utf8(names_[i]) +
                                "' is left out: a query cannot use its name");
        } else if (!is_shape(static_cast<int>(i)) && !to_number<std::int64_t>(cells[i])) {
            use = Use::Ignored;
            warnings_.push_back("column '" + names_[i] +
                                "' is left out: its first value is not an integer of 64 bits");
        }
        uses_.push_back(use);
    }
}

std::int64_t TreeTable::number(const std::vector<std::string_view>& cells, int at) const {
    const auto place = static_cast<std::size_t>(at);
    const auto value = to_number<std::int64_t>(cells[place]);
    if (!value) {
        throw TableFault{at, "expected an integer of 64 bits in column '" + names_[place] +
                                 "', found '" + printable_utf8(cells[place].substr(0, 80)) + "'"};
    }
    return *value;
}

void TreeTable::close_last() {
    open_ids_.erase(open_.back().first);
    open_.pop_back();
}

/// The root's parent is no node: where it becomes one, and where a node is its own parent or has an
/// ancestor's id, the parents form a cycle. Called with the ancestors alone in open_.
void TreeTable::check_no_cycle(std::int64_t id, std::int64_t parent) const {
    const std::string node = "node " + std::to_string(id);
    if (id == parent) throw TableFault{parent_.at, node + " is its own parent"};
    if (rows() > 0 && id == root_parent_)
        throw TableFault{id_.at, node + " is the parent of the root, which is an ancestor of it"};
    if (open_ids_.contains(id))
        throw TableFault{id_.at, node + " is an ancestor of itself: the id occurs twice"};
}

std::int64_t TreeTable::level_of(const std::vector<std::string_view>& cells) {
    const std::uint64_t row = rows();
    const bool has_ids = id_.at >= 0 && parent_.at >= 0;
    const std::int64_t id = id_.at >= 0 ? number(cells, id_.at) : 0;
    id_.is_plain = id_.is_plain && id == static_cast<std::int64_t>(row) + 1;
    if (!has_ids) {
        const std::int64_t level = number(cells, level_column_.at);
        const std::int64_t most = row == 0 ? 0 : level_.at(row - 1) + 1;
        if (level < (row == 0 ? 0 : 1) || level > most) {
            throw TableFault{level_column_.at,
                             "level " + std::to_string(level) + " cannot follow: expected " +
                                 (row == 0 ? "0" : "1 to " + std::to_string(most))};
        }
        return level;
    }
    // Close nodes until the parent is the last open one. If none is left, the parent is not an
    // ancestor in preorder.
    const std::int64_t parent = number(cells, parent_.at);
    while (row > 0 && !open_.empty() && open_.back().first != parent) close_last();
    if (row > 0 && open_.empty()) {
        throw TableFault{parent_.at,
                         "the parent " + std::to_string(parent) + " of node " + std::to_string(id) +
                             " is not an ancestor: rows must be in preorder, below one root"};
    }
    if (row > 0) {
        const auto expected = static_cast<std::int64_t>(open_.back().second) + 1;
        parent_.is_plain = parent_.is_plain && parent == expected;
    }
    if (row == 0) root_parent_ = parent;
    check_no_cycle(id, parent);
    const auto level = static_cast<std::int64_t>(open_.size());
    open_.emplace_back(id, row);
    open_ids_.insert(id);
    if (level_column_.at >= 0)
        level_column_.is_plain = level_column_.is_plain && number(cells, level_column_.at) == level;
    return level;
}

void TreeTable::add_row(const std::vector<std::string_view>& cells) {
    if (cells.size() != names_.size()) {
        throw TableFault{-1, "expected " + std::to_string(names_.size()) + " values, found " +
                                 std::to_string(cells.size())};
    }
    if (uses_.empty()) classify(cells);
    const std::int64_t level = level_of(cells);
    for (std::size_t i = 0; i < names_.size(); ++i) {
        if (uses_[i] == Use::Number) {
            values_[i].push(number(cells, static_cast<int>(i)));
        } else if (uses_[i] == Use::Move) {
            std::string move = printable_utf8(cells[i]);
            if (move.size() > kLongestName) {
                throw TableFault{static_cast<int>(i), "a move of " + std::to_string(move.size()) +
                                                          " bytes: expected at most " +
                                                          std::to_string(kLongestName)};
            }
            values_[i].push(moves_.code_of(move));
        }
    }
    level_.push(level);
}

void TreeTable::expect_rows(std::uint64_t expected) {
    if (rows() < expected) {
        info_.complete = false;
        warnings_.push_back("the file ends after " + std::to_string(rows()) + " of " +
                            std::to_string(expected) + " nodes");
    }
    if (id_.at >= 0 && !id_.is_plain) {
        warnings_.emplace_back(
            "node_id does not count the rows from 1; answers do, and node_id is kept as an attribute");
    }
}

void TreeTable::set_constant(const std::string& name, std::int64_t value) {
    for (Constant& each : constants_) {
        if (each.name == name) {
            each.value = value;
            return;
        }
    }
    constants_.push_back({name, value});
}

std::unique_ptr<Tree> TreeTable::take() {
    auto tree = std::make_unique<Tree>(std::move(info_), level_.take());
    const bool has_plain_ids = id_.is_plain && parent_.is_plain;
    for (std::size_t i = 0; i < uses_.size(); ++i) {
        const auto at = static_cast<int>(i);
        const bool is_shape = at == level_column_.at
                                  ? level_column_.is_plain
                                  : (at == id_.at || at == parent_.at) && has_plain_ids;
        if (uses_[i] == Use::Ignored || is_shape) continue;
        if (uses_[i] == Use::Move) {
            tree->add_moves("last_move", values_[i].take(), moves_.take());
        } else if (names_[i] == "thread") {
            tree->set_thread(values_[i].take());
        } else if (names_[i] == "unfinished") {
            tree->set_unfinished(values_[i].take());
        } else {
            tree->add_attribute(names_[i], values_[i].take());
        }
    }
    for (const Constant& each : constants_) tree->add_constant(each.name, each.value);
    return tree;
}

}  // namespace assay::gtql
