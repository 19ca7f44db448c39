#include "engines/game_player/game_player.h"

#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "engines/game_player/game_backend.h"
#include "engines/uci/game_argument.h"
#include "engines/uci/line_input.h"
#include "engines/uci/uci_loop.h"

namespace assay::engines {

namespace {

constexpr const char* kGamePlayerHelp =
    "usage: gameplayer GAME [--rules auto|interpreted]\n"
    "Searches a game of one or two players without chance, and speaks UCI on standard input.\n"
    "  GAME         chess, chess960, or a file of rules (.mg)\n"
    "  --rules      auto: by compiled rules where there are some (default); interpreted\n"
    "'uci' lists the options of the search.\n"
    "example: printf 'go depth 6\\n' | gameplayer rules/multigame/programs/connect4.mg\n";

}  // namespace

int run_game_player(int argc, char** argv) {
    try {
        std::vector<std::string> words(argv + 1, argv + argc);
        if (prints_help(words, kGamePlayerHelp)) return 0;
        const RulesKind kind = take_rules_flag(words);
        if (words.size() != 1) {
            throw Error(
                "usage: gameplayer GAME [--rules auto|interpreted], with the name of a game or a "
                "file");
        }
        const SteadyClock clock;
        LineInput input(STDIN_FILENO);
        const auto backend = std::make_unique<GameBackend>(game_of(words.front(), kind));
        UciLoop(*backend, input, STDOUT_FILENO, clock).run();
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gameplayer: error: %s\n", error.what());
        return 2;
    }
}

}  // namespace assay::engines
