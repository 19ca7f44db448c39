// The programs in the documents are right, the examples in the table of statements can be said, and
// an error that is shown is the one that the checker gives.
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "rules/multigame/interpret/trial.h"
#include "tests/rules/multigame/programs.h"

namespace multigame_documents {

namespace {

using assay::rules::multigame::Checked;
using assay::rules::multigame::checked;

std::string document(const std::string& name) {
    return assay::read_file(std::string(ASSAY_SOURCE_DIR "/docs/") + name);
}

/// What stands between the fences of the blocks that begin with this line, and behind each the
/// block that follows it.
struct Block {
    std::string text;
    std::string next;
};

std::string block_at(const std::string& document, std::size_t at) {
    const std::size_t begin = document.find('\n', at) + 1;
    return document.substr(begin, document.find("```", begin) - begin);
}

std::vector<Block> blocks_of(const std::string& document, const std::string& kind) {
    std::vector<Block> out;
    const std::string fence = "```" + kind + "\n";
    for (std::size_t at = document.find(fence); at != std::string::npos;
         at = document.find(fence, at + 1)) {
        const std::size_t end = document.find("```", at + fence.size());
        out.push_back({block_at(document, at), block_at(document, document.find("```", end + 3))});
    }
    return out;
}

std::string problems_of(const std::string& program) {
    std::string out;
    for (const assay::Diagnostic& each : checked({{"t.mg", program}}).problems) {
        out += format(each);
    }
    return out;
}

/// A column of a row of a table, from 0; empty where there is none.
std::string cell_of(std::string_view row, int column) {
    for (; column >= 0; --column) {
        const std::size_t bar = row.find("| ");
        if (bar == std::string_view::npos) return "";
        row.remove_prefix(bar + 2);
    }
    return std::string(row.substr(0, row.find(" |")));
}

/// The same of code, without its quotes; empty where the cell does not begin with code.
std::string code_in(std::string_view row, int column) {
    const std::string cell = cell_of(row, column);
    return cell.starts_with('`') ? cell.substr(1, cell.find('`', 1) - 1) : "";
}

/// The rows of the table that begins with this line, without its first two lines.
std::vector<std::string> rows_of(const std::string& document, const std::string& head) {
    const std::size_t begin = document.find(head);
    REQUIRE(begin != std::string::npos);
    std::vector<std::string> rows;
    std::string_view rest = std::string_view(document).substr(begin);
    while (rest.starts_with('|')) {
        rows.emplace_back(rest.substr(0, rest.find('\n')));
        rest.remove_prefix(rows.back().size() + 1);
    }
    rows.erase(rows.begin(), rows.begin() + 2);
    return rows;
}

/// A program around a declaration or rule, without another one of its kind.
std::string around(const std::string& given, const std::vector<std::string>& others) {
    const auto kind = [](const std::string& text) { return text.substr(0, text.find(' ')); };
    std::string program = given + "\n";
    for (const std::string& each : others) {
        if (kind(each) != kind(given)) program += each + "\n";
    }
    return program;
}

}  // namespace

TEST_CASE("Multigame documents: every program is right and plays") {
    int programs = 0;
    for (const char* const name : {"multigame.md", "multigame-reference.md"}) {
        for (const Block& each : blocks_of(document(name), "multigame")) {
            CAPTURE(each.text);
            CHECK(problems_of(each.text).empty());
            const auto program = assay::tests::loaded_text(each.text);
            assay::rules::multigame::TrialOptions options;
            options.games = 20;
            const auto trial = assay::rules::multigame::tried(program.tables, options);
            CHECK(trial.rule_errors.empty());
            CHECK(trial.unfinished == 0);
            ++programs;
        }
    }
    CHECK(programs >= 2);
}

TEST_CASE("Multigame documents: an error that is shown is the checker's") {
    int errors = 0;
    for (const Block& each : blocks_of(document("multigame-reference.md"), "multigame-error")) {
        CHECK(problems_of(each.text) == each.next);
        ++errors;
    }
    CHECK(errors >= 1);
}

TEST_CASE("Multigame documents: the example of every statement can be said") {
    int examples = 0;
    for (const std::string& row :
         rows_of(document("multigame-reference.md"), "| statement | gives | example |")) {
        const std::string example = code_in(row, 2);
        if (example.empty()) continue;
        CAPTURE(example);
        // Chance belongs to a move, and a hop to a test or a move.
        const std::string problems = problems_of(
            "dimensions (3,3)\n"
            "pieces { man 'W' 'B' king 'K' 'k' }\n"
            "zones { home white (a1) black (c3) }\n"
            "variables { number n = 1 number each e field f }\n"
            "main = try [ find own man, write field, mark f, alldir, " +
            example +
            " ] else try hop else try [ find own king, in home, set n to n + own e, at f ] else pass.\n"
            "hop = find own man, alldir, step, points at empty field, replace by own man.\n");
        CHECK(problems.find("error") == std::string::npos);
        CAPTURE(problems);
        ++examples;
    }
    CHECK(examples >= 28);
}

TEST_CASE("Multigame documents: the example of every declaration can be said") {
    int examples = 0;
    for (const std::string& row :
         rows_of(document("multigame-reference.md"), "| declaration | meaning |")) {
        const std::string example = code_in(row, 0);
        CAPTURE(row);
        REQUIRE(!example.empty());
        ++examples;
        // `based on` needs another file, and programs/ has examples.
        if (example.starts_with("based on")) continue;
        const bool is_small = example.starts_with("fields") || example.starts_with("start");
        const std::string problems = problems_of(around(
            example,
            {is_small ? "dimensions (3,3)" : "dimensions (8,8)", "pieces { man 'W' 'B' }",
             "variables { silent number clock }", "main = try [ find own man, remove ] else draw.",
             "attacked = find own man, alldir, step, points at enemy man."}));
        CAPTURE(problems);
        CHECK(problems.find("error") == std::string::npos);
    }
    CHECK(examples == 13);
}

TEST_CASE("Multigame documents: every wrong example has the error beside it") {
    int examples = 0;
    for (const std::string& row :
         rows_of(document("multigame-reference.md"), "| wrong | what the checker says |")) {
        const std::string problems = problems_of(around(
            code_in(row, 0), {"dimensions (3, 3)", "pieces { man 'W' 'B' king 'K' 'k' wall '#' }",
                              "zones { home white (a1) black (c3) }",
                              "variables { number n = 1 number each e field f local number l }",
                              "main = find own man, remove."}));
        CAPTURE(row);
        CAPTURE(problems);
        CHECK(problems.find(": error: " + cell_of(row, 1) + "\n") != std::string::npos);
        CHECK(problems.find(": error: ") == problems.rfind(": error: "));
        ++examples;
    }
    CHECK(examples >= 45);
}

}  // namespace multigame_documents
