// Our players of any game, with the games of the tests added to those they know:
//   small_games_player NAME              as gameplayer NAME
//   small_games_player --game NAME       as instant --game NAME
#include "engines/game_player/game_player.h"
#include "engines/uci/instant.h"
#include "rules/make_game.h"
#include "tests/support/dice_race.h"
#include "tests/support/tic_tac_toe.h"

int main(int argc, char** argv) {
    using namespace assay;
    rules::register_game("tic-tac-toe",
                         [](const rules::GameSource&) { return tests::make_tic_tac_toe(); });
    rules::register_game("dice race",
                         [](const rules::GameSource&) { return tests::make_dice_race(); });
    return argc == 2 ? engines::run_game_player(argc, argv) : engines::run_instant(argc, argv);
}
