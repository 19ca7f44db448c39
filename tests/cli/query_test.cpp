#include <string>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/cli/shell.h"
#include "tests/support/temp_dir.h"

using assay::test::Finished;
using assay::test::shell;

namespace {

const std::string kTrees = ASSAY_SOURCE_DIR "/tests/data/fruit-trees";

}  // namespace

TEST_CASE("Query: every worked query of the manual gives the answer that the manual prints") {
    const std::string manual = assay::read_file(ASSAY_SOURCE_DIR "/docs/gtql.md");
    const std::string prompt = "\n$ assay ";
    int checked = 0;
    for (std::size_t at = manual.find(prompt); at != std::string::npos;
         at = manual.find(prompt, at + 1)) {
        const std::size_t line_end = manual.find('\n', at + 1);
        const std::size_t end = manual.find("```", line_end);
        const std::size_t begin = at + prompt.size();
        const std::string words = manual.substr(begin, line_end - begin);
        const std::string expected = manual.substr(line_end + 1, end - line_end - 1);
        CAPTURE(words);
        const Finished run = shell(kTrees, "$ASSAY " + words);
        CHECK(run.code == 0);
        CHECK(run.out == expected);
        ++checked;
    }
    CHECK(checked >= 20);
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
