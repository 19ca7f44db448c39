// Tables of Syzygy. The table is of our own making (tests/support/syzygy_table.h), and its ending
// is solved there by looking at every position.
#include "rules/chess/syzygy.h"

#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "rules/make_game.h"
#include "tests/support/contains.h"
#include "tests/support/syzygy_table.h"
#include "tests/support/temp_dir.h"

namespace assay::rules {

namespace {

/// A folder with the table; where the library is not on this machine, `why` says so.
struct Tables {
    Tables() {
        write_file(dir.path("KQvK.rtbw"), table);
        write_file(dir.path("KRvK.rtbw"), rook_table());
        try {
            opened = chess->open_tablebase(dir.root());
        } catch (const Error& error) {
            why = error.what();
        }
    }

    [[nodiscard]] std::string refused(const std::string& folders) const {
        try {
            (void)chess->open_tablebase(folders);
        } catch (const Error& error) {
            CHECK(error.exit_code() == 2);
            return error.what();
        }
        return "";
    }

    /// The queen's values under a rook's name: enough to tell whether a table is asked.
    [[nodiscard]] std::string rook_table() const {
        constexpr std::size_t kSecondPiece = 7;
        constexpr char kRook = 4 * 17;
        std::string rooks = table;
        rooks[kSecondPiece] = kRook;
        return rooks;
    }

    test::TempDir dir;
    test::QueenEnding ending;
    std::string table = test::queen_table(ending);
    std::unique_ptr<Game> chess = make_game("chess");
    std::unique_ptr<Tablebase> opened;
    std::string why;
};

/// FEN of these pieces; with `is_mirrored` of the same position with colours and ranks exchanged.
std::string fen_of(int king, int queen, int bare, bool is_white, bool is_mirrored) {
    std::string board;
    for (int rank = 7; rank >= 0; --rank) {
        int empty = 0;
        const auto flush = [&] {
            if (empty > 0) board += std::to_string(empty);
            empty = 0;
        };
        for (int file = 0; file < 8; ++file) {
            const int square = (is_mirrored ? 7 - rank : rank) * 8 + file;
            const char piece = square == king    ? (is_mirrored ? 'k' : 'K')
                               : square == queen ? (is_mirrored ? 'q' : 'Q')
                               : square == bare  ? (is_mirrored ? 'K' : 'k')
                                                 : ' ';
            if (piece == ' ') {
                ++empty;
                continue;
            }
            flush();
            board += piece;
        }
        flush();
        if (rank > 0) board += '/';
    }
    return board + (is_white != is_mirrored ? " w - - 0 1" : " b - - 0 1");
}

}  // namespace

TEST_CASE("Syzygy: every seventh position of king and queen against king has its value") {
    const Tables tables;
    if (!tables.opened) {
        MESSAGE("skipped: " << tables.why);
        CHECK(test::contains(tables.why, "libfathom"));
        return;
    }
    CHECK(tables.opened->most_pieces() == 3);
    int wrong = 0;
    int draws = 0;
    int number = 0;
    for (int place = 0; place < 64 * 64 * 64; ++place) {
        const int king = place / 4096;
        const int queen = place / 64 % 64;
        const int bare = place % 64;
        for (const bool is_white : {true, false}) {
            if (!test::QueenEnding::is_legal(king, queen, bare, is_white)) continue;
            if (++number % 7 != 0) continue;
            const bool is_mirrored = number % 2 == 0;
            const auto position =
                tables.chess->parse(fen_of(king, queen, bare, is_white, is_mirrored));
            const auto value = tables.opened->value(*position);
            const int winner =
                tables.ending.is_won(king, queen, bare, is_white) ? (is_mirrored ? 1 : 0) : -1;
            if (winner < 0) ++draws;
            if (!value || value->winner != winner || value->is_drawn_by_counter) ++wrong;
        }
    }
    CHECK(wrong == 0);
    CHECK(number > 300'000);
    CHECK(draws > 1'000);
}

TEST_CASE("Syzygy: what no table has is not judged") {
    const Tables tables;
    if (!tables.opened) return;
    const auto is_judged = [&](const char* fen) {
        return tables.opened->value(*tables.chess->parse(fen)).has_value();
    };
    CHECK_FALSE(is_judged("8/8/8/4k3/8/8/8/KB6 w - - 0 1"));    // no such table
    CHECK_FALSE(is_judged("8/8/8/4k3/8/8/1q6/KQ6 w - - 0 1"));  // four pieces
    // Tables know nothing of castling.
    CHECK(is_judged("4k3/8/8/8/8/8/8/4K2R w - - 0 1"));
    CHECK_FALSE(is_judged("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
    CHECK(tables.opened->pieces(*tables.chess->parse("8/8/8/4k3/8/8/8/KB6 w - - 0 1")) == 3);
}

TEST_CASE("Syzygy: folders that are not there, empty, and tables that are damaged are refused") {
    const Tables tables;
    if (!tables.opened) return;
    CHECK(test::contains(tables.refused("/no/such/folder"), "there is no folder of tablebases"));
    const test::TempDir empty;
    CHECK(test::contains(tables.refused(empty.root()), "there is no table"));
    // Other folders at the same time.
    write_file(empty.path("KQvK.rtbw"), tables.table);
    CHECK(test::contains(tables.refused(empty.root()), "are in use"));
    write_file(empty.path("KQvK.rtbw"), tables.table.substr(0, 1000));
    CHECK(test::contains(tables.refused(empty.root()), "cut short or damaged (1000 bytes)"));
    write_file(empty.path("KQvK.rtbw"), tables.table.substr(0, 16));  // a sum of nothing
    CHECK(test::contains(tables.refused(empty.root()), "cut short or damaged (16 bytes)"));
    write_file(empty.path("KQvK.rtbw"), "x" + tables.table.substr(1));
    CHECK(test::contains(tables.refused(empty.root()), "this is no Syzygy table"));
    CHECK(make_game("chess960")->open_tablebase(tables.dir.root()) != nullptr);
}

}  // namespace assay::rules
