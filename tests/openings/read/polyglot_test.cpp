#include "openings/read/polyglot.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/packing.h"
#include "base/text.h"
#include "openings/book.h"
#include "openings/read/polyglot_lines.h"
#include "rules/game.h"
#include "rules/make_game.h"
#include "tests/support/temp_dir.h"

using assay::openings::Book;
using assay::openings::BookFormat;
using assay::openings::PolyglotPosition;
using Lines = std::vector<std::string>;

namespace {

/// The key after moves from the start position, by our own FEN and the last move.
std::uint64_t key_after(std::string_view moves) {
    const auto position = assay::rules::make_game("chess")->start();
    std::string last;
    for (const std::string_view each : assay::split_words(moves)) {
        last = each;
        const auto move = position->move_of(each, assay::rules::Notation::Canonical);
        REQUIRE(move.has_value());
        position->make(*move);
    }
    return PolyglotPosition::of(position->text(), last).key();
}

std::uint16_t move_bits(std::string_view name) {
    const auto square = [&name](std::size_t at) {
        return static_cast<unsigned>((name[at] - 'a') + 8 * (name[at + 1] - '1'));
    };
    const auto promotion =
        name.size() > 4 ? static_cast<unsigned>(std::string_view(" nbrq").find(name[4])) : 0U;
    return static_cast<std::uint16_t>(square(2) | square(0) << 6U | promotion << 12U);
}

struct Line {
    const char* before;  // moves from the start position
    const char* move;    // as the format writes it
    std::uint16_t weight = 1;
};

std::string entry(std::uint64_t key, std::uint16_t move, std::uint16_t weight) {
    std::string out;
    for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(key >> shift);
    for (const std::uint16_t word : {move, weight, std::uint16_t{0}, std::uint16_t{0}}) {
        out += static_cast<char>(word >> 8U);
        out += static_cast<char>(word & 255U);
    }
    return out;
}

std::string book_of(const std::vector<Line>& lines) {
    Lines entries;
    for (const Line& each : lines) {
        entries.push_back(entry(key_after(each.before), move_bits(each.move), each.weight));
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.substr(0, 8) < b.substr(0, 8); });
    std::string out;
    for (const std::string& each : entries) out += each;
    return out;
}

class Folder {
public:
    [[nodiscard]] std::unique_ptr<Book> open(const std::string& name, std::string_view content,
                                             std::optional<int> plies = {}) const {
        assay::write_file(dir_.path(name), content);
        assay::openings::BookOptions options;
        options.path = dir_.path(name);
        options.plies = plies;
        options.cache_dir = dir_.path("cache");
        return assay::openings::open_book(options, *game);
    }

    /// As one that is too large for memory, so that the cache holds its lines.
    [[nodiscard]] std::unique_ptr<Book> open_large(const std::string& name,
                                                   const assay::rules::Game& rules,
                                                   std::uint64_t small_book = 1) const {
        assay::openings::BookOptions options;
        options.path = dir_.path(name);
        options.cache_dir = dir_.path("cache");
        options.small_book = small_book;
        return assay::openings::open_book(options, rules);
    }

    void put(const std::string& name, std::string_view content) const {
        assay::write_file(dir_.path(name), content);
    }

    /// Files of the cache with this ending.
    [[nodiscard]] int cached(std::string_view ending) const {
        int count = 0;
        for (const auto& each : std::filesystem::directory_iterator(dir_.path("cache")))
            if (each.path().string().ends_with(ending)) ++count;
        return count;
    }

    /// What opening it throws, without the folder.
    [[nodiscard]] std::string error(std::string_view content) const {
        try {
            (void)open("b.bin", content);
        } catch (const assay::Error& error) {
            return std::string(error.what()).substr(dir_.path("").size());
        }
        return "none";
    }

    std::unique_ptr<assay::rules::Game> game = assay::rules::make_game("chess");

private:
    assay::test::TempDir dir_;
};

std::string joined(const Lines& words) {
    std::string out;
    for (const std::string& each : words) out += (out.empty() ? "" : " ") + each;
    return out;
}

Lines lines_of(const Book& book) {
    Lines out;
    for (std::uint64_t i = 0; i < book.size(); ++i) out.push_back(joined(book.at(i).moves));
    return out;
}

}  // namespace

TEST_CASE("Polyglot: the format's published keys are met, by FEN and by moves") {
    struct Case {
        const char* moves;
        const char* fen;
        std::uint64_t key;
    };

    // "Polyglot book format", section "Test data".
    const std::vector<Case> cases{
        {"", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b96181691fc9c},
        {"e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c9b50fd114196},
        {"e2e4 d7d5", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2",
         0x0756b94461c50fb0},
        {"e2e4 d7d5 e4e5", "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
         0x662fafb965db29d4},
        {"e2e4 d7d5 e4e5 f7f5", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
         0x22a48b5a8e47ff78},
        {"e2e4 d7d5 e4e5 f7f5 e1e2", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3",
         0x652a607ca3f242c1},
        {"e2e4 d7d5 e4e5 f7f5 e1e2 e8f7",
         "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fdd303c946bdd9},
        {"a2a4 b7b5 h2h4 b5b4 c2c4",
         "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c8123ea7b067637},
        {"a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3",
         "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f9b829b279560},
    };
    for (const Case& c : cases) {
        CAPTURE(c.moves);
        CHECK(PolyglotPosition::of(c.fen).key() == c.key);
        CHECK(key_after(c.moves) == c.key);
    }
}

TEST_CASE("Polyglot: a pawn beside counts also where its capture is illegal") {
    // The pawn on e5 is pinned by the rook.
    const char* const without = "4r2k/8/8/3pP3/8/8/8/4K3 w - - 0 1";
    const char* const with = "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    CHECK(PolyglotPosition::of(without, "d7d5").key() == PolyglotPosition::of(with).key());
    CHECK(PolyglotPosition::of(without).key() != PolyglotPosition::of(with).key());
    CHECK(PolyglotPosition::of(without, "d6d5").key() == PolyglotPosition::of(without).key());
}

TEST_CASE("Polyglot: castling is king takes rook, unless no king is there") {
    const auto at = PolyglotPosition::of("r3k2r/P7/8/8/8/8/8/R3K2R w KQkq - 0 1");
    CHECK(name_of_polyglot_move(move_bits("e1h1"), at, false) == "e1g1");
    CHECK(name_of_polyglot_move(move_bits("e1a1"), at, false) == "e1c1");
    CHECK(name_of_polyglot_move(move_bits("e1h1"), at, true) == "e1h1");
    CHECK(name_of_polyglot_move(move_bits("a7a8q"), at, false) == "a7a8q");
    CHECK(name_of_polyglot_move(0x7000, at, false).empty());
    const auto black = PolyglotPosition::of("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
    CHECK(name_of_polyglot_move(move_bits("e8a8"), black, false) == "e8c8");
    const auto rook = PolyglotPosition::of("k7/8/8/8/8/8/7K/4R3 w - - 0 1");
    CHECK(name_of_polyglot_move(move_bits("e1h1"), rook, false) == "e1h1");
}

TEST_CASE("Polyglot: lines end at the plies or where the book does, the likeliest first") {
    const Folder folder;
    const std::string content = book_of({{"", "d2d4", 1},
                                         {"", "e2e4", 3},
                                         {"", "a2a3", 0},
                                         {"e2e4", "e7e5", 5},
                                         {"e2e4", "c7c5", 7},
                                         {"e2e4 e7e5", "g1f3"}});
    const auto book = folder.open("b.bin", content);
    CHECK(lines_of(*book) == Lines{"e2e4 c7c5", "e2e4 e7e5 g1f3", "d2d4"});
    CHECK(book->format() == BookFormat::Polyglot);
    CHECK(book->at(1).label == "b.bin:2");
    CHECK(book->at(1).start.empty());
    CHECK(book->warnings().empty());
    CHECK(lines_of(*folder.open("b.bin", content, 1)) == Lines{"e2e4", "d2d4"});
    CHECK(folder.open("b.bin", content, 1)->hash() == book->hash());
    CHECK(folder.open("no_suffix", content)->format() == BookFormat::Polyglot);
}

TEST_CASE("Polyglot: each position once, and no cycle") {
    const Folder folder;
    const std::string content = book_of({{"", "e2e4"},
                                         {"", "g1f3"},
                                         {"e2e4", "g8f6"},
                                         {"g1f3", "g8f6"},
                                         {"e2e4 g8f6", "g1f3"},
                                         {"g1f3 g8f6", "e2e4"},
                                         {"g1f3 g8f6", "f3g1"},
                                         {"g1f3 g8f6 f3g1", "f6g8"}});
    // Both ways to the three moves are one line; the way back ends before the start position.
    CHECK(lines_of(*folder.open("b.bin", content)) == Lines{"e2e4 g8f6 g1f3", "g1f3 g8f6 f3g1"});
}

TEST_CASE("Polyglot: illegal moves are left out with a warning that names the entry") {
    const Folder folder;
    const auto book = folder.open("b.bin", book_of({{"", "e2e4"}, {"", "e2e5"}}));
    CHECK(lines_of(*book) == Lines{"e2e4"});
    REQUIRE(book->warnings().size() == 1);
    CHECK(book->warnings()[0].is_warning);
    CHECK(book->warnings()[0].message ==
          "entry 2: move e2e5 is not legal in 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq "
          "- 0 1': left out");
}

TEST_CASE("Polyglot: what is left out is told again by every opening of the cached book") {
    const Folder folder;
    folder.put("b.bin", book_of({{"", "e2e4"}, {"", "e2e5"}, {"e2e4", "e7e4"}}));
    CHECK(folder.open_large("b.bin", *folder.game)->warnings().size() == 2);
    const auto again = folder.open_large("b.bin", *folder.game);
    CHECK(lines_of(*again) == Lines{"e2e4"});
    REQUIRE(again->warnings().size() == 1);
    CHECK(again->warnings()[0].message ==
          "2 of its entries are left out: their moves are not legal");
    folder.put("good.bin", book_of({{"", "e2e4"}}));
    (void)folder.open_large("good.bin", *folder.game);
    CHECK(folder.open_large("good.bin", *folder.game)->warnings().empty());
}

TEST_CASE("Polyglot: a cached book asked for by the other castling is played out anew") {
    const Folder folder;
    const auto frc = assay::rules::make_game("chess960");
    const char* const before = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6";
    folder.put("b.bin", book_of({{"", "e2e4"},
                                 {"e2e4", "e7e5"},
                                 {"e2e4 e7e5", "g1f3"},
                                 {"e2e4 e7e5 g1f3", "b8c6"},
                                 {"e2e4 e7e5 g1f3 b8c6", "f1b5"},
                                 {"e2e4 e7e5 g1f3 b8c6 f1b5", "a7a6"},
                                 {before, "e1h1"}}));
    for (int round = 0; round < 2; ++round) {
        CAPTURE(round);
        CHECK(lines_of(*folder.open_large("b.bin", *folder.game)) ==
              Lines{std::string(before) + " e1g1"});
        CHECK(lines_of(*folder.open_large("b.bin", *frc)) == Lines{std::string(before) + " e1h1"});
    }
}

TEST_CASE("Polyglot: of a large packed book with few lines nothing stays in the cache") {
    const Folder folder;
    // Moves of weight 0 take room and make no line.
    std::vector<Line> moves{{"", "e2e4"}};
    for (const char* const name : {"a2a3", "b2b3", "c2c3", "d2d3", "e2e3"})
        moves.push_back({"", name, 0});
    const std::string content = book_of(moves);
    folder.put("b.bin.gz", assay::pack(content, assay::Packing::Gzip));
    const auto book = folder.open_large("b.bin.gz", *folder.game, content.size() - 1);
    CHECK(lines_of(*book) == Lines{"e2e4"});
    CHECK(folder.cached(".txt") == 0);
}

TEST_CASE("Polyglot: a line stops before its mate") {
    const Folder folder;
    const auto book = folder.open(
        "b.bin",
        book_of(
            {{"", "f2f3"}, {"f2f3", "e7e5"}, {"f2f3 e7e5", "g2g4"}, {"f2f3 e7e5 g2g4", "d8h4"}}));
    CHECK(lines_of(*book) == Lines{"f2f3 e7e5 g2g4"});
}

TEST_CASE("Polyglot: what cannot be played is an error that names file and entry") {
    const Folder folder;
    const std::string content = book_of({{"", "e2e4"}, {"e2e4", "e7e5"}});
    CHECK(folder.error(content.substr(16) + content.substr(0, 16)) ==
          "b.bin: error: entry 2: its key 463b96181691fc9c is less than the one before it: a "
          "damaged polyglot book, or none");
    CHECK(folder.error(book_of({{"e2e4", "e7e5"}})) ==
          "b.bin: error: none of its 1 entries is a move of weight above 0 that can be played from "
          "the start position");
    for (std::size_t size = 1; size < content.size(); ++size) {
        CAPTURE(size);
        if (size % 16 == 0) continue;
        CHECK(folder.error(content.substr(0, size))
                  .ends_with("bytes of 16: a polyglot book that is cut short, or none"));
    }
}

TEST_CASE("Polyglot: more lines than asked for is an error that says how many plies do") {
    const Folder folder;
    const assay::test::TempDir dir;
    assay::write_file(dir.path("b"),
                      book_of({{"", "e2e4"}, {"", "d2d4"}, {"e2e4", "e7e5"}, {"e2e4", "c7c5"}}));
    const auto file = assay::File::open(dir.path("b"));
    const assay::openings::PolyglotFile book(file);
    std::string text;
    const auto write = [&](std::optional<int> plies) {
        write_polyglot_lines(
            book, "b.bin", plies, *folder.game, 2, [](auto, const auto&) {},
            [&text](std::string_view lines) { text += lines; });
    };
    CHECK_THROWS_WITH_AS(write({}),
                         "b.bin: error: more than 2 lines of 2 half-moves: expected 'plies' of 1 "
                         "or fewer",
                         assay::Error);
    write(1);
    CHECK(text == "e2e4\nd2d4\n");
}

TEST_CASE("Polyglot: entries are found in a file of many blocks") {
    const assay::test::TempDir dir;
    std::string content;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        content += entry(i / 300 * 10, static_cast<std::uint16_t>(i), 1);
    }
    assay::write_file(dir.path("b"), content);
    const auto file = assay::File::open(dir.path("b"));
    const assay::openings::PolyglotFile book(file);
    CHECK(book.size() == 1000);
    CHECK(book.find(0).size() == 300);
    REQUIRE(book.find(10).size() == 300);
    CHECK(book.find(10).front().number == 301);
    CHECK(book.find(30).size() == 100);
    CHECK(book.find(5).empty());
    CHECK(book.find(31).empty());
}
