#include "gtql/log/import/import.h"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/packing.h"
#include "gtql/log/import/export.h"
#include "gtql/log/import/open_trees.h"
#include "gtql/log/raw/raw_log.h"
#include "tests/gtql/log/sample_log.h"

namespace assay::gtql {

namespace {

using testing::log_search;
using testing::SampleLog;
using testing::shape_of;
using testing::values_of;

const std::string kSmall =
    "#const Quiet=1 Check=-2\n"
    "#position start here\n"
    "node_id,parent_id,depth,last_move,note\n"
    "1,0,2,none,a\n"
    "2,1,1,e4,b\n"
    "3,2,0,e5,c\n"
    "4,1,1,\"d,4\",d\n";

struct Imported {
    std::unique_ptr<Tree> tree;
    std::vector<std::string> warnings;
};

Imported csv(const std::string& text, const ImportOptions& options = {}) {
    Imported imported;
    const auto file = RandomAccess::of("x.csv", text);
    imported.tree = import_csv(*file, options, imported.warnings);
    return imported;
}

Imported jsonl(const std::string& text) {
    Imported imported;
    const auto file = RandomAccess::of("x.jsonl", text);
    imported.tree = import_jsonl(*file, {}, imported.warnings);
    return imported;
}

std::string message_of(const std::string& text) {
    try {
        (void)csv(text);
    } catch (const Error& error) {
        const std::string message = error.what();
        return message.substr(0, message.find('\n'));
    }
    return "";
}

std::string exported(const Tree& tree, void (*format)(const TreeSource&, const TextSink&)) {
    std::string text;
    format(tree, [&text](std::string_view part) { text += part; });
    return text;
}

std::string fruit(const std::string& name) {
    return ASSAY_TEST_DATA "/fruit-trees/" + name + ".csv.zst";
}

}  // namespace

TEST_CASE("CSV: ids, levels, moves and constants become a tree") {
    const Imported imported = csv(kSmall);
    const Tree& tree = *imported.tree;
    CHECK(shape_of(tree) == "0:none 1:e4 2:e5 1:d,4");
    CHECK(values_of(tree, "depth") == "2 1 0 1");
    CHECK(tree.info().position == "start here");
    CHECK(tree.schema().constant("Check")->value == -2);
    CHECK(tree.schema().attribute("node_id") == -1);
    REQUIRE(imported.warnings.size() == 1);
    CHECK(imported.warnings[0] ==
          "x.csv: column 'note' is left out: its first value is not an integer of 64 bits");
}

TEST_CASE("CSV: a level column alone gives the shape") {
    const Imported imported = csv("level,move\r\n0,none\r\n1,a\r\n2,b\r\n1,c\r\n");
    CHECK(shape_of(*imported.tree) == "0:none 1:a 2:b 1:c");
    CHECK(imported.tree->schema().attribute("level") == -1);
}

TEST_CASE("CSV: ids that are no row numbers are kept as attributes") {
    const Imported imported = csv("node_id,parent_id\n10,-1\n20,10\n30,10\n");
    CHECK(values_of(*imported.tree, kLevelColumn) == "0 1 1");
    CHECK(values_of(*imported.tree, "node_id") == "10 20 30");
}

TEST_CASE("CSV: constants given by the user replace those of the file") {
    ImportOptions options;
    options.constants = {{"Quiet", 7}, {"More", 9}};
    const Imported imported = csv(kSmall, options);
    CHECK(imported.tree->schema().constant("Quiet")->value == 7);
    CHECK(imported.tree->schema().constant("More")->value == 9);
}

TEST_CASE("CSV: what a packed tree cannot hold, or no one can search, is refused with its place") {
    const auto names = [](const std::string& before, const std::string& behind) {
        std::string text;
        for (std::size_t i = 0; i <= assay::gtql::kMostNames; ++i)
            text += before + std::to_string(i) + behind;
        return text;
    };
    const std::string long_name(256, 'n');
    const std::string long_text(65'536, 't');
    const std::pair<std::string, std::string> cases[] = {
        {"level" + names(",c", "") + "\n0\n",
         "x.csv:1:1: error: 4098 columns: expected at most 4096"},
        {"#const" + names(" c", "=1") + "\nlevel\n0\n",
         "x.csv:1:1: error: expected at most 4096 constants"},
        {names("#parameter p", "=1\n") + "level\n0\n",
         "x.csv:4097:1: error: expected at most 4096 parameters"},
        {"#const " + long_name + "=1\nlevel\n0\n", "x.csv:1:8: error: expected NAME=NUMBER"},
        {"#position " + long_text + "\nlevel\n0\n",
         "x.csv:1:1: error: a position of 65536 bytes: expected at most 65535"},
        {"#game " + long_text + "\nlevel\n0\n",
         "x.csv:1:1: error: a game of 65536 bytes: expected at most 65535"},
        {"#parameter a=" + long_text + "\nlevel\n0\n",
         "x.csv:1:1: error: a parameter of 65536 bytes: expected at most 65535"},
        {"level,move\n0,none\n1," + long_name + "\n",
         "x.csv:3:3: error: a move of 256 bytes: expected at most 255"},
    };
    for (const auto& each : cases) {
        const std::string& text = each.first;
        const std::string& expected = each.second;
        CAPTURE(expected);
        CHECK_THROWS_WITH_AS((void)csv(text), doctest::Contains(expected.c_str()), assay::Error);
    }
    const Imported imported = csv("level," + long_name + "\n0,1\n");
    REQUIRE(imported.warnings.size() == 1);
    CHECK(imported.warnings[0].ends_with("is left out: a query cannot use its name"));
}

TEST_CASE("CSV: what is wrong is said with its line and column") {
    struct Case {
        const char* text;
        const char* expected;
    };

    const Case cases[] = {
        {"a,b\n1,2\n", "x.csv:1:1: error: expected the columns node_id and parent_id, or level"},
        {"level,a,a\n", "x.csv:1:9: error: column 'a' occurs twice"},
        {"level,a\n0,1\n1\n", "x.csv:3:1: error: expected 2 values, found 1"},
        {"level,a\n0,1\n1,x\n",
         "x.csv:3:3: error: expected an integer of 64 bits in column 'a', found 'x'"},
        {"level\n0\n2\n", "x.csv:3:1: error: level 2 cannot follow: expected 1 to 1"},
        {"level\n1\n", "x.csv:2:1: error: level 1 cannot follow: expected 0"},
        {"node_id,parent_id\n1,0\n2,1\n3,1\n4,2\n",
         "x.csv:5:3: error: the parent 2 of node 4 is not an ancestor: rows must be in preorder, "
         "below one root"},
        {"node_id,parent_id\n1,1\n", "x.csv:2:3: error: node 1 is its own parent"},
        {"node_id,parent_id\n1,2\n2,1\n",
         "x.csv:3:1: error: node 2 is the parent of the root, which is an ancestor of it"},
        {"node_id,parent_id\n1,0\n2,1\n1,2\n",
         "x.csv:4:1: error: node 1 is an ancestor of itself: the id occurs twice"},
        {"node_id,parent_id\n1,0\n2,1\n2,2\n", "x.csv:4:3: error: node 2 is its own parent"},
        {"level\n0\n1", "x.csv:3: error: the last line has no end: the file is cut"},
        {"level\n0\n#end 2\n", "x.csv:3:1: error: the file says 2 nodes and has 1"},
        {"#const A=x\nlevel\n0\n", "x.csv:1:8: error: expected NAME=NUMBER, found 'A=x'"},
        {"level,\"a\n0\n", "x.csv:1:7: error: a quote is not closed"},
        {"level\n", "x.csv: the table has no row"},
        {"", "x.csv: expected a line that names the columns"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.text);
        CHECK(message_of(c.text) == c.expected);
    }
}

TEST_CASE("CSV: the fruit trees are read, with the constants of their profile") {
    std::vector<std::string> warnings;
    const auto trees = open_trees(fruit("pos16"), {}, warnings);
    REQUIRE(trees.size() == 1);
    CHECK(warnings.empty());
    const TreeSource& tree = *trees[0];
    CHECK(tree.info().nodes == 2383);
    CHECK(tree.info().name == fruit("pos16"));
    CHECK(tree.schema().constant("StandPat")->value == 8192);
    CHECK(tree.schema().constants.size() == 17);
    CHECK(tree.schema().attributes.size() == 10);
}

TEST_CASE("CSV: a file packed by gzip or zstd is read as the plain one") {
    for (const Packing packing : {Packing::Gzip, Packing::Zstd}) {
        std::vector<std::string> warnings;
        const auto file = RandomAccess::of("x.csv", pack(kSmall, packing));
        CHECK(exported(*import_csv(*file, {}, warnings), export_csv) ==
              exported(*csv(kSmall).tree, export_csv));
    }
}

TEST_CASE("CSV: a compressed file cut at any byte is an error") {
    const std::string bytes = read_file(fruit("pos16"));
    for (std::size_t length = 0; length < bytes.size(); length += length < 64 ? 1 : 97) {
        CAPTURE(length);
        std::vector<std::string> warnings;
        const auto file = RandomAccess::of("x.csv.zst", bytes.substr(0, length));
        CHECK_THROWS_AS((void)import_csv(*file, {}, warnings), Error);
    }
}

TEST_CASE("Export: CSV and JSON lines are read back as the same tree") {
    const SampleLog sample;
    treelog_stream* const a = treelog_stream_new(sample.log());
    treelog_stream* const b = treelog_stream_new(sample.log());
    treelog_open(a, 3, 7, "root, of \"all\"", "hash 16");
    TREELOG_ENTER(a, -1, 0, 0, 0);
    treelog_join(b, treelog_here(a));
    log_search(b, 1, 2, 2, 3);
    TREELOG_ENTER(b, 8, 1, 5, 6);
    treelog_part(b);
    TREELOG_LEAVE(a, 0, 0);
    treelog_stream_free(a);
    treelog_stream_free(b);
    std::vector<Remark> remarks;
    const auto tree = RawLog(RandomAccess::open(sample.path())).load(0, remarks);
    const std::string as_csv = exported(*tree, export_csv);
    const std::string as_json = exported(*tree, export_jsonl);
    for (const Imported& again : {csv(as_csv), jsonl(as_json)}) {
        CHECK(again.warnings.empty());
        CHECK(shape_of(*again.tree) == shape_of(*tree));
        CHECK(values_of(*again.tree, kThreadColumn) == values_of(*tree, kThreadColumn));
        CHECK(values_of(*again.tree, kUnfinishedColumn) == values_of(*tree, kUnfinishedColumn));
        CHECK(again.tree->info().position == "root, of \"all\"");
        CHECK(again.tree->info().search == 3);
        CHECK(again.tree->info().iteration == 7);
        CHECK(exported(*again.tree, export_csv) == as_csv);
        CHECK(exported(*again.tree, export_jsonl) == as_json);
    }
}

TEST_CASE("Export: an exported file cut at any byte is an error or says fewer rows") {
    const std::string text = exported(*csv(kSmall).tree, export_jsonl);
    for (std::size_t length = 0; length < text.size(); ++length) {
        CAPTURE(length);
        const bool is_line_end = length > 0 && text[length - 1] == '\n';
        if (is_line_end) continue;
        CHECK_THROWS_AS((void)jsonl(text.substr(0, length)), Error);
    }
}

TEST_CASE("Export: cut at a line's end, the file is not complete, and says so") {
    const auto tree = csv(kSmall).tree;
    const auto cut = [](const std::string& text) {  // the last row and the end
        const std::size_t end = text.rfind('\n', text.size() - 2);
        return text.substr(0, text.rfind('\n', end - 1) + 1);
    };
    for (const Imported& part :
         {csv(cut(exported(*tree, export_csv))), jsonl(cut(exported(*tree, export_jsonl)))}) {
        CHECK(part.tree->info().nodes == 3);
        CHECK_FALSE(part.tree->info().complete);
        REQUIRE(part.warnings.size() == 1);
        CHECK(part.warnings[0].ends_with("the file ends after 3 of 4 nodes"));
    }
}

TEST_CASE("JSON lines: what is wrong is said with its line") {
    struct Case {
        const char* text;
        const char* expected;
    };

    const Case cases[] = {
        {"[1]\n", "x.jsonl:1:1: error: expected an object"},
        {"{\"level\":0}\n{\"level\":1,\"a\":2}\n",
         "x.jsonl:2:1: error: a key that the first node does not have"},
        {"{\"level\":0,\"a\":1}\n{\"level\":1}\n", "x.jsonl:2:1: error: expected the key 'a'"},
        {"{\"level\":0}\n{\"end\":2}\n", "x.jsonl:2:1: error: the file says 2 nodes and has 1"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.text);
        std::string message;
        try {
            (void)jsonl(c.text);
        } catch (const Error& error) {
            message = error.what();
        }
        CHECK(message.substr(0, message.find('\n')) == c.expected);
    }
}

TEST_CASE("Open trees: the last complete iteration of each search, unless another is asked for") {
    const SampleLog sample;
    treelog_stream* const s = treelog_stream_new(sample.log());
    for (std::uint32_t search = 0; search < 2; ++search) {
        for (std::uint32_t depth = 1; depth <= 3; ++depth) {
            treelog_open(s, search, depth, "", nullptr);
            TREELOG_ENTER(s, -1, 0, depth, 0);
            if (depth == 3) continue;
            TREELOG_LEAVE(s, 0, 0);
        }
    }
    treelog_stream_free(s);
    const auto names = [&sample](const OpenOptions& options) {
        std::string text;
        std::vector<std::string> warnings;
        for (const auto& tree : open_trees(sample.path(), options, warnings))
            text += tree->info().name.substr(sample.path().size()) + " ";
        return text;
    };
    OpenOptions options;
    CHECK(names(options) == "#0.2 #1.2 ");
    options.choice.iteration = 1;
    CHECK(names(options) == "#0.1 #1.1 ");
    options.choice = {true, {}};
    CHECK(names(options) == "#0.1 #0.2 #0.3 #1.1 #1.2 #1.3 ");
    options.choice = {false, 9};
    CHECK_THROWS_WITH_AS(names(options), (sample.path() + ": no tree is of iteration 9").c_str(),
                         Error);
}

TEST_CASE("Open trees: a folder is its files in order, and other files are refused") {
    const test::TempDir dir;
    std::filesystem::create_directory(dir.path("b"));
    write_file(dir.path("b/2.csv"), kSmall);
    write_file(dir.path("a.csv"), kSmall);
    const auto files = tree_files(dir.root());
    REQUIRE(files.size() == 2);
    CHECK(files[0] == dir.path("a.csv"));
    CHECK(files[1] == dir.path("b/2.csv"));
    write_file(dir.path("c.bin"), std::string("\x01\x02\n", 3));
    std::vector<std::string> warnings;
    CHECK_THROWS_WITH_AS(
        (void)open_trees(dir.path("c.bin"), {}, warnings),
        (dir.path("c.bin") + ": expected a packed tree, a raw tree log, CSV or JSON lines").c_str(),
        Error);
}

}  // namespace assay::gtql
