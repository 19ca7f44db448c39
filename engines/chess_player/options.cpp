#include "engines/chess_player/options.h"

namespace assay::engines {

OptionTable table_of(PlayerOptions& options) {
    OptionTable table;
    add_search_options(table, options);
    table.add_check("UCI_Chess960", options.chess960);
    table.add_combo("Evaluation", {"full", "material"}, options.evaluation);
    table.add_combo("Interface", {"direct", "generic"}, options.generic);
    return table;
}

std::optional<std::string> set_option(PlayerOptions& options, std::string_view name,
                                      std::string_view value) {
    return table_of(options).set(name, value);
}

std::optional<std::string> check_options(const PlayerOptions& options) {
    Abilities abilities{true, true, true, true};
    if (options.generic) {
        if (options.search.null_move) {
            return "the generic interface has no null moves: set NullMove false or Interface "
                   "direct";
        }
        abilities.passes = false;
    }
    return check_settings(options.search, abilities);
}

}  // namespace assay::engines
