#include "base/file.h"

#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "tests/support/temp_dir.h"

TEST_CASE("read_file: what has no end is refused at the limit") {
    CHECK_THROWS_WITH_AS(
        (void)assay::read_file("/dev/zero", std::size_t{1} << 20U),
        "/dev/zero: has more than 1 MiB, which is too much for a file of this kind", assay::Error);
    CHECK(assay::read_file("/proc/self/comm", 100) != "");
}

TEST_CASE("write_file: replaces the whole content and leaves nothing beside it") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("x.txt");
    assay::write_file(path, std::string(200'000, 'x'));
    assay::write_file(path, "short");
    CHECK(assay::read_file(path) == "short");
    CHECK(std::distance(std::filesystem::directory_iterator(dir.root()), {}) == 1);
}

TEST_CASE("write_file: a link is followed, and a device stays one") {
    const assay::test::TempDir dir;
    assay::write_file(dir.path("target"), "old");
    std::filesystem::create_symlink(dir.path("target"), dir.path("link"));
    assay::write_file(dir.path("link"), "new");
    CHECK(std::filesystem::is_symlink(dir.path("link")));
    CHECK(assay::read_file(dir.path("target")) == "new");
    assay::write_file("/dev/null", "gone");
    CHECK(std::filesystem::is_character_file("/dev/null"));
    CHECK_THROWS_AS(assay::write_file(dir.root(), "x"), assay::Error);
}

TEST_CASE("check_writable: a pipe that nobody reads is refused at once") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("pipe");
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    const std::string sentence = path + ": cannot write: it is a pipe that nobody reads";
    CHECK_THROWS_WITH_AS(assay::check_writable(path), sentence.c_str(), assay::Error);
    CHECK_THROWS_WITH_AS(assay::write_file(path, "x"), sentence.c_str(), assay::Error);
    const assay::UniqueFd reader(::open(path.c_str(), O_RDONLY | O_NONBLOCK));
    assay::check_writable(path);
    assay::write_file(path, "x");
    char byte = 0;
    CHECK(::read(reader.get(), &byte, 1) == 1);
    CHECK(byte == 'x');
}

TEST_CASE("read_file: a pipe with a name is refused at once, one that a shell hands over is read") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("pipe");
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    const std::string sentence = path + ": cannot read: it is a pipe; give a file, or /dev/stdin";
    CHECK_THROWS_WITH_AS((void)assay::read_file(path), sentence.c_str(), assay::Error);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const assay::UniqueFd reader(ends[0]);
    REQUIRE(::write(ends[1], "text", 4) == 4);
    ::close(ends[1]);
    CHECK(assay::read_file("/proc/self/fd/" + std::to_string(reader.get())) == "text");
}

TEST_CASE("read_file: says which file and why") {
    CHECK_THROWS_WITH_AS((void)assay::read_file("/nowhere/x"),
                         "/nowhere/x: cannot open: No such file or directory", assay::Error);
    CHECK_THROWS_WITH_AS((void)assay::read_file("/"), "/: cannot read: it is a folder",
                         assay::Error);
}
