#include "tests/gtql/plain/random_queries.h"

#include <array>
#include <string_view>

namespace assay::test {

namespace {

using gtql::Column;
using gtql::Tree;

class QueryWriter {
public:
    QueryWriter(Random& random, int level) : random_(random), level_(level) {}

    std::string query() {
        std::string out;
        const bool is_statement = one_in(level_ == 1 ? 6 : 5);
        const int others = level_ == 1 && is_statement ? 0 : static_cast<int>(random_.below(3));
        if (is_statement || others == 0 || !one_in(3)) {
            place_ = Place::Node;
            out = "node: " + (is_statement ? statement() : truth(3));
        }
        int written = 0;
        for (const Place place :
             {Place::Parent, Place::Ancestor, Place::Sibling, Place::Child, Place::Subtree}) {
            const bool is_level_1 = place == Place::Child || place == Place::Subtree;
            if (level_ == 1 && !is_level_1) continue;
            if (written >= others || !one_in(is_level_1 ? 2 : 3)) continue;
            ++written;
            place_ = place;
            out += out.empty() ? "" : "; ";
            out += std::string(kNames.at(static_cast<std::size_t>(place))) + ": " + truth(2);
        }
        if (out.empty()) {
            place_ = Place::Child;
            out = "child: " + truth(2);
        }
        return out + (one_in(8) ? ";" : "");
    }

private:
    enum class Place : std::uint8_t { Node, Parent, Ancestor, Sibling, Child, Subtree };
    static constexpr std::array<std::string_view, 6> kNames{"node",    "parent", "ancestor",
                                                            "sibling", "child",  "subtree"};

    bool one_in(std::uint64_t n) { return random_.below(n) == 0; }

    template <std::size_t N>
    std::string pick(const std::array<std::string_view, N>& from) {
        return std::string(from.at(random_.below(N)));
    }

    std::string role() {
        if (is_in_call_ && place_ == Place::Child && one_in(2)) return one_in(2) ? "[]" : "[<]";
        if (level_ == 2 && one_in(8)) return "[^]";
        const bool has_queried = is_in_call_ && place_ != Place::Child && place_ != Place::Node;
        if (level_ == 2 && has_queried && one_in(6)) return "[*]";
        return "";
    }

    std::string attribute() {
        static constexpr std::array<std::string_view, 7> kLevel1{
            "type", "flags", "depth", "value", "wide", "node_id", "parent_id"};
        static constexpr std::array<std::string_view, 6> kLevel2{
            "level", "child_index", "children", "size", "thread", "unfinished"};
        const bool is_extra = level_ == 2 && one_in(4);
        return role() + (is_extra ? pick(kLevel2) : pick(kLevel1));
    }

    std::string constant() {
        static constexpr std::array<std::string_view, 6> kNamed{"PVNode", "CUTNode",   "ALLNode",
                                                                "QNode",  "QRootNode", "InCheck"};
        switch (random_.below(6)) {
            case 0:
            case 1:
                return pick(kNamed);
            case 2:
                return std::to_string(static_cast<std::int64_t>(random_.below(4000)) - 2000);
            case 3:
                return std::to_string(static_cast<std::int64_t>(random_() >> 2U) -
                                      (std::int64_t{1} << 61U));
            default:
                return std::to_string(static_cast<std::int64_t>(random_.below(12)) - 3);
        }
    }

    std::string call() {
        is_in_call_ = true;
        std::string out;
        static constexpr std::array<std::string_view, 4> kFunctions{"min", "max", "sum", "avg"};
        if (level_ == 2 && one_in(3)) {
            const std::string function = pick(kFunctions);
            has_real_ = has_real_ || function == "avg";
            out = function + "(" + number(1);
            if (one_in(2)) out += " where " + truth(1);
            out += ")";
        } else {
            out = one_in(3) ? "count(*)" : "count(" + truth(2) + ")";
        }
        is_in_call_ = false;
        return out;
    }

    /// No average: what integer operators take.
    std::string integer(int depth) {
        if (depth > 0 && one_in(4)) return bits(depth);
        return one_in(2) ? constant() : attribute();
    }

    std::string bits(int depth) {
        const std::string_view op = level_ == 2 && one_in(4) ? " | " : " & ";
        const std::string left = integer(depth - 1);
        const std::string both = left + std::string(op) + integer(depth - 1);
        return one_in(2) ? "(" + both + ")" : both;
    }

    std::string number(int depth) {
        const bool may_call = !is_in_call_ && place_ != Place::Node;
        if (may_call && !one_in(3)) return call();
        if (level_ == 2 && depth > 0 && one_in(4)) {
            static constexpr std::array<std::string_view, 4> kOperators{" + ", " - ", " * ", " / "};
            const std::string left = number(depth - 1);
            const std::string op = pick(kOperators);
            return "(" + left + op + number(depth - 1) + ")";
        }
        if (level_ == 2 && depth > 0 && one_in(12)) {
            return integer(0) + " % " + integer(0);
        }
        return integer(depth);
    }

    std::string relation() {
        static constexpr std::array<std::string_view, 6> kRelations{
            " < ", " > ", " <= ", " >= ", " = ", " != "};
        if (level_ == 2 && one_in(10)) return moves();
        if (level_ == 2 && one_in(10)) {
            return integer(0) + " in (" + constant() + ", " + constant() + ", " + integer(0) + ")";
        }
        if (one_in(6)) return integer(0) + " & " + integer(0);
        // Mostly small numbers, so that both outcomes are common.
        const std::string left = number(1);
        return left + pick(kRelations) + (one_in(2) ? constant() : number(1));
    }

    std::string moves() {
        static constexpr std::array<std::string_view, 4> kMoves{"\"e2e4\"", "\"none\"", "\"0000\"",
                                                                "\"h7h8q\""};
        const std::string left = role() + "last_move";
        switch (random_.below(3)) {
            case 0:
                return left + " = " + pick(kMoves);
            case 1:
                return left + " != " + role() + "last_move";
            default:
                return left + " in (" + pick(kMoves) + ", " + pick(kMoves) + ")";
        }
    }

    std::string truth(int depth) {
        switch (depth > 0 ? random_.below(6) : 5) {
            case 0:
                return truth(depth - 1) + " and " + truth(depth - 1);
            case 1:
                return truth(depth - 1) + " or " + truth(depth - 1);
            case 2:
                return "not " + one_truth(depth - 1);
            case 3:
                return "(" + truth(depth - 1) + ")";
            default:
                return relation();
        }
    }

    std::string one_truth(int depth) { return one_in(2) ? relation() : "(" + truth(depth) + ")"; }

    std::string statement() {
        if (level_ == 1) return call();
        switch (random_.below(4)) {
            case 0:
                return call();
            case 1: {
                static constexpr std::array<std::string_view, 3> kRelations{" < ", " = ", " >= "};
                const std::string left = call();
                return left + pick(kRelations) + (one_in(2) ? constant() : call());
            }
            case 2: {
                const std::string left = call();
                return "100 * " + left + " / " + call();
            }
            default:
                break;
        }
        std::string out = call();
        if (one_in(2)) out += ", " + call();
        if (one_in(5)) return out + ", " + call();
        out += " by ";
        out += one_in(3) ? "last_move" : attribute();
        if (one_in(2)) out += ", " + attribute() + " % 3";
        return out;
    }

    Random& random_;
    int level_;
    Place place_ = Place::Node;
    bool is_in_call_ = false;
    bool has_real_ = false;
};

Column random_levels(Random& random, std::size_t nodes) {
    Column levels;
    std::int64_t level = 0;
    const std::uint64_t shape = random.below(4);
    for (std::size_t i = 0; i < nodes; ++i) {
        if (i > 0) {
            const auto most = static_cast<std::uint64_t>(level + 1);
            if (shape == 0 || (shape == 1 && random.below(8) != 0)) {
                level = static_cast<std::int64_t>(shape == 0 ? 1 + random.below(most) : most);
            } else {
                // Up and down by about one.
                const auto step = static_cast<std::int64_t>(random.below(4)) - 1;
                level = std::max<std::int64_t>(1, level + 1 - std::max<std::int64_t>(0, step));
            }
        }
        levels.push(level);
    }
    return levels;
}

}  // namespace

std::unique_ptr<Tree> random_tree(Random& random, std::size_t most) {
    const std::size_t nodes = 1 + random.below(most);
    gtql::TreeInfo info;
    info.name = "random";
    auto tree = std::make_unique<Tree>(info, random_levels(random, nodes));
    const auto column = [&random, nodes](std::int64_t from, std::uint64_t count) {
        Column values;
        for (std::size_t i = 0; i < nodes; ++i) {
            values.push(from + static_cast<std::int64_t>(random.below(count)));
        }
        return values;
    };
    tree->add_attribute("type", column(1, 3));
    tree->add_attribute("flags", column(0, random.below(2) == 0 ? 4 : 1U << 14U));
    tree->add_attribute("depth", column(-8, 20));
    tree->add_attribute("value", column(-500'000, 1'000'000));
    tree->add_attribute("wide", column(-(std::int64_t{1} << 61U), std::uint64_t{1} << 62U));
    tree->add_moves("last_move", column(0, 3), {"none", "0000", "e2e4"});
    if (random.below(3) == 0) tree->set_thread(column(0, 4));
    if (random.below(3) == 0) tree->set_unfinished(column(0, 2));
    tree->add_constant("PVNode", 1);
    tree->add_constant("CUTNode", 2);
    tree->add_constant("ALLNode", 3);
    tree->add_constant("QNode", 1);
    tree->add_constant("QRootNode", 2);
    tree->add_constant("InCheck", 64);
    return tree;
}

std::string random_query(Random& random, int level) {
    return QueryWriter(random, level).query();
}

}  // namespace assay::test
