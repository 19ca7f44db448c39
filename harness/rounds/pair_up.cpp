// A perfect matching of least cost in a complete graph, by Edmonds' method (Maximum matching and a
// polyhedron with 0,1-vertices, 1965), with the bookkeeping that makes it cubic (Gabow 1976; Galil,
// Efficient algorithms for finding maximum matching in graphs, 1986).
//
// Costs become weights, the greater the cheaper. Each vertex has a dual value, and each blossom (an
// odd cycle that is treated as one vertex) has one too. An edge's slack is the sum of the duals of
// its ends minus twice its weight; it is never negative, and only edges without slack are matched.
// From each unmatched vertex a tree grows over edges without slack, alternately unmatched and
// matched. A vertex at even distance is outer, one at odd distance is inner. Where an edge without
// slack joins two outer vertices of one tree there is a blossom; of two trees, the path between
// their roots has one matched edge more after its edges change places. Where no tree can grow, the
// duals of outer vertices fall and those of inner ones rise until one can.
//
// Why not a greedy choice from the top with a test whether the rest can be paired: it finds a legal
// pairing, not the one with the least differences. Exact lexicographic search is exponential.
#include "harness/rounds/pair_up.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/check.h"

namespace assay::harness {

namespace {

using Node = int;  // a vertex, or from the number of vertices on a blossom
constexpr Node kNone = -1;

enum class Label : std::uint8_t { Free, Outer, Inner };

class Matcher {
public:
    explicit Matcher(const PairingCosts& costs)
        : vertices_(static_cast<int>(costs.count())),
          nodes_(2 * vertices_),
          weight_(costs.count() * costs.count()),
          end_in_(size(nodes_) * size(nodes_), kNone),
          dual_(size(nodes_), 0),
          outermost_(size(nodes_), kNone),
          mate_(size(nodes_), kNone),
          parent_(size(nodes_), kNone),
          nearest_(size(nodes_), kNone),
          label_(size(nodes_), Label::Free),
          mark_(size(nodes_), 0),
          children_(size(nodes_)),
          child_with_(size(nodes_)) {
        PairingCost most = 0;
        for (std::size_t a = 0; a < costs.count(); ++a) {
            for (std::size_t b = 0; b < a; ++b) most = std::max(most, costs.at(a, b));
        }
        for (Node a = 0; a < vertices_; ++a) {
            for (Node b = 0; b < vertices_; ++b) {
                weight_[size(a) * size(vertices_) + size(b)] = most - costs.at(size(a), size(b));
                end_in(a, b) = a;
            }
            dual_[size(a)] = most;
            outermost_[size(a)] = a;
        }
    }

    [[nodiscard]] std::vector<std::size_t> solve() {
        while (augment_once()) continue;
        std::vector<std::size_t> partner;
        for (Node a = 0; a < vertices_; ++a) partner.push_back(size(mate_[size(a)]));
        return partner;
    }

private:
    static std::size_t size(int value) { return static_cast<std::size_t>(value); }

    [[nodiscard]] bool is_blossom(Node node) const { return node >= vertices_; }

    /// The vertex of `in` at which the best edge to `to` ends.
    [[nodiscard]] Node& end_in(Node in, Node to) {
        return end_in_[size(in) * size(nodes_) + size(to)];
    }

    [[nodiscard]] PairingCost slack(Node a, Node b) {
        const Node from = end_in(a, b);
        const Node to = end_in(b, a);
        return dual_[size(from)] + dual_[size(to)] -
               2 * weight_[size(from) * size(vertices_) + size(to)];
    }

    [[nodiscard]] Node top(Node node) const {
        return node == kNone ? kNone : outermost_[size(node)];
    }

    void note_nearest(Node vertex, Node to) {
        Node& nearest = nearest_[size(to)];
        if (nearest == kNone || slack(vertex, to) < slack(nearest, to)) nearest = vertex;
    }

    void find_nearest(Node to) {
        nearest_[size(to)] = kNone;
        for (Node vertex = 0; vertex < vertices_; ++vertex) {
            if (top(vertex) != to && label_[size(top(vertex))] == Label::Outer) {
                note_nearest(vertex, to);
            }
        }
    }

    void push(Node node) {
        if (!is_blossom(node)) {
            queue_.push_back(node);
            return;
        }
        for (const Node child : children_[size(node)]) push(child);
    }

    void set_outermost(Node node, Node blossom) {
        outermost_[size(node)] = blossom;
        if (!is_blossom(node)) return;
        for (const Node child : children_[size(node)]) set_outermost(child, blossom);
    }

    /// The child's place on the even path to the base; turns the cycle round where that is needed.
    std::ptrdiff_t even_place(Node blossom, Node child) {
        std::vector<Node>& cycle = children_[size(blossom)];
        const auto place = std::find(cycle.begin(), cycle.end(), child) - cycle.begin();
        if (place % 2 == 0) return place;
        std::reverse(cycle.begin() + 1, cycle.end());
        return static_cast<std::ptrdiff_t>(cycle.size()) - place;
    }

    /// Matches a by its best edge to b, and the inside of a accordingly.
    void set_mate(Node a, Node b) {
        mate_[size(a)] = end_in(b, a);
        if (!is_blossom(a)) return;
        std::vector<Node>& cycle = children_[size(a)];
        const Node entry = child_with_[size(a)][size(end_in(a, b))];
        const std::ptrdiff_t place = even_place(a, entry);
        for (std::ptrdiff_t i = 0; i < place; ++i) {
            const auto at = static_cast<std::size_t>(i);
            set_mate(cycle[at], cycle[at ^ 1U]);
        }
        set_mate(entry, b);
        std::rotate(cycle.begin(), cycle.begin() + place, cycle.end());
    }

    /// Swaps matched and unmatched edges from a to its root; a's new partner is b.
    void swap_to_root(Node a, Node b) {
        while (true) {
            const Node old_mate = top(mate_[size(a)]);
            set_mate(a, b);
            if (old_mate == kNone) return;
            const Node up = top(parent_[size(old_mate)]);
            set_mate(old_mate, up);
            b = old_mate;
            a = up;
        }
    }

    [[nodiscard]] Node next_outer(Node outer) const {
        const Node inner = top(mate_[size(outer)]);
        return inner == kNone ? kNone : top(parent_[size(inner)]);
    }

    /// Where the paths to the root meet; kNone: in different trees.
    [[nodiscard]] Node common_outer(Node a, Node b) {
        ++marks_;
        while (a != kNone || b != kNone) {
            if (a != kNone) {
                if (mark_[size(a)] == marks_) return a;
                mark_[size(a)] = marks_;
                a = next_outer(a);
            }
            std::swap(a, b);
        }
        return kNone;
    }

    void collect_path(std::vector<Node>& cycle, Node from, Node base) {
        while (from != base) {
            cycle.push_back(from);
            const Node inner = top(mate_[size(from)]);
            cycle.push_back(inner);
            push(inner);
            from = top(parent_[size(inner)]);
        }
    }

    void shrink(Node a, Node base, Node b) {
        Node blossom = vertices_;
        while (outermost_[size(blossom)] != kNone) ++blossom;
        label_[size(blossom)] = Label::Outer;
        dual_[size(blossom)] = 0;
        mate_[size(blossom)] = mate_[size(base)];
        parent_[size(blossom)] = parent_[size(base)];
        std::vector<Node> cycle{base};
        collect_path(cycle, a, base);
        std::reverse(cycle.begin() + 1, cycle.end());
        collect_path(cycle, b, base);
        children_[size(blossom)] = std::move(cycle);
        set_outermost(blossom, blossom);
        join_edges(blossom);
        find_nearest(blossom);
    }

    /// The blossom's best edge to each other node is the best one of its children.
    void join_edges(Node blossom) {
        for (Node other = 0; other < nodes_; ++other) end_in(blossom, other) = kNone;
        std::vector<Node>& holder = child_with_[size(blossom)];
        holder.assign(size(vertices_), kNone);
        for (const Node child : children_[size(blossom)]) {
            for (Node other = 0; other < nodes_; ++other) {
                if (other == blossom || end_in(child, other) == kNone ||
                    end_in(other, child) == kNone) {
                    continue;
                }
                if (end_in(blossom, other) != kNone &&
                    slack(child, other) >= slack(blossom, other)) {
                    continue;
                }
                end_in(blossom, other) = end_in(child, other);
                end_in(other, blossom) = end_in(other, child);
            }
            if (!is_blossom(child)) holder[size(child)] = child;
            for (Node vertex = 0; is_blossom(child) && vertex < vertices_; ++vertex) {
                if (child_with_[size(child)][size(vertex)] != kNone) holder[size(vertex)] = child;
            }
        }
    }

    /// Opens an inner blossom: the even path from where the tree enters it to its base stays in the
    /// tree, the other children become free.
    void expand(Node blossom) {
        const std::vector<Node>& cycle = children_[size(blossom)];
        for (const Node child : cycle) set_outermost(child, child);
        const Node from = parent_[size(blossom)];
        const Node entry = child_with_[size(blossom)][size(end_in(blossom, from))];
        const std::ptrdiff_t place = even_place(blossom, entry);
        for (std::ptrdiff_t i = 0; i < place; i += 2) {
            const Node inner = cycle[static_cast<std::size_t>(i)];
            const Node outer = cycle[static_cast<std::size_t>(i) + 1];
            parent_[size(inner)] = end_in(outer, inner);
            label_[size(inner)] = Label::Inner;
            label_[size(outer)] = Label::Outer;
            nearest_[size(inner)] = kNone;
            find_nearest(outer);
            push(outer);
        }
        label_[size(entry)] = Label::Inner;
        parent_[size(entry)] = from;
        nearest_[size(entry)] = kNone;
        for (auto i = static_cast<std::size_t>(place) + 1; i < cycle.size(); ++i) {
            label_[size(cycle[i])] = Label::Free;
            find_nearest(cycle[i]);
        }
        outermost_[size(blossom)] = kNone;
    }

    /// An edge without slack from an outer vertex to another node's. True: the matching has grown.
    bool use_edge(Node from, Node to) {
        const Node a = top(from);
        const Node b = top(to);
        if (label_[size(b)] == Label::Free) {
            parent_[size(b)] = from;
            label_[size(b)] = Label::Inner;
            const Node outer = top(mate_[size(b)]);
            nearest_[size(b)] = kNone;
            nearest_[size(outer)] = kNone;
            label_[size(outer)] = Label::Outer;
            push(outer);
            return false;
        }
        if (label_[size(b)] != Label::Outer) return false;
        const Node base = common_outer(a, b);
        if (base != kNone) {
            shrink(a, base, b);
            return false;
        }
        swap_to_root(a, b);
        swap_to_root(b, a);
        return true;
    }

    [[nodiscard]] bool is_outermost(Node node) const { return outermost_[size(node)] == node; }

    void plant_trees() {
        queue_.clear();
        std::fill(label_.begin(), label_.end(), Label::Free);
        std::fill(nearest_.begin(), nearest_.end(), kNone);
        for (Node node = 0; node < nodes_; ++node) {
            if (!is_outermost(node) || mate_[size(node)] != kNone) continue;
            parent_[size(node)] = kNone;
            label_[size(node)] = Label::Outer;
            push(node);
        }
    }

    bool grow() {
        while (!queue_.empty()) {
            const Node from = queue_.back();
            queue_.pop_back();
            for (Node to = 0; to < vertices_; ++to) {
                if (top(from) == top(to) || label_[size(top(from))] == Label::Inner) continue;
                if (slack(from, to) > 0) {
                    note_nearest(from, top(to));
                } else if (use_edge(from, to)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// How far the duals may move until something happens.
    [[nodiscard]] PairingCost step() {
        PairingCost least = -1;
        const auto take = [&least](PairingCost value) {
            if (least < 0 || value < least) least = value;
        };
        for (Node node = 0; node < nodes_; ++node) {
            if (!is_outermost(node)) continue;
            if (is_blossom(node) && label_[size(node)] == Label::Inner) {
                take(dual_[size(node)] / 2);
            }
            const Node nearest = nearest_[size(node)];
            if (nearest == kNone) continue;
            if (label_[size(node)] == Label::Free) take(slack(nearest, node));
            if (label_[size(node)] == Label::Outer) take(slack(nearest, node) / 2);
        }
        ASSAY_CHECK(least >= 0);
        return least;
    }

    void move_duals(PairingCost by) {
        for (Node vertex = 0; vertex < vertices_; ++vertex) {
            const Label label = label_[size(top(vertex))];
            if (label == Label::Outer) dual_[size(vertex)] -= by;
            if (label == Label::Inner) dual_[size(vertex)] += by;
        }
        for (Node blossom = vertices_; blossom < nodes_; ++blossom) {
            if (!is_outermost(blossom)) continue;
            if (label_[size(blossom)] == Label::Outer) dual_[size(blossom)] += 2 * by;
            if (label_[size(blossom)] == Label::Inner) dual_[size(blossom)] -= 2 * by;
        }
    }

    /// Adds one edge to the matching; false: everyone has a partner.
    bool augment_once() {
        plant_trees();
        if (queue_.empty()) return false;
        while (true) {
            if (grow()) return true;
            move_duals(step());
            for (Node node = 0; node < nodes_; ++node) {
                const Node nearest = nearest_[size(node)];
                if (!is_outermost(node) || nearest == kNone || top(nearest) == node) continue;
                if (label_[size(node)] == Label::Inner || slack(nearest, node) != 0) continue;
                if (use_edge(nearest, end_in(node, nearest))) return true;
            }
            for (Node blossom = vertices_; blossom < nodes_; ++blossom) {
                if (is_outermost(blossom) && label_[size(blossom)] == Label::Inner &&
                    dual_[size(blossom)] == 0) {
                    expand(blossom);
                }
            }
        }
    }

    int vertices_;
    int nodes_;
    std::vector<PairingCost> weight_;
    std::vector<Node> end_in_;
    std::vector<PairingCost> dual_;
    std::vector<Node> outermost_;  // kNone: a blossom that does not exist
    std::vector<Node> mate_;       // the vertex that a node's matched edge leads to
    std::vector<Node> parent_;     // the vertex that an inner node was reached from
    std::vector<Node> nearest_;    // the outer vertex with the least slack to a node
    std::vector<Label> label_;
    std::vector<int> mark_;
    int marks_ = 0;
    std::vector<std::vector<Node>> children_;    // of a blossom, in a cycle, its base first
    std::vector<std::vector<Node>> child_with_;  // of a blossom, by vertex
    std::vector<Node> queue_;                    // outer vertices whose edges are to be looked at
};

}  // namespace

std::vector<std::size_t> pair_up(const PairingCosts& costs) {
    ASSAY_CHECK(costs.count() % 2 == 0);
    return Matcher(costs).solve();
}

}  // namespace assay::harness
