#include "harness/executor/folder/shipped_files.h"

#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "harness/build/build_versions.h"
#include "harness/program/program_file.h"
#include "tests/support/contains.h"
#include "tests/support/temp_dir.h"

using namespace assay::harness;  // NOLINT(google-build-using-namespace): the room under test
using assay::test::contains;
namespace fs = std::filesystem;

namespace {

/// A run of a script with a network and a book of its own, and of a program of the system.
struct ShippedRun {
    ShippedRun() {
        write("engine", "#!/bin/sh\n");
        fs::permissions(dir.path("engine"), fs::perms::owner_all);
        write("net.bin", "weights");
        write("nets/own.bin", "other weights");
        ProgramPlan engine;
        engine.name = "new";
        engine.command = {dir.path("engine"), "--weights=" + dir.path("net.bin"), "--fast"};
        engine.options = {{"EvalFile", "nets/own.bin"}, {"Hash", "16"}};
        engine.dir = dir.path("");
        engine.dir.pop_back();
        ProgramPlan system;
        system.name = "old";
        system.command = {"/bin/sh"};
        run.plan.programs = {engine, system};
        for (const ProgramPlan& program : run.plan.programs)
            run.versions.push_back(version_of(program));
    }

    void write(const std::string& name, const std::string& text) const {
        fs::create_directories(fs::path(dir.path(name)).parent_path());
        assay::File::create(dir.path(name)).write(text);
    }

    [[nodiscard]] RunRecord placed() const {
        RunRecord placed = run;
        ShippedFiles(folder, run, {0, 1}, dir.path("node")).place(placed);
        return placed;
    }

    assay::test::TempDir dir;
    SlurmFolder folder = SlurmFolder::make(dir.path("fleet"), std::string(32, 'a'));
    RunRecord run;
};

}  // namespace

TEST_CASE("Shipped files: a worker plays what the run began with, whatever its paths hold now") {
    const ShippedRun shipped;
    ship_programs(shipped.run, shipped.folder);
    shipped.write("engine", "#!/bin/sh\nrebuilt\n");
    shipped.write("net.bin", "trained anew");
    fs::remove_all(shipped.dir.path("nets"));
    const RunRecord placed = shipped.placed();
    const VersionRecord& version = placed.versions[0];
    CHECK(version.path != shipped.run.versions[0].path);
    CHECK(assay::read_file(version.path) == "#!/bin/sh\n");
    CHECK(fs::path(version.path).filename() == "engine");
    CHECK((fs::status(version.path).permissions() & fs::perms::owner_exec) != fs::perms::none);
    const std::string& word = placed.plan.programs[0].command[1];
    REQUIRE(word.starts_with("--weights=" + shipped.dir.path("node")));
    CHECK(assay::read_file(word.substr(10)) == "weights");
    CHECK(placed.plan.programs[0].command[2] == "--fast");
    CHECK(assay::read_file(placed.plan.programs[0].options[0].second) == "other weights");
    CHECK(placed.plan.programs[0].options[1].second == "16");
    // What the start of a program is checked by is that of the copies.
    for (const auto& [path, sha256] : version.files)
        CHECK(path.starts_with(shipped.dir.path("node")));
    // A program of the system stays where it is.
    CHECK(placed.versions[1].path == shipped.run.versions[1].path);
    CHECK(shipped.folder.names_in("blobs").size() == 3);
    CHECK(shipped.folder.names_in("tmp").empty());
}

TEST_CASE("Shipped files: a benchmark starts the copy too") {
    ShippedRun shipped;
    ProgramPlan& engine = shipped.run.plan.programs[0];
    engine.bench = BenchPlan{};
    engine.bench->command = {shipped.dir.path("engine"), "bench",
                             "--weights=" + shipped.dir.path("net.bin")};
    shipped.run.plan.programs[1].bench = BenchPlan{};
    shipped.run.plan.programs[1].bench->command = {"/bin/sh", "-c", "true"};
    ship_programs(shipped.run, shipped.folder);
    const RunRecord placed = shipped.placed();
    const ProgramPlan& own = placed.plan.programs[0];
    REQUIRE(placed.versions[0].path.starts_with(shipped.dir.path("node")));
    CHECK(own.command[0] == placed.versions[0].path);
    CHECK(own.bench->command[0] == placed.versions[0].path);
    CHECK(own.bench->command[1] == "bench");
    CHECK(own.bench->command[2] == own.command[1]);
    CHECK(placed.plan.programs[1] == shipped.run.plan.programs[1]);
}

TEST_CASE("Shipped files: files of a program from git are found in its built tree") {
    ShippedRun shipped;
    ProgramPlan& engine = shipped.run.plan.programs[0];
    const std::string tree = engine.dir;
    engine.command = {"./engine", "--weights=net.bin"};
    engine.dir.clear();
    engine.git = GitPlan{};
    VersionRecord& version = shipped.run.versions[0];
    version.build = BuildRecord{};
    version.build->folder = tree;
    const VersionRecord found = version_of(placed_program(engine, version));
    version.path = found.path;
    version.sha256 = found.sha256;
    version.files = found.files;
    ship_programs(shipped.run, shipped.folder);
    const RunRecord placed = shipped.placed();
    const ProgramPlan& own = placed.plan.programs[0];
    const std::string node = shipped.dir.path("node");
    CHECK(own.command[0].starts_with(node));
    CHECK(own.command[1].starts_with("--weights=" + node));
    CHECK(own.options[0].second.starts_with(node));
}

TEST_CASE("Shipped files: a file that changes before it is copied ends the start") {
    const ShippedRun shipped;
    shipped.write("net.bin", "trained anew");
    try {
        ship_programs(shipped.run, shipped.folder);
        FAIL("it was shipped");
    } catch (const assay::Error& error) {
        CHECK(error.exit_code() == 2);
        CHECK_MESSAGE(contains(error.what(), "net.bin: it is another file than when the run began"),
                      error.what());
    }
    CHECK(shipped.folder.names_in("tmp").empty());
    // What is there already needs no source.
    shipped.write("net.bin", "weights");
    ship_programs(shipped.run, shipped.folder);
    fs::remove(shipped.dir.path("net.bin"));
    ship_programs(shipped.run, shipped.folder);
}

TEST_CASE("Shipped files: a folder that cannot be written is the machine's fault") {
    const ShippedRun shipped;
    fs::remove_all(shipped.folder.file("tmp"));
    assay::File::create(shipped.folder.file("tmp")).write("no folder");
    try {
        ship_programs(shipped.run, shipped.folder);
        FAIL("it was shipped");
    } catch (const assay::Error& error) {
        CHECK(error.exit_code() == 4);
        CHECK_MESSAGE(contains(error.what(), shipped.folder.file("tmp/")), error.what());
    }
}

TEST_CASE("Shipped files: a copy that is damaged is not played, and larger files are left out") {
    const ShippedRun shipped;
    const std::string net = shipped.dir.path("net.bin");
    ship_programs(shipped.run, shipped.folder);
    for (const auto& [path, sha256] : shipped.run.versions[0].files)
        if (path == net)
            assay::File::create(shipped.folder.file("blobs/" + sha256)).write("weight");
    try {
        (void)shipped.placed();
        FAIL("it was played");
    } catch (const assay::Error& error) {
        CHECK(error.exit_code() == 4);
        CHECK_MESSAGE(contains(error.what(), "it is damaged: its SHA-256 is not its name"),
                      error.what());
    }
    ShippedRun large;
    fs::resize_file(large.dir.path("net.bin"), kMostShippedBytes + 1);  // a hole: no disk is used
    ship_programs(large.run, large.folder);
    CHECK(large.folder.names_in("blobs").size() == 2);
    CHECK(large.placed().plan.programs[0].command[1] == "--weights=" + large.dir.path("net.bin"));
}
