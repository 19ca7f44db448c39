// What each call of a search returns, against the whole truth: a call with the window (alpha, beta)
// may return the value itself, a lower bound at or above beta, or an upper bound at or below alpha,
// and with a fail-soft search those bounds lie beyond the window where more is known.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engines/search/searcher.h"
#include "gtql/log/import/open_trees.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tree_state.h"

using namespace assay::engines;
using assay::tests::UniformTree;
namespace gtql = assay::gtql;

namespace {

struct LoggedNode {
    std::int64_t ply = 0;
    std::int64_t alpha = 0;
    std::int64_t beta = 0;
    std::int64_t value = 0;
    Move move = kNoMove;
};

void write_number(Move move, char* text, const void* context) {
    (void)context;
    const std::string name = std::to_string(move);
    std::copy_n(name.c_str(), name.size() + 1, text);
}

/// The nodes of the last iteration, in the order of the search.
std::vector<LoggedNode> log_search(UniformTree& tree, const Settings& settings, int depth) {
    const assay::test::TempDir dir;
    const std::string path = dir.path("log");
    {
        NodeLog log(path, "chess", 0, write_number, nullptr);
        log.start_search("", "");
        Memory memory;
        memory.size_table(settings.table ? 1U << 14U : 0);
        Searcher<UniformTree> searcher(tree, settings, memory);
        searcher.log_to(&log);
        Limits limits;
        limits.depth = depth;
        Silence silence;
        REQUIRE(!searcher.think(limits, silence).empty());
    }
    std::vector<std::string> warnings;
    const auto trees = gtql::open_trees(path, {}, warnings);
    REQUIRE(trees.size() == 1);
    const gtql::TreeSchema& schema = trees[0]->schema();
    std::vector<gtql::ColumnId> wanted;
    for (const char* name : {"ply", "alpha", "beta", "value", "last_move"}) {
        wanted.push_back(schema.attribute(name));
        REQUIRE(wanted.back() >= 0);
    }
    std::vector<LoggedNode> nodes;
    const auto reader = trees[0]->read(wanted);
    gtql::TreeBlock block;
    while (reader->next(block)) {
        for (std::size_t i = 0; i < block.size; ++i) {
            LoggedNode node{block.columns[0].at(i), block.columns[1].at(i), block.columns[2].at(i),
                            block.columns[3].at(i)};
            const auto at = static_cast<std::size_t>(block.columns[4].at(i));
            if (node.ply > 0) node.move = static_cast<Move>(std::stoul(trees[0]->moves()[at]));
            nodes.push_back(node);
        }
    }
    return nodes;
}

int truth(UniformTree& tree, int depth) {
    if (depth == 0) return tree.evaluate();
    MoveBuffer moves;
    tree.moves(moves);
    int best = -kInfinite;
    for (const ScoredMove& scored : moves) {
        tree.make(scored.move);
        best = std::max(best, -truth(tree, depth - 1));
        tree.undo();
    }
    return best;
}

int truth_after(UniformTree& tree, const std::vector<Move>& path, int depth) {
    for (const Move move : path) tree.make(move);
    const int value = truth(tree, depth - static_cast<int>(path.size()));
    for (std::size_t i = 0; i < path.size(); ++i) tree.undo();
    return value;
}

}  // namespace

TEST_CASE("Fail-soft: each call's value is the truth or a true bound, beyond the window at times") {
    constexpr int kDepth = 4;
    Settings windows = alpha_beta_settings();
    windows.method = Method::Pvs;
    Settings everything = windows;
    everything.iterative = true;
    everything.aspiration = 20;
    everything.table = true;
    everything.history = HistoryKind::Moves;
    everything.killers = true;
    std::size_t beyond = 0;
    std::size_t all = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        UniformTree tree(3, kDepth, UniformTree::Kind::Random, seed, seed % 2 == 0 ? 100 : 4);
        for (const Settings& settings : {alpha_beta_settings(), windows, everything}) {
            std::vector<Move> path;
            for (const LoggedNode& node : log_search(tree, settings, kDepth)) {
                path.resize(static_cast<std::size_t>(node.ply));
                if (node.ply > 0) path.back() = node.move;
                const int value = truth_after(tree, path, kDepth);
                CAPTURE(seed);
                CAPTURE(node.alpha);
                CAPTURE(node.beta);
                CAPTURE(node.value);
                if (node.value >= node.beta) {
                    REQUIRE(value >= node.value);
                } else if (node.value <= node.alpha) {
                    REQUIRE(value <= node.value);
                } else {
                    REQUIRE(value == node.value);
                }
                ++all;
                beyond += node.value > node.beta || node.value < node.alpha ? 1 : 0;
            }
        }
    }
    // A fail-hard search would return nothing beyond its window.
    CHECK(beyond > all / 10);
}
