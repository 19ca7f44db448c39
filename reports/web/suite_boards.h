#pragma once
#include <string>
#include <vector>

#include "reports/view/run_view.h"
#include "reports/web/charts/game_pack.h"

namespace assay::reports::web {

/// A node that breaks an expectation, or a position at which a measure does, on a board: the moves
/// from the suite's position to the node where they can be played, otherwise only the node's
/// position.
struct NodeBoard {
    std::string id;        // "n2-1": the expectation's and the node's number in the page
    std::string text;      // "position CMB.04, node 1,204, size 840"
    std::string path;      // its moves, shortened; empty at the root or without
    std::string position;  // the game's text; empty: unknown
    std::string command;   // shows it again
    std::string gives;     // what it does: "prints …."
    PackedGame packed;     // without columns where there is no board
};

/// The first few nodes of an expectation that fails, or positions of a measure that does; empty
/// where a query's answer is no nodes. `number` tells expectations apart.
[[nodiscard]] std::vector<NodeBoard> node_boards(const RunView& view,
                                                 const harness::ExpectationResult& result,
                                                 std::size_t number);

/// Those of all expectations that fail, as the page's script takes them.
[[nodiscard]] std::vector<NodeBoard> all_node_boards(const RunView& view);

}  // namespace assay::reports::web
