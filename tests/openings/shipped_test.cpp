#include "openings/shipped.h"

#include <cstdlib>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "openings/archive.h"
#include "openings/book.h"
#include "openings/survey.h"

using assay::openings::File;
using assay::openings::shipped_book_path;

namespace {

/// The operand of `ce` of each position.
std::vector<int> scores(const std::string& path) {
    const File file = File::open(path);
    std::string text;
    unpack(file, assay::openings::packing_of(file.read_at(0, 8)),
           [&text](std::string_view bytes) { text += bytes; });
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

TEST_CASE("Shipped books: the default is the unbalanced one, and unknown names are refused") {
    CHECK(shipped_book_path("default") == shipped_book_path("unbalanced"));
    CHECK_THROWS_WITH_AS(
        (void)shipped_book_path("balance"),
        "no book named 'balance' ships with assay; did you mean 'balanced'? (there "
        "are 'unbalanced' and 'balanced')",
        assay::Error);
}
