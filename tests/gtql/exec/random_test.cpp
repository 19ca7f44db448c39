// The fast executor beside the plain evaluators on random trees and queries.
#include "base/random.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gtql/exec/execute.h"
#include "gtql/lang/parser.h"
#include "tests/gtql/plain/plain.h"
#include "tests/gtql/plain/random_queries.h"
#include "tests/support/how_many.h"

namespace assay::gtql {

namespace {

/// ASSAY_SEED repeats a run that failed.
std::uint64_t seed_of(std::uint64_t usual) {
    const char* const text = std::getenv("ASSAY_SEED");  // NOLINT(concurrency-mt-unsafe)
    return text != nullptr ? std::strtoull(text, nullptr, 10) : usual;
}

void check_equal(const Answer& answer, const Answer& expected) {
    CHECK(answer.kind == expected.kind);
    CHECK(answer.count == expected.count);
    CHECK(answer.ids == expected.ids);
    CHECK(answer.value == expected.value);
    CHECK(answer.titles == expected.titles);
    CHECK(answer.rows == expected.rows);
}

/// The same tree handed out in blocks of a few nodes, each where a block of another size was.
class Chopped final : public TreeSource {
public:
    Chopped(const Tree& tree, std::size_t most) : tree_(tree), most_(most) {}

    [[nodiscard]] const TreeInfo& info() const override { return tree_.info(); }

    [[nodiscard]] const TreeSchema& schema() const override { return tree_.schema(); }

    [[nodiscard]] const std::vector<std::string>& moves() const override { return tree_.moves(); }

    [[nodiscard]] std::unique_ptr<BlockReader> read(
        std::span<const ColumnId> wanted) const override {
        return std::make_unique<Reader>(*this, wanted);
    }

private:
    class Reader final : public BlockReader {
    public:
        Reader(const Chopped& tree, std::span<const ColumnId> wanted)
            : most_(tree.most_), whole_(tree.tree_.read(wanted)) {
            is_read_ = whole_->next(all_);
        }

        bool next(TreeBlock& block) override {
            if (!is_read_ || at_ == all_.size) return false;
            block.first = at_;
            block.size = std::min(all_.size - at_, 1 + at_ % most_);
            bytes_.clear();
            block.columns.clear();
            for (const ColumnView& each : all_.columns) {
                const ColumnView part = each.part(at_, block.size);
                const auto* const data = static_cast<const std::byte*>(part.data);
                bytes_.emplace_back(data, data + part.size * static_cast<std::size_t>(part.width));
                block.columns.push_back({bytes_.back().data(), part.size, part.width});
            }
            at_ += block.size;
            return true;
        }

    private:
        std::size_t most_;
        std::unique_ptr<BlockReader> whole_;
        TreeBlock all_;
        bool is_read_ = false;
        std::size_t at_ = 0;
        std::vector<std::vector<std::byte>> bytes_;  // gone when the next block is read
    };

    const Tree& tree_;
    std::size_t most_;
};

constexpr std::array<std::size_t, 8> kBatches{1, 2, 3, 5, 8, 13, 64, 1U << 15U};

}  // namespace

TEST_CASE("Executor: random queries of level 1 equal Algorithm 1 and the naive evaluator") {
    const std::uint64_t seed = seed_of(1);
    MESSAGE("seed " << seed);
    Random random(seed);
    for (int tree_number = 0; tree_number < test::how_many(100, 500); ++tree_number) {
        const auto tree = test::random_tree(random, tree_number % 10 == 0 ? 400 : 60);
        const test::PlainTree plain(*tree);
        for (int i = 0; i < 10; ++i) {
            const std::string text = test::random_query(random, 1);
            CAPTURE(tree_number);
            CAPTURE(text);
            const Query query = parse_query("<query>", text, {1});
            ExecuteOptions options;
            options.ids = kAllIds;
            options.batch = kBatches.at(random.below(kBatches.size()));
            CAPTURE(options.batch);
            const Answer answer = execute(*tree, {&query, 1}, options).at(0);
            check_equal(answer, test::algorithm_1(plain, query));
            check_equal(answer, test::naive_answer(plain, query));
        }
    }
}

TEST_CASE("Executor: random queries of level 2 equal the naive evaluator") {
    const std::uint64_t seed = seed_of(2);
    MESSAGE("seed " << seed);
    Random random(seed);
    for (int tree_number = 0; tree_number < test::how_many(100, 500); ++tree_number) {
        const auto tree = test::random_tree(random, tree_number % 10 == 0 ? 400 : 60);
        const test::PlainTree plain(*tree);
        for (int i = 0; i < 10; ++i) {
            const std::string text = test::random_query(random, 2);
            CAPTURE(tree_number);
            CAPTURE(text);
            const Query query = parse_query("<query>", text);
            ExecuteOptions options;
            options.ids = kAllIds;
            options.batch = kBatches.at(random.below(kBatches.size()));
            CAPTURE(options.batch);
            check_equal(execute(*tree, {&query, 1}, options).at(0),
                        test::naive_answer(plain, query));
        }
    }
}

TEST_CASE("Executor: many queries in one pass answer as each alone") {
    Random random(seed_of(3));
    for (int round = 0; round < test::how_many(20, 100); ++round) {
        const auto tree = test::random_tree(random, 200);
        std::vector<Query> queries;
        for (int i = 0; i < 12; ++i) {
            queries.push_back(
                parse_query("<query>", test::random_query(random, 1 + static_cast<int>(i % 2))));
        }
        ExecuteOptions options;
        options.ids = kAllIds;
        options.batch = kBatches.at(random.below(kBatches.size()));
        const std::vector<Answer> together = execute(*tree, queries, options);
        REQUIRE(together.size() == queries.size());
        for (std::size_t i = 0; i < queries.size(); ++i) {
            CAPTURE(queries[i].one_line());
            check_equal(together[i], execute(*tree, {&queries[i], 1}, options).at(0));
        }
    }
}

TEST_CASE("Executor: blocks of any size give the same answers") {
    const std::uint64_t seed = seed_of(5);
    MESSAGE("seed " << seed);
    Random random(seed);
    for (int round = 0; round < test::how_many(40, 150); ++round) {
        const auto tree = test::random_tree(random, 100);
        const Chopped chopped(*tree, 1 + random.below(9));
        for (int i = 0; i < 5; ++i) {
            const std::string text = test::random_query(random, 2);
            CAPTURE(text);
            const Query query = parse_query("<query>", text);
            ExecuteOptions options;
            options.ids = kAllIds;
            const Answer expected = execute(*tree, {&query, 1}, options).at(0);
            options.batch = kBatches.at(random.below(kBatches.size()));
            check_equal(execute(chopped, {&query, 1}, options).at(0), expected);
        }
    }
}

TEST_CASE("Executor: a limit on ids keeps the least ones and the whole count") {
    Random random(seed_of(4));
    for (int round = 0; round < test::how_many(50, 200); ++round) {
        const auto tree = test::random_tree(random, 300);
        const Query query = parse_query("<query>", test::random_query(random, 2));
        ExecuteOptions options;
        options.ids = kAllIds;
        options.batch = kBatches.at(random.below(kBatches.size()));
        const Answer all = execute(*tree, {&query, 1}, options).at(0);
        for (const std::uint64_t most : {0U, 1U, 7U, 50U}) {
            options.ids = most;
            const Answer some = execute(*tree, {&query, 1}, options).at(0);
            CHECK(some.count == all.count);
            std::vector<std::uint64_t> first = all.ids;
            if (first.size() > most) first.resize(most);
            CHECK(some.ids == first);
        }
    }
}

}  // namespace assay::gtql
