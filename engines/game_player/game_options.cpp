#include "engines/game_player/game_options.h"

#include "engines/game_player/game_knowledge.h"

namespace assay::engines {

OptionTable table_of(GameOptions& options) {
    OptionTable table;
    add_search_options(table, options);
    table.add_combo("Evaluation", {"result", "pieces"}, options.has_worths);
    table.add_text("Worths", options.worths);
    table.add_spin("Mobility", options.mobility, 0, 100);
    return table;
}

std::optional<std::string> check_options(const GameOptions& options) {
    if (auto wrong = PieceWorths().set(options.worths)) return "Worths: " + *wrong;
    return check_settings(options.search, GameKnowledge::kAbilities);
}

}  // namespace assay::engines
