#include "harness/store/part/quarantine.h"

#include <cerrno>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "tests/support/temp_dir.h"

namespace assay::harness {

namespace {

MoveCalls::Call failing(int error) {
    return [error](const char*, const char*) {
        errno = error;
        return -1;
    };
}

/// A file system that does not know RENAME_NOREPLACE.
MoveCalls without_rename(int error) {
    MoveCalls calls;
    calls.rename_to_free = failing(error);
    return calls;
}

}  // namespace

TEST_CASE(
    "Quarantine: a file system without RENAME_NOREPLACE or link() loses and replaces nothing") {
    std::vector<MoveCalls> ways;
    for (const int error : {EINVAL, ENOSYS}) {
        ways.push_back(without_rename(error));
        for (const int no_link : {EPERM, EOPNOTSUPP, EXDEV}) {
            ways.push_back(without_rename(error));
            ways.back().link = failing(no_link);
        }
    }
    ways.push_back(without_rename(EXDEV));  // another disk
    for (const MoveCalls& calls : ways) {
        const test::TempDir dir;
        const std::string store = dir.path("all.db");
        std::vector<std::string> moved;
        for (const char* text : {"one", "two"}) {
            write_file(dir.path("3.db"), text);
            moved.push_back(quarantine(store, dir.path("3.db"), "why", calls));
            CHECK_FALSE(std::filesystem::exists(dir.path("3.db")));
        }
        CHECK(moved[1] == moved[0] + ".1");
        CHECK(read_file(moved[0]) == "one");
        CHECK(read_file(moved[1]) == "two");
        CHECK(read_file(moved[1] + ".reason") == "why\n");
        // Without its reason a file of that name is not replaced either.
        std::filesystem::remove(moved[0] + ".reason");
        write_file(dir.path("3.db"), "three");
        CHECK(quarantine(store, dir.path("3.db"), "why", calls) == moved[0] + ".2");
        CHECK(read_file(moved[0]) == "one");
    }
}

TEST_CASE("Quarantine: of a folder with a pipe in it the rest goes to another disk") {
    namespace fs = std::filesystem;
    const test::TempDir dir;
    const std::string folder = dir.path("3.db");
    fs::create_directories(folder + "/a/b");
    write_file(folder + "/a/b/text", "one");
    write_file(folder + "/last", "two");
    fs::create_symlink("last", folder + "/link");
    REQUIRE(::mkfifo((folder + "/a/pipe").c_str(), 0600) == 0);
    const std::string moved = quarantine(dir.path("all.db"), folder, "why", without_rename(EXDEV));
    CHECK_FALSE(fs::exists(folder));
    CHECK(read_file(moved + "/a/b/text") == "one");
    CHECK(read_file(moved + "/last") == "two");
    CHECK(fs::read_symlink(moved + "/link") == "last");
    CHECK_FALSE(fs::exists(moved + "/a/pipe"));
    CHECK(read_file(moved + ".reason") == "why\n");
}

TEST_CASE("Quarantine: a file that cannot be moved stays where it is, without a reason beside it") {
    const test::TempDir dir;
    write_file(dir.path("3.db"), "one");
    CHECK_THROWS_WITH_AS(
        (void)quarantine(dir.path("all.db"), dir.path("3.db"), "why", without_rename(EIO)),
        doctest::Contains("cannot be moved to"), Error);
    CHECK(read_file(dir.path("3.db")) == "one");
    CHECK(std::filesystem::is_empty(dir.path("all.db.quarantine")));
}

}  // namespace assay::harness
