#include "harness/suite/analysis.h"

#include <filesystem>
#include <functional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "tests/support/file_size_limit.h"
#include "tests/support/no_descriptors.h"
#include "tests/support/no_memory.h"
#include "tests/support/sample_suite.h"
#include "tests/support/temp_dir.h"

using assay::harness::LogJob;
using assay::harness::SearchEnd;
using assay::harness::SearchRecord;
using assay::harness::SuiteAnalyst;

namespace fs = std::filesystem;

namespace {

/// A table of three nodes with so many attributes, which is read as a log is.
std::string log_of(int attributes) {
    std::string head = "node_id,parent_id";
    std::string rest;
    for (int i = 0; i < attributes; ++i) {
        head += ",a" + std::to_string(i);
        rest += ",7";
    }
    return head + "\n1,0" + rest + "\n2,1" + rest + "\n3,1" + rest + "\n";
}

/// One search whose log is there, and the analyst.
class AnalysisBench {
public:
    explicit AnalysisBench(const std::string& log) : plan_(assay::test::suite_plan(1)) {
        job.raw = dir.path("p1.gtl.log");
        job.tree = dir.path("p1.gtl");
        record.tree = "7/head/p1.gtl";
        assay::write_file(job.raw, log);
    }

    void look_at() { SuiteAnalyst(*plan_.suite).look_at(job, record, is_cancelled); }

    [[nodiscard]] int files() const {
        return static_cast<int>(
            std::distance(fs::directory_iterator(dir.root()), fs::directory_iterator()));
    }

    [[nodiscard]] const assay::harness::SuitePlan& suite() const { return *plan_.suite; }

    assay::test::TempDir dir;
    LogJob job;
    SearchRecord record;
    std::atomic<bool> is_cancelled = false;

private:
    assay::harness::RunPlan plan_;
};

}  // namespace

TEST_CASE("Suite analysis: a log is asked and packed") {
    AnalysisBench bench(log_of(3));
    bench.look_at();
    CHECK(bench.record.end == SearchEnd::Searched);
    REQUIRE(bench.record.answers.size() == 1);
    CHECK(bench.record.answers[0].value == 3.0);
    CHECK(bench.record.tree == "7/head/p1.gtl");
    CHECK(bench.record.packed_bytes == fs::file_size(bench.job.tree));
}

TEST_CASE("Suite analysis: a log that cannot be packed is that search's fault, with the reason") {
    AnalysisBench bench(log_of(201));
    assay::write_file(bench.job.tree, "what a killed session left");
    bench.look_at();
    CHECK(bench.record.end == SearchEnd::BadLog);
    CHECK(bench.record.reason ==
          "it cannot be packed: " + bench.job.raw + ": more than 200 columns");
    CHECK(bench.record.tree.empty());
    CHECK(bench.record.answers.empty());
    CHECK(bench.files() == 1);  // the log alone
}

TEST_CASE("Suite analysis: a log that cannot be read is that search's fault, with the reason") {
    AnalysisBench bench("node_id,parent_id\n1,0\n2,9\n");
    bench.look_at();
    CHECK(bench.record.end == SearchEnd::BadLog);
    CHECK(bench.record.reason.find("p1.gtl.log:3") != std::string::npos);
    CHECK(bench.record.tree.empty());
    CHECK(bench.files() == 1);
}

TEST_CASE("Suite analysis: what stands in the log's place and is no file is that search's fault") {
    struct Case {
        const char* what;
        std::function<void(const std::string&)> make;
        const char* expected;
    };

    const std::vector<Case> cases{
        {"folder", [](const std::string& path) { fs::create_directory(path); },
         ": a folder, no tree log"},
        {"pipe", [](const std::string& path) { REQUIRE(::mkfifo(path.c_str(), 0600) == 0); },
         ": not a regular file"},
        {"circle", [](const std::string& path) { fs::create_symlink(path, path); },
         ": a broken link: Too many levels of symbolic links"},
        {"nowhere", [](const std::string& path) { fs::create_symlink("none", path); },
         ": a broken link: No such file or directory"},
    };
    for (const Case& one : cases) {
        CAPTURE(one.what);
        AnalysisBench bench(log_of(3));
        fs::remove(bench.job.raw);
        one.make(bench.job.raw);
        bench.look_at();
        CHECK(bench.record.end == SearchEnd::BadLog);
        CHECK(bench.record.reason == bench.job.raw + one.expected);
        CHECK(bench.record.tree.empty());
    }
}

TEST_CASE("Suite analysis: a log that its program made unreadable is that search's fault") {
    AnalysisBench bench(log_of(3));
    fs::permissions(bench.job.raw, fs::perms::none);
    if (::access(bench.job.raw.c_str(), R_OK) == 0) {
        MESSAGE("skipped: this user may read everything");
        return;
    }
    bench.look_at();
    CHECK(bench.record.end == SearchEnd::BadLog);
    CHECK(bench.record.reason == bench.job.raw + ": cannot open: Permission denied");
}

TEST_CASE("Suite analysis: a disk that is full is no fault of the log") {
    AnalysisBench bench(log_of(3));
    const assay::test::FileSizeLimit full(10);
    CHECK_THROWS_WITH_AS(bench.look_at(),
                         (bench.job.tree + ": cannot write: File too large").c_str(), assay::Error);
    CHECK(bench.files() == 1);
}

TEST_CASE("Suite analysis: a process without descriptors left is no fault of the log") {
    // A sanitizer that meets a type of object for the first time looks at it through a pipe, for
    // which there is no descriptor later: let it meet a log, and an Error, now.
    AnalysisBench before(log_of(201));
    before.look_at();
    REQUIRE(before.record.end == SearchEnd::BadLog);
    AnalysisBench bench(log_of(3));
    const SuiteAnalyst analyst(bench.suite());
    int code = 0;
    {
        const assay::test::NoDescriptors none;
        try {
            analyst.look_at(bench.job, bench.record, bench.is_cancelled);
        } catch (const assay::Error& error) {
            code = error.exit_code();
        }
    }
    CHECK(code == 4);
    CHECK(bench.record.end == SearchEnd::Searched);
    CHECK(bench.record.reason.empty());
    bench.look_at();
    CHECK(bench.record.answers.size() == 1);
}

TEST_CASE("Suite analysis: a log that may not be looked for is no fault of its program") {
    AnalysisBench bench(log_of(3));
    // A name that is a file cannot be a folder: neither there nor missing.
    bench.job.raw = bench.job.raw + "/below/it";
    int code = 0;
    try {
        bench.look_at();
    } catch (const assay::Error& error) {
        code = error.exit_code();
    }
    CHECK(code == 4);
}

TEST_CASE("Suite analysis: a folder that cannot be written is no fault of the log") {
    AnalysisBench bench(log_of(3));
    bench.job.tree = bench.dir.path("no such folder/p1.gtl");
    CHECK_THROWS_AS(bench.look_at(), assay::Error);
}

TEST_CASE(
    "Suite analysis: memory that ends at a log is the machine's failure, unless it is large") {
    if (!assay::test::NoMemory::is_possible()) {
        MESSAGE("skipped: the thread sanitizer's operator new cannot be replaced");
        return;
    }
    constexpr std::size_t kMost = 500;
    const std::string advice =
        "; search fewer positions at once (suite.concurrency) or log less (suite.log.nodes)";
    AnalysisBench small(log_of(3));
    std::string message;
    int code = 0;
    try {
        const assay::test::NoMemory none(kMost);
        small.look_at();
    } catch (const assay::Error& error) {
        code = error.exit_code();
        message = error.what();
    }
    CHECK(code == 4);
    CHECK(message == small.job.raw + ": there is not enough memory for this tree log" + advice);

    AnalysisBench large(log_of(3));
    fs::resize_file(large.job.raw, (std::uintmax_t{3} << 30U));  // a hole, which takes no room
    {
        const assay::test::NoMemory none(kMost);
        large.look_at();
    }
    CHECK(large.record.end == SearchEnd::BadLog);
    CHECK(large.record.reason ==
          large.job.raw + ": there is not enough memory for a tree log of 3072 MiB" + advice);
    CHECK(large.record.tree.empty());
}
