#include "harness/suite/nodes.h"

#include <array>
#include <memory>

#include <doctest/doctest.h>

using assay::gtql::Column;
using assay::gtql::Tree;
using assay::gtql::TreeInfo;
using assay::harness::look_up_nodes;
using assay::harness::position_after;

namespace {

/// 1 root · 2 e2e4 · 3 e7e5 · 4 null move · 5 a call without a move · 6 d2d4
std::unique_ptr<Tree> small_tree() {
    TreeInfo info;
    info.position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    Column level;
    for (const int value : {0, 1, 2, 2, 3, 1}) level.push(value);
    auto tree = std::make_unique<Tree>(std::move(info), std::move(level));
    Column moves;
    for (const int code : {4, 0, 1, 2, 4, 3}) moves.push(code);
    tree->add_moves("last_move", std::move(moves), {"e2e4", "e7e5", "0000", "d2d4", "none"});
    return tree;
}

}  // namespace

TEST_CASE("Suite nodes: a node is told with its size, the moves to it and the position") {
    const auto tree = small_tree();
    const std::array<std::uint64_t, 5> ids{3, 1, 5, 6, 77};
    const auto nodes = look_up_nodes(*tree, ids);
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
    CHECK(look_up_nodes(*tree, second).at(0).size == 3);
}

TEST_CASE("Suite nodes: where a move cannot be made there is no position, and no crash") {
    const std::array<std::string, 1> illegal{"e2e5"};
    const std::array<std::string, 1> foreign{"\xff\xfe"};
    const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    CHECK(position_after("chess", start, illegal).empty());
    CHECK(position_after("chess", start, foreign).empty());
    CHECK(position_after("chess", "no position", {}).empty());
    CHECK(position_after("no game", start, {}).empty());
    // In check nobody passes.
    const std::array<std::string, 1> null{"0000"};
    CHECK(position_after("chess", "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", null).empty());
}
