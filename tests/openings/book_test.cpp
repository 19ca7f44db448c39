#include "openings/book.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "base/packing.h"
#include "rules/game.h"
#include "rules/make_game.h"
#include "tests/support/temp_dir.h"

using assay::Diagnostic;
using assay::Packing;
using assay::openings::Book;
using assay::openings::BookFormat;
using assay::openings::BookOptions;
using assay::openings::Opening;

namespace {

/// Books in a fresh folder, with a cache of their own.
class Shelf {
public:
    [[nodiscard]] std::string put(const std::string& name, std::string_view content) const {
        assay::write_file(dir_.path(name), content);
        return dir_.path(name);
    }

    [[nodiscard]] std::unique_ptr<Book> open(const std::string& name,
                                             std::optional<int> plies = {}) const {
        BookOptions options;
        options.path = dir_.path(name);
        options.plies = plies;
        options.cache_dir = cache();
        return assay::openings::open_book(options, *chess_);
    }

    /// With BookOptions::keeps_all.
    [[nodiscard]] std::unique_ptr<Book> open_whole(const std::string& name) const {
        BookOptions options;
        options.path = dir_.path(name);
        options.cache_dir = cache();
        options.keeps_all = true;
        return assay::openings::open_book(options, *chess_);
    }

    [[nodiscard]] std::unique_ptr<Book> open_new(const std::string& name,
                                                 std::string_view content) const {
        (void)put(name, content);
        return open(name);
    }

    [[nodiscard]] std::string cache() const { return dir_.path("cache"); }

    [[nodiscard]] std::string path(const std::string& name) const { return dir_.path(name); }

    [[nodiscard]] std::vector<std::string> cached() const {
        std::vector<std::string> names;
        for (const auto& each : std::filesystem::directory_iterator(cache())) {
            names.push_back(each.path().filename().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }

private:
    assay::test::TempDir dir_;
    std::unique_ptr<assay::rules::Game> chess_ = assay::rules::make_game("chess");
};

std::string texts(const std::vector<Diagnostic>& diagnostics) {
    std::string out;
    for (const Diagnostic& each : diagnostics) out += format(each);
    return out;
}

constexpr const char* kPosition = "8/8/8/4k3/8/8/4P3/4K3 b - -";

/// So many lines that the book is no small one; each position has its line as move number.
std::string large_epd(std::size_t lines) {
    std::string text;
    for (std::size_t i = 1; i <= lines; ++i) {
        text += std::string(kPosition) + " hmvc 0; fmvn " + std::to_string(i) + "; id \"" +
                std::string(60, 'x') + "\";\n";
    }
    return text;
}

constexpr std::size_t kLargeLines = 40'000;

/// A sanitizer keeps what was freed.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsMemoryTold = false;
#else
constexpr bool kIsMemoryTold = true;
#endif

/// Bytes in memory of this process that no file backs.
std::size_t anonymous_bytes() {
    std::ifstream status("/proc/self/status");
    std::string word;
    std::size_t kilobytes = 0;
    while (status >> word) {
        if (word == "RssAnon:") status >> kilobytes;
    }
    return kilobytes * 1024;
}

}  // namespace

TEST_CASE("Book: positions of an EPD file, with comments, blank lines and CR LF") {
    const Shelf shelf;
    const auto book = shelf.open_new(
        "b.epd",
        "\xef\xbb\xbf# a comment\r\n\r\n8/8/8/4k3/8/8/4P3/4K3 b - - id \"one\";\r\n"
        "% more\n  8/8/8/4k3/8/8/4P3/4K3 w - - 7 9\n; z\n8/8/8/4k3/8/8/3P4/4K3 b - -");
    REQUIRE(book->size() == 3);
    CHECK(book->at(0) == Opening{"8/8/8/4k3/8/8/4P3/4K3 b - - 0 1", {}, 0, "b.epd:3 (one)"});
    CHECK(book->at(1) == Opening{"8/8/8/4k3/8/8/4P3/4K3 w - - 7 9", {}, 1, "b.epd:5"});
    CHECK(book->at(2) == Opening{"8/8/8/4k3/8/8/3P4/4K3 b - - 0 1", {}, 2, "b.epd:7"});
    CHECK(book->format() == BookFormat::Epd);
    CHECK(book->warnings().empty());
}

TEST_CASE("Book: games of a PGN file, whole or cut") {
    const Shelf shelf;
    const char* const text =
        "[Event \"x\"]\n[Opening \"Open\"]\n\n1. e4 e5 2. Nf3 *\n\n1. d4 {c} (1. c4) d5 *\n";
    const auto book = shelf.open_new("b.pgn", text);
    REQUIRE(book->size() == 2);
    CHECK(book->at(0) == Opening{"", {"e2e4", "e7e5", "g1f3"}, 0, "b.pgn:1 (Open)"});
    CHECK(book->at(1) == Opening{"", {"d2d4", "d7d5"}, 1, "b.pgn:6"});
    CHECK(shelf.open("b.pgn", 1)->at(0).moves == std::vector<std::string>{"e2e4"});
    CHECK_THROWS_WITH_AS(
        (void)shelf.open("b.pgn", 0),
        (shelf.path("b.pgn") + ": error: plies: expected at least 1, found 0").c_str(),
        assay::Error);
}

TEST_CASE("Book: gz and zst are told by their content, and hashed unpacked") {
    const Shelf shelf;
    const std::string text = std::string(kPosition) + "\n";
    const std::string hash = shelf.open_new("plain.epd", text)->hash();
    // sha256sum
    CHECK(hash == "06dfb55295974f065a3d30403351fa49cf525ef25282b533c24a89c5b08e4a59");
    for (const Packing packing : {Packing::Gzip, Packing::Zstd}) {
        const auto book = shelf.open_new("b.epd", assay::pack(text, packing));
        CHECK(book->size() == 1);
        CHECK(book->hash() == hash);
        CHECK(book->at(0).start == "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1");
    }
}

TEST_CASE("Book: the format is the suffix's, else the content's") {
    const Shelf shelf;

    struct Case {
        const char* name;
        const char* text;
        BookFormat format;
    };

    const std::vector<Case> cases{
        {"a.fen.gz", "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1\n", BookFormat::Fen},
        {"a.PGN", "1. e4 *", BookFormat::Pgn},
        {"a.txt", "# x\n\n8/8/8/4k3/8/8/4P3/4K3 b - -\n", BookFormat::Epd},
        {"b.txt", "\n[Event \"a/b\"]\n1. e4 *", BookFormat::Pgn},
        {"c.txt", "1. e4 e5 1/2-1/2\n", BookFormat::Pgn},
        {"d.txt", "{a/b} 1. e4 *\n", BookFormat::Pgn},
    };
    for (const Case& c : cases) {
        CAPTURE(c.name);
        CHECK(shelf.open_new(c.name, c.text)->format() == c.format);
    }
}

TEST_CASE("Book: what cannot be played is left out with a warning that says where") {
    const Shelf shelf;
    const auto book = shelf.open_new("b.epd",
                                     "8/8/8/4k3/8/8/4P3/4K3 b - -\n8/8/8/8/8/8/8/K7 w - -\n"
                                     "7k/5Q2/6K1/8/8/8/8/8 b - -\n8/8/8/4k3/8/8/4P3/4K3 w - -\n");
    CHECK(book->size() == 2);
    CHECK(book->skipped() == 2);
    CHECK(book->at(1).label == "b.epd:4");
    CHECK(texts(book->warnings()) ==
          shelf.path("b.epd") + ":2:1: warning: black has no king\n  8/8/8/8/8/8/8/K7 w - -\n  " +
              "^~~~~~~~~~~~~~~~~~~~~~\n" + shelf.path("b.epd") +
              ":3:1: warning: the game is over in this position: it is stalemate\n"
              "  7k/5Q2/6K1/8/8/8/8/8 b - -\n  ^~~~~~~~~~~~~~~~~~~~~~~~~~\n");
}

TEST_CASE("Book: warnings about games carry the game's number") {
    const Shelf shelf;
    const auto book =
        shelf.open_new("b.pgn", "1. e4 *\n\n1. d4 e5 2. dxe5\nKe7 3. Ke3 *\n1. e5 *\n");
    CHECK(book->size() == 2);
    CHECK(book->skipped() == 1);
    CHECK(texts(book->warnings()) ==
          shelf.path("b.pgn") +
              ":4:8: warning: game 2: illegal or ambiguous move 'Ke3': the line is cut before it\n"
              "  Ke7 3. Ke3 *\n         ^~~\n" +
              shelf.path("b.pgn") +
              ":5:4: warning: game 3: illegal or ambiguous move 'e5': the line is cut before it\n"
              "  1. e5 *\n     ^~\n");
}

TEST_CASE("Book: games that are whole are told in one line, a single one where it is") {
    const Shelf shelf;
    const std::string mate = "1. f3 e5 2. g4 Qh4# 0-1\n";
    const auto one = shelf.open_new("a.pgn", mate + "1. e4 *\n");
    REQUIRE(one->warnings().size() == 1);
    CHECK(one->warnings()[0].message.find("'Qh4#' ends the game") != std::string::npos);
    const auto many = shelf.open_new("b.pgn", mate + mate + mate);
    REQUIRE(many->warnings().size() == 1);
    CHECK(many->warnings()[0].message ==
          "3 games go on to their end: each line is cut before the move that ends its game");
    CHECK(many->size() == 3);
    CHECK(many->skipped() == 0);
    CHECK(shelf.open("b.pgn", 3)->warnings().empty());
}

TEST_CASE("Book: at most twenty warnings are kept, and the rest is counted") {
    const Shelf shelf;
    std::string text = std::string(kPosition) + "\n";
    for (int i = 0; i < 25; ++i) text += "x\n";
    const auto book = shelf.open_new("b.epd", text);
    REQUIRE(book->warnings().size() == 21);
    CHECK(book->warnings().back().message == "5 more warnings");
    CHECK(book->skipped() == 25);
}

TEST_CASE("Book: nothing to play is an error that names the file, never the start position") {
    const Shelf shelf;

    struct Case {
        const char* name;
        std::string text;
        std::string expected;
    };

    const std::vector<Case> cases{
        {"a.epd", "", ": error: it is empty: no opening in it"},
        {"b.epd", "\n# x\n", ": error: no opening in it can be played"},
        {"c.pgn", "{x}\n", ": error: no opening in it can be played"},
        {"z.epd.zip", "PK\x03\x04\n", ": error: this is a zip archive: unpack it first (unzip)"},
        {"u.pgn.gz", assay::pack("\xff\xfe[", Packing::Gzip),
         ": error: this is text in UTF-16: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"},
        {"d.epd.gz", assay::pack("x\n", Packing::Gzip).substr(0, 12),
         ": error: damaged gzip archive: it is cut short"},
        {"e.epd.zst", assay::pack("x\n", Packing::Zstd).substr(0, 9),
         ": error: damaged zstd archive: it is cut short"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.name);
        CHECK_THROWS_WITH_AS((void)shelf.open_new(c.name, c.text),
                             (shelf.path(c.name) + c.expected).c_str(), assay::Error);
    }
    CHECK_THROWS_WITH_AS((void)shelf.open_new("f.epd", "x\n"),
                         (shelf.path("f.epd") +
                          ":1:2: error: expected a position of at least 4 fields\n  x\n   ^\n" +
                          shelf.path("f.epd") + ": error: no opening in it can be played")
                             .c_str(),
                         assay::Error);
    CHECK_THROWS_WITH_AS(
        (void)shelf.open("none.epd"),
        (shelf.path("none.epd") + ": cannot open: No such file or directory").c_str(),
        assay::Error);
}

TEST_CASE("Book: a large one is indexed once and found again by the next run") {
    const Shelf shelf;
    (void)shelf.put("b.epd", large_epd(kLargeLines));
    const auto first = shelf.open("b.epd");
    CHECK(first->warnings().empty());
    CHECK(first->size() == kLargeLines);
    REQUIRE(shelf.cached().size() == 1);
    const std::string index = shelf.cache() + "/" + shelf.cached().front();
    const std::string written = assay::read_file(index);
    const auto again = shelf.open("b.epd");
    CHECK(again->hash() == first->hash());
    for (const std::uint64_t i : {std::size_t{0}, std::size_t{12'345}, kLargeLines - 1}) {
        CHECK(first->at(i) == again->at(i));
        CHECK(again->at(i).start.ends_with(" " + std::to_string(i + 1)));
        CHECK(again->at(i).label.starts_with("b.epd:" + std::to_string(i + 1) + " ("));
    }
    CHECK(assay::read_file(index) == written);
}

TEST_CASE("Book: the memory that a large one takes does not grow with it") {
    if (!kIsMemoryTold) {
        MESSAGE("skipped: a sanitizer keeps what was freed");
        return;
    }
    const Shelf shelf;
    const std::size_t lines = 2 * kLargeLines;  // their numbers are move numbers
    const std::size_t bytes = [&] {
        const std::string text = large_epd(lines);
        (void)shelf.put("b.epd", text);
        return text.size();
    }();
    const std::size_t before = anonymous_bytes();
    REQUIRE(before > 0);
    for (int again = 0; again < 2; ++again) {
        const auto book = shelf.open("b.epd");
        REQUIRE(book->size() == lines);
        for (std::uint64_t i = 0; i < lines; i += 997) (void)book->at(i);
        CHECK(anonymous_bytes() < before + bytes / 10);
    }
}

TEST_CASE("Book: an index that is stale or damaged is made anew") {
    const Shelf shelf;
    (void)shelf.put("b.epd", large_epd(kLargeLines));
    (void)shelf.open("b.epd");
    const std::string index = shelf.cache() + "/" + shelf.cached().front();
    std::string damaged = assay::read_file(index);
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 4);
    assay::write_file(index, damaged);
    CHECK(shelf.open("b.epd")->at(20'000).start.ends_with(" 20001"));
    CHECK(assay::read_file(index) != damaged);
    (void)shelf.put("b.epd", large_epd(kLargeLines + 5));
    CHECK(shelf.open("b.epd")->size() == kLargeLines + 5);
}

TEST_CASE(
    "Book: a large packed one is unpacked once to the cache, and anew where that is damaged") {
    const Shelf shelf;
    (void)shelf.put("b.epd.gz", assay::pack(large_epd(kLargeLines), Packing::Gzip));
    CHECK(shelf.open("b.epd.gz")->size() == kLargeLines);
    REQUIRE(shelf.cached().size() == 2);
    const std::string content = shelf.cache() + "/" + shelf.cached().back();
    CHECK(assay::read_file(content) == large_epd(kLargeLines));
    assay::write_file(content, "x");
    CHECK(shelf.open("b.epd.gz")->at(7).start.ends_with(" 8"));
    CHECK(assay::read_file(content) == large_epd(kLargeLines));
}

TEST_CASE("Book: where no cache can be written it works all the same and says so") {
    const Shelf shelf;
    BookOptions options;
    options.path = shelf.put("b.epd.zst", assay::pack(large_epd(kLargeLines), Packing::Zstd));
    options.cache_dir = shelf.put("a-file", "x") + "/cache";
    const auto chess = assay::rules::make_game("chess");
    const auto book = assay::openings::open_book(options, *chess);
    CHECK(book->at(39'999).start.ends_with(" 40000"));
    CHECK(texts(book->warnings()) ==
          options.path +
              ": warning: no cache folder can be written to: the index is held in memory and made "
              "anew by each run (set XDG_CACHE_HOME)\n");
}

TEST_CASE("Book: one without an end is refused, whatever names it and wherever it would be kept") {
    const Shelf shelf;
    const auto chess = assay::rules::make_game("chess");
    BookOptions options;
    options.path = "/dev/zero";
    options.cache_dir = shelf.cache();
    const char* const sentence =
        "/dev/zero: error: it has more than 256 MiB, which is the most without a cache folder and "
        "from a pipe; set XDG_CACHE_HOME, or give the book as a plain file";
    CHECK_THROWS_WITH_AS((void)assay::openings::open_book(options, *chess), sentence, assay::Error);
    CHECK(shelf.cached().empty());
}

TEST_CASE("Book: of one that is refused nothing stays in the cache") {
    const Shelf shelf;
    const std::string noise(5U << 20U, '#');  // a comment
    CHECK_THROWS_AS((void)shelf.open_new("b.epd.zst", assay::pack(noise, Packing::Zstd)),
                    assay::Error);
    CHECK(shelf.cached().empty());
}

TEST_CASE("Book: what is wrong with an unpacked book is said of the archive, not of the cache") {
    const Shelf shelf;
    const std::string endless = "[White \"a\"]\n1. e4 {" + std::string(17U << 20U, 'x');
    const std::string path = shelf.put("b.pgn.zst", assay::pack(endless, Packing::Zstd));
    CHECK_THROWS_WITH_AS(
        (void)shelf.open("b.pgn.zst"),
        doctest::Contains(
            (path + ":1:1: error: a game of more than 16 MiB: is a comment never closed?").c_str()),
        assay::Error);
    CHECK(shelf.cached().empty());
}

TEST_CASE("Book: the cache loses what is old, and what a killed run has left") {
    namespace fs = std::filesystem;
    const Shelf shelf;
    (void)shelf.open_new("a.epd.gz", assay::pack(large_epd(kLargeLines), Packing::Gzip));
    REQUIRE(shelf.cached().size() == 2);
    const std::string index = shelf.cached().front();
    const auto age = [&](const std::string& name, int days) {
        fs::last_write_time(shelf.cache() + "/" + name,
                            fs::file_time_type::clock::now() - std::chrono::hours(24 * days));
    };
    (void)shelf.put("cache/book-1.idx.tmp5", "half");
    (void)shelf.put("cache/book-2.idx.tmp6", "half");
    (void)shelf.put("cache/other.idx", "not ours");
    age("book-1.idx.tmp5", 2);
    age("other.idx", 900);
    age(index, 59);
    (void)shelf.open_new("b.epd", large_epd(kLargeLines));
    CHECK(shelf.cached().size() == 5);
    CHECK_FALSE(fs::exists(shelf.cache() + "/book-1.idx.tmp5"));
    age(index, 61);
    (void)shelf.open("a.epd.gz");  // which makes it young
    (void)shelf.open_new("b.epd", large_epd(kLargeLines + 1));
    CHECK(shelf.cached().size() == 5);
    age(index, 61);
    (void)shelf.open_new("b.epd", large_epd(kLargeLines + 2));
    CHECK(shelf.cached().size() == 3);
    CHECK(fs::exists(shelf.cache() + "/other.idx"));
}

TEST_CASE("Book: one that is written over while it is read is an error") {
    const Shelf shelf;
    for (const std::size_t lines : {std::size_t{10}, kLargeLines}) {
        const auto book = shelf.open_new("b.epd", large_epd(lines));
        CHECK(book->at(3).start.ends_with(" 4"));
        {
            // A new file of that name is no change: the old one is still read.
            std::filesystem::rename(shelf.path("b.epd"), shelf.path("old.epd"));
            (void)shelf.put("b.epd", "x");
            CHECK(book->at(3).start.ends_with(" 4"));
        }
        std::fstream file(shelf.path("old.epd"));
        file << "changed";
        file.close();
        std::filesystem::last_write_time(shelf.path("old.epd"),
                                         std::filesystem::file_time_type::clock::now());
        const std::string sentence =
            shelf.path("b.epd") +
            ": the book was written over while it was read; put it back and resume, or start anew";
        CHECK_THROWS_WITH_AS((void)book->at(3), sentence.c_str(), assay::Error);
        std::filesystem::remove(shelf.path("old.epd"));
    }
}

TEST_CASE("Book: in a large one an entry that cannot be played gives its place to the next") {
    const Shelf shelf;
    std::string text = large_epd(kLargeLines);
    const std::size_t second = text.find('\n') + 1;
    text[second] = 'x';
    text[text.rfind('\n', text.size() - 2) + 1] = 'x';
    (void)shelf.put("b.epd", text);
    const auto book = shelf.open("b.epd");
    std::vector<Diagnostic> remarks;
    CHECK(book->at(0, &remarks).index == 0);
    CHECK(remarks.empty());
    CHECK(book->at(1, &remarks).index == 2);
    REQUIRE(remarks.size() == 1);
    CHECK(remarks[0].line == 2);
    CHECK(remarks[0].is_warning);
    CHECK(book->at(kLargeLines - 1) == book->at(0));
}

TEST_CASE("Book: one that keeps all numbers every line, and refuses a bad one at its turn") {
    const Shelf shelf;
    const std::string good = "8/8/8/4k3/8/8/4P3/4K3 b - -";
    (void)shelf.put("b.epd",
                    good + "\n\n# a comment\r\n\r\n" + good + "\n8/8/8/8/8/8/8/K7 w - -\n");
    const auto whole = shelf.open_whole("b.epd");
    REQUIRE(whole->size() == 4);
    CHECK(whole->skipped() == 0);
    CHECK(whole->at(2).label == "b.epd:5");
    CHECK_THROWS_WITH_AS(
        (void)whole->at(3),
        (shelf.path("b.epd") + ":6:1: error: black has no king\n  8/8/8/8/8/8/8/K7 "
                               "w - -\n  ^~~~~~~~~~~~~~~~~~~~~~")
            .c_str(),
        assay::Error);
    CHECK_THROWS_AS((void)whole->at(1), assay::Error);

    const auto games = [&] {
        (void)shelf.put("b.pgn", "1. e4 *\n\n1. e5 *\n\n1. d4 *\n");
        return shelf.open_whole("b.pgn");
    }();
    REQUIRE(games->size() == 3);
    CHECK(games->at(2).moves == std::vector<std::string>{"d2d4"});
    CHECK_THROWS_AS((void)games->at(1), assay::Error);
}

TEST_CASE("Book: the cached index of a large one that keeps all is none of one that does not") {
    const Shelf shelf;
    (void)shelf.put("b.epd", "# a comment\n" + large_epd(kLargeLines));
    for (int time = 0; time < 2; ++time) {
        CHECK(shelf.open("b.epd")->size() == kLargeLines);
        const auto whole = shelf.open_whole("b.epd");
        CHECK(whole->size() == kLargeLines + 1);
        CHECK_THROWS_AS((void)whole->at(0), assay::Error);
        CHECK(whole->at(1).index == 1);
    }
}

TEST_CASE("Book: a thousand entries in a row that cannot be played are an error") {
    const Shelf shelf;
    std::string text;
    while (text.size() <= assay::openings::kSmallBook) text += "8/8/8/8/8/8/8/8 w - - 0 1\n";
    const auto book = shelf.open_new("b.epd", text);
    CHECK_THROWS_WITH_AS(
        (void)book->at(5),
        (shelf.path("b.epd") + ":6:1: error: none of 1000 openings from here on can be played; the "
                               "first: white has no king\n  8/8/8/8/8/8/8/8 w - - 0 1\n  "
                               "^~~~~~~~~~~~~~~~~~~~~~~~~")
            .c_str(),
        assay::Error);
}

TEST_CASE("Book: a large PGN gives the same openings as a small one") {
    const Shelf shelf;
    std::string text;
    const std::string game =
        "[Event \"x\"]\n[Site \"s\"]\n\n1. e4 {" + std::string(5000, 'c') +
        "} e5 (1... c5 2. Nf3) 2. Nf3 Nc6 1/2-1/2\n\n[Event \"y\"]\n\n1. d4 d5 *\n\n";
    while (text.size() <= assay::openings::kSmallBook) text += game;
    const auto large = shelf.open_new("large.pgn", text);
    const auto small = shelf.open_new("small.pgn", game);
    REQUIRE(large->size() % 2 == 0);
    for (const std::uint64_t i :
         {std::uint64_t{0}, std::uint64_t{1}, large->size() - 2, large->size() - 1}) {
        CHECK(large->at(i).moves == small->at(i % 2).moves);
    }
    CHECK(large->at(2).label == "large.pgn:10");
}

TEST_CASE("Book: a game of more than 16 MiB is an error that says where it begins") {
    const Shelf shelf;
    const std::string text = "1. e4 *\n1. d4 {" + std::string(17U << 20U, 'x');
    CHECK_THROWS_WITH_AS((void)shelf.open_new("b.pgn", text),
                         (shelf.path("b.pgn") +
                          ":2:1: error: a game of more than 16 MiB: is a comment never closed?")
                             .c_str(),
                         assay::Error);
}

TEST_CASE("Book: cut at every byte it is an error or a shorter book") {
    const Shelf shelf;
    const std::string epd =
        "# x\n" + std::string(kPosition) + "\n8/8/8/4k3/8/8/4P3/4K3 w - - 7 9\n";
    const std::string pgn =
        "[Event \"x\"]\n[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 7 9\"]\n1. Kd2 {x} *\n";
    for (const auto& [name, text] : {std::pair("b.epd", epd), std::pair("b.pgn", pgn)}) {
        for (std::size_t length = 0; length < text.size(); ++length) {
            CAPTURE(length);
            try {
                const auto book = shelf.open_new(name, std::string_view(text).substr(0, length));
                for (std::uint64_t i = 0; i < book->size(); ++i) (void)book->at(i);
                CHECK(book->size() <= 2);
            } catch (const assay::Error& error) {
                CHECK(std::string(error.what()).starts_with(shelf.path(name)));
            }
        }
    }
}

TEST_CASE("Book: reading stops soon after a stop was requested") {
    const Shelf shelf;
    std::stop_source unwanted;
    unwanted.request_stop();
    const auto chess = assay::rules::make_game("chess");
    const auto fails = [&](const std::string& path) {
        BookOptions options;
        options.path = path;
        options.cache_dir = shelf.cache();
        options.stop = unwanted.get_token();
        CHECK_THROWS_WITH_AS(static_cast<void>(assay::openings::open_book(options, *chess)),
                             (path + ": error: reading it was stopped").c_str(), assay::Error);
    };
    fails(shelf.put("small.epd", large_epd(3)));
    fails(shelf.put("large.epd", large_epd(kLargeLines)));
    fails(shelf.put("packed.epd.zst", assay::pack(large_epd(kLargeLines), Packing::Zstd)));
    CHECK(std::filesystem::is_empty(shelf.cache()));
}
