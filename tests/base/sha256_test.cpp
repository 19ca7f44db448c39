#include "base/sha256.h"

#include <filesystem>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "tests/support/temp_dir.h"

namespace assay {

TEST_CASE("Hash: SHA-256 gives the digests of FIPS 180-4's examples") {
    CHECK(sha256_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("Hash: a file longer than one piece hashes as its content does") {
    const assay::test::TempDir dir;
    for (const std::size_t size : {std::size_t{0}, std::size_t{65536}, std::size_t{200'001}}) {
        const std::string content(size, 'a');
        write_file(dir.path("f"), content);
        CHECK(sha256_of_file(dir.path("f")) == sha256_of(content));
    }
}

TEST_CASE("Hash: a file that cannot be read is an error with its path") {
    const assay::test::TempDir dir;
    CHECK_THROWS_WITH_AS(static_cast<void>(sha256_of_file(dir.path("none"))),
                         (dir.path("none") + ": cannot open: No such file or directory").c_str(),
                         Error);
    CHECK_THROWS_WITH_AS(static_cast<void>(sha256_of_file(dir.root())),
                         (dir.root() + ": cannot read: it is a folder").c_str(), Error);
}

TEST_CASE("Hash: a file that was remembered is hashed anew where it was written or replaced") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("f");
    write_file(path, "one");
    CHECK(remembered_sha256_of_file(path) == sha256_of("one"));
    write_file(path, "two");
    CHECK(remembered_sha256_of_file(path) == sha256_of("two"));
    write_file(dir.path("other"), "six");
    std::filesystem::rename(dir.path("other"), path);
    CHECK(remembered_sha256_of_file(path) == sha256_of("six"));
    std::filesystem::remove(path);
    CHECK_THROWS_AS(static_cast<void>(remembered_sha256_of_file(path)), Error);
}

}  // namespace assay
