// The trees of Fruit 2.1 on the positions of the paper, with answers that were computed by others.
#include <map>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "gtql/exec/execute.h"
#include "gtql/lang/parser.h"
#include "gtql/lang/query_plan.h"
#include "gtql/log/import/open_trees.h"

namespace assay::gtql {

namespace {

const std::string kFolder = ASSAY_TEST_DATA "/fruit-trees/";

boost::json::value read_json(const std::string& name) {
    return boost::json::parse(read_file(kFolder + name));
}

std::unique_ptr<TreeSource> open_tree(const std::string& name) {
    std::vector<std::string> warnings;
    auto trees = open_trees(kFolder + name, {}, warnings);
    REQUIRE(trees.size() == 1);
    return std::move(trees.at(0));
}

struct Expected {
    std::vector<Query> queries;
    std::vector<boost::json::object> results;
};

std::map<std::string, Expected> expected_by_tree() {
    std::map<std::string, Expected> trees;
    const boost::json::value all = read_json("expected.json");
    for (const auto& each : all.as_array()) {
        Expected& expected = trees[std::string(each.at("tree").as_string())];
        expected.queries.push_back(
            parse_query("<query>", std::string(each.at("query").as_string()), {1}));
        expected.results.push_back(each.at("result").as_object());
    }
    return trees;
}

void check_answer(const Answer& answer, const boost::json::object& expected) {
    CHECK(name_of(answer.kind) == std::string_view(expected.at("kind").as_string()));
    CHECK(answer.count == expected.at("count").to_number<std::uint64_t>());
    if (answer.kind != AnswerKind::Nodes) return;
    std::uint64_t sum = 0;
    std::uint64_t all_xor = 0;
    for (const std::uint64_t id : answer.ids) {
        sum += id;
        all_xor ^= id;
    }
    CHECK(sum == expected.at("id_sum").to_number<std::uint64_t>());
    CHECK(all_xor == expected.at("id_xor").to_number<std::uint64_t>());
    const auto& first = expected.at("first_ids").as_array();
    REQUIRE(answer.ids.size() >= first.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        CHECK(answer.ids[i] == first[i].to_number<std::uint64_t>());
    }
}

}  // namespace

TEST_CASE("Executor: all 164 answers of the fruit trees, 41 queries in one pass and at any batch") {
    int checked = 0;
    for (const auto& entry : expected_by_tree()) {
        const auto& name = entry.first;
        const auto& expected = entry.second;
        const auto tree = open_tree(name);
        for (const std::size_t batch : {std::size_t{1000}, std::size_t{1} << 15U}) {
            ExecuteOptions options;
            options.ids = kAllIds;
            options.batch = batch;
            const std::vector<Answer> answers = execute(*tree, expected.queries, options);
            for (std::size_t i = 0; i < answers.size(); ++i) {
                CAPTURE(name);
                CAPTURE(expected.queries[i].one_line());
                check_answer(answers[i], expected.results[i]);
                ++checked;
            }
        }
    }
    CHECK(checked == 2 * 164);
}

TEST_CASE("Parser: the queries that must be rejected are, at both levels, with a place") {
    const auto tree = open_tree("pos16.csv.zst");
    const boost::json::value all = read_json("expected_errors.json");
    for (const auto& each : all.as_array()) {
        const std::string text(each.at("query").as_string());
        for (const int level : {1, 2}) {
            CAPTURE(text);
            CAPTURE(level);
            bool is_rejected = false;
            try {
                const Query query = parse_query("<query>", text, {level});
                (void)bind(query, tree->schema(), tree->moves());
            } catch (const SyntaxError& error) {
                is_rejected = true;
                CHECK(error.diagnostics().at(0).line == 1);
                CHECK(error.diagnostics().at(0).column >= 1);
                CHECK_FALSE(error.diagnostics().at(0).source_line.empty());
            }
            CHECK(is_rejected);
        }
    }
}

}  // namespace assay::gtql
