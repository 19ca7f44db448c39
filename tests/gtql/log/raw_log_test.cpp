#include "gtql/log/raw/raw_log.h"

#include <cstdio>
#include <span>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "gtql/log/bytes.h"
#include "gtql/log/treelog.h"
#include "tests/gtql/log/sample_log.h"

namespace assay::gtql {

namespace {

using testing::log_search;
using testing::SampleLog;
using testing::shape_of;
using testing::values_of;

struct Loaded {
    std::vector<std::unique_ptr<Tree>> trees;
    std::vector<Remark> remarks;
};

Loaded load(std::string bytes) {
    const RawLog log(RandomAccess::of("x.log", std::move(bytes)));
    Loaded loaded;
    loaded.remarks = log.remarks();
    for (std::size_t i = 0; i < log.trees(); ++i)
        loaded.trees.push_back(log.load(i, loaded.remarks));
    return loaded;
}

/// Three iterations, of 1, 3 and 7 nodes.
std::string three_trees() {
    const SampleLog sample;
    treelog_stream* const s = treelog_stream_new(sample.log());
    for (std::uint32_t depth = 0; depth < 3; ++depth) {
        treelog_open(s, 4, depth + 1, "start", "hash 16");
        log_search(s, 0, depth, 2, TREELOG_NO_MOVE);
        treelog_close(s);
    }
    treelog_stream_free(s);
    return sample.bytes();
}

void name_move(std::int64_t move, char* text, void*) {
    std::snprintf(text, TREELOG_MOVE_TEXT, "m%lld", static_cast<long long>(move));
}

}  // namespace

TEST_CASE("RawLog: what was logged is read") {
    const Loaded loaded = load(three_trees());
    CHECK(loaded.remarks.empty());
    REQUIRE(loaded.trees.size() == 3);
    const Tree& tree = *loaded.trees[2];
    CHECK(tree.info().nodes == 7);
    CHECK(tree.info().complete);
    CHECK(tree.info().search == 4);
    CHECK(tree.info().iteration == 3);
    CHECK(tree.info().position == "start");
    CHECK(tree.info().game == "chess");
    CHECK(shape_of(tree) == "0:none 1:0 2:10 2:11 1:1 2:10 2:11");
    CHECK(values_of(tree, "ply") == "0 1 2 2 1 2 2");
    CHECK(values_of(tree, "depth") == "2 1 0 0 1 0 0");
    CHECK(values_of(tree, "value") == "1 1000 1990 1989 999 1990 1989");
    CHECK(values_of(tree, "flags") == "1 1 3 3 1 3 3");
    REQUIRE(tree.schema().constants.size() == 2);
    CHECK(tree.schema().constant("Check")->value == -2);
    CHECK_FALSE(tree.schema().has_thread);
    CHECK_FALSE(tree.schema().has_unfinished);
}

TEST_CASE("RawLog: values of every length come back") {
    const std::int64_t extremes[] = {
        0,     -1,         127,           -128,      128,          -129,      32767,    -32768,
        32768, 2147483647, -2147483648LL, 1LL << 40, -(1LL << 40), INT64_MAX, INT64_MIN};
    const SampleLog sample;
    treelog_stream* const s = treelog_stream_new(sample.log());
    treelog_open(s, 1, 1, "", nullptr);
    for (const std::int64_t each : extremes) TREELOG_ENTER(s, each, each, -5, each);
    for (const std::int64_t each : extremes) TREELOG_LEAVE(s, each, 0);
    treelog_stream_free(s);
    const Loaded loaded = load(sample.bytes());
    REQUIRE(loaded.trees.size() == 1);
    const Tree& tree = *loaded.trees[0];
    const ColumnView ply = tree.column(tree.schema().attribute("ply"));
    const ColumnView value = tree.column(tree.schema().attribute("value"));
    const ColumnView move = tree.column(tree.schema().attribute("last_move"));
    const std::size_t count = std::size(extremes);
    REQUIRE(ply.size == count);
    for (std::size_t i = 0; i < count; ++i) {
        CHECK(ply.at(i) == extremes[i]);
        CHECK(value.at(count - 1 - i) == extremes[i]);
        const std::string text = extremes[i] == -1 ? "none" : std::to_string(extremes[i]);
        CHECK(tree.moves()[static_cast<std::size_t>(move.at(i))] == text);
    }
}

TEST_CASE("RawLog: moves have the texts that the program gave, large codes too") {
    const SampleLog sample;
    treelog_move_names(sample.log(), name_move, nullptr);
    treelog_stream* const s = treelog_stream_new(sample.log());
    treelog_open(s, 1, 1, "", nullptr);
    TREELOG_ENTER(s, TREELOG_NO_MOVE, 0, 0, 0);
    for (int turn = 0; turn < 2; ++turn) {
        for (std::int64_t move = 0; move < 3000; ++move) {
            TREELOG_ENTER(s, move % 2 == 0 ? move : move << 20, 1, 0, 0);
            TREELOG_LEAVE(s, 0, 0);
        }
    }
    TREELOG_LEAVE(s, 0, 0);
    treelog_stream_free(s);
    const Loaded loaded = load(sample.bytes());
    const Tree& tree = *loaded.trees.at(0);
    CHECK(tree.moves().size() == 3001);
    const ColumnView move = tree.column(tree.schema().attribute("last_move"));
    CHECK(tree.moves()[static_cast<std::size_t>(move.at(3001 + 2))] == "m2");
    CHECK(tree.moves()[static_cast<std::size_t>(move.at(3001 + 3))] ==
          "m" + std::to_string(3LL << 20));
}

TEST_CASE("RawLog: cut and aborted nodes are unfinished, and such a tree is not complete") {
    const SampleLog sample;
    treelog_stream* const s = treelog_stream_new(sample.log());
    treelog_open(s, 1, 1, "", nullptr);
    TREELOG_ENTER(s, -1, 0, 2, 7);
    TREELOG_ENTER(s, 1, 1, 1, 7);
    treelog_cut(s);
    TREELOG_ENTER(s, 2, 1, 1, 7);
    TREELOG_LEAVE(s, 55, 8);
    TREELOG_ENTER(s, 3, 1, 1, 7);
    TREELOG_ENTER(s, 4, 2, 0, 7);
    treelog_abort(s);
    treelog_close(s);
    treelog_open(s, 1, 2, "", nullptr);
    log_search(s, 0, 0, 0, TREELOG_NO_MOVE);
    treelog_stream_free(s);
    const Loaded loaded = load(sample.bytes());
    REQUIRE(loaded.trees.size() == 2);
    const Tree& tree = *loaded.trees[0];
    CHECK(values_of(tree, kUnfinishedColumn) == "1 1 0 1 1");
    CHECK(values_of(tree, "value") == "0 0 55 0 0");
    CHECK(values_of(tree, "flags") == "7 7 8 7 7");
    CHECK_FALSE(tree.info().complete);
    CHECK(loaded.trees[1]->info().complete);
}

TEST_CASE("RawLog: what is entered after the root was left is below it") {
    const SampleLog sample;
    treelog_stream* const s = treelog_stream_new(sample.log());
    treelog_open(s, 1, 1, "", nullptr);
    log_search(s, 0, 1, 1, TREELOG_NO_MOVE);
    log_search(s, 0, 1, 1, TREELOG_NO_MOVE);
    treelog_stream_free(s);
    CHECK(shape_of(*load(sample.bytes()).trees.at(0)) == "0:none 1:0 1:none 2:0");
}

TEST_CASE("RawLog: streams that join nodes become one preorder, in the order of the search") {
    const SampleLog sample;
    treelog_stream* const a = treelog_stream_new(sample.log());
    treelog_stream* const b = treelog_stream_new(sample.log());
    treelog_stream* const c = treelog_stream_new(sample.log());
    treelog_open(a, 1, 1, "", nullptr);
    TREELOG_ENTER(a, -1, 0, 0, 0);
    TREELOG_ENTER(a, 1, 1, 0, 0);
    log_search(a, 2, 0, 0, 2);
    const treelog_ref split = treelog_here(a);
    treelog_join(b, split);
    log_search(b, 2, 1, 2, 3);
    TREELOG_ENTER(b, 4, 2, 0, 0);
    treelog_join(c, treelog_here(b));
    log_search(c, 3, 0, 0, 5);
    TREELOG_LEAVE(b, 0, 0);
    log_search(a, 2, 0, 0, 6);
    TREELOG_LEAVE(a, 0, 0);
    treelog_join(b, treelog_here(a));
    log_search(b, 1, 0, 0, 7);
    log_search(a, 1, 0, 0, 8);
    TREELOG_LEAVE(a, 0, 0);
    treelog_part(b);
    treelog_part(c);
    treelog_close(a);
    for (treelog_stream* const each : {a, b, c}) treelog_stream_free(each);
    REQUIRE(treelog_error(sample.log()) == nullptr);
    const Loaded loaded = load(sample.bytes());
    CHECK(loaded.remarks.empty());
    const Tree& tree = *loaded.trees.at(0);
    CHECK(tree.info().complete);
    CHECK(shape_of(tree) == "0:none 1:1 2:2 2:3 3:20 3:21 2:4 3:5 2:6 1:7 1:8");
    CHECK(values_of(tree, kThreadColumn) == "0 0 0 1 1 1 1 2 0 1 0");
    CHECK(values_of(tree, "ply") == "0 1 2 2 3 3 2 3 2 1 1");
}

TEST_CASE("RawLog: a tree of several threads is complete only with all of their nodes") {
    const SampleLog sample;
    treelog_stream* const a = treelog_stream_new(sample.log());
    treelog_stream* const b = treelog_stream_new(sample.log());
    treelog_open(a, 1, 1, "", nullptr);
    TREELOG_ENTER(a, -1, 0, 0, 0);
    treelog_join(b, treelog_here(a));
    log_search(b, 1, 2, 2, 3);
    TREELOG_LEAVE(a, 0, 0);
    treelog_close(a);
    const Loaded early = load(sample.bytes());
    CHECK_FALSE(early.trees.at(0)->info().complete);
    treelog_part(b);
    const Loaded late = load(sample.bytes());
    CHECK(late.trees.at(0)->info().complete);
    CHECK(late.trees.at(0)->info().nodes == 8);
    treelog_stream_free(a);
    treelog_stream_free(b);
}

TEST_CASE("RawLog: threads that log at once lose nothing") {
    const SampleLog sample;
    treelog_stream* const a = treelog_stream_new(sample.log());
    treelog_open(a, 1, 1, "", nullptr);
    TREELOG_ENTER(a, -1, 0, 0, 0);
    const treelog_ref root = treelog_here(a);
    std::vector<std::thread> threads;
    for (int i = 1; i <= 3; ++i) {
        threads.emplace_back([&sample, root, i] {
            treelog_stream* const s = treelog_stream_new(sample.log());
            treelog_join(s, root);
            log_search(s, 1, 12, 2, i);
            treelog_stream_free(s);
        });
    }
    log_search(a, 1, 12, 2, 9);
    for (std::thread& each : threads) each.join();
    TREELOG_LEAVE(a, 0, 0);
    treelog_stream_free(a);
    const Loaded loaded = load(sample.bytes());
    CHECK(loaded.remarks.empty());
    CHECK(loaded.trees.at(0)->info().nodes == 1 + 4 * 8191);
    CHECK(loaded.trees.at(0)->info().complete);
}

TEST_CASE("RawLog: a million levels need no recursion") {
    const SampleLog sample;
    treelog_stream* const s = treelog_stream_new(sample.log());
    treelog_open(s, 1, 1, "", nullptr);
    for (int i = 0; i < 1000000; ++i) TREELOG_ENTER(s, i & 63, i, 0, 0);
    for (int i = 0; i < 1000000; ++i) TREELOG_LEAVE(s, i, 0);
    treelog_stream_free(s);
    const Loaded loaded = load(sample.bytes());
    CHECK(loaded.trees.at(0)->column(kLevelColumn).at(999999) == 999999);
    CHECK(loaded.trees.at(0)->info().complete);
}

TEST_CASE("RawLog: cut at any byte it says so, and trees before the cut are whole") {
    const std::string bytes = three_trees();
    const std::size_t whole = load(bytes).trees.size();
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        CAPTURE(length);
        Loaded loaded;
        try {
            loaded = load(bytes.substr(0, length));
        } catch (const Error& error) {
            CHECK(std::string(error.what()).starts_with("x.log: "));
            continue;
        }
        const bool is_short = loaded.trees.size() < whole || !loaded.trees.back()->info().complete;
        REQUIRE(is_short);
        for (std::size_t i = 0; i + 1 < loaded.trees.size(); ++i)
            REQUIRE(loaded.trees[i]->info().complete);
    }
}

TEST_CASE("RawLog: a flipped byte is noticed, wherever it is") {
    const std::string bytes = three_trees();
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        CAPTURE(at);
        std::string flipped = bytes;
        flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
        bool is_noticed = false;
        try {
            is_noticed = !load(flipped).remarks.empty();
        } catch (const Error& error) {
            is_noticed = std::string(error.what()).starts_with("x.log: ");
        }
        REQUIRE(is_noticed);
    }
}

TEST_CASE("RawLog: after a damaged block the later trees are read") {
    std::string bytes = three_trees();
    bytes[bytes.find("TLb1", 100) + 5] ^= 1;
    const Loaded loaded = load(bytes);
    REQUIRE(loaded.trees.size() == 2);
    CHECK(loaded.trees[0]->info().nodes == 3);
    CHECK(loaded.trees[1]->info().complete);
    REQUIRE(loaded.remarks.size() == 2);
    CHECK(loaded.remarks[0].what.ends_with("bytes are damaged and were skipped"));
    CHECK(loaded.remarks[1].what == "the beginning of tree 1 is lost");
}

TEST_CASE("RawLog: a schema with more names than anyone can search is refused at once") {
    std::string content;
    append_text(content, "program");
    append_text(content, "");
    append_number(content, 0, 2);
    append_number(content, kMostNames + 1, 2);
    for (std::size_t i = 0; i <= kMostNames; ++i) {
        append_number(content, 1, 8);
        const std::string name = "c" + std::to_string(i);
        append_number(content, name.size(), 1);
        content += name;
    }
    std::string checked = "S";
    checked.append(23, '\0');
    checked += content;
    std::string log = "treelog\n";
    append_number(log, 1, 8);
    log += "TLb1";
    append_number(log, content.size(), 4);
    append_number(log, checksum(std::as_bytes(std::span(checked))), 8);
    log += checked;
    CHECK_THROWS_WITH_AS(
        (void)load(log),
        "x.log: the schema has 0 attributes and 4097 constants: expected at most 4096 of each",
        Error);
}

TEST_CASE("RawLog: messages say what the file is") {
    const auto message = [](std::string bytes) {
        try {
            load(std::move(bytes));
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(message("") == "x.log: the file is too short for a tree log");
    CHECK(message("node_id,parent_id,ply") == "x.log: not a tree log of a known version");
    CHECK(message(three_trees().substr(0, 20)) ==
          "x.log: byte 16: no schema: the log ends in its first block, or that is damaged");
}

}  // namespace assay::gtql
