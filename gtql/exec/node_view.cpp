// Nodes come in preorder, so that the path to a node is a stack: a node of level n replaces what
// the stack holds from n on. A node on the stack is open, and every node that comes while it is
// open lies in its subtree; its size is counted up so, for the asked nodes only.
#include "gtql/exec/node_view.h"

#include <algorithm>
#include <optional>

namespace assay::gtql {

namespace {

/// Keeps the path to the present node while the tree is read.
class Viewer {
public:
    Viewer(const TreeSource& tree, std::span<const std::uint64_t> ids, ViewParts parts)
        : tree_(tree), ids_(ids), parts_(parts), has_moves_(tree.schema().move_attribute() >= 0) {
        const int move = tree.schema().move_attribute();
        if (parts.values) {
            for (std::size_t i = 0; i < tree.schema().attributes.size(); ++i)
                wanted_.push_back(static_cast<ColumnId>(i));
            move_at_ = static_cast<std::size_t>(move);
        } else if (has_moves_) {
            wanted_.push_back(move);
        }
        wanted_.push_back(kLevelColumn);
    }

    std::vector<NodeView> all() {
        const auto reader = tree_.read(wanted_);
        TreeBlock block;
        while (!is_over() && reader->next(block)) {
            for (std::size_t i = 0; i < block.size && !is_over(); ++i) take(block, i);
        }
        return std::move(views_);
    }

private:
    struct Open {
        std::uint64_t id = 0;
        std::string_view move;
        std::optional<std::size_t> view;  // of views_, where the node is asked for
    };

    /// Children and sizes of asked nodes may go on behind the last of them.
    [[nodiscard]] bool is_over() const {
        return next_ == ids_.size() && ((!parts_.children && !parts_.size) || asked_open_ == 0);
    }

    [[nodiscard]] NodeValues values_at(const TreeBlock& block, std::size_t i) const {
        NodeValues node;
        node.id = block.first + i + 1;
        for (std::size_t c = 0; parts_.values && c < tree_.schema().attributes.size(); ++c) {
            const std::int64_t value = block.columns[c].at(i);
            if (tree_.schema().attributes[c].is_move) {
                node.values.emplace_back(tree_.moves().at(static_cast<std::size_t>(value)));
            } else {
                node.values.emplace_back(value);
            }
        }
        return node;
    }

    void close_from(std::size_t level) {
        while (path_.size() > level) {
            if (path_.back().view) --asked_open_;
            path_.pop_back();
        }
    }

    void take(const TreeBlock& block, std::size_t i) {
        const auto level = static_cast<std::size_t>(block.columns.back().at(i));
        close_from(level);
        if (is_over()) return;
        if (asked_open_ > 0) count_in_sizes();
        if (parts_.children && !path_.empty() && path_.back().view) {
            views_[*path_.back().view].children.push_back(values_at(block, i));
        }
        Open open;
        open.id = block.first + i + 1;
        if (has_moves_) {
            open.move = tree_.moves().at(static_cast<std::size_t>(block.columns[move_at_].at(i)));
        }
        path_.push_back(open);
        while (next_ < ids_.size() && ids_[next_] < open.id) ++next_;
        if (next_ < ids_.size() && ids_[next_] == open.id) {
            ++next_;
            add_view(block, i);
        }
    }

    void count_in_sizes() {
        for (const Open& each : path_) {
            if (each.view) ++views_[*each.view].size;
        }
    }

    /// Of the last node of the path.
    void add_view(const TreeBlock& block, std::size_t i) {
        ++asked_open_;
        path_.back().view = views_.size();
        NodeView view;
        view.node = values_at(block, i);
        for (std::size_t k = 0; k < path_.size(); ++k) {
            view.path.push_back(path_[k].id);
            if (has_moves_ && k > 0) view.moves.emplace_back(path_[k].move);
        }
        views_.push_back(std::move(view));
    }

    const TreeSource& tree_;
    std::span<const std::uint64_t> ids_;
    ViewParts parts_;
    bool has_moves_;
    std::vector<ColumnId> wanted_;  // the attributes or only the move; then the level
    std::size_t move_at_ = 0;       // of wanted_
    std::size_t next_ = 0;          // of ids_
    std::size_t asked_open_ = 0;    // asked nodes on the path
    std::vector<Open> path_;
    std::vector<NodeView> views_;
};

}  // namespace

std::vector<NodeView> look_at(const TreeSource& tree, std::span<const std::uint64_t> ids,
                              ViewParts parts) {
    return Viewer(tree, ids, parts).all();
}

}  // namespace assay::gtql
