#include "harness/build/build_log.h"

#include <string>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"

using assay::read_file;
using assay::harness::BuildLog;

namespace {

constexpr std::size_t kEach = BuildLog::kMostOfEach;

/// What is kept of these writes.
std::string kept_of(const std::string& text, std::size_t bytes_a_write) {
    const assay::test::TempDir dir;
    BuildLog log(dir.path("log.txt"));
    for (std::size_t at = 0; at < text.size(); at += bytes_a_write)
        log.write(std::string_view(text).substr(at, bytes_a_write));
    log.close();
    return read_file(dir.path("log.txt"));
}

}  // namespace

TEST_CASE("BuildLog: what is small is kept as it is, and the beginning is there at once") {
    const assay::test::TempDir dir;
    BuildLog log(dir.path("log.txt"));
    log.write("$ make\n");
    CHECK(read_file(dir.path("log.txt")) == "$ make\n");
    const std::string text = std::string(kEach, 'a') + std::string(kEach, 'b');
    CHECK((kept_of(text, 7000) == text));
    CHECK(kept_of("", 1).empty());
}

TEST_CASE("BuildLog: of what is large the beginning and the end are kept") {
    const std::string begin(kEach, 'a');
    const std::string end(kEach, 'c');
    for (const std::size_t middle : {std::size_t{1}, 5 * kEach + 17}) {
        CAPTURE(middle);
        const std::string text = begin + std::string(middle, 'b') + end;
        const std::string count = middle == 1 ? "1 byte" : "5242897 bytes";
        for (const std::size_t bytes : {std::size_t{4096}, text.size()})
            CHECK((kept_of(text, bytes) == begin + "\n[" + count + " left out here]\n" + end));
    }
}
