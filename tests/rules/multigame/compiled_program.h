#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "rules/multigame/compile/write_c.h"
#include "rules/multigame/object/loader.h"
#include "rules/multigame/play/multigame_game.h"
#include "tests/rules/multigame/programs.h"
#include "tests/support/temp_dir.h"

namespace assay::tests {

/// The compiled rules of a program, made by the machine's C compiler.
inline std::shared_ptr<const rules::multigame::CompiledProgram> compiled_rules(
    const std::shared_ptr<const rules::multigame::Tables>& tables,
    const std::string& compiler = "cc -O1") {
    namespace mg = rules::multigame;
    const test::TempDir dir;
    std::filesystem::permissions(dir.root(), std::filesystem::perms::owner_all);
    std::ofstream(dir.path("game.c")) << mg::write_c(tables->form(), mg::first_position(tables));
    const std::string object = dir.path("game.so");
    const std::string command = compiler + " -std=c99 -Wall -Wextra -Wpedantic -Werror -shared" +
                                " -fPIC -o " + object + " " + dir.path("game.c");
    REQUIRE_MESSAGE(std::system(command.c_str()) == 0, tables->form().files.back().path);
    std::filesystem::permissions(object, std::filesystem::perms::owner_read);
    return mg::CompiledProgram::load(object, mg::hash_of_rules(tables->form()));
}

}  // namespace assay::tests
