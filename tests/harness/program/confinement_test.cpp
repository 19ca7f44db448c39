#include "harness/program/confinement/confinement.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "tests/support/contains.h"
#include "tests/support/temp_dir.h"

namespace assay::harness {

namespace {

namespace fs = std::filesystem;

/// The variable HOME, for as long as this lives.
class OtherHome {
public:
    explicit OtherHome(const std::string& folder) {
        // NOLINTBEGIN(concurrency-mt-unsafe): one thread
        if (const char* const home = std::getenv("HOME")) before_ = home;
        ::setenv("HOME", folder.c_str(), 1);
        // NOLINTEND(concurrency-mt-unsafe)
    }

    OtherHome(const OtherHome&) = delete;
    OtherHome& operator=(const OtherHome&) = delete;

    ~OtherHome() {
        ::setenv("HOME", before_.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    }

private:
    std::string before_;
};

/// What a start of the program is refused with; empty where it is not.
std::string refusal(const ProgramPlan& program) {
    adapters::ProgramSpec spec;
    spec.argv = {"/bin/true"};
    try {
        confine(spec, program);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("Confinement: of a home folder a program may write in a folder of its own alone") {
    const test::TempDir root;
    const std::string home = root.path("users/me");
    fs::create_directories(home);
    const OtherHome here(home);
    CHECK(test::contains(problem_of_writable(home), "a home folder"));
    CHECK(test::contains(problem_of_writable(home + "/engines/.."), "a home folder"));
    CHECK(test::contains(problem_of_writable(root.path("users")), "which holds a home folder"));
    for (const char* const name : {"/.ssh", "/.config/autostart", "/.local/bin"})
        CHECK(test::contains(problem_of_writable(home + name), "keys, settings or commands"));
    CHECK(problem_of_writable(home + "/engines").empty());
    CHECK(problem_of_writable(root.path("users/other")).empty());
}

TEST_CASE("Confinement: a link that leads elsewhere by the time of a start is looked at again") {
    const test::TempDir root;
    fs::create_directory(root.path("mine"));
    const std::string link = root.path("link");
    fs::create_directory_symlink(root.path("mine"), link);
    ProgramPlan program;
    program.name = "a";
    program.confinement.emplace();
    for (const bool is_dir : {true, false}) {
        CAPTURE(is_dir);
        program.dir = is_dir ? link : "";
        program.confinement->write.clear();
        if (!is_dir) program.confinement->write = {link};
        CHECK(refusal(program).empty());
        fs::remove(link);
        fs::create_directory_symlink("/etc", link);
        CHECK(refusal(program) ==
              "program 'a': a confined program may not write to '" + link +
                  "' ('/etc'), a folder of the system: name a folder that holds its files alone");
        fs::remove(link);
        fs::create_directory_symlink(root.path("mine"), link);
    }
}

TEST_CASE("Confinement: a built tree's links lead a program out of it nowhere") {
    const test::TempDir root;
    const std::string tree = root.path("tree");
    fs::create_directories(tree + "/src");
    fs::create_directory_symlink("src", tree + "/inside");
    fs::create_directory_symlink("..", tree + "/outside");
    for (const char* const dir : {"", "src", "inside", "/elsewhere", "src/.."})
        CHECK(problem_of_built_dir(tree, dir).empty());
    CHECK(test::contains(problem_of_built_dir(tree, "outside"), "leads out of the built tree"));
    CHECK(test::contains(problem_of_built_dir(tree, "inside/../outside"), "leads out"));
    CHECK(leads_out(".."));
    CHECK(leads_out("src/../../x"));
    CHECK_FALSE(leads_out("src/.."));
    CHECK_FALSE(leads_out(""));
}

}  // namespace assay::harness
