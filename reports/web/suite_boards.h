#pragma once
#include <string>
#include <vector>

#include "reports/view/figures.h"
#include "reports/web/charts/game_pack.h"

namespace assay::reports::web {

/// A node at fault, on a board: from the suite's position to the node's, where the moves between
/// can be played, else the node's position alone.
struct NodeBoard {
    std::string id;        // "n2-1": the expectation's and the node's number in the page
    std::string text;      // "position CMB.04, node 1,204, size 840"
    std::string path;      // its moves, shortened; empty at the root or without
    std::string position;  // the game's text; empty: unknown
    std::string command;   // shows it again
    PackedGame packed;     // without columns where there is no board
};

/// The first few nodes of an expectation that fails; empty where its answer is no nodes. `number`
/// tells expectations apart.
[[nodiscard]] std::vector<NodeBoard> node_boards(const RunView& view,
                                                 const harness::ExpectationResult& result,
                                                 std::size_t number);

/// Those of all expectations that fail, as the page's script takes them.
[[nodiscard]] std::vector<NodeBoard> all_node_boards(const RunView& view);

}  // namespace assay::reports::web
