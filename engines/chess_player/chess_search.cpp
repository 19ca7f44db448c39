#include "engines/chess_player/chess_search.h"

#include <algorithm>

#include "engines/chess_player/chess_state.h"
#include "rules/chess/chess_game.h"

namespace assay::engines {

SearchRoot root_of(const rules::Position& position) {
    const auto copy = position.clone();
    std::vector<std::uint64_t> earlier;
    while (copy->ply() > 0 && copy->quiet_plies() > 0) {
        copy->undo();
        earlier.push_back(copy->hash());
    }
    std::reverse(earlier.begin(), earlier.end());
    return {dynamic_cast<const rules::chess::ChessPosition&>(position).board(), earlier};
}

std::vector<Line> search(const rules::Position& position, const PlayerOptions& options,
                         Memory& memory, const Limits& limits, Control& control, NodeLog* log) {
    const SearchRoot root = root_of(position);
    if (log != nullptr) log->start_search(position.text(), "");
    if (options.generic) {
        const auto copy = position.clone();
        const auto& chess = dynamic_cast<const rules::chess::ChessPosition&>(*copy);
        const ChessKnowledge knowledge(chess.board(), options.evaluation);
        GameState state(*copy, knowledge, root.earlier);
        Searcher<GameState> searcher(state, options.search, memory);
        searcher.log_to(log);
        return searcher.think(limits, control);
    }
    ChessState state(root.board, options.evaluation, root.earlier);
    Searcher<ChessState> searcher(state, options.search, memory);
    searcher.log_to(log);
    return searcher.think(limits, control);
}

}  // namespace assay::engines
