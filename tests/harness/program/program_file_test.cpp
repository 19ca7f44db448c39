#include "harness/program/program_file.h"

#include <filesystem>

#include <doctest/doctest.h>

#include "base/file.h"
#include "base/sha256.h"
#include "tests/support/temp_dir.h"

using namespace assay::harness;
using assay::sha256_of;
using assay::write_file;

TEST_CASE("version_of: a script, an archive, a network and what a flag names belong to a program") {
    const assay::test::TempDir dir;
    for (const char* const name :
         {"engine.py", "old.jar", "net.nnue", "weights.bin", "game.log", "notes", "played.exp"}) {
        write_file(dir.path(name), name);
    }
    ProgramPlan program;
    program.name = "a";
    program.dir = dir.root();
    program.command = {"/bin/sh",         "engine.py",    "-jar",        dir.path("old.jar"),
                       "--w=weights.bin", "engine.py",    "--logfile",   "notes",
                       "game.log",        "not-there.py", "--book=none", ""};
    program.options = {{"EvalFile", "net.nnue"},
                       {"Debug Log File", dir.path("weights.bin")},
                       {"Experience", "played.exp"},
                       {"Hash", "16"},
                       {"SyzygyPath", dir.root() + "/"}};
    const VersionRecord version = version_of(program);
    const auto file = [&](const std::string& name) {
        return std::pair(dir.path(name), sha256_of(name));
    };
    CHECK(version.files ==
          std::vector{file("net.nnue"), file("engine.py"), file("old.jar"), file("weights.bin")});
    const auto sealed = sealed_files(version);
    REQUIRE(sealed.size() == 5);
    CHECK(sealed[0].path == "/bin/sh");
    CHECK(sealed[0].sha256 == version.sha256);
    CHECK(sealed[2].path == dir.path("engine.py"));
}

TEST_CASE("version_of: what a script does is not in it alone, and its folder is noted") {
    const assay::test::TempDir dir;
    std::filesystem::create_directory(dir.path("tree"));
    const std::string script = dir.path("tree/start");
    write_file(script, "#!/bin/sh\nexec ./other\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    const std::string binary = dir.path("tree/engine");
    std::filesystem::copy_file("/bin/true", binary);
    std::filesystem::create_symlink("/bin/true", dir.path("tree/link"));
    ProgramPlan program;
    program.name = "a";
    program.command = {script};
    CHECK(version_of(program).surroundings == dir.path("tree"));
    program.command = {binary};
    CHECK(version_of(program).surroundings.empty());
    CHECK(is_native_in(dir.path("tree"), binary));
    CHECK_FALSE(is_native_in(dir.path("tree"), script));
    CHECK_FALSE(is_native_in(dir.path("tree"), "/bin/true"));
    CHECK_FALSE(is_native_in(dir.path("tree"), dir.path("tree/link")));
}
