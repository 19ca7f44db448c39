#include "cli/frame/target.h"

#include <filesystem>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "harness/store/store.h"
#include "tests/support/temp_dir.h"

using assay::Error;
using assay::write_file;

namespace {

/// What check_target() says; empty: the file may be written.
std::string target_refusal(const std::string& path, const std::vector<std::string>& inputs = {}) {
    try {
        assay::cli::check_target(path, inputs);
    } catch (const Error& error) {
        CHECK(error.exit_code() == 2);
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("check_target: a report replaces a report, and nothing that the user needs") {
    const assay::test::TempDir dir;
    const std::string store = dir.path("runs.db");
    { const assay::harness::Store made(store, assay::harness::Store::Access::Write); }
    const std::string other = "no output may replace; name another file";
    CHECK(target_refusal(store) == store + ": is a database, such as a store, which " + other);
    std::filesystem::create_symlink(store, dir.path("link.html"));
    CHECK(target_refusal(dir.path("link.html")).ends_with(other));
    write_file(dir.path("engine"), "\x7f\x45LF...");
    CHECK(target_refusal(dir.path("engine")) ==
          dir.path("engine") + ": is a program, which " + other);
    write_file(dir.path("engine.sh"), "#!/bin/sh\n");
    CHECK(target_refusal(dir.path("engine.sh")).ends_with("is a program, which " + other));
    write_file(dir.path("gate.yaml"), "match: {}\n");
    CHECK(target_refusal(dir.path("gate.yaml")).ends_with("is a config, which " + other));
    write_file(dir.path("report.html"), "<!doctype html>");
    CHECK(target_refusal(dir.path("report.html")).empty());
    CHECK(target_refusal(dir.path("new.yaml")).empty());
    // Those beside a store: the last pairs may be in its journal alone.
    for (const char* const ending : {"-wal", "-shm", "-journal", ".lock"}) {
        write_file(store + ending, "x");
        CHECK(target_refusal(store + ending) ==
              store + ending + ": is kept beside a database, which " + other);
    }
    CHECK(target_refusal("-").empty());
    CHECK(target_refusal("").empty());
    CHECK(target_refusal("/dev/null").empty());
    CHECK_FALSE(target_refusal(dir.path("none/report.html")).empty());
}

TEST_CASE("check_target: no output goes to a file of the run, by whatever name") {
    const assay::test::TempDir dir;
    write_file(dir.path("book.epd"), "x");
    const std::string sentence =
        ": is read or written by this run; name another file for the output";
    CHECK(target_refusal(dir.path("book.epd"), {dir.path("book.epd")}) ==
          dir.path("book.epd") + sentence);
    std::filesystem::create_hard_link(dir.path("book.epd"), dir.path("hard"));
    CHECK(target_refusal(dir.path("hard"), {"other", dir.path("book.epd")}).ends_with(sentence));
    CHECK(target_refusal(dir.path("new.db"), {dir.path("./new.db")}).ends_with(sentence));
    CHECK(target_refusal(dir.path("report"), {dir.path("book.epd"), ""}).empty());
}
