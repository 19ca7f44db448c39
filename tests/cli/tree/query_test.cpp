#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/cli/shell.h"
#include "tests/support/temp_dir.h"

using assay::test::Finished;
using assay::test::shell;

namespace {

const std::string kTrees = ASSAY_SOURCE_DIR "/tests/data/fruit-trees";

/// A query of the manual, and what stands below it.
struct Worked {
    std::string tree;
    std::string query;
    std::string answer;
};

std::vector<Worked> worked_queries(const std::string& manual) {
    std::vector<Worked> all;
    const std::string prompt = "\n$ assay query ";
    for (std::size_t at = manual.find(prompt); at != std::string::npos;
         at = manual.find(prompt, at + 1)) {
        const std::size_t line_end = manual.find('\n', at + 1);
        const std::size_t begin = at + prompt.size();
        const std::string words = manual.substr(begin, line_end - begin);
        CAPTURE(words);
        const std::size_t open = words.find(" '");
        REQUIRE(open != std::string::npos);
        REQUIRE(words.ends_with("' --ids 3"));
        const std::size_t end = manual.find("```", line_end);
        all.push_back({words.substr(0, open), words.substr(open + 2, words.size() - open - 11),
                       manual.substr(line_end + 1, end - line_end - 1)});
    }
    return all;
}

}  // namespace

TEST_CASE("Query: every worked query of the manual gives the answer that the manual prints") {
    const std::string manual = assay::read_file(ASSAY_SOURCE_DIR "/docs/gtql.md");
    const std::vector<Worked> all = worked_queries(manual);
    CHECK(all.size() >= 20);
    // A tree is read once: its queries go to one prompt, which answers as the command line does.
    std::map<std::string, std::vector<const Worked*>> by_tree;
    for (const Worked& each : all) by_tree[each.tree].push_back(&each);
    const assay::test::TempDir dir;
    for (const auto& entry : by_tree) {
        const auto& tree = entry.first;
        const auto& queries = entry.second;
        CAPTURE(tree);
        std::string lines;
        for (const Worked* each : queries) lines += each->query + "\n";
        assay::write_file(dir.path("lines"), lines);
        const Finished run =
            shell(kTrees, "$ASSAY query -i " + tree + " --ids 3 <" + dir.path("lines"));
        CHECK(run.code == 0);
        std::string_view rest = run.out;
        for (const Worked* each : queries) {
            CAPTURE(each->query);
            CHECK(rest.substr(0, each->answer.size()) == each->answer);
            rest.remove_prefix(std::min(rest.size(), each->answer.size()));
        }
        CHECK(rest.empty());
        if (tree != "pos16.csv.zst") continue;
        const Finished alone =
            shell(kTrees, "$ASSAY query " + tree + " '" + queries[0]->query + "' --ids 3");
        CHECK(alone.out == queries[0]->answer);
    }
    CHECK(by_tree.contains("pos16.csv.zst"));
}

TEST_CASE("Query: JSON has one object a line, and a bound that does not hold is exit code 1") {
    const Finished run =
        shell(kTrees,
              "$ASSAY query pos16.csv.zst 'node: type = PVNode; child: count([]type = type) "
              ">= 5' --ids 2 --json");
    CHECK(run.code == 0);
    CHECK(run.out ==
          "{\"tree\":\"pos16.csv.zst\",\"query\":\"node: type = PVNode; child: count([]type = "
          "type) >= 5\",\"name\":null,\"kind\":\"nodes\",\"count\":5,\"ids\":[2,47],"
          "\"complete\":true}\n");
    const assay::test::TempDir dir;
    const std::string path = dir.path("q.gtql");
    assay::write_file(path, "#! name: size, max: 2000\nnode: count(*)\n");
    const Finished bounds = shell(kTrees, "$ASSAY query pos16.csv.zst -f " + path);
    CHECK(bounds.code == 1);
    assay::write_file(path, "#! name: size, max: 3000\nnode: count(*)\n");
    CHECK(shell(kTrees, "$ASSAY query pos16.csv.zst -f " + path).code == 0);
    CHECK(shell(kTrees, "$ASSAY query pos16.csv.zst 'node: x = 1'").code == 2);
}

TEST_CASE("Query: a query may be longer than a file's name can be") {
    std::string query = "node: depth > 0";
    while (query.size() < 5000) query += " and depth > 0";
    const Finished whole = shell(kTrees, "$ASSAY query pos16.csv.zst '" + query + "' --json");
    CAPTURE(whole.out);
    CHECK(whole.code == 0);
    CHECK(assay::test::contains(whole.out, "\"kind\":\"nodes\",\"count\":"));
    const Finished wrong =
        shell(kTrees, "$ASSAY query pos16.csv.zst '" + query + " and' --json 2>&1");
    CHECK(wrong.code == 2);
    CHECK(assay::test::contains(wrong.out, "found the end"));
}

TEST_CASE("Query: --position says the root position of a packed tree, and must be one") {
    const assay::test::TempDir dir;
    const Finished shown =
        shell(dir.root(),
              "printf 'level,last_move\\n0,none\\n1,e2e4\\n' > x.csv; $ASSAY tree "
              "import x.csv -o x.gtl 2>&1 >/dev/null; $ASSAY query x.gtl 'node: level = "
              "1' --show fen --json --position 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/"
              "RNBQKBNR w KQkq - 0 1'");
    CHECK(shown.code == 0);
    CHECK(assay::test::contains(shown.out, "/8/8/4P3/8/PPPP1PPP/"));
    // A tree that knows its position needs no flag.
    const Finished known =
        shell(dir.root(),
              "$ASSAY tree import x.csv -o known.gtl --position 'rnbqkbnr/pppppppp/8/8/8/8/"
              "PPPPPPPP/RNBQKBNR w KQkq - 0 1' >/dev/null 2>&1; $ASSAY query known.gtl 'node: "
              "level = 1' --show fen --json");
    CHECK(known.code == 0);
    CHECK(assay::test::contains(known.out, "/8/8/4P3/8/PPPP1PPP/"));
    CHECK(shell(dir.root(), "$ASSAY tree import x.csv -o y.gtl --position garbage").code == 2);
    CHECK(shell(dir.root(),
                "{ echo '#game nim'; cat x.csv; } >n.csv; $ASSAY tree import n.csv -o "
                "n.gtl --position '3 4 5'")
              .code == 0);
}

TEST_CASE("Query: takes the folder of trees that the last line of a run names") {
    const assay::test::TempDir dir;
    const Finished done = shell(dir.root(), R"(
mkdir 'two words' && cd 'two words'
player=$(dirname "$ASSAY")/engines/player
printf '6k1/5ppp/8/8/8/8/5PPP/3R2K1 %s - - id "%s";\n' w m1 b m2 > p.epd
cat > s.yaml <<END
programs: {p: {command: [$player]}}
suite: {positions: p.epd, programs: [p], limit: {depth: 2},
        expect: [{name: size, query: 'node: count(*)'}]}
END
$ASSAY run s.yaml > said && cat said
cd ..
eval "$ASSAY query 'two words'/$(sed -n 's/.* MB, in //p' 'two words/said') 'node: count(*)'")");
    CHECK_MESSAGE(assay::test::contains(done.out, " nodes, 0.0 MB, in assay.db.trees/1\n"),
                  done.out);
    CHECK_MESSAGE(done.out.find("assay.db.trees/1/p/m1.gtl") != std::string::npos, done.out);
    CHECK(done.code == 0);
}
