// The player of any game: gameplayer GAME.
#include "engines/game_player/game_player.h"

int main(int argc, char** argv) {
    return assay::engines::run_game_player(argc, argv);
}
