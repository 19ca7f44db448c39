#pragma once
// For tests and benchmarks only: slow evaluators that are right at a glance, to compare the fast
// one with. Never link them into the product.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtql/exec/execute.h"
#include "gtql/lang/query_plan.h"
#include "gtql/log/tree.h"

namespace assay::test {

/// A tree as plain arrays.
struct PlainTree {
    explicit PlainTree(const gtql::TreeSource& tree);

    const gtql::TreeSource* source;
    std::vector<std::vector<std::int64_t>> columns;  // by attribute
    std::vector<std::int64_t> level;
    std::vector<std::int64_t> thread;
    std::vector<std::int64_t> unfinished;
    std::vector<std::int64_t> parent;  // -1: none
    std::vector<std::vector<std::int64_t>> children;
    std::vector<std::int64_t> child_index;
    std::vector<std::int64_t> size;  // proper descendants
};

/// A number that may be missing.
struct PlainValue {
    bool is_missing = false;
    bool is_real = false;
    std::int64_t integer = 0;
    double real = 0;
};

/// Nodes that an expression speaks of; -1: there is none.
struct Places {
    std::int64_t bare = -1;
    std::int64_t child = -1;
    std::int64_t previous = -1;
    std::int64_t queried = -1;
};

/// One expression at one place; `calls` are the answers of the query's functions there.
[[nodiscard]] PlainValue evaluate(const PlainTree& tree, const gtql::Expression& expression,
                                  const Places& places, const std::vector<PlainValue>& calls);

/// Goes to every node, and for every function to every node of its scope. Both levels.
[[nodiscard]] gtql::Answer naive_answer(const PlainTree& tree, const gtql::Query& query);

/// Algorithm 1 of Isleifsdottir and Bjornsson (2008), line by line. Level 1 only.
[[nodiscard]] gtql::Answer algorithm_1(const PlainTree& tree, const gtql::Query& query);

}  // namespace assay::test
