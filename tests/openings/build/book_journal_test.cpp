#include "openings/build/book_journal.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "openings/book.h"
#include "rules/make_game.h"
#include "tests/support/temp_dir.h"

using assay::openings::BookFormat;
using assay::openings::BookJournal;
using assay::openings::BuiltOpening;

namespace {

const assay::rules::Game& journal_game() {
    static const auto game = assay::rules::make_game("chess");
    return *game;
}

constexpr const char* kPlan = "program sf\nseed 1\n";
constexpr const char* kFen = "4k3/4p3/8/8/8/8/4P3/4K3 b - - 3 27";

BuiltOpening opening(std::uint64_t number, int score, std::string start,
                     std::vector<std::string> moves) {
    BuiltOpening one{number, score, {}};
    one.opening.start = std::move(start);
    one.opening.moves = std::move(moves);
    return one;
}

std::size_t lines_in(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

const std::vector<BuiltOpening> kOpenings{opening(0, 12, "", {"e2e4", "e7e5"}),
                                          opening(7, -20, kFen, {"e7e5"}), opening(9, 0, kFen, {})};

}  // namespace

TEST_CASE("BookJournal: what was added is found again, and a torn line is dropped") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("b.epd.part");
    {
        BookJournal journal(path, kPlan, journal_game());
        for (const BuiltOpening& one : kOpenings) journal.add(one);
    }
    const std::string whole = assay::read_file(path);
    const std::size_t head = whole.find("0 12 ");
    REQUIRE(head != std::string::npos);
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        CAPTURE(size);
        assay::write_file(path, whole.substr(0, size));
        const std::size_t lines = size > head ? lines_in(whole.substr(head, size - head)) : 0;
        BookJournal journal(path, kPlan, journal_game());
        REQUIRE(journal.found().size() == lines);
        for (std::size_t i = 0; i < lines; ++i) {
            CHECK(journal.found()[i].number == kOpenings[i].number);
            CHECK(journal.found()[i].score == kOpenings[i].score);
            CHECK(journal.found()[i].opening == kOpenings[i].opening);
        }
        for (std::size_t i = lines; i < kOpenings.size(); ++i) journal.add(kOpenings[i]);
        CHECK(assay::read_file(path) == whole);
    }
    BookJournal(path, kPlan, journal_game()).remove();
    CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE(
    "BookJournal: a flipped byte costs the openings from its line on, or is another opening") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("b.epd.part");
    {
        BookJournal journal(path, kPlan, journal_game());
        for (const BuiltOpening& one : kOpenings) journal.add(one);
    }
    const std::string whole = assay::read_file(path);
    const std::size_t head = whole.find("0 12 ");
    for (std::size_t at = 0; at < whole.size(); ++at) {
        CAPTURE(at);
        for (const int bit : {1, 8, 128}) {
            std::string flipped = whole;
            flipped[at] = static_cast<char>(flipped[at] ^ bit);
            assay::write_file(path, flipped);
            if (at < head) {
                CHECK_THROWS_AS(BookJournal(path, kPlan, journal_game()), assay::Error);
            } else {
                const std::size_t before = lines_in(whole.substr(head, at - head));
                const BookJournal journal(path, kPlan, journal_game());
                REQUIRE(journal.found().size() >= before);
                CHECK(journal.found().size() <= kOpenings.size());
                for (std::size_t i = 0; i < before; ++i) {
                    CHECK(journal.found()[i].number == kOpenings[i].number);
                    CHECK(journal.found()[i].score == kOpenings[i].score);
                    CHECK(journal.found()[i].opening == kOpenings[i].opening);
                }
            }
        }
    }
}

TEST_CASE("BookJournal: one at a time has the file, which the end of the other one frees") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("b.epd.part");
    {
        BookJournal first(path, kPlan, journal_game());
        CHECK_THROWS_WITH_AS(
            BookJournal(path, kPlan, journal_game()),
            (path + ": another command is making this book; wait until it ends").c_str(),
            assay::Error);
        first.add(kOpenings[0]);
    }
    BookJournal second(path, kPlan, journal_game());
    CHECK(second.found().size() == 1);
    second.remove();
    CHECK(BookJournal(path, kPlan, journal_game()).found().empty());
}

TEST_CASE("BookJournal: what the program calls itself is kept with the first opening") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("b.epd.part");
    {
        BookJournal journal(path, kPlan, journal_game());
        CHECK(journal.program().empty());
        journal.set_program("Judge 2");
        journal.set_program("another");
        journal.add(kOpenings[0]);
    }
    const BookJournal again(path, kPlan, journal_game());
    CHECK(again.program() == "Judge 2");
    CHECK(again.found().size() == 1);
}

TEST_CASE("BookJournal: a file of another plan is an error, and left as it was") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("b.epd.part");
    BookJournal(path, kPlan, journal_game()).add(kOpenings[0]);
    const std::string before = assay::read_file(path);
    CHECK_THROWS_WITH_AS(
        BookJournal(path, "program sf\nseed 2\n", journal_game()),
        (path + ": is of a book that was begun with other flags or another program (its first "
                "lines say which); delete it to begin anew")
            .c_str(),
        assay::Error);
    CHECK(assay::read_file(path) == before);
    CHECK_THROWS_AS(BookJournal(dir.path("no/folder"), kPlan, journal_game()), assay::Error);
    for (const std::string foreign : {"a letter to its owner\n", "# notes\n",
                                      "\x7f"
                                      "ELF"}) {
        assay::write_file(path, foreign);
        CHECK_THROWS_WITH_AS(
            BookJournal(path, kPlan, journal_game()),
            (path + ": is no unfinished book; move it away, or give the book another name").c_str(),
            assay::Error);
        CHECK(assay::read_file(path) == foreign);
    }
}

TEST_CASE("BookJournal: a file of another plan that holds no opening is begun anew") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("b.epd.part");
    { const BookJournal other(path, "program sf\nseed 2\n", journal_game()); }
    BookJournal(path, kPlan, journal_game()).add(kOpenings[0]);
    CHECK(BookJournal(path, kPlan, journal_game()).found().size() == 1);
}

TEST_CASE("write_built_book: every format is read back, with score and note where there is room") {
    const assay::test::TempDir dir;
    const std::string note = "assay book build: a \"judge\"; seed 1";

    struct Case {
        BookFormat format;
        const char* name;
        std::string expected;
    };

    const std::vector<Case> cases{
        {BookFormat::Epd, "b.epd",
         "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2; ce 12; c0 "
         "\"assay book build: a 'judge'' seed 1\";\n"
         "4k3/8/8/4p3/8/8/4P3/4K3 w - - hmvc 0; fmvn 28; ce -20;\n"
         "4k3/4p3/8/8/8/8/4P3/4K3 b - - hmvc 3; fmvn 27; ce 0;\n"},
        {BookFormat::Fen, "b.fen",
         "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n"
         "4k3/8/8/4p3/8/8/4P3/4K3 w - - 0 28\n4k3/4p3/8/8/8/8/4P3/4K3 b - - 3 27\n"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.name);
        CHECK(write_built_book(kOpenings, c.format, note, journal_game()) == c.expected);
    }
    const std::string pgn = write_built_book(kOpenings, BookFormat::Pgn, note, journal_game());
    CHECK(pgn.find("[Result \"*\"]\n[Annotator \"assay book build: a 'judge'' seed 1\"]\n") !=
          std::string::npos);
    CHECK(pgn.find("\n1. e4 e5 { +0.12 } *\n") != std::string::npos);
    assay::write_file(dir.path("b.pgn"), pgn);
    assay::openings::BookOptions options;
    options.path = dir.path("b.pgn");
    const auto book = open_book(options, journal_game());
    REQUIRE(book->size() == 3);
    CHECK(book->at(0).moves == kOpenings[0].opening.moves);
    CHECK(book->at(1).start == kFen);
    CHECK(book->at(1).moves == kOpenings[1].opening.moves);
}

TEST_CASE("BookJournal: an opening that stands twice is not found twice") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("b.epd.part");
    {
        BookJournal journal(path, kPlan, journal_game());
        for (const BuiltOpening& one : kOpenings) journal.add(one);
        journal.add(kOpenings.back());
    }
    CHECK(BookJournal(path, kPlan, journal_game()).found().size() == kOpenings.size());
}
