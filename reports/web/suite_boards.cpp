#include "reports/web/suite_boards.h"

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "reports/text/solved_text.h"
#include "reports/text/suite_text.h"
#include "reports/view/escape.h"
#include "reports/view/number_text.h"
#include "rules/game.h"

namespace assay::reports::web {

namespace {

constexpr std::size_t kMostPositions = 3;
constexpr std::size_t kMostNodes = 2;  // of one position

/// The position of the suite and the moves to the node; where they cannot all be played (a search
/// passes the move, or begins elsewhere), the node's position alone.
PackedGame packed_node(const rules::Game& rules, const std::string& root,
                       const harness::FoundNode& node) {
    harness::GameRecord record;
    record.start = root;
    const std::vector<std::string_view> moves = split_words(node.path);
    for (const std::string_view move : moves) record.moves.emplace_back().name = move;
    PackedGame whole = packed(rules, record);
    const bool is_whole = whole.names.size() == moves.size() && whole.columns > 0;
    if (is_whole || node.position.empty()) return whole;
    record.start = node.position;
    record.moves.clear();
    return packed(rules, record);
}

/// A position at which a measure fails, with the move that was played.
NodeBoard position_board(const RunView& view, const rules::Game& rules,
                         const harness::ExpectationResult& result, std::size_t position) {
    const harness::SuitePosition& asked = view.run.plan.suite->positions[position];
    const PositionMoves moves(view, position);
    NodeBoard board;
    board.text = fmt::format("position {}: {}", printable_utf8(asked.id), moves.solution());
    board.path = "played " + moves.answer(result.program);
    board.position = asked.text;
    board.command = printable_utf8(view.run.command_line) + " --log DIR";
    board.gives = "searches it again, and writes every line of the protocol.";
    harness::GameRecord record;
    record.start = asked.text;
    const harness::SearchRecord* const search = view.suite->search(result.program, position);
    if (search != nullptr) record.moves.emplace_back().name = search->best_move;
    board.packed = packed(rules, record);
    return board;
}

}  // namespace

std::vector<NodeBoard> node_boards(const RunView& view, const harness::ExpectationResult& result,
                                   std::size_t number) {
    std::vector<NodeBoard> boards;
    if (result.holds != harness::Holds::No) return boards;
    const harness::SuitePlan& suite = *view.run.plan.suite;
    std::unique_ptr<rules::Game> rules;
    try {
        rules = harness::game_of(suite);
    } catch (const Error&) {
        return boards;  // a game whose rules this version does not know
    }
    for (std::size_t i = 0; i < result.shown.size() && i < kMostPositions; ++i) {
        const std::size_t position = result.shown[i];
        if (result.measure != harness::SuiteMeasure::Query) {
            boards.push_back(position_board(view, *rules, result, position));
            boards.back().id = fmt::format("n{}-{}", number, boards.size());
            continue;
        }
        const auto* const nodes = view.suite->nodes(result, position);
        if (nodes == nullptr) continue;
        for (std::size_t k = 0; k < nodes->size() && k < kMostNodes; ++k) {
            const harness::FoundNode& node = (*nodes)[k];
            NodeBoard& board = boards.emplace_back();
            board.id = fmt::format("n{}-{}", number, boards.size());
            board.text = fmt::format("position {}, node {}, size {}",
                                     printable_utf8(suite.positions[position].id),
                                     grouped(static_cast<std::int64_t>(node.id)),
                                     grouped(static_cast<std::int64_t>(node.size)));
            board.path = printable_utf8(shortened(node.path, 120));
            board.position = printable_utf8(node.position);
            board.command = query_command(view, result, position);
            board.gives = "prints the nodes that the query finds, with their moves and positions.";
            board.packed = packed_node(*rules, suite.positions[position].text, node);
        }
    }
    return boards;
}

std::vector<NodeBoard> all_node_boards(const RunView& view) {
    std::vector<NodeBoard> all;
    if (view.suite == nullptr) return all;
    for (std::size_t i = 0; i < view.suite->expectations.size(); ++i) {
        for (NodeBoard& board : node_boards(view, view.suite->expectations[i], i + 1))
            all.push_back(std::move(board));
    }
    return all;
}

}  // namespace assay::reports::web
