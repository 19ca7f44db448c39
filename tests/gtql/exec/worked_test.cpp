// Answers that were worked out by hand on a tree of 12 nodes, and trees of unusual shapes.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gtql/exec/execute.h"
#include "gtql/exec/node_view.h"
#include "gtql/lang/parser.h"
#include "gtql/log/tree.h"
#include "tests/support/column_of.h"

namespace assay::gtql {

using test::column_of;

namespace {

///  1 ─┬─ 2 ─┬─ 3
///     │     └─ 4 ─── 5
///     ├─ 6
///     └─ 7 ─┬─ 8 ─┬─ 9
///           │     └─ 10 ── 11
///           └─ 12
std::unique_ptr<Tree> small_tree() {
    TreeInfo info;
    info.name = "small";
    auto tree = std::make_unique<Tree>(info, column_of({0, 1, 2, 2, 3, 1, 1, 2, 3, 3, 4, 2}));
    tree->add_attribute("type", column_of({1, 2, 3, 2, 3, 3, 2, 3, 2, 1, 2, 1}));
    tree->add_attribute("depth", column_of({3, 2, 1, 1, 0, 2, 2, 1, 0, 0, -1, 1}));
    tree->add_attribute("value", column_of({10, -10, 5, 7, -7, 4, -4, 9, 0, 2, -2, -9}));
    tree->add_constant("PVNode", 1);
    return tree;
}

Answer answer_of(const TreeSource& tree, const std::string& text, std::size_t batch) {
    const Query query = parse_query("<query>", text);
    ExecuteOptions options;
    options.ids = kAllIds;
    options.batch = batch;
    return execute(tree, {&query, 1}, options).at(0);
}

std::string words_of(const std::vector<std::uint64_t>& ids) {
    std::string text;
    for (const std::uint64_t each : ids) text += (text.empty() ? "" : " ") + std::to_string(each);
    return text;
}

struct Worked {
    const char* query;
    const char* ids;
};

constexpr std::array kWorked{
    Worked{"child: count(*) >= 2", "1 2 7 8"},
    Worked{"subtree: count(*) > 2", "1 2 7 8"},
    Worked{"node: type = 2; child: count([]type = type) = 1", "2"},
    Worked{"child: count([]value < [<]value) >= 1", "1 7"},
    Worked{"child: count(not [<]type = 3) = 1", "2 4 7 10"},
    Worked{"subtree: count(type = 2) > count(type = 3)", "1 7 8 10"},
    Worked{"node: type != PVNode; subtree: count(*) = 0", "3 5 6 9 11"},
    Worked{"node: [^]type = 2", "3 4 5 8 12"},
    Worked{"ancestor: count(value < 0) = 1", "3 4 5 8 9 10 11 12"},
    Worked{"sibling: max(value) > value", "2 3 7 9 12"},
    Worked{"sibling: count(*) = 2", "2 6 7"},
    Worked{"parent: count(value > [*]value) = 1", "2 5 6 7 9 10 11 12"},
    Worked{"subtree: count(value > [*]value) >= 2", "2 7"},
    Worked{"ancestor: count(type = [*]type) >= 1", "4 9 10 11 12"},
    Worked{"node: size = 1", "4 10"},
    Worked{"node: children = 2 and level > 0", "2 7 8"},
    Worked{"node: child_index = 2", "4 6 10 12"},
    Worked{"node: [^]size = 3", "3 4 9 10"},
    Worked{"node: [^]thread = 0 and thread = 0 and level < 2", "2 6 7"},
    Worked{"child: count([<]unfinished = 0) > 1", "1"},
    Worked{"subtree: min(value) < -8", "1 7"},
    Worked{"subtree: sum(value) > 0", "2"},
    Worked{"child: avg([]value) > -1", "2 7 8"},
    Worked{"child: count(*) > 1; subtree: max(depth) < 1", "8"},
};

/// A tree as a chain: `node` has level node - 1.
std::unique_ptr<Tree> chain(std::int64_t levels) {
    Column level(Width::I32);
    Column mark;
    for (std::int64_t i = 0; i < levels; ++i) {
        level.push(i);
        mark.push(i % 2);
    }
    TreeInfo info;
    info.name = "chain";
    auto tree = std::make_unique<Tree>(info, std::move(level));
    tree->add_attribute("mark", std::move(mark));
    return tree;
}

}  // namespace

TEST_CASE("Executor: lists of nodes are those that were worked out by hand") {
    const auto tree = small_tree();
    for (const std::size_t batch : {1U, 2U, 3U, 4U, 5U, 100U}) {
        CAPTURE(batch);
        for (const Worked& each : kWorked) {
            CAPTURE(each.query);
            CHECK(words_of(answer_of(*tree, each.query, batch).ids) == each.ids);
        }
    }
}

TEST_CASE("Executor: statements about a tree are those that were worked out by hand") {
    const auto tree = small_tree();
    for (const std::size_t batch : {1U, 5U, 100U}) {
        CHECK(answer_of(*tree, "node: count(type = 2)", batch).count == 5);
        CHECK(answer_of(*tree, "node: max(depth)", batch).value == Cell(std::int64_t{3}));
        CHECK(answer_of(*tree, "node: count(*) > 12", batch).value == Cell(false));
        CHECK(answer_of(*tree, "node: avg(value where depth = 0)", batch).value ==
              Cell(-5.0 / 3.0));
        CHECK(answer_of(*tree, "node: count(*); child: count(*) = 2", batch).count == 3);
        const auto number = [](std::int64_t value) { return Cell(value); };
        const Answer types = answer_of(*tree, "node: count(*), max(value) by type", batch);
        CHECK(types.rows == std::vector<std::vector<Cell>>{{number(1), number(3), number(10)},
                                                           {number(2), number(5), number(7)},
                                                           {number(3), number(4), number(9)}});
        std::string pairs;
        for (const auto& row : answer_of(*tree, "node: count(*) by type, depth", batch).rows) {
            for (const Cell& cell : row)
                pairs += std::to_string(std::get<std::int64_t>(cell)) + " ";
            pairs += "/ ";
        }
        CHECK(pairs ==
              "1 0 1 / 1 1 1 / 1 3 1 / 2 -1 1 / 2 0 1 / 2 1 1 / 2 2 2 / 3 0 1 / 3 1 2 / 3 2 1 / ");
    }
}

TEST_CASE("Executor: a tree of a million levels is answered") {
    constexpr std::int64_t kLevels = 1'000'000;
    const auto tree = chain(kLevels);
    const std::array<Worked, 9> worked{
        Worked{"subtree: count(*) >= 999998", "1 2"},
        Worked{"subtree: count(mark = 1) = 500000", "1"},
        Worked{"child: count([]mark = 1) = 1; subtree: sum(mark) = 1", "999999"},
        Worked{"node: node_id > 999998; child: count(*) = 0", "1000000"},
        Worked{"ancestor: count(*) = 999999", "1000000"},
        Worked{"ancestor: sum(mark) = 499999 and count(mark = 0) = 500000", "1000000"},
        Worked{"node: mark = 1 and level < 999999; subtree: max(mark) = 0", ""},
        Worked{"sibling: count(*) > 0", ""},
        Worked{"node: level = 999999 and [^]mark = 0 and size = 0", "1000000"},
    };
    std::vector<Query> queries;
    for (const Worked& each : worked) queries.push_back(parse_query("<query>", each.query));
    const std::vector<Answer> answers = execute(*tree, queries);
    for (std::size_t i = 0; i < worked.size(); ++i) {
        CAPTURE(worked.at(i).query);
        CHECK(words_of(answers.at(i).ids) == worked.at(i).ids);
    }
}

TEST_CASE("Executor: a table whose keys spread wider than any table of places is the same") {
    // Keys begin close together and then leave all ranges, both ends of 64 bits among them.
    Column level;
    Column narrow;
    Column wide;
    level.push(0);
    narrow.push(0);
    wide.push(0);
    for (std::int64_t i = 1; i < 5000; ++i) {
        level.push(1);
        narrow.push(i % 7);
        wide.push(i < 1000 ? i % 3 : i * i * (i % 2 == 0 ? 1'000'000'000 : -1'000'000'000));
    }
    for (const std::int64_t each :
         {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
        level.push(1);
        narrow.push(-1);
        wide.push(each);
    }
    Tree tree({}, std::move(level));
    tree.add_attribute("narrow", std::move(narrow));
    tree.add_attribute("wide", std::move(wide));
    const Answer answer =
        answer_of(tree, "node: count(*), sum(wide) by narrow, wide, [^]narrow", 1U << 15U);
    CHECK(answer.count == 22 + 4000 + 2);
    std::int64_t nodes = 0;
    for (const auto& row : answer.rows) {
        const std::int64_t count = std::get<std::int64_t>(row[3]);
        nodes += count;
        const auto sum =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(count) *
                                      static_cast<std::uint64_t>(std::get<std::int64_t>(row[1])));
        CHECK(row[4] == Cell(sum));
    }
    CHECK(nodes == 5002);
    CHECK(answer.rows.front()[1] == Cell(std::numeric_limits<std::int64_t>::min()));
    CHECK(answer_of(tree, "node: count(*) by wide", 64).count == 3 + 4000 + 2);
}

TEST_CASE("Node views: path, size and children of nodes, of the last one too") {
    const auto tree = small_tree();
    const std::vector<std::uint64_t> ids{2, 4, 7, 8, 11};
    const auto sizes_with = [&](ViewParts parts) {
        std::vector<std::uint64_t> sizes;
        for (const NodeView& view : look_at(*tree, ids, parts)) sizes.push_back(view.size);
        return sizes;
    };
    CHECK(sizes_with({.size = true}) == std::vector<std::uint64_t>{3, 1, 5, 3, 0});
    CHECK(sizes_with({.size = true, .children = true}) ==
          std::vector<std::uint64_t>{3, 1, 5, 3, 0});
    const std::array<std::uint64_t, 1> last{7};
    for (const ViewParts parts : {ViewParts{.size = true}, ViewParts{.children = true}}) {
        const std::vector<NodeView> views = look_at(*tree, last, parts);
        REQUIRE(views.size() == 1);
        CHECK(views[0].path == std::vector<std::uint64_t>{1, 7});
        if (parts.size) CHECK(views[0].size == 5);
        std::vector<std::uint64_t> children;
        for (const NodeValues& child : views[0].children) children.push_back(child.id);
        CHECK(children ==
              (parts.children ? std::vector<std::uint64_t>{8, 12} : std::vector<std::uint64_t>{}));
    }
}

}  // namespace assay::gtql
