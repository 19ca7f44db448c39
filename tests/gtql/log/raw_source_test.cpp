// A tree that stays in its raw log beside the same tree in memory.
#include "gtql/log/raw/raw_source.h"

#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "gtql/log/raw/raw_log.h"
#include "tests/gtql/log/sample_log.h"

namespace assay::gtql {

namespace {

using testing::log_search;
using testing::SampleLog;

std::vector<ColumnId> columns_of(const TreeSchema& schema) {
    std::vector<ColumnId> ids{kLevelColumn};
    if (schema.has_unfinished) ids.push_back(kUnfinishedColumn);
    for (std::size_t i = 0; i < schema.attributes.size(); ++i) ids.push_back(static_cast<int>(i));
    return ids;
}

/// Every value of every column, and what else a query sees.
std::string text_of(const TreeSource& tree) {
    const std::vector<ColumnId> ids = columns_of(tree.schema());
    std::string text = std::to_string(tree.info().nodes) + " nodes" +
                       (tree.info().complete ? ", complete" : "") + "\n";
    for (const Attribute& each : tree.schema().attributes) text += each.name + " ";
    for (const Constant& each : tree.schema().constants) {
        text += each.name + "=" + std::to_string(each.value) + " ";
    }
    const auto reader = tree.read(ids);
    TreeBlock block;
    std::uint64_t next = 0;
    while (reader->next(block)) {
        CHECK(block.first == next);
        next += block.size;
        for (std::size_t i = 0; i < block.size; ++i) {
            text += "\n";
            for (std::size_t c = 0; c < ids.size(); ++c) {
                const std::int64_t value = block.columns[c].at(i);
                const bool is_move = ids[c] == 0;
                text += is_move ? tree.moves().at(static_cast<std::size_t>(value))
                                : std::to_string(value);
                text += " ";
            }
        }
    }
    CHECK(next == tree.info().nodes);
    return text;
}

/// Each tree of the log in memory and not, with windows of several sizes.
void check_same(const std::string& bytes, const std::vector<std::size_t>& windows) {
    const RawLog log(RandomAccess::of("x.log", bytes));
    for (std::size_t i = 0; i < log.trees(); ++i) {
        CAPTURE(i);
        std::vector<Remark> remarks;
        const auto tree = log.load(i, remarks);
        const std::string expected = text_of(*tree);
        for (const std::size_t window : windows) {
            CAPTURE(window);
            std::vector<Remark> found;
            const auto source = log.open(i, "y", found, {0, window});
            CHECK(text_of(*source) == expected);
            REQUIRE(found.size() == remarks.size());
            for (std::size_t k = 0; k < found.size(); ++k) {
                CHECK(found[k].offset == remarks[k].offset);
                CHECK(found[k].what == remarks[k].what);
            }
        }
    }
}

std::string searches() {
    const SampleLog sample;
    treelog_stream* const s = treelog_stream_new(sample.log());
    for (std::uint32_t depth = 0; depth < 4; ++depth) {
        treelog_open(s, 4, depth + 1, "start", "hash 16");
        log_search(s, 0, depth, 2, TREELOG_NO_MOVE);
        treelog_close(s);
    }
    treelog_stream_free(s);
    return sample.bytes();
}

}  // namespace

TEST_CASE("RawTreeSource: a tree that stays in its log is the tree that is loaded") {
    check_same(searches(), {1, 2, 3, 7, 1000});
    const SampleLog sample;
    treelog_stream* const s = treelog_stream_new(sample.log());
    treelog_open(s, 1, 1, "", nullptr);
    for (int i = 0; i < 40; ++i) TREELOG_ENTER(s, i & 7, i, 1000 * i, 0);
    for (int i = 0; i < 10; ++i) TREELOG_LEAVE(s, 100'000'000 * i, 0);
    log_search(s, 30, 3, 2, 5);
    treelog_abort(s);
    treelog_open(s, 1, 2, "", nullptr);
    log_search(s, 0, 1, 3, 5);
    log_search(s, 0, 1, 3, 5);  // below the root that was left
    treelog_stream_free(s);
    check_same(sample.bytes(), {1, 2, 3, 7, 1000});
}

TEST_CASE("RawTreeSource: of a log that is cut or damaged it has what is loaded") {
    const std::string bytes = searches();
    const std::size_t schema = 200;
    for (std::size_t length = schema; length < bytes.size(); length += 11) {
        CAPTURE(length);
        check_same(bytes.substr(0, length), {3});
    }
    for (std::size_t at = schema; at < bytes.size(); at += 23) {
        CAPTURE(at);
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        check_same(damaged, {2});
    }
}

TEST_CASE("RawTreeSource: a large tree is opened so by itself, several threads' trees are not") {
    const SampleLog sample;
    treelog_stream* const s = treelog_stream_new(sample.log());
    treelog_open(s, 1, 1, "", nullptr);
    TREELOG_ENTER(s, -1, 0, 0, 0);
    const treelog_ref root = treelog_here(s);
    treelog_stream* const other = treelog_stream_new(sample.log());
    treelog_join(other, root);
    log_search(other, 1, 2, 2, 3);
    TREELOG_LEAVE(s, 0, 0);
    treelog_stream_free(other);
    treelog_stream_free(s);
    const RawLog log(RandomAccess::of("x.log", sample.bytes()));
    std::vector<Remark> remarks;
    const auto merged = log.open(0, "y", remarks, {0, 10});
    CHECK(dynamic_cast<const Tree*>(merged.get()) != nullptr);
    CHECK(merged->info().nodes == 8);
    // Joined in memory, up to what is allowed.
    CHECK(log.open(0, "y", remarks, {0, 10, 1000})->info().nodes == 8);
    std::string said;
    try {
        (void)log.open(0, "y", remarks, {0, 10, 20});
    } catch (const Error& error) {
        said = error.what();
    }
    CHECK(said.rfind("y: a tree of several threads is joined in memory", 0) == 0);
    CHECK(said.find("(20 at most here)") != std::string::npos);
    const RawLog small(RandomAccess::of("x.log", searches()));
    CHECK(dynamic_cast<const Tree*>(small.open(3, "y", remarks).get()) != nullptr);
    CHECK(dynamic_cast<const Tree*>(small.open(3, "y", remarks, {10, 10}).get()) == nullptr);
}

}  // namespace assay::gtql
