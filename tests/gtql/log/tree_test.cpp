#include "gtql/log/tree.h"

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "tests/support/column_of.h"

namespace assay::gtql {

using test::column_of;

namespace {

TreeInfo named(const std::string& name) {
    TreeInfo info;
    info.name = name;
    return info;
}

}  // namespace

TEST_CASE("Column: it is as wide as its widest value, and keeps those before") {
    Column column;
    CHECK(column.width() == Width::I8);
    column.push(-128);
    column.push(127);
    CHECK(column.width() == Width::I8);
    column.push(128);
    CHECK(column.width() == Width::I16);
    column.push(-32769);
    CHECK(column.width() == Width::I32);
    column.push(std::int64_t{1} << 31U);
    CHECK(column.width() == Width::I64);
    const ColumnView view = column.view();
    CHECK(view.size == 5);
    CHECK(view.at(0) == -128);
    CHECK(view.at(1) == 127);
    CHECK(view.at(2) == 128);
    CHECK(view.at(3) == -32769);
    CHECK(view.at(4) == std::int64_t{1} << 31U);
    CHECK(view.part(1, 2).at(1) == 128);
}

TEST_CASE("Tree: levels that are no preorder are refused") {
    CHECK_NOTHROW(Tree(named("t"), column_of({0, 1, 2, 3, 1, 2})));
    CHECK_THROWS_WITH_AS(Tree(named("t"), column_of({0, 2})),
                         "t: the level of node 2 does not follow from the node before", Error);
    CHECK_THROWS_WITH_AS(Tree(named("t"), column_of({0, 1, 0})),
                         "t: the level of node 3 does not follow from the node before", Error);
    CHECK_THROWS_WITH_AS(Tree(named("t"), column_of({1})),
                         "t: the level of node 1 does not follow from the node before", Error);
}

TEST_CASE("Tree: columns have the tree's length, names are unique, moves have texts") {
    Tree tree(named("t"), column_of({0, 1, 1}));
    CHECK_THROWS_WITH_AS(tree.add_attribute("depth", column_of({1})),
                         "t: column 'depth' has 1 values for 3 nodes", Error);
    tree.add_attribute("depth", column_of({3, 2, 2}));
    CHECK_THROWS_WITH_AS(tree.add_attribute("depth", column_of({3, 2, 2})),
                         "t: two columns 'depth'", Error);
    CHECK_THROWS_WITH_AS(tree.add_moves("last_move", column_of({0, 1, 2}), {"none", "e2e4"}),
                         "t: 'last_move' of node 3 names no move", Error);
    tree.add_moves("last_move", column_of({0, 1, 1}), {"none", "e2e4"});
    tree.add_constant("PVNode", 1);
    CHECK_THROWS_WITH_AS(tree.add_constant("PVNode", 2), "t: two constants 'PVNode'", Error);
    CHECK(tree.schema().attributes[1].is_move);
    CHECK(tree.schema().attribute("last_move") == 1);
    CHECK(tree.schema().attribute("Depth") == -1);
    CHECK(tree.schema().constant("PVNode")->value == 1);
}

TEST_CASE("Tree: the reader hands out the wanted columns of all nodes, once") {
    Tree tree(named("t"), column_of({0, 1, 1}));
    tree.add_attribute("depth", column_of({300, 2, 1}));
    tree.set_thread(column_of({0, 1, 1}));
    const std::vector<ColumnId> wanted{0, kLevelColumn, kThreadColumn};
    const auto reader = tree.read(wanted);
    TreeBlock block;
    REQUIRE(reader->next(block));
    CHECK(block.first == 0);
    CHECK(block.size == 3);
    REQUIRE(block.columns.size() == 3);
    CHECK(block.columns[0].at(0) == 300);
    CHECK(block.columns[1].at(2) == 1);
    CHECK(block.columns[2].at(1) == 1);
    CHECK_FALSE(reader->next(block));
}

}  // namespace assay::gtql
