#include <algorithm>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/random.h"
#include "gtql/log/import/export.h"
#include "gtql/log/import/open_trees.h"
#include "gtql/log/packed/packed_file.h"
#include "gtql/log/packed/packed_writer.h"
#include "tests/gtql/log/sample_log.h"

namespace assay::gtql {

namespace {

std::string csv_of(const TreeSource& tree) {
    std::string text;
    export_csv(tree, [&text](std::string_view part) { text += part; });
    return text;
}

std::string packed(const std::vector<const TreeSource*>& trees, const PackOptions& options = {}) {
    const test::TempDir dir;
    PackedWriter writer(dir.path("x.gtl"), options);
    for (const TreeSource* const each : trees) writer.add(*each);
    writer.finish();
    return read_file(dir.path("x.gtl"));
}

std::unique_ptr<PackedFile> open(std::string bytes) {
    return std::make_unique<PackedFile>(RandomAccess::of("x.gtl", std::move(bytes)));
}

std::unique_ptr<TreeSource> fruit_tree(const std::string& name) {
    std::vector<std::string> warnings;
    return std::move(
        open_trees(ASSAY_TEST_DATA "/fruit-trees/" + name + ".csv.zst", {}, warnings).at(0));
}

/// A tree of random shape with up to 6 columns of every width, with threads and unfinished nodes.
std::unique_ptr<Tree> random_tree(std::uint64_t seed, std::size_t nodes, std::size_t columns = 6) {
    Random random(seed);
    Column level;
    Column thread;
    Column unfinished;
    std::vector<Column> values(6);
    Column move;
    std::int64_t at = -1;
    for (std::size_t i = 0; i < nodes; ++i) {
        at = i == 0
                 ? 0
                 : 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(at + 1)));
        level.push(at);
        thread.push(static_cast<std::int64_t>(random.below(3)));
        unfinished.push(static_cast<std::int64_t>(random.below(2)));
        const auto any = static_cast<std::int64_t>(random());
        values[0].push(any);
        values[1].push(any >> 33);
        values[2].push(any >> 49);
        values[3].push(any >> 57);
        values[4].push(at % 2 == 0 ? 77 : -77);
        values[5].push(7);
        move.push(static_cast<std::int64_t>(random.below(9)));
    }
    TreeInfo info;
    info.name = "random";
    info.position = "here";
    info.search = seed;
    info.iteration = 5;
    info.complete = false;
    info.parameters = {{"hash", "16"}};
    auto tree = std::make_unique<Tree>(info, std::move(level));
    for (std::size_t i = 0; i < columns; ++i)
        tree->add_attribute("a" + std::to_string(i), std::move(values[i]));
    tree->add_moves("last_move", std::move(move), {"a", "b", "c", "d", "e", "f", "g", "h", "i"});
    tree->add_constant("Most", INT64_MAX);
    tree->add_constant("Least", INT64_MIN);
    tree->set_thread(std::move(thread));
    tree->set_unfinished(std::move(unfinished));
    return tree;
}

}  // namespace

TEST_CASE("Packed: a tree comes back whole, in blocks of any size") {
    const auto tree = random_tree(1, 1000);
    const std::string expected = csv_of(*tree);
    for (const std::uint32_t block : {1U, 7U, 999U, 1000U, 65536U}) {
        CAPTURE(block);
        PackOptions options;
        options.block = block;
        options.level = 1;
        const auto file = open(packed({tree.get()}, options));
        REQUIRE(file->size() == 1);
        CHECK_FALSE(file->is_index_lost());
        CHECK(file->tree(0).info().nodes == 1000);
        CHECK(csv_of(file->tree(0)) == expected);
        std::vector<Remark> remarks;
        verify(file->tree(0), remarks);
        CHECK(remarks.empty());
    }
}

TEST_CASE("Packed: any columns that are wanted come in the order that was asked for") {
    const auto tree = random_tree(2, 500);
    PackOptions options;
    options.block = 64;
    const auto file = open(packed({tree.get()}, options));
    const ColumnId wanted[] = {4, kUnfinishedColumn, 0};
    const auto reader = file->tree(0).read(wanted);
    TreeBlock block;
    std::size_t nodes = 0;
    while (reader->next(block)) {
        REQUIRE(block.first == nodes);
        REQUIRE(block.columns.size() == 3);
        for (std::size_t i = 0; i < block.size; ++i, ++nodes) {
            for (std::size_t c = 0; c < 3; ++c)
                REQUIRE(block.columns[c].at(i) == tree->column(wanted[c]).at(nodes));
        }
    }
    CHECK(nodes == 500);
}

TEST_CASE("Packed: many trees in a file, each with what it says of itself") {
    const auto a = random_tree(3, 20);
    const auto b = random_tree(4, 1);
    const auto file = open(packed({a.get(), b.get()}));
    REQUIRE(file->size() == 2);
    CHECK(csv_of(file->tree(0)) == csv_of(*a));
    CHECK(csv_of(file->tree(1)) == csv_of(*b));
    CHECK(file->tree(1).info().search == 4);
    CHECK_FALSE(file->tree(1).info().complete);
}

TEST_CASE("Packed: a fruit tree takes at most 3.5 bytes a node, and nothing of it is lost") {
    const auto tree = fruit_tree("pos16");
    const std::string bytes = packed({tree.get()});
    CHECK(static_cast<double>(bytes.size()) <= 3.5 * static_cast<double>(tree->info().nodes));
    CHECK(csv_of(open(bytes)->tree(0)) == csv_of(*tree));
}

TEST_CASE("Packed: windows that refer to each other over the parent are decoded together") {
    BlockValues block;
    block.columns = {{0, 1, 2, 1}, {-30, -40, -50, -60}, {40, 30, 41, 61}};
    const ColumnCoding codings[] = {
        {Coding::Level, false, 0}, {Coding::PlusParent, true, 2}, {Coding::Minus, false, 1}};
    std::vector<Chunk> chunks(3);
    std::vector<std::string> stored(3);
    for (std::size_t c = 0; c < 3; ++c) {
        chunks[c].coding = codings[c];
        stored[c] = encode_column(block, c, codings[c], chunks[c].bytes);
    }
    const std::vector<Width> widths = {Width::I8, Width::I8, Width::I16};
    const BlockDecoder decoder(chunks, widths, 4, -1);
    const std::size_t wanted[] = {2};
    CHECK(decoder.needed(wanted) == std::vector<bool>{true, true, true});
    std::vector<std::vector<std::byte>> out;
    DecodeBuffers buffers;
    decoder.decode(wanted, stored, buffers, out);
    const ColumnView beta{out.at(0).data(), 4, Width::I16};
    for (std::size_t i = 0; i < 4; ++i) CHECK(beta.at(i) == block.columns[2][i]);
}

TEST_CASE("Packed: a million levels need no recursion") {
    Column level;
    Column depth;
    for (int i = 0; i < 1000000; ++i) {
        level.push(i);
        depth.push(-i);
    }
    TreeInfo info;
    info.name = "deep";
    Tree tree(info, std::move(level));
    tree.add_attribute("depth", std::move(depth));
    const auto file = open(packed({&tree}));
    const ColumnId wanted[] = {kLevelColumn, 0};
    const auto reader = file->tree(0).read(wanted);
    TreeBlock block;
    std::size_t nodes = 0;
    bool is_right = true;
    while (reader->next(block)) {
        for (std::size_t i = 0; i < block.size; ++i, ++nodes) {
            const auto expected = static_cast<std::int64_t>(nodes);
            is_right = is_right && block.columns[0].at(i) == expected &&
                       block.columns[1].at(i) == -expected;
        }
    }
    CHECK(nodes == 1000000);
    CHECK(is_right);
}

TEST_CASE("Packed: cut at any byte it says so, and whole blocks are read") {
    const auto a = random_tree(5, 24, 1);
    const auto b = random_tree(6, 10, 1);
    PackOptions options;
    options.block = 8;
    const std::string bytes = packed({a.get(), b.get()}, options);
    std::uint64_t most = 0;
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        CAPTURE(length);
        std::unique_ptr<PackedFile> file;
        try {
            file = open(bytes.substr(0, length));
        } catch (const Error& error) {
            REQUIRE(std::string(error.what()).starts_with("x.gtl: "));
            continue;
        }
        REQUIRE(file->is_index_lost());
        REQUIRE_FALSE(file->remarks().empty());
        std::uint64_t nodes = 0;
        for (std::size_t i = 0; i < file->size(); ++i) {
            std::vector<Remark> remarks;
            verify(file->tree(i), remarks);
            REQUIRE(remarks.empty());
            nodes += file->tree(i).info().nodes;
        }
        REQUIRE(nodes >= most);
        most = nodes;
    }
    CHECK(most == 34);
}

TEST_CASE("Packed: a flipped byte is noticed, wherever it is") {
    const auto tree = random_tree(7, 24, 2);
    PackOptions options;
    options.block = 8;
    const std::string bytes = packed({tree.get()}, options);
    const std::string expected = csv_of(*tree);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        CAPTURE(at);
        std::string flipped = bytes;
        flipped[at] = static_cast<char>(flipped[at] ^ 0x04);
        bool is_noticed = false;
        try {
            const auto file = open(flipped);
            is_noticed = !file->remarks().empty();
            if (!is_noticed) is_noticed = csv_of(file->tree(0)) != expected;
            REQUIRE(is_noticed);
            for (std::size_t i = 0; i < file->size(); ++i) (void)csv_of(file->tree(i));
        } catch (const Error& error) {
            is_noticed = std::string(error.what()).starts_with("x.gtl: ");
        }
        REQUIRE(is_noticed);
    }
}

TEST_CASE("Packed: a tree whose head or end is damaged takes no other tree with it") {
    const auto a = random_tree(7, 24, 2);
    const auto b = random_tree(8, 24, 2);
    PackOptions options;
    options.block = 8;
    const std::string bytes = packed({a.get(), b.get(), a.get()}, options);
    std::vector<std::size_t> records;
    for (std::size_t at = bytes.find("GTr1"); at != std::string::npos;
         at = bytes.find("GTr1", at + 1)) {
        records.push_back(at);
    }
    REQUIRE(records.size() == 16);  // S B B B E for each, then I
    for (const std::size_t record : {5U, 9U}) {
        CAPTURE(record);
        std::string damaged = bytes;
        damaged[records[record] + 30] = static_cast<char>(damaged[records[record] + 30] ^ 1);
        const auto file = open(damaged);
        CHECK_FALSE(file->is_index_lost());
        REQUIRE(file->remarks().size() == 1);
        const std::size_t last = file->size() - 1;
        CHECK(file->size() == (record == 5 ? 2 : 3));
        CHECK(csv_of(file->tree(0)) == csv_of(*a));
        CHECK(csv_of(file->tree(last)) == csv_of(*a));
        if (record == 5) continue;
        CHECK(file->remarks()[0].what ==
              "a tree ends here, after 24 nodes in whole blocks: its end is damaged");
        CHECK(file->tree(1).info().nodes == 24);
        CHECK_FALSE(file->tree(1).info().complete);
    }
}

TEST_CASE("Packed: a damaged column harms only who asks for it") {
    const auto tree = random_tree(8, 50);
    std::string bytes = packed({tree.get()});
    const auto whole = open(bytes);
    const BlockHead head = whole->tree(0).block_head(0);
    // The first attribute's data, counted from where the record of the tree's end begins.
    std::uint64_t data = 0;
    for (const Chunk& each : head.chunks) data += each.size;
    std::uint64_t before = 0;
    for (std::size_t c = 0; c < 3; ++c) before += head.chunks[c].size;
    const std::size_t block = bytes.find("GTr1", bytes.find("GTr1") + 4);
    const std::size_t end = bytes.find("GTr1", block + 4);
    const std::size_t place = end - data + before;
    bytes[place] ^= 1;
    const auto file = open(bytes);
    const ColumnId good[] = {1};
    TreeBlock given;
    CHECK(file->tree(0).read(good)->next(given));
    const ColumnId bad[] = {0};
    CHECK_THROWS_WITH_AS((void)file->tree(0).read(bad)->next(given),
                         ("x.gtl: byte " + std::to_string(place) + ": a column is damaged").c_str(),
                         Error);
}

TEST_CASE("Packed: a file that cannot be finished leaves nothing behind") {
    const test::TempDir dir;
    {
        PackedWriter writer(dir.path("x.gtl"), {});
        writer.add(*random_tree(9, 10));
    }
    CHECK(std::filesystem::is_empty(dir.root()));
    CHECK_THROWS_WITH_AS(PackedWriter("/no/such/x.gtl", {}),
                         "/no/such/x.gtl: cannot write: No such file or directory", Error);
}

TEST_CASE("Packed: a link or a second name keeps its file, and what is read is not cut before") {
    const test::TempDir dir;
    const auto tree = random_tree(9, 50);
    const std::string expected = csv_of(*tree);
    for (const bool is_link : {true, false}) {
        CAPTURE(is_link);
        const std::string in = dir.path(is_link ? "a.gtl" : "b.gtl");
        const std::string out = dir.path(is_link ? "link.gtl" : "second.gtl");
        write_file(in, packed({tree.get()}));
        if (is_link) {
            std::filesystem::create_symlink(in, out);
        } else {
            std::filesystem::create_hard_link(in, out);
        }
        const PackedFile file(RandomAccess::open(in));
        PackedWriter writer(out, {});
        writer.add(file.tree(0), 77);
        writer.finish();
        CHECK(std::filesystem::is_symlink(out) == is_link);
        const PackedFile again(RandomAccess::open(in));
        CHECK(again.tree(0).info().search == 77);
        CHECK(again.tree(0).info().nodes == 50);
    }
    CHECK(std::distance(std::filesystem::directory_iterator(dir.root()), {}) == 4);
    CHECK(std::filesystem::hard_link_count(dir.path("b.gtl")) == 2);
}

TEST_CASE("Packed: it is opened as every file of trees is") {
    const test::TempDir dir;
    write_file(dir.path("x.gtl"), packed({random_tree(10, 10).get(), random_tree(11, 12).get()}));
    std::vector<std::string> warnings;
    OpenOptions options;
    options.choice.all = true;
    const auto trees = open_trees(dir.path("x.gtl"), options, warnings);
    REQUIRE(trees.size() == 2);
    CHECK(trees[1]->info().name == dir.path("x.gtl") + "#11.5");
    CHECK(trees[1]->info().nodes == 12);
}

}  // namespace assay::gtql
