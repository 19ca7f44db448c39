#include "harness/build/rules_cache.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"

namespace assay::harness {

namespace fs = std::filesystem;

namespace {

constexpr auto kProgram = "int answer(void) { return 42; }\n";

/// A program in the folder that stands for a C compiler.
std::string compiler(const test::TempDir& dir, const std::string& commands) {
    const std::string path = dir.path("cc.sh");
    std::ofstream(path) << "#!/bin/sh\n"
                           "if [ \"$1\" = --version ]; then echo 'cc 1.0'; exit 0; fi\n"
                        << commands << "\n";
    fs::permissions(path, fs::perms::owner_all);
    return path;
}

std::size_t files_in(const std::string& folder) {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder)) count += entry.exists() ? 1U : 0U;
    return count;
}

}  // namespace

TEST_CASE("Rules cache: an object is built once, in a folder of its user's alone") {
    const test::TempDir dir;
    const std::string folder = dir.path("a/rules");
    adapters::CommandRunner runner;
    RulesCache cache(runner, folder);
    CHECK(cache.has_compiler());
    const BuiltRules first = cache.build(kProgram, "abc");
    REQUIRE_MESSAGE(!first.object.empty(), first.reason);
    CHECK(first.object.starts_with(folder + "/abc-"));

    struct stat status {};

    REQUIRE(::stat(folder.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0700U);
    REQUIRE(::stat(first.object.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0600U);
    CHECK(files_in(folder) == 1);
    // Another compiler's object has another name.
    const std::string other = compiler(dir, "exec cc \"$@\"");
    const BuiltRules second = RulesCache(runner, folder, {other}).build(kProgram, "abc");
    REQUIRE_MESSAGE(!second.object.empty(), second.reason);
    CHECK(second.object != first.object);
}

TEST_CASE("Rules cache: whatever fails is a reason, and leaves nothing behind") {
    const test::TempDir dir;
    adapters::CommandRunner runner;
    const std::string folder = dir.path("rules");
    const auto reason_of = [&](const std::string& with, Micros limit = std::chrono::minutes(1)) {
        RulesCache cache(runner, folder, {with}, limit);
        const BuiltRules built = cache.build(kProgram, "abc");
        CHECK(built.object.empty());
        return built.reason;
    };
    CHECK(reason_of("/no/such/cc").starts_with("there is no C compiler '/no/such/cc' ("));
    CHECK(!fs::exists(folder));
    CHECK(reason_of(compiler(dir, "echo 'a line of complaint' >&2; exit 3")) ==
          "the C compiler exited with code 3: a line of complaint");
    CHECK(reason_of(compiler(dir, "exec sleep 100"), std::chrono::seconds(5))
              .starts_with("the C compiler took longer than"));
    // A compiler that says it did well and made nothing.
    CHECK(reason_of(compiler(dir, "exit 0"))
              .starts_with("the object cannot be put into the cache ("));
    CHECK(files_in(folder) == 0);
}

TEST_CASE("Rules cache: a compiler that takes long is named, and one that does not is not") {
    const test::TempDir dir;
    adapters::CommandRunner runner;
    std::string said;
    const auto say = [&](const std::string& sentence) {
        said += sentence + "\n";
        std::ofstream(dir.path("go")) << "on";
    };
    // It ends only after it was named.
    const std::string slow = compiler(
        dir, "while [ ! -e '" + dir.path("go") + "' ]; do sleep 0.01; done; exec cc \"$@\"");
    RulesCache cache(runner, dir.path("rules"), {slow}, std::chrono::minutes(2),
                     {say, std::chrono::milliseconds(50)});
    (void)cache.has_compiler();
    said.clear();
    fs::remove(dir.path("go"));  // where even the first answer took long
    const BuiltRules built = cache.build(kProgram, "abc");
    REQUIRE_MESSAGE(!built.object.empty(), built.reason);
    CHECK(said == "waiting for the C compiler '" + slow + "' (120 s at most)\n");
    said.clear();
    RulesCache quick(runner, dir.path("rules"), {"cc"}, std::chrono::minutes(2),
                     {say, std::chrono::hours(1)});
    CHECK(!quick.build(kProgram, "abc").object.empty());
    CHECK(said.empty());
}

TEST_CASE(
    "Rules cache: what a killed build left goes with the next one, what is being built stays") {
    const test::TempDir dir;
    const std::string folder = dir.path("rules");
    fs::create_directory(folder);
    fs::permissions(folder, fs::perms::owner_all);
    for (const char* name : {"abc-77-1-0a.c", "abc-77-1-0a.new", "abc-77-1-0a.new.mg", "x-1-ff.so"})
        std::ofstream(folder + "/" + name) << "left";
    std::ofstream(folder + "/abc-77-2-0b.new") << "half";
    const auto held = File::open_locked(folder + "/abc-77-2-0b.c", File::Lock::Try);
    adapters::CommandRunner runner;
    std::string names;
    (void)RulesCache(runner, folder).build(kProgram, "abc", [&](const std::string& object) {
        names = fs::path(object).filename().string();
        return std::string("no");
    });
    std::set<std::string> left;
    for (const auto& entry : fs::directory_iterator(folder))
        left.insert(entry.path().filename().string());
    CHECK(left == std::set<std::string>{"abc-77-2-0b.c", "abc-77-2-0b.new", "x-1-ff.so"});
    // Two containers may give one number to two processes.
    const std::string number = "-" + std::to_string(::getpid()) + "-";
    CHECK(names.find(number) != std::string::npos);
    CHECK(names.size() == names.find(number) + number.size() + 8 + std::string(".new").size());
}

TEST_CASE("Rules cache: an object that fails its trial is not kept") {
    const test::TempDir dir;
    const std::string folder = dir.path("rules");
    adapters::CommandRunner runner;
    RulesCache cache(runner, folder);
    std::string seen;
    const BuiltRules built = cache.build(kProgram, "abc", [&](const std::string& object) {
        CHECK(fs::exists(object));
        seen = object;
        return std::string("it crashed");
    });
    CHECK(built.object.empty());
    CHECK(built.reason == "it crashed");
    CHECK(seen.starts_with(folder + "/abc-"));
    CHECK(files_in(folder) == 0);
}

TEST_CASE("Rules cache: a folder that others may enter is not used") {
    const test::TempDir dir;
    adapters::CommandRunner runner;
    const std::string folder = dir.path("rules");
    fs::create_directory(folder);
    fs::permissions(folder, fs::perms::owner_all | fs::perms::group_read);
    RulesCache cache(runner, folder);
    CHECK(cache.build(kProgram, "abc").reason ==
          "the folder " + folder + " must belong to you alone (chmod 700 it, or remove it)");
    fs::remove(folder);
    fs::create_symlink(dir.path("elsewhere"), folder);
    CHECK(cache.build(kProgram, "abc").reason == folder + " is no folder");
    RulesCache nowhere(runner, "");
    CHECK(nowhere.build(kProgram, "abc").reason ==
          "there is no folder for them: set HOME or XDG_CACHE_HOME");
}

}  // namespace assay::harness
