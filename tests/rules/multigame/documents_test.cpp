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

/// The third column of a row of a table, without the quotes of code; empty where there is none.
std::string example_of(std::string_view row) {
    for (int column = 0; column < 3; ++column) {
        const std::size_t bar = row.find("| ");
        if (bar == std::string_view::npos) return "";
        row.remove_prefix(bar + 2);
    }
    if (!row.starts_with('`')) return "";
    row.remove_prefix(1);
    return std::string(row.substr(0, row.find('`')));
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
    const std::string text = document("multigame-reference.md");
    const std::size_t begin = text.find("| statement | gives | example |");
    REQUIRE(begin != std::string::npos);
    std::string_view rest = std::string_view(text).substr(begin);
    int examples = 0;
    while (rest.starts_with('|')) {
        const std::string_view row = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(row.size() + 1);
        const std::string example = example_of(row);
        if (example.empty() || example == "---") continue;
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

}  // namespace multigame_documents
