#include "gtql/exec/node_view.h"

#include <algorithm>
#include <optional>

namespace assay::gtql {

namespace {

/// Follows the path to the node at hand while the tree goes by.
class Viewer {
public:
    Viewer(const TreeSource& tree, std::span<const std::uint64_t> ids, bool with_children)
        : tree_(tree), ids_(ids), with_children_(with_children) {
        const auto& attributes = tree.schema().attributes;
        for (std::size_t i = 0; i < attributes.size(); ++i) {
            wanted_.push_back(static_cast<ColumnId>(i));
            if (attributes[i].is_move && !move_) move_ = i;
        }
        wanted_.push_back(kLevelColumn);
    }

    std::vector<NodeView> all() {
        const auto reader = tree_.read(wanted_);
        TreeBlock block;
        // Children of the last node that is asked for may follow it.
        while ((next_ < ids_.size() || !path_.empty()) && reader->next(block)) {
            for (std::size_t i = 0; i < block.size; ++i) {
                take(block, i);
                if (next_ == ids_.size() && !is_any_open()) return std::move(views_);
            }
        }
        return std::move(views_);
    }

private:
    struct Open {
        std::uint64_t id = 0;
        std::string move;
        std::optional<std::size_t> view;  // of views_, where the node is asked for
    };

    [[nodiscard]] bool is_any_open() const {
        return with_children_ &&
               std::ranges::any_of(path_, [](const Open& each) { return each.view.has_value(); });
    }

    [[nodiscard]] NodeValues values_at(const TreeBlock& block, std::size_t i) const {
        NodeValues node;
        node.id = block.first + i + 1;
        for (std::size_t c = 0; c + 1 < wanted_.size(); ++c) {
            const std::int64_t value = block.columns[c].at(i);
            if (tree_.schema().attributes[c].is_move) {
                node.values.emplace_back(tree_.moves().at(static_cast<std::size_t>(value)));
            } else {
                node.values.emplace_back(value);
            }
        }
        return node;
    }

    void take(const TreeBlock& block, std::size_t i) {
        const auto level = static_cast<std::size_t>(block.columns.back().at(i));
        path_.resize(level);
        const std::uint64_t id = block.first + i + 1;
        if (with_children_ && !path_.empty() && path_.back().view) {
            views_[*path_.back().view].children.push_back(values_at(block, i));
        }
        Open open;
        open.id = id;
        if (move_) {
            const std::int64_t code = block.columns[*move_].at(i);
            open.move = tree_.moves().at(static_cast<std::size_t>(code));
        }
        path_.push_back(std::move(open));
        while (next_ < ids_.size() && ids_[next_] < id) ++next_;
        if (next_ == ids_.size() || ids_[next_] != id) return;
        ++next_;
        path_.back().view = views_.size();
        NodeView view;
        view.node = values_at(block, i);
        for (std::size_t k = 0; k < path_.size(); ++k) {
            view.path.push_back(path_[k].id);
            if (move_ && k > 0) view.moves.push_back(path_[k].move);
        }
        views_.push_back(std::move(view));
    }

    const TreeSource& tree_;
    std::span<const std::uint64_t> ids_;
    bool with_children_;
    std::vector<ColumnId> wanted_;
    std::optional<std::size_t> move_;  // of the schema's attributes
    std::size_t next_ = 0;
    std::vector<Open> path_;
    std::vector<NodeView> views_;
};

}  // namespace

std::vector<NodeView> look_at(const TreeSource& tree, std::span<const std::uint64_t> ids,
                              bool with_children) {
    return Viewer(tree, ids, with_children).all();
}

}  // namespace assay::gtql
