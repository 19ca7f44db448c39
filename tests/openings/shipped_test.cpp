#include "openings/shipped.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/packing.h"
#include "base/text.h"
#include "openings/book.h"
#include "openings/book_survey.h"
#include "rules/make_game.h"
#include "tests/support/temp_dir.h"

using assay::File;
using assay::openings::shipped_book_path;

namespace {

std::string text_of(const std::string& path) {
    const File file = File::open(path);
    std::string text;
    unpack(file, assay::packing_of(file.read_at(0, 8)),
           [&text](std::string_view bytes) { text += bytes; });
    return text;
}

/// The operand of `ce` of each position.
std::vector<int> scores(const std::string& path) {
    const std::string text = text_of(path);
    std::vector<int> out;
    for (std::size_t at = text.find(" ce "); at != std::string::npos; at = text.find(" ce ", at)) {
        at += 4;
        const auto score = assay::to_number<int>(text.substr(at, text.find(';', at) - at));
        REQUIRE(score.has_value());
        out.push_back(*score);
    }
    return out;
}

}  // namespace

TEST_CASE("Shipped books: as many openings as said, all playable, each position once") {
    const auto chess = assay::rules::make_game("chess");

    struct Case {
        const char* name;
        std::uint64_t openings;
        int least;
        int most;
    };

    for (const Case& c : {Case{"unbalanced", 10'000, 90, 150}, Case{"balanced", 2'000, 0, 25}}) {
        CAPTURE(c.name);
        assay::openings::BookOptions options;
        options.path = shipped_book_path(c.name);
        const auto book = open_book(options, *chess);
        const auto found = survey(*book, *chess);
        CHECK(found.openings == c.openings);
        CHECK(found.skipped == 0);
        CHECK(found.duplicates == 0);
        CHECK(found.remarks.empty());
        CHECK(found.to_move[0] > 0);
        CHECK(found.to_move[1] > 0);
        const std::vector<int> judged = scores(options.path);
        CHECK(judged.size() == c.openings);
        for (const int score : judged) {
            CHECK(std::abs(score) >= c.least);
            CHECK(std::abs(score) <= c.most);
        }
    }
}

TEST_CASE(
    "Shipped books: their text is known, and with one byte more or another it is looked into") {
    const auto chess = assay::rules::make_game("chess");
    const assay::test::TempDir dir;
    const std::string path = dir.path("book.epd");
    for (const char* const name : {"unbalanced", "balanced"}) {
        CAPTURE(name);
        const std::string text = text_of(shipped_book_path(name));
        assay::openings::BookOptions options;
        options.path = shipped_book_path(name);
        const auto shipped = open_book(options, *chess);

        assay::write_file(path, text);
        CHECK(assay::openings::is_shipped_text(File::open(path)));

        options.path = path;
        assay::write_file(path, "#\n" + text);
        CHECK_FALSE(assay::openings::is_shipped_text(File::open(path)));
        const auto longer = open_book(options, *chess);
        CHECK(longer->size() == shipped->size());
        CHECK(longer->skipped() == 0);
        const std::uint64_t last = shipped->size() - 1;
        CHECK(longer->at(last).start == shipped->at(last).start);

        std::string broken = text;
        broken[text.find('\n') + 1] = '9';
        assay::write_file(path, broken);
        CHECK_FALSE(assay::openings::is_shipped_text(File::open(path)));
        const auto other = open_book(options, *chess);
        CHECK(other->size() == shipped->size() - 1);
        CHECK(other->skipped() == 1);
    }
}

TEST_CASE("Shipped books: the default is the unbalanced one, and unknown names are refused") {
    CHECK(shipped_book_path("default") == shipped_book_path("unbalanced"));
    CHECK_THROWS_WITH_AS(
        (void)shipped_book_path("balance"),
        "no book named 'balance' ships with assay; did you mean 'balanced'? (there "
        "are 'unbalanced' and 'balanced')",
        assay::Error);
}

TEST_CASE("Shipped books: one that is missing is named as the user named it, the default as such") {
    using assay::openings::missing_book_text;
    CHECK(missing_book_text("default", "/a/unbalanced.epd.zst", "/b/unbalanced.epd.zst") ==
          "the default book ('unbalanced') is missing: neither /a/unbalanced.epd.zst nor "
          "/b/unbalanced.epd.zst is there; install assay whole, or name a book");
    CHECK(missing_book_text("balanced", "/a/x", "/b/x") ==
          "the book 'balanced' is missing: neither /a/x nor /b/x is there; install assay whole, or "
          "name a book");
}

TEST_CASE(
    "Shipped books: a source tree that was moved after the build has them beside the program") {
    const assay::test::TempDir moved;
    std::filesystem::create_directories(moved.path("build/dev"));
    std::filesystem::create_directories(moved.path("openings/books"));
    const std::string program = moved.path("build/dev/assay");
    CHECK_FALSE(assay::openings::book_in_sources_of(program, "balanced.epd.zst"));
    assay::write_file(moved.path("openings/books/balanced.epd.zst"), "x");
    CHECK(assay::openings::book_in_sources_of(program, "balanced.epd.zst") ==
          moved.path("openings/books/balanced.epd.zst"));
    CHECK_FALSE(assay::openings::book_in_sources_of("/usr/bin/assay", "balanced.epd.zst"));
}
