// Sizes and numbers of children of nodes. The queried node's own are counts over its subtree and
// its children, which the pass answers when the node closes: count_sizes() replaces them by such
// functions. Those of another node (a parent's, a child's) would be needed while that node is still
// open. A pass over the levels alone, before the main one, computes them for all nodes of the tree.
// It keeps a byte for each number, since nearly all nodes of a search tree are leaves or close to
// one, and a list of the few larger ones.
#include "gtql/exec/vector/sizes.h"

#include <algorithm>
#include <array>

#include "gtql/exec/vector/conjuncts.h"

namespace assay::gtql {

namespace {

/// Finds both numbers from the levels: the open nodes by level, with their children so far.
class SizeFinder {
public:
    explicit SizeFinder(std::size_t nodes) {
        sizes_.children.resize(nodes);
        sizes_.size.resize(nodes);
    }

    template <class T>
    void take(const T* levels, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) {
            const auto level = static_cast<std::size_t>(levels[i]);
            close(level);
            if (open_.size() <= level) open_.resize(2 * level + 16);
            if (level > 0) ++open_[level - 1].children;
            open_[level] = {node_++, 0};
            depth_ = level + 1;
        }
    }

    Sizes finish() {
        close(0);
        sizes_.children.finish();
        sizes_.size.finish();
        return std::move(sizes_);
    }

private:
    struct Open {
        std::size_t node = 0;
        std::int64_t children = 0;
    };

    /// Closes all open nodes from this level down.
    void close(std::size_t level) {
        for (; depth_ > level; --depth_) {
            const Open& each = open_[depth_ - 1];
            sizes_.children.set(each.node, each.children);
            sizes_.size.set(each.node, static_cast<std::int64_t>(node_ - each.node - 1));
        }
    }

    Sizes sizes_;
    std::vector<Open> open_;
    std::size_t depth_ = 0;
    std::size_t node_ = 0;
};

bool is_size(const Step& step) {
    if (step.op != Op::Builtin) return false;
    const auto builtin = static_cast<Builtin>(step.value);
    return builtin == Builtin::Size || builtin == Builtin::Children;
}

bool is_own_size(const Step& step) {
    return is_size(step) && step.role == Role::Bare;
}

/// The index of the function that counts all nodes of a scope; adds it if the query has none.
std::size_t count_of(Query& query, Part scope) {
    for (std::size_t i = 0; i < query.calls.size(); ++i) {
        const Call& call = query.calls[i];
        const bool is_same =
            call.function == Function::Count && call.scope == scope && call.condition.empty();
        if (is_same) return i;
    }
    Call call;
    call.scope = scope;
    query.calls.push_back(std::move(call));
    return query.calls.size() - 1;
}

/// Moves those conditions of the node: part that name a size to another part.
void move_from_node_part(Query& query) {
    Expression& node = query.parts.at(static_cast<std::size_t>(Part::Node));
    Expression& subtree = query.parts.at(static_cast<std::size_t>(Part::Subtree));
    std::vector<Expression> stay;
    std::vector<Expression> go;
    for (Expression& each : conjuncts_of(node)) {
        const bool has_size = std::ranges::any_of(each.steps, is_own_size);
        (has_size ? go : stay).push_back(std::move(each));
    }
    if (go.empty()) return;
    go.push_back(std::move(subtree));
    subtree = joined(std::move(go));
    node = joined(std::move(stay));
}

}  // namespace

void SmallNumbers::finish() {
    std::ranges::sort(large_);
}

void SmallNumbers::copy(std::size_t first, std::size_t size, std::int64_t* out) const {
    const std::uint8_t* const bytes = bytes_.data() + first;
    for (std::size_t i = 0; i < size; ++i) out[i] = bytes[i];
    auto each = std::ranges::lower_bound(large_, std::pair<std::uint64_t, std::int64_t>(first, 0));
    for (; each != large_.end() && each->first < first + size; ++each) {
        out[each->first - first] = each->second;
    }
}

Sizes sizes_of(const TreeSource& tree) {
    SizeFinder finder(tree.info().nodes);
    const std::array<ColumnId, 1> wanted{kLevelColumn};
    const auto reader = tree.read(wanted);
    TreeBlock block;
    while (reader->next(block)) {
        const ColumnView& levels = block.columns[0];
        switch (levels.width) {
            case Width::I8:
                finder.take(static_cast<const std::int8_t*>(levels.data), levels.size);
                break;
            case Width::I16:
                finder.take(static_cast<const std::int16_t*>(levels.data), levels.size);
                break;
            case Width::I32:
                finder.take(static_cast<const std::int32_t*>(levels.data), levels.size);
                break;
            case Width::I64:
                finder.take(static_cast<const std::int64_t*>(levels.data), levels.size);
                break;
        }
    }
    return finder.finish();
}

void count_sizes(Plan& plan) {
    Query& query = plan.query;
    if (!plan.uses_size) return;
    if (query.kind == AnswerKind::Nodes) move_from_node_part(query);
    for (std::size_t part = 1; part < query.parts.size(); ++part) {
        for (Step& step : query.parts.at(part).steps) {
            if (!is_own_size(step)) continue;
            const bool is_all = static_cast<Builtin>(step.value) == Builtin::Size;
            step.op = Op::Call;
            step.value =
                static_cast<std::int64_t>(count_of(query, is_all ? Part::Subtree : Part::Child));
        }
    }
    const auto names_size = [](const Expression& each) {
        return std::ranges::any_of(each.steps, is_size);
    };
    plan.uses_size =
        std::ranges::any_of(query.parts, names_size) || std::ranges::any_of(query.keys, names_size);
    for (const Call& call : query.calls) {
        plan.uses_size = plan.uses_size || names_size(call.value) || names_size(call.condition);
    }
}

}  // namespace assay::gtql
