#include "base/replaced_file.h"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "tests/support/file_size_limit.h"
#include "tests/support/temp_dir.h"

using assay::read_file;
using assay::ReplacedFile;

namespace fs = std::filesystem;

namespace {

int files_in(const assay::test::TempDir& dir) {
    return static_cast<int>(
        std::distance(fs::directory_iterator(dir.root()), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("ReplacedFile: where a file of several names cannot be overwritten, nothing is lost") {
    const assay::test::TempDir dir;
    assay::write_file(dir.path("a"), "old");
    fs::create_hard_link(dir.path("a"), dir.path("b"));
    const std::string content(1U << 20, 'n');
    std::string message;
    int exit_code = 0;
    {
        ReplacedFile out(dir.path("b"));
        out.write(content);
        // The temporary file is whole; the copy finds no room.
        const assay::test::FileSizeLimit full(100);
        try {
            out.commit();
        } catch (const assay::Error& error) {
            message = error.what();
            exit_code = error.exit_code();
        }
    }
    CHECK(exit_code == 4);
    const std::string begin =
        dir.path("b") + ": cannot write: File too large; its new content is in ";
    REQUIRE(message.rfind(begin, 0) == 0);
    CHECK(read_file(message.substr(begin.size())) == content);
    CHECK(fs::hard_link_count(dir.path("b")) == 2);
    CHECK(files_in(dir) == 3);
}

TEST_CASE("ReplacedFile: where there is no room for a new file, the old one stays as it was") {
    const assay::test::TempDir dir;
    assay::write_file(dir.path("a"), "old");
    {
        ReplacedFile out(dir.path("a"));
        const assay::test::FileSizeLimit full(100);
        CHECK_THROWS_WITH_AS(out.write(std::string(1U << 20, 'n')),
                             (dir.path("a") + ": cannot write: File too large").c_str(),
                             assay::Error);
    }
    CHECK(read_file(dir.path("a")) == "old");
    CHECK(files_in(dir) == 1);
}
