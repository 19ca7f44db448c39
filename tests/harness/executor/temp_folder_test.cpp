#include "harness/executor/temp_folder.h"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "base/file.h"

using assay::harness::TempFolder;

TEST_CASE("TempFolder: it is the user's alone, another each time, and goes with the object") {
    namespace fs = std::filesystem;
    std::string first;
    {
        const TempFolder folder;
        const TempFolder other;
        first = folder.file("");
        CHECK(first != other.file(""));
        CHECK(fs::status(first).permissions() == fs::perms::owner_all);
        assay::File::create(folder.file("run.db")).write("x");
    }
    CHECK_FALSE(fs::exists(first));
}
