#include "harness/build/build_cache.h"

#include <filesystem>
#include <functional>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/support/tiny_repo.h"

using namespace assay;
using namespace assay::harness;

namespace {

/// Builds of a repository whose steps copy a file, which takes no compiler.
class CacheBench {
public:
    CacheBench() { program_.git->repo = repo_.path(); }

    /// `change`: what is asked differently this time.
    Built build(const std::function<void(ProgramPlan&)>& change = {},
                const std::string& ref = "c1") {
        adapters::CommandRunner runner;
        BuildCache cache(runner, repo_.dir().path("builds"), {});
        const GitRepository repository(runner, repo_.path(), cache.mirrors());
        ProgramPlan program = program_;
        if (change) change(program);
        return cache.build(repository, repository.describe(repository.commit_of(ref)), program);
    }

private:
    static ProgramPlan copying_program() {
        ProgramPlan program;
        program.name = "head";
        program.command = {"./built"};
        program.git.emplace();
        program.git->build = {{"sh", "-c", "printf '#!/bin/sh\\n' > built; chmod +x built"}};
        return program;
    }

    test::TinyRepo repo_{{"ok", "slower"}};
    ProgramPlan program_ = copying_program();
};

}  // namespace

TEST_CASE("BuildCache: a build is kept, and built anew where commit, steps or command differ") {
    CacheBench bench;
    const Built first = bench.build();
    REQUIRE(first.record.failure.empty());
    CHECK_FALSE(first.record.was_cached);
    CHECK(bench.build().record.was_cached);
    CHECK(bench.build().record.key == first.record.key);

    const Built other_steps = bench.build([](ProgramPlan& program) {
        program.git->build.push_back({"sh", "-c", "echo '# again' >> built"});
    });
    CHECK_FALSE(other_steps.record.was_cached);
    CHECK(other_steps.record.key != first.record.key);
    CHECK(read_file(other_steps.record.folder + "/built") == "#!/bin/sh\n# again\n");

    const Built other_command = bench.build([](ProgramPlan& program) {
        program.git->build = {{"cp", "/bin/true", "other"}};
        program.command = {"./other"};
    });
    CHECK_FALSE(other_command.record.was_cached);
    CHECK_FALSE(bench.build({}, "c2").record.was_cached);
    CHECK(bench.build().record.was_cached);
}

TEST_CASE(
    "BuildCache: a failure that the system's words name is the machine's, others the program's") {
    CacheBench bench;
    const auto is_machines = [&bench](const std::string& said) {
        const Built built = bench.build([&](ProgramPlan& program) {
            program.git->build = {{"sh", "-c", "echo '" + said + "'; exit 1"}};
        });
        CHECK_FALSE(built.record.failure.empty());
        return built.record.is_machines;
    };
    CHECK_FALSE(is_machines("engine.c:3: error: expected a semicolon"));
    CHECK(is_machines("/tmp/cc1.s: fatal error: error writing: No space left on device"));
    CHECK(is_machines("cc1: Cannot allocate memory"));
}

TEST_CASE("BuildCache: what does not build is not kept, and its log is") {
    CacheBench bench;
    const auto fails = [](ProgramPlan& program) {
        program.git->build = {{"sh", "-c", "echo the reason; exit 3"}, {"touch", "built"}};
    };
    for (int attempt = 1; attempt <= 2; ++attempt) {
        const Built built = bench.build(fails);
        CHECK_FALSE(built.record.was_cached);
        CHECK(built.record.failure.find("exited with code 3") != std::string::npos);
        CHECK(read_file(built.record.log).find("the reason") != std::string::npos);
        CHECK_FALSE(std::filesystem::exists(built.record.folder));
    }
}

TEST_CASE("BuildCache: a program that was changed or deleted since is built again") {
    CacheBench bench;
    const std::string program = bench.build().record.folder + "/built";
    write_file(program, "#!/bin/sh\nexit 1\n");
    CHECK_FALSE(bench.build().record.was_cached);
    CHECK(read_file(program) == "#!/bin/sh\n");
    std::filesystem::remove(program);
    CHECK_FALSE(bench.build().record.was_cached);
    CHECK(bench.build().record.was_cached);
}
