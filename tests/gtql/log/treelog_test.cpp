// The header as engines use it: what it refuses, what it leaves out, what turns it off.
#include "gtql/log/treelog.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "gtql/log/raw/raw_log.h"
#include "tests/gtql/log/sample_log.h"

namespace assay::gtql {

namespace {

using testing::log_search;
using testing::SampleLog;
using testing::shape_of;

std::unique_ptr<Tree> only_tree(const SampleLog& sample) {
    const RawLog log(RandomAccess::open(sample.path()));
    std::vector<Remark> remarks;
    REQUIRE(log.trees() == 1);
    REQUIRE(log.remarks().empty());
    auto tree = log.load(0, remarks);
    REQUIRE(remarks.empty());
    return tree;
}

/// Logs a search of width 2 and depth 3 under a filter.
std::unique_ptr<Tree> filtered(const treelog_filter& filter) {
    const SampleLog sample;
    treelog_set_filter(sample.log(), &filter);
    treelog_stream* const s = treelog_stream_new(sample.log());
    treelog_open(s, 1, 3, "", nullptr);
    log_search(s, 0, 3, 2, TREELOG_NO_MOVE);
    treelog_stream_free(s);
    REQUIRE(treelog_error(sample.log()) == nullptr);
    return only_tree(sample);
}

}  // namespace

TEST_CASE("treelog: without a log or a stream every call does nothing") {
    treelog_attribute(nullptr, "a", TREELOG_ENTRY);
    treelog_constant(nullptr, "a", 1);
    CHECK(treelog_stream_new(nullptr) == nullptr);
    treelog_stream* const s = nullptr;
    treelog_open(s, 1, 1, "", "");
    int evaluated = 0;
    TREELOG_ENTER(s, 1, ++evaluated);
    TREELOG_LEAVE(s, ++evaluated);
    CHECK(evaluated == 0);
    treelog_abort(s);
    treelog_cut(s);
    treelog_join(s, treelog_here(s));
    treelog_part(s);
    treelog_close(s);
    treelog_stream_free(s);
    treelog_free(nullptr);
    CHECK(treelog_error(nullptr) == nullptr);
}

TEST_CASE("treelog: a wrong call turns the log off and is reported, and the search goes on") {
    struct Case {
        const char* expected;
        void (*act)(treelog* log, treelog_stream* s);
    };

    const Case cases[] = {
        {"leave without enter", [](treelog*, treelog_stream* s) { TREELOG_LEAVE(s, 1, 2); }},
        {"enter: wrong number of values",
         [](treelog*, treelog_stream* s) { TREELOG_ENTER(s, 1, 2); }},
        {"leave: wrong number of values", [](treelog*, treelog_stream* s) { TREELOG_LEAVE(s, 1); }},
        {"declared after the first tree: late",
         [](treelog* log, treelog_stream*) { treelog_attribute(log, "late", TREELOG_ENTRY); }},
    };
    for (const Case& c : cases) {
        CAPTURE(c.expected);
        const SampleLog sample;
        treelog_stream* const s = treelog_stream_new(sample.log());
        treelog_open(s, 1, 1, "", nullptr);
        c.act(sample.log(), s);
        REQUIRE(treelog_error(sample.log()) != nullptr);
        CHECK(std::string(treelog_error(sample.log())) == c.expected);
        log_search(s, 0, 2, 2, TREELOG_NO_MOVE);
        treelog_stream_free(s);
        CHECK(treelog_stream_new(sample.log()) == nullptr);
    }
}

TEST_CASE("treelog: names that no query could use are refused") {
    for (const char* const name : {"", "1st", "a b", "_a", "ply", "last_move",
                                   "a_name_that_is_longer_than_thirty_one_bytes"}) {
        CAPTURE(name);
        const SampleLog sample;
        treelog_attribute(sample.log(), name, TREELOG_ENTRY);
        CHECK(treelog_error(sample.log()) != nullptr);
    }
}

TEST_CASE("treelog: a full disk turns the log off") {
    treelog* const log = treelog_new("/dev/full");
    REQUIRE(log != nullptr);
    REQUIRE(treelog_error(log) != nullptr);
    CHECK(std::string(treelog_error(log)) == "cannot write /dev/full");
    CHECK(treelog_stream_new(log) == nullptr);
    treelog_free(log);
}

TEST_CASE("treelog: a path that cannot be opened is reported") {
    treelog* const log = treelog_new("/no/such/folder/x.log");
    REQUIRE(treelog_error(log) != nullptr);
    CHECK(std::string(treelog_error(log)) == "cannot open /no/such/folder/x.log");
    treelog_free(log);
}

TEST_CASE("treelog: the environment names the log and its limit") {
    const test::TempDir dir;
    const std::string path = dir.path("env.log");
    ::unsetenv("ASSAY_TREE_LOG");
    CHECK(treelog_from_environment() == nullptr);
    ::setenv("ASSAY_TREE_LOG", path.c_str(), 1);
    ::setenv("ASSAY_TREE_LOG_LIMIT", "5", 1);
    treelog* log = treelog_from_environment();
    treelog_attribute(log, "ply", TREELOG_ENTRY);
    treelog_stream* const s = treelog_stream_new(log);
    treelog_open(s, 1, 1, "", nullptr);
    for (int i = 0; i < 7; ++i) TREELOG_ENTER(s, i, i);
    for (int i = 0; i < 7; ++i) treelog_leave(s, nullptr, 0);
    treelog_stream_free(s);
    CHECK(treelog_error(log) == nullptr);
    treelog_free(log);
    const RawLog raw(RandomAccess::open(path));
    std::vector<Remark> remarks;
    const auto tree = raw.load(0, remarks);
    CHECK(tree->info().nodes == 5);
    CHECK_FALSE(tree->info().complete);
    ::setenv("ASSAY_TREE_LOG_LIMIT", "5k", 1);
    log = treelog_from_environment();
    CHECK(std::string(treelog_error(log)) == "ASSAY_TREE_LOG_LIMIT is no number: 5k");
    treelog_free(log);
    ::unsetenv("ASSAY_TREE_LOG");
    ::unsetenv("ASSAY_TREE_LOG_LIMIT");
}

TEST_CASE("treelog: a filter by ply hangs nodes on their nearest logged ancestor") {
    treelog_filter filter = treelog_no_filter();
    filter.from_ply = 2;
    filter.to_ply = 2;
    CHECK(shape_of(*filtered(filter)) == "0:none 1:10 1:11 1:10 1:11");
}

TEST_CASE("treelog: a filter by depth leaves shallow nodes out") {
    treelog_filter filter = treelog_no_filter();
    filter.min_depth = 2;
    CHECK(shape_of(*filtered(filter)) == "0:none 1:0 1:1");
}

TEST_CASE("treelog: a filter by line logs that path and what is below its end") {
    const std::int64_t line[] = {1, 10};
    treelog_filter filter = treelog_no_filter();
    filter.line = line;
    filter.line_length = 2;
    CHECK(shape_of(*filtered(filter)) == "0:none 1:1 2:10 3:20 3:21");
}

TEST_CASE("treelog: a limit keeps the first nodes, and such a tree is not complete") {
    treelog_filter filter = treelog_no_filter();
    filter.most_nodes = 4;
    const auto tree = filtered(filter);
    CHECK(shape_of(*tree) == "0:none 1:0 2:10 3:20");
    CHECK_FALSE(tree->info().complete);
    filter.most_nodes = 15;
    CHECK(filtered(filter)->info().complete);
}

TEST_CASE("treelog: a filter by depth needs the attribute") {
    const test::TempDir dir;
    treelog* const log = treelog_new(dir.path("x.log").c_str());
    treelog_filter filter = treelog_no_filter();
    filter.min_depth = 1;
    treelog_set_filter(log, &filter);
    CHECK(std::string(treelog_error(log)) == "min_depth needs an entry attribute 'depth'");
    treelog_free(log);
}

}  // namespace assay::gtql
