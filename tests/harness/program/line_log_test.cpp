#include "harness/program/line_log.h"

#include <filesystem>
#include <sys/stat.h>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"

using assay::TimePoint;
using assay::adapters::LineObserver;
using assay::harness::LineLog;

TEST_CASE("LineLog: neither follows a link nor waits for the reader of a pipe") {
    const assay::test::TempDir temp;
    std::filesystem::create_directory(temp.path("logs"));
    assay::write_file(temp.path("precious"), "content");
    std::filesystem::create_symlink(temp.path("precious"), temp.path("logs/link.log"));
    REQUIRE(::mkfifo(temp.path("logs/pipe.log").c_str(), 0600) == 0);
    {
        LineLog log(temp.path("logs"), {});
        for (const char* const name : {"link", "pipe"}) {
            log.on_line(name, 7, LineObserver::Direction::ToProgram, {}, "go");
            log.on_line(name, 7, LineObserver::Direction::ToProgram, {}, "stop");
        }
    }
    CHECK(assay::read_file(temp.path("precious")) == "content");
}

TEST_CASE("LineLog: each program has its file in the folder, whatever it is called") {
    const assay::test::TempDir temp;
    const TimePoint began{};
    const TimePoint later = began + std::chrono::microseconds(1'500'000);
    {
        LineLog log(temp.path("logs"), began);
        log.on_line("new", 7, LineObserver::Direction::ToProgram, later, "go depth 1");
        log.on_line("new", 7, LineObserver::Direction::FromProgram, later, "bestmove e2e4");
        log.on_line("../outside", 8, LineObserver::Direction::ToProgram, later, "quit");
        log.on_line("branch/new", 9, LineObserver::Direction::ToProgram, later, "quit");
    }
    CHECK(assay::read_file(temp.path("logs/new.log")) ==
          "1.500000 7 > go depth 1\n1.500000 7 < bestmove e2e4\n");
    CHECK(assay::read_file(temp.path("logs/branch%2Fnew.log")) == "1.500000 9 > quit\n");
    CHECK(assay::read_file(temp.path("logs/%2E.%2Foutside.log")) == "1.500000 8 > quit\n");
    CHECK_FALSE(std::filesystem::exists(temp.path("outside.log")));
}
