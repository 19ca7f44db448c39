#pragma once

namespace assay::engines {

/// The whole program: plays the game that the only argument names, over UCI on the standard input
/// and output. Returns the exit code.
int run_game_player(int argc, char** argv);

}  // namespace assay::engines
