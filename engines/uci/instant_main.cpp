// A player that answers at once: instant [--game NAME|FILE].
#include "engines/uci/instant.h"

int main(int argc, char** argv) {
    return assay::engines::run_instant(argc, argv);
}
