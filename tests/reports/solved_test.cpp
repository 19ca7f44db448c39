#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "reports/files/junit.h"
#include "reports/files/suite_json.h"
#include "reports/text/solved_text.h"
#include "reports/text/suite_text.h"
#include "reports/web/run_page.h"
#include "tests/support/sample_solving.h"
#include "tests/support/sample_store.h"
#include "tests/support/temp_dir.h"

using namespace assay;
using namespace assay::reports;

namespace {

constexpr std::nullopt_t kNot = std::nullopt;

/// Head solves p1, p2, p4 and p6, base p1, p3 and p6; none solves p5.
struct Solving {
    Solving() {
        run.id = 7;
        run.name = "tactics";
        run.plan = test::solving_plan(6);
        run.command_line = "assay suite suites/tactics.epd --program head --program base";
        run.plan.suite->positions[1].comment = "<b>two</b>";
        searches = test::solving_searches({1000, 40'000, kNot, 150'000, kNot, 20'000},
                                          {2000, kNot, 3000, kNot, kNot, 10'000});
    }

    [[nodiscard]] RunView view() {
        suite = harness::judge(run.plan, searches);
        RunView view{run, {}, {}, "assay.db"};
        view.suite = &suite;
        return view;
    }

    harness::RunRecord run;
    std::vector<harness::SearchRecord> searches;
    harness::SuiteResult suite;
};

}  // namespace

TEST_CASE("Solved text: the table of programs, the tests and who solves what") {
    Solving solving;
    solving.run.plan.suite->expectations[0].min = 5;
    CHECK(suite_table(solving.view(), false) ==
          "              solved          time             nodes  mean depth\n"
          "  head        4 of 6      2,110 ms           211,000        57.8\n"
          "  base        3 of 6        150 ms            15,000        10.0\n"
          "  solved by head alone: p2, p4\n"
          "  solved by base alone: p3\n"
          "  solved by none: p5\n"
          "  FAIL  solved                3 → 4 of 6  +33.3 %  (2 solved by head alone, 1 by base "
          "alone, McNemar p = 1.00)  min 5 in all\n"
          "        over the suite 4, at least 5 asked\n"
          "        position p3: solved → not solved (am g4, played g4)\n"
          "        position p5: not solved → not solved (bm d4 e4, played g4)\n"
          "  -     solution_time    120 ms → 210 ms  +75.0 %  (2 of 6 larger, 3 smaller, "
          "Wilcoxon p = 0.81)\n"
          "  -     solution_nodes   12,000 → 21,000  +75.0 %  (2 of 6 larger, 3 smaller, "
          "Wilcoxon p = 0.81)\n"
          "  -     solution_depth  mean 11.0 → 15.5  +40.9 %  (2 of 6 larger, 3 smaller, "
          "Wilcoxon p = 0.81)\n");
}

TEST_CASE("Solved text: without a baseline there is one row, and what is not solved") {
    Solving solving;
    solving.run.plan.suite->programs = {0};
    std::erase_if(solving.searches, [](const auto& one) { return one.program == 1; });
    const std::string text = suite_table(solving.view(), false);
    CAPTURE(text);
    CHECK(text.find("  not solved: p3, p5\n") != std::string::npos);
    CHECK(text.find("McNemar") == std::string::npos);
    CHECK(text.find("  -     solved             4 of 6\n") != std::string::npos);
}

TEST_CASE("Solved text: Markdown has the same, and no markup of others comes through") {
    Solving solving;
    const std::string text = suite_markdown(solving.view());
    CAPTURE(text);
    CHECK(text.find("| head | 4 of 6 | 2,110 ms | 211,000 | 57.8 |") != std::string::npos);
    CHECK(text.find("- solved by head alone: p2, p4\n") != std::string::npos);
}

TEST_CASE("Solved text: JSON and JUnit tell of each position") {
    Solving solving;
    const RunView view = solving.view();
    const auto suite = suite_json(view);
    const auto& programs = suite.at("solving").at("programs");
    CHECK(programs.at(0).at("solved").as_int64() == 4);
    CHECK(programs.at(1).at("nodes").as_int64() == 15'000);
    CHECK(programs.at(1).at("seconds").as_double() == doctest::Approx(0.15));
    const auto& position = suite.at("solving").at("positions").at(2);
    CHECK(position.at("avoid").at(0).as_string() == "g2g4");
    CHECK(position.at("best").as_array().empty());
    const auto& search = suite.at("searches").at(3);  // base at p2
    CHECK_FALSE(search.at("solution").at("solved").as_bool());
    CHECK(search.at("solution").at("nodes").is_null());
    const auto expectations = expectations_json(view);
    const auto& solved = expectations.at(0);
    CHECK(solved.at("measure").as_string() == "solved");
    CHECK(solved.at("mcnemar").at("only_before").as_int64() == 1);
    CHECK(solved.at("mcnemar").at("only_after").as_int64() == 2);
    CHECK(solved.at("mcnemar").at("p").to_number<double>() == 1);
    const auto& nodes = expectations.at(2);
    CHECK(nodes.at("before").as_int64() == 12'000);  // of p1 and p6, which both solve
    CHECK(nodes.at("after").as_int64() == 21'000);
    CHECK(nodes.at("counted").as_int64() == 2);
    CHECK(nodes.at("mcnemar").is_null());
    CHECK(nodes.at("positions").at(1).at("before").is_null());
    const std::string junit_text = junit_report(view);
    CHECK(junit_text.find("position p2: not solved -&gt; 40,000") != std::string::npos);
    CHECK(junit_text.find("name=\"expectation: solution_nodes\"") != std::string::npos);
}

TEST_CASE("Solved text: the page has both tables, boards of what fails, and nothing unescaped") {
    Solving solving;
    solving.run.plan.suite->expectations[0].min = 5;
    test::TempDir dir;
    const harness::Store store(dir.path("assay.db"), harness::Store::Access::Write);
    const std::string page = web::run_page(solving.view(), store);
    CHECK(page.find("Position by position") != std::string::npos);
    CHECK(page.find("<td><b>head</b></td><td class=\"n\">4 of 6</td>") != std::string::npos);
    CHECK(page.find("<b>two</b>") == std::string::npos);
    CHECK(page.find("position p3: am g4</a>: played g4") != std::string::npos);
    CHECK(page.find("assay query run:") == std::string::npos);
    // What tells the programs apart comes first.
    const std::size_t table = page.find("class=\"solved\"");
    CHECK(page.find("<td>p2<", table) < page.find("<td>p5<", table));
    CHECK(page.find("<td>p5<", table) < page.find("<td>p1<", table));
}
