// Random games of a program, and which of its statements never succeeded in them.
#include "rules/multigame/interpret/trial.h"

#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "tests/rules/multigame/programs.h"

namespace assay::tests {

namespace {

/// A line each.
std::string uncovered_in(std::string_view rules) {
    const LoadedProgram program = loaded_text(
        "dimensions (2,2)\npieces { man 'M' 'm' }\nstart { \"m.\" \".M\" }\n" + std::string(rules));
    rules::multigame::TrialOptions options;
    options.games = 5;
    const auto trial = rules::multigame::tried(program.tables, options);
    CHECK(trial.rule_errors.empty());
    std::string all;
    for (const std::string& line : rules::multigame::uncovered(*program.form, trial.counts))
        all += line + "\n";
    return all;
}

}  // namespace

TEST_CASE("Trial: statements that never succeeded are named, and no others") {
    CHECK(uncovered_in(
              "main = try [ find own man, test [ orthogonal, step, points at own man ], win ]\n"
              "       else [ find own man, remove, draw ].\n") ==
          "t.mg:4: 'test [ orthogonal' never succeeded\n"
          "t.mg:4: 'points at own man' never succeeded\n");
    CHECK(uncovered_in(
              "main = find own man, write field, remove,\n"
              "       random either 1 : [ write \"a\", draw ] or 2 : [ write \"b\", win ].\n")
              .empty());
    CHECK(uncovered_in("main = find own man, spread [ orthogonal, step, points at empty field ],\n"
                       "       replace by own man, win.\n")
              .empty());
    CHECK(
        uncovered_in(
            "variables { number n }\n"
            "main = find own man, write \"x\", try random either n : pass or n : pass, remove, draw.\n") ==
        "t.mg:5: 'random either n : pass or n : pass' never succeeded\n");
}

}  // namespace assay::tests
