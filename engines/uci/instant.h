#pragma once

namespace assay::engines {

/// The whole program: plays a game at random over UCI on the standard input and output, chess
/// unless the arguments are `--game NAME|FILE`. Returns the exit code.
int run_instant(int argc, char** argv);

}  // namespace assay::engines
