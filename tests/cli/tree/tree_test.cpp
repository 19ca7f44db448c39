// assay tree as users call it, and a C99 program that logs its search.
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/cli/shell.h"
#include "tests/support/temp_dir.h"

using assay::read_file;
using assay::write_file;
using assay::test::contains;
using assay::test::Finished;
using assay::test::shell;
using assay::test::TempDir;

namespace {

const std::string kTree = ASSAY_TEST_DATA "/fruit-trees/pos16.csv.zst";
const std::string kNim = ASSAY_BINARY_DIR "/tests/engines/nim_c99";

}  // namespace

TEST_CASE("assay tree: a table is imported, looked at, verified and exported as it was") {
    const TempDir dir;
    const Finished import = shell(dir.root(), "$ASSAY tree import " + kTree + " -o x.gtl");
    CHECK(import.code == 0);
    CHECK(contains(import.out, "x.gtl: 1 tree, 2383 nodes"));
    const Finished info = shell(dir.root(), "$ASSAY tree info x.gtl --json");
    REQUIRE(info.code == 0);
    const boost::json::object said = boost::json::parse(info.out).as_object();
    CHECK(said.at("kind").as_string() == "packed");
    CHECK(said.at("nodes").as_int64() == 2383);
    CHECK(said.at("bytes").as_int64() < 2383 * 7 / 2);
    const Finished verify = shell(dir.root(), "$ASSAY tree verify x.gtl");
    CHECK(verify.code == 0);
    CHECK(verify.out == "x.gtl: sound, 1 tree, 2383 nodes\n");
    const Finished same =
        shell(dir.root(),
              "$ASSAY tree export x.gtl -o x.csv && $ASSAY tree import x.csv -o y.gtl && "
              "$ASSAY tree export y.gtl | cmp - x.csv");
    CHECK(same.code == 0);
}

TEST_CASE("assay tree verify: damage is exit 1, with the place") {
    const TempDir dir;
    REQUIRE(shell(dir.root(), "$ASSAY tree import " + kTree + " -o x.gtl").code == 0);
    std::string bytes = read_file(dir.path("x.gtl"));
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    write_file(dir.path("x.gtl"), bytes);
    const Finished verify = shell(dir.root(), "$ASSAY tree verify x.gtl");
    CHECK(verify.code == 1);
    CHECK(contains(verify.out, ": a column is damaged\n"));
    CHECK(contains(verify.out, "x.gtl: damaged"));
}

TEST_CASE("assay tree header: the header that engines copy, to the byte") {
    const TempDir dir;
    const Finished header =
        shell(dir.root(), "$ASSAY tree header | cmp - " ASSAY_SOURCE_DIR "/gtql/log/treelog.h");
    CHECK(header.code == 0);
}

TEST_CASE("assay tree map: a page and a picture of the tree, by any attribute") {
    const TempDir dir;
    const Finished map =
        shell(dir.root(), "$ASSAY tree map " + kTree + " -o m.html && $ASSAY tree map " + kTree +
                              " -o m.svg --colour depth --node 2");
    REQUIRE(map.code == 0);
    const std::string page = read_file(dir.path("m.html"));
    CHECK(contains(page, "2,383 nodes, coloured by type"));
    CHECK(contains(page, "1 PVNode"));
    // Readable in the dark, and on a phone by scrolling: letters keep their size.
    CHECK(contains(page, "prefers-color-scheme:dark"));
    CHECK(contains(page, "overflow-x:auto"));
    CHECK(contains(page, "min-width:760px"));
    const std::string picture = read_file(dir.path("m.svg"));
    CHECK(contains(picture, ", below e4d6: "));
    CHECK(contains(picture, "coloured by depth"));
    const Finished wrong = shell(dir.root(), "$ASSAY tree map " + kTree + " -o m.svg --colour typ");
    CHECK(wrong.code == 2);
    CHECK(contains(wrong.out, "there is no attribute 'typ'; did you mean 'type'?"));
}

TEST_CASE("assay tree export: pipes and links are written, not replaced") {
    const TempDir dir;
    const Finished both = shell(
        dir.root(),
        "printf 'level,a\\n0,1\\n1,2\\n' > x.csv && mkfifo pipe && { cat pipe > read & } && "
        "exec 3> pipe && $ASSAY tree export x.csv -o pipe && exec 3>&- && wait && test -p pipe && touch real.csv && "
        "ln -s real.csv link.csv && $ASSAY tree export x.csv -o link.csv && test -L link.csv && "
        "cmp read real.csv && ls");
    CHECK(both.code == 0);
    CHECK(both.out == "link.csv\npipe\nread\nreal.csv\nx.csv\n");
    CHECK(contains(read_file(dir.path("real.csv")), "\n2,1,2\n#end 2\n"));
}

TEST_CASE("assay tree pack: the searches of several files stay apart") {
    const TempDir dir;
    const Finished packed = shell(
        dir.root(),
        "printf 'level\\n0\\n1\\n' > a.csv; printf 'level\\n0\\n1\\n1\\n' > b.csv; "
        "$ASSAY tree import a.csv b.csv -o c.gtl 2>&1 && $ASSAY query c.gtl 'node: count(*)' --csv");
    CHECK(packed.code == 0);
    CHECK(contains(packed.out, "c.gtl#0.0,node: count(*),2\nc.gtl#1.0,node: count(*),3\n"));
}

TEST_CASE("assay tree: wrong flags are exit 2") {
    const TempDir dir;
    for (const char* const line :
         {"tree", "tree pack", "tree pack no.log -o x.gtl", "tree map x -o m.png",
          "tree export x --format xml", "tree info no.gtl"}) {
        CAPTURE(line);
        CHECK(shell(dir.root(), std::string("$ASSAY ") + line).code == 2);
    }
}

TEST_CASE("treelog: a C99 program's log is packed and queried") {
    const TempDir dir;
    const Finished play = shell(dir.root(), "ASSAY_TREE_LOG=nim.log " + kNim + " 5 3 4 5");
    REQUIRE(play.code == 0);
    REQUIRE(contains(play.out, "depth 5 value 0 nodes 1025\n"));
    const Finished pack = shell(dir.root(), "$ASSAY tree pack nim.log -o nim.gtl");
    CHECK(pack.code == 0);
    CHECK(contains(pack.out, "nim.gtl: 5 trees, 1547 nodes"));
    for (const char* const file : {"nim.log", "nim.gtl"}) {
        const Finished query =
            shell(dir.root(), std::string("$ASSAY query ") + file + " 'node: count(*)' --json");
        REQUIRE(query.code == 0);
        CHECK(boost::json::parse(query.out).as_object().at("count").as_int64() == 1025);
    }
    CHECK(play.out == shell(dir.root(), kNim + " 5 3 4 5").out);
}

TEST_CASE("treelog: a program that is killed leaves a log that is read to its last whole block") {
    const TempDir dir;
    const Finished killed = shell(
        dir.root(), "ASSAY_TREE_LOG=nim.log " + kNim +
                        " 40 9 9 9 >/dev/null & pid=$!; "
                        "while [ $(stat -c %s nim.log 2>/dev/null || echo 0) -lt 1000000 ]; do :; "
                        "done; kill -9 $pid; wait $pid 2>/dev/null; "
                        "$ASSAY tree pack nim.log -o nim.gtl && $ASSAY tree verify nim.gtl");
    CHECK(killed.code == 0);
    CHECK(contains(killed.out, "; 1 not complete"));
    CHECK(contains(killed.out, "nim.gtl: sound"));
}
