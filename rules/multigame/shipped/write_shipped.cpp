// A tool of the build: writes the C of one program, as the assay that is being built writes it.
//   write_shipped PROGRAM.mg FILE.c
#include <cstdio>
#include <fstream>
#include <memory>

#include "base/diagnostic.h"
#include "rules/multigame/check/checker.h"
#include "rules/multigame/check/program_files.h"
#include "rules/multigame/compile/write_c.h"
#include "rules/multigame/play/multigame_game.h"

int main(int count, char** words) {
    namespace mg = assay::rules::multigame;
    if (count != 3) return 2;
    try {
        const mg::Form form = mg::compiled(mg::files_of(words[1], mg::read_rules_file));
        const auto tables = std::make_shared<const mg::Tables>(form);
        std::ofstream file(words[2], std::ios::binary);
        file << mg::write_c(form, mg::first_position(tables));
        file.close();
        if (file) return 0;
        std::fprintf(stderr, "%s: cannot be written\n", words[2]);
    } catch (const assay::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    return 1;
}
