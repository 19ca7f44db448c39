#include "harness/suite/nodes.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/game.h"

namespace assay::harness {

namespace {

using gtql::ColumnId;

constexpr std::size_t kMostPathBytes = 4000;

bool is_no_move(std::string_view move) {
    return move.empty() || move == "none" || move == "--";
}

bool is_null_move(std::string_view move) {
    return move == "0000" || move == "null" || move == "@@@@";
}

/// The column of the move before each node, or nullopt.
std::optional<ColumnId> move_column(const gtql::TreeSchema& schema) {
    const int last_move = schema.attribute("last_move");
    if (last_move >= 0 && schema.attributes[static_cast<std::size_t>(last_move)].is_move)
        return last_move;
    for (std::size_t i = 0; i < schema.attributes.size(); ++i)
        if (schema.attributes[i].is_move) return static_cast<ColumnId>(i);
    return std::nullopt;
}

class NodeFinder {
public:
    NodeFinder(const gtql::TreeSource& tree, std::span<const std::uint64_t> ids)
        : tree_(tree), ids_(ids.begin(), ids.end()), move_(move_column(tree.schema())) {
        std::sort(ids_.begin(), ids_.end());
        ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
    }

    [[nodiscard]] std::vector<FoundNode> find() {
        std::vector<ColumnId> wanted{gtql::kLevelColumn};
        if (move_) wanted.push_back(*move_);
        const auto reader = tree_.read(wanted);
        gtql::TreeBlock block;
        while (!is_over() && reader->next(block)) {
            for (std::size_t i = 0; i < block.size && !is_over(); ++i)
                visit(block.first + i + 1, static_cast<std::size_t>(block.columns[0].at(i)),
                      move_ ? block.columns[1].at(i) : -1);
        }
        return std::move(found_);
    }

private:
    struct Open {
        std::size_t index;  // into found_
        std::size_t level;
    };

    [[nodiscard]] bool is_over() const { return next_ == ids_.size() && open_.empty(); }

    void visit(std::uint64_t id, std::size_t level, std::int64_t move) {
        while (!open_.empty() && open_.back().level >= level) open_.pop_back();
        for (const Open& above : open_) ++found_[above.index].size;
        path_.resize(level + 1, -1);
        path_[level] = move;
        if (next_ == ids_.size() || ids_[next_] != id) return;
        ++next_;
        open_.push_back({found_.size(), level});
        found_.push_back(described(id));
    }

    [[nodiscard]] FoundNode described(std::uint64_t id) const {
        FoundNode node;
        node.id = id;
        std::vector<std::string> moves;
        for (std::size_t level = 1; level < path_.size() && move_; ++level) {
            const std::int64_t code = path_[level];
            const bool has_text =
                code >= 0 && static_cast<std::size_t>(code) < tree_.moves().size();
            moves.push_back(has_text ? tree_.moves()[static_cast<std::size_t>(code)] : "none");
            const std::string& move = moves.back();
            if (node.path.size() < kMostPathBytes)
                node.path += (node.path.empty() ? "" : " ") +
                             (is_no_move(move) ? "--" : printable_utf8(move));
        }
        const gtql::TreeInfo& info = tree_.info();
        if (move_ || path_.size() == 1)
            node.position = position_after(info.game, info.position, moves);
        return node;
    }

    const gtql::TreeSource& tree_;
    std::vector<std::uint64_t> ids_;
    std::optional<ColumnId> move_;
    std::vector<FoundNode> found_;
    std::vector<Open> open_;
    std::vector<std::int64_t> path_;  // move by level
    std::size_t next_ = 0;
};

}  // namespace

std::string position_after(const std::string& game, const std::string& root,
                           std::span<const std::string> moves) {
    try {
        const auto rules = rules::make_game(game);
        auto position = rules->parse(root);
        for (const std::string& text : moves) {
            if (is_no_move(text)) continue;
            if (is_null_move(text)) {
                auto after = position->passed();
                if (after == nullptr) return "";
                position = std::move(after);
                continue;
            }
            const auto move = position->move_of(text, rules::Notation::Canonical);
            if (!move) return "";
            position->make(*move);
        }
        return position->text();
    } catch (const Error&) {
        return "";
    }
}

std::vector<FoundNode> look_up_nodes(const gtql::TreeSource& tree,
                                     std::span<const std::uint64_t> ids) {
    return NodeFinder(tree, ids).find();
}

}  // namespace assay::harness
