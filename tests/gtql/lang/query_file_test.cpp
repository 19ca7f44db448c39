#include "gtql/lang/query_file.h"

#include <array>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "base/diagnostic.h"

namespace assay::gtql {

TEST_CASE("Query file: parts on lines of their own go on, comments and blank lines do not matter") {
    const auto queries = parse_query_file("q.gtql",
                                          "# health of the search\n"
                                          "\n"
                                          "node: flags & 2;   # roots\n"
                                          "\n"
                                          "  # of quiescence\n"
                                          "  subtree: count(*) > 200\n"
                                          "node: count(*)\n"
                                          "#! name: wide nodes, max: 0\n"
                                          "child: count(*) > 40\n");
    REQUIRE(queries.size() == 3);
    CHECK(queries[0].query.one_line() == "node: flags & 2; subtree: count(*) > 200");
    CHECK(queries[0].line == 3);
    CHECK(queries[1].query.one_line() == "node: count(*)");
    CHECK(queries[2].query.name == "wide nodes");
    CHECK(queries[2].bounds.max == 0);
    CHECK_FALSE(queries[2].bounds.min);
}

TEST_CASE("Query file: a child part after a query's end without ';' is said to lack it") {
    CHECK_THROWS_WITH_AS((void)parse_query_file("q.gtql", "node: a = 1\nchild: count(*) > 1\n"),
                         "q.gtql:2:1: error: expected ';' before the next part, found 'child'\n"
                         "  child: count(*) > 1\n"
                         "  ^~~~~",
                         SyntaxError);
}

TEST_CASE("Query file: bounds and their errors, all of the file at once") {
    const auto queries = parse_query_file("q.gtql",
                                          "#! name: size, min: 1\n"
                                          "#! max: 2.5, against_baseline: +10%\n"
                                          "node: count(*)\n"
                                          "node: count(*)\n");
    CHECK(queries.at(0).bounds.min == 1);
    CHECK(queries.at(0).bounds.max == 2.5);
    CHECK(queries.at(0).bounds.against_baseline == "+10%");
    CHECK(queries.at(1).query.name.empty());
    CHECK_FALSE(queries.at(1).bounds.max);
    CHECK_THROWS_WITH_AS((void)parse_query_file("q.gtql",
                                                "#! name: a, maks: 0\n"
                                                "node: a ==  1\n"
                                                "#! max: many\n"
                                                "node: count(*)\n"),
                         "q.gtql:1:13: error: unknown key 'maks'; did you mean 'max'?\n"
                         "  #! name: a, maks: 0\n"
                         "              ^~~~\n"
                         "q.gtql:2:9: error: unknown operator '=='; write '='\n"
                         "  node: a ==  1\n"
                         "          ^~\n"
                         "q.gtql:3:4: error: expected a number for 'max', found 'many'\n"
                         "  #! max: many\n"
                         "     ^~~~~~~~~",
                         SyntaxError);
    for (const auto& row : std::array<std::pair<const char*, const char*>, 4>{
             {{"max: nan", "expected a number for 'max', found 'nan'"},
              {"min: inf", "expected a number for 'min', found 'inf'"},
              {"max: 5, max: 6", "'max' is given twice"},
              {"min: 5, max: 3", "no number is at least 'min' and at most 'max'"}}}) {
        const auto* const bounds = row.first;
        const auto* const message = row.second;
        CAPTURE(bounds);
        CHECK_THROWS_WITH_AS(
            (void)parse_query_file("q.gtql", std::string("#! ") + bounds + "\nnode: count(*)\n"),
            doctest::Contains(message), SyntaxError);
    }
    CHECK_THROWS_WITH_AS((void)parse_query_file("q.gtql", "node: count(*)\n#! max: 0\n"),
                         "q.gtql:2:1: error: no query follows this line\n"
                         "  #! max: 0\n"
                         "  ^~~~~~~~~",
                         SyntaxError);
}

}  // namespace assay::gtql
