#include "engines/uci/game_argument.h"

#include "base/file.h"

namespace assay::engines {

std::unique_ptr<rules::Game> game_of(const std::string& argument) {
    if (const auto name = rules::name_of_game(argument)) return rules::make_game(*name);
    const bool is_file = argument.find_first_of("./") != std::string::npos;
    if (!is_file) return rules::make_game(argument);
    return rules::make_game(rules::GameSource{"multigame", read_file(argument)});
}

}  // namespace assay::engines
