#include "harness/suite/nodes.h"

#include <array>
#include <memory>

#include <doctest/doctest.h>

#include "rules/make_game.h"
#include "tests/support/column_of.h"
#include "tests/support/tic_tac_toe.h"

using assay::gtql::Tree;
using assay::gtql::TreeInfo;
using assay::harness::look_up_nodes;
using assay::rules::make_game;
using assay::test::column_of;

namespace {

constexpr const char* kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// 1 root · 2 e2e4 · 3 e7e5 · 4 null move · 5 a call without a move · 6 d2d4
std::unique_ptr<Tree> small_tree(const std::string& game = "chess",
                                 const std::string& root = kStart,
                                 const std::string& first = "e2e4") {
    TreeInfo info;
    info.game = game;
    info.position = root;
    auto tree = std::make_unique<Tree>(std::move(info), column_of({0, 1, 2, 2, 3, 1}));
    tree->add_moves("last_move", column_of({4, 0, 1, 2, 4, 3}),
                    {first, "e7e5", "0000", "d2d4", "none"});
    return tree;
}

}  // namespace

TEST_CASE("Suite nodes: a node is told with its size, the moves to it and the position") {
    const auto tree = small_tree();
    const std::array<std::uint64_t, 5> ids{3, 1, 5, 6, 77};
    const auto nodes = look_up_nodes(*tree, ids, *make_game("chess"));
    REQUIRE(nodes.size() == 4);
    CHECK(nodes[0].id == 1);
    CHECK(nodes[0].size == 5);
    CHECK(nodes[0].path.empty());
    CHECK(nodes[1].path == "e2e4 e7e5");
    CHECK(nodes[1].size == 0);
    CHECK(nodes[1].position == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    CHECK(nodes[2].path == "e2e4 0000 --");
    CHECK(nodes[2].position.find(" w KQkq - ") != std::string::npos);
    CHECK(nodes[3].path == "d2d4");
    const std::array<std::uint64_t, 1> second{2};
    CHECK(look_up_nodes(*tree, second, *make_game("chess")).at(0).size == 3);
}

TEST_CASE("Suite nodes: where a move cannot be made there is no position, and no crash") {
    const std::array<std::uint64_t, 1> second{2};
    const auto position = [&](const std::unique_ptr<Tree>& tree) {
        return look_up_nodes(*tree, second, *make_game("chess")).at(0).position;
    };
    CHECK_FALSE(position(small_tree()).empty());
    CHECK(position(small_tree("chess", kStart, "e2e5")).empty());
    CHECK(position(small_tree("chess", kStart, "\xff\xfe")).empty());
    CHECK(position(small_tree("chess", "no position")).empty());
    CHECK(position(small_tree("no game")).empty());
    CHECK(position(small_tree("")).empty());
    // In check nobody passes.
    CHECK(position(small_tree("chess", "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", "0000")).empty());
}

TEST_CASE("Suite nodes: the suite's game is asked where the log names it, and no list of games") {
    const auto game = assay::tests::make_tic_tac_toe("rows of three");
    const auto tree = small_tree("rows of three", "--------- x", "5");
    const std::array<std::uint64_t, 1> second{2};
    CHECK(look_up_nodes(*tree, second, *game).at(0).position == "----x---- o");
    CHECK(look_up_nodes(*tree, second, *make_game("chess")).at(0).position.empty());
}
