#include "engines/uci/game_argument.h"

#include "rules/make_game.h"

namespace assay::engines {

std::unique_ptr<rules::Game> game_of(const std::string& argument) {
    return rules::make_game(rules::find_game(argument));
}

}  // namespace assay::engines
