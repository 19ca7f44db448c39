#include "openings/read/index_file.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"

using assay::File;
using assay::openings::BookFormat;
using assay::openings::BookIndex;
using assay::openings::Entry;
using assay::openings::IndexSummary;
using assay::openings::IndexWriter;

namespace {

IndexSummary some_summary() {
    IndexSummary summary;
    summary.source = {123, 4, 5};
    summary.content = {678, 9, 10};
    summary.format = BookFormat::Pgn;
    summary.hash = std::string(64, 'a');
    return summary;
}

void write_index(const std::string& path, std::uint32_t entries) {
    IndexWriter writer(path, "book", 0);
    for (std::uint32_t i = 0; i < entries; ++i) writer.add({i * 100ULL, i + 1, i + 7});
    (void)writer.finish(some_summary());
}

}  // namespace

TEST_CASE("BookIndex: gives back what was written, also beyond the writer's buffer") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("x.idx");
    write_index(path, 50'000);
    const auto index = BookIndex::load(File::open(path));
    REQUIRE(index.has_value());
    CHECK(index->size() == 50'000);
    CHECK(index->entry(0) == Entry{0, 1, 7});
    CHECK(index->entry(49'999) == Entry{4'999'900, 50'000, 50'006});
    CHECK(index->summary().source == some_summary().source);
    CHECK(index->summary().content == some_summary().content);
    CHECK(index->summary().format == BookFormat::Pgn);
    CHECK(index->summary().hash == some_summary().hash);
}

TEST_CASE("BookIndex: a file that is cut or changed at any byte is refused") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("x.idx");
    write_index(path, 5);
    const std::string whole = assay::read_file(path);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        CAPTURE(i);
        assay::write_file(path, whole.substr(0, i));
        CHECK_FALSE(BookIndex::load(File::open(path)).has_value());
        std::string changed = whole;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        assay::write_file(path, changed);
        CHECK_FALSE(BookIndex::load(File::open(path)).has_value());
    }
    assay::write_file(path, whole);
    CHECK(BookIndex::load(File::open(path)).has_value());
}
