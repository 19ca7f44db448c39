#include "rules/game.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/random.h"
#include "base/text.h"
#include "rules/chess/mirror.h"
#include "rules/make_game.h"
#include "tests/support/check_game.h"
#include "tests/support/dice_race.h"
#include "tests/support/takeaway.h"
#include "tests/support/tic_tac_toe.h"

using namespace assay::rules;
using assay::rules::chess::mirrored_fen;

namespace {

/// A chess position after moves in UCI, each of which must be legal.
std::unique_ptr<Position> after(std::string_view fen, std::string_view moves,
                                std::string_view game = "chess") {
    std::unique_ptr<Position> position = make_game(game)->parse(fen);
    for (const std::string_view name : assay::split_words(moves)) {
        const auto move = position->move_of(name, Notation::Canonical);
        REQUIRE_MESSAGE(move.has_value(), name);
        position->make(*move);
    }
    return position;
}

constexpr std::string_view kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// "mate 1:0", or "none".
std::string ending_of(const Position& position) {
    const auto result = position.result();
    if (!result) return "none";
    std::string out(result->word);
    for (std::size_t player = 0; player < result->scores.players; ++player) {
        const float score = result->scores[player];
        out += player == 0 ? ' ' : ':';
        out += score == 1 ? "1" : score == 0 ? "0" : "half";
    }
    return out;
}

}  // namespace

TEST_CASE("Chess: the game keeps the promises of game.h in random play") {
    const auto game = make_game("chess");
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        CHECK(assay::tests::check_game(*game, seed, 60) == "");
    }
}

TEST_CASE("Chess: the promises hold where castling, promotion and en passant are near") {
    const auto game = make_game("chess");
    for (const std::string_view fen :
         {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
          "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
          "8/8/8/4k3/8/8/8/KQ6 w - - 96 80"}) {
        CAPTURE(fen);
        CHECK(assay::tests::check_game_from(*game, *game->parse(fen), 7, 40) == "");
    }
}

TEST_CASE("Chess960: the game keeps the promises of game.h in random play") {
    const auto game = make_game("chess960");
    for (const std::string_view fen : {"bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1",
                                       "nqrnbbkr/pppppppp/8/8/8/8/PPPPPPPP/QRKNBRNB w KQkq - 0 1",
                                       "1rk2r2/8/8/8/8/8/8/RK5R w KQkq - 0 1"}) {
        CAPTURE(fen);
        CHECK(assay::tests::check_game_from(*game, *game->parse(fen), 3, 50) == "");
    }
}

TEST_CASE("Takeaway: the game of three players that tests play keeps the promises of game.h") {
    CHECK(assay::tests::check_game(*assay::test::make_takeaway(), 3, 20) == "");
}

TEST_CASE("make_game: names its games and suggests the nearest for others") {
    CHECK(make_game("chess")->name() == "chess");
    CHECK(make_game("standard")->name() == "chess");
    CHECK(make_game("chess960")->name() == "chess960");
    CHECK(make_game("fischerandom")->name() == "chess960");
    CHECK(make_game("fischerandom")->info().variant == "chess960");
    CHECK(make_game("chess")->info().variant.empty());
    CHECK(name_of_game("fischerandom") == "chess960");
    CHECK_FALSE(name_of_game("ludo"));
    CHECK_THROWS_WITH_AS(static_cast<void>(make_game("ches")),
                         "unknown game 'ches'; did you mean 'chess'?", assay::Error);
    CHECK_THROWS_AS(static_cast<void>(make_game("ludo")), assay::Error);
}

TEST_CASE("Chess: the rules end a game for the right reason") {
    struct Case {
        const char* what;
        std::string_view fen;
        const char* moves;
        const char* expected;
    };

    constexpr std::string_view kQuiet = "4k3/8/8/8/8/8/8/R3K2R w - - 98 90";
    const Case cases[] = {
        {"nothing", kStart, "e2e4", "none"},
        {"mate by black", kStart, "f2f3 e7e5 g2g4 d8h4", "mate 0:1"},
        {"mate by white", "7k/R7/8/8/8/8/8/1R2K3 w - - 0 1", "b1b8", "mate 1:0"},
        {"stalemate", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", "stalemate half:half"},
        {"bare kings", "8/8/4k3/8/8/3Kp3/8/8 w - - 0 1", "d3e3", "insufficient half:half"},
        {"one knight", "8/8/4k3/8/8/3K4/8/6N1 w - - 0 1", "", "insufficient half:half"},
        {"one bishop", "8/8/4k3/8/8/3K4/8/6b1 w - - 0 1", "", "insufficient half:half"},
        {"bishops of one colour on both sides", "8/8/4kb2/8/8/3K4/1B6/6B1 w - - 0 1", "",
         "insufficient half:half"},
        {"bishops of both colours", "8/8/4k3/5b2/8/3K4/8/6B1 w - - 0 1", "", "none"},
        {"two knights", "8/8/4k3/8/8/3K4/8/5NN1 w - - 0 1", "", "none"},
        {"a knight each", "8/8/4kn2/8/8/3K4/8/6N1 w - - 0 1", "", "none"},
        {"a pawn", "8/8/4k3/8/8/3K4/P7/8 w - - 0 1", "", "none"},
        {"a knight and a bishop", "8/8/4kb2/8/8/3K4/8/6N1 w - - 0 1", "", "none"},
        {"the third occurrence, the start position counted", kStart,
         "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "repetition half:half"},
        {"one ply before it", kStart, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", "none"},
        {"rights lost in between make another position", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
         "e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8", "none"},
        {"a hundred plies", kQuiet, "a1b1 e8e7", "fifty half:half"},
        {"ninety-nine plies", kQuiet, "a1b1", "none"},
        {"mate on the hundredth ply wins", "7k/R7/8/8/8/8/8/1R2K3 w - - 99 90", "b1b8", "mate 1:0"},
        {"a capture on the hundredth ply", "4k3/8/8/8/8/8/r7/R3K2R w - - 99 90", "a1a2", "none"},
        {"a hundred plies in the FEN", "4k3/8/8/8/8/8/8/R3K2R w - - 100 90", "", "fifty half:half"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        const auto position = after(c.fen, c.moves);
        CHECK(ending_of(*position) == c.expected);
        CHECK((position->to_move() == kNobody) == (std::string_view(c.expected) != "none"));
    }
}

TEST_CASE("Chess: an en-passant square makes another position only where the capture is legal") {
    // FIELD D2: after h7h5 the pawn on g5 is pinned to its king, so the position after the sixth
    // and the tenth ply is the same as after the second.
    constexpr std::string_view kPinned = "6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1";
    CHECK(ending_of(*after(kPinned, "h7h5 e6h6 g7h7 h6e6 h7g7 e6h6 g7h7 h6e6")) == "none");
    CHECK(ending_of(*after(kPinned, "h7h5 e6h6 g7h7 h6e6 h7g7 e6h6 g7h7 h6e6 h7g7")) ==
          "repetition half:half");
    // Where the capture is legal the first occurrence is another position.
    constexpr std::string_view kFree = "4k3/3p4/8/4P3/8/8/8/R3K3 b - - 0 1";
    CHECK(ending_of(*after(kFree, "d7d5 a1b1 e8e7 b1a1 e7e8 a1b1 e8e7 b1a1 e7e8")) == "none");
    CHECK(ending_of(
              *after(kFree, "d7d5 a1b1 e8e7 b1a1 e7e8 a1b1 e8e7 b1a1 e7e8 a1b1 e8e7 b1a1 e7e8")) ==
          "repetition half:half");
}

TEST_CASE("Chess: repetitions are counted from the position that was parsed") {
    const auto position = after(kStart, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    const auto again = make_game("chess")->parse(position->text());
    again->make(*again->move_of("f6g8", Notation::Canonical));
    CHECK(ending_of(*again) == "none");
    position->make(*position->move_of("f6g8", Notation::Canonical));
    CHECK(ending_of(*position) == "repetition half:half");
    position->undo();
    CHECK(ending_of(*position) == "none");
}

TEST_CASE("Chess: can_win is false only where no sequence of moves could mate") {
    struct Case {
        const char* what;
        std::string_view fen;
        bool white;
        bool black;
    };

    const Case cases[] = {
        {"start", kStart, true, true},
        {"bare king against a queen", "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", true, false},
        {"knight against bare king", "4k3/8/8/8/8/8/8/3NK3 w - - 0 1", false, false},
        {"knight against queens", "4k2q/7q/8/8/8/8/8/3NK3 w - - 0 1", false, true},
        {"knight against rook", "4k2r/8/8/8/8/8/8/3NK3 w - - 0 1", true, true},
        {"knight against pawn", "4k3/7p/8/8/8/8/8/3NK3 w - - 0 1", true, true},
        {"two knights", "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", true, false},
        {"bishop against rook and queen", "4k2r/7q/8/8/8/8/8/3BK3 w - - 0 1", false, true},
        {"bishop against pawn", "4k3/7p/8/8/8/8/8/3BK3 w - - 0 1", true, true},
        {"bishop against knight", "4k3/7n/8/8/8/8/8/3BK3 w - - 0 1", true, true},
        {"bishops on one colour", "4k3/7b/8/8/8/8/8/3BK3 w - - 0 1", false, false},
        {"bishops on two colours", "4k2b/8/8/8/8/8/8/2B1K3 w - - 0 1", false, false},
        {"bishops on two colours", "4k3/7b/8/8/8/8/8/2B1K3 w - - 0 1", true, true},
        {"pawn", "4k3/8/8/8/8/8/7P/4K3 w - - 0 1", true, false},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        const auto position = make_game("chess")->parse(c.fen);
        CHECK(position->can_win(0) == c.white);
        CHECK(position->can_win(1) == c.black);
    }
}

TEST_CASE("Chess: move number and quiet plies are FEN's") {
    const auto position = after("4k3/8/8/8/8/8/4P3/4K3 b - - 5 27", "e8e7");
    CHECK(position->move_number() == 28);
    CHECK(position->quiet_plies() == 6);
    position->make(*position->move_of("e4", Notation::Text));
    CHECK(position->move_number() == 28);
    CHECK(position->quiet_plies() == 0);
    CHECK(position->ply() == 2);
}

TEST_CASE("Chess960: castling is the king taking its rook, wherever they stand") {
    // FIELD D4: king on g8, rook on h8; the king stays where it is.
    constexpr std::string_view kD4 = "nqrnbbkr/pppppppp/8/8/8/8/PPPPPPPP/NQRNBBKR w KQkq - 0 1";
    CHECK(after(kD4, "g2g3 g7g6 f1g2 f8g7 g1h1 g8h8", "chess960")->text() ==
          "nqrnbrk1/ppppppbp/6p1/8/8/6P1/PPPPPPBP/NQRNBRK1 w - - 4 4");
    CHECK_FALSE(make_game("chess960")->parse(kD4)->move_of("g1h1", Notation::Canonical));
    // The rook on b1 shelters the king's new square from the queen on a1.
    const auto sheltered = make_game("chess960")->parse("4k3/8/8/8/8/8/8/qR2K3 w B - 0 1");
    CHECK_FALSE(sheltered->move_of("e1b1", Notation::Canonical));
    CHECK_FALSE(sheltered->move_of("O-O-O", Notation::Text));
}

TEST_CASE("GameInfo: chess describes its endings, its numbering and its unit of scores") {
    const auto chess = make_game("chess");
    const GameInfo& info = chess->info();
    CHECK(manner_of(info, "fifty") == "fifty-move rule");
    CHECK(state_of(info, "stalemate") == "it is stalemate");
    CHECK(manner_of(info, "three in a row") == "three in a row");
    CHECK(state_of(info, "three in a row") == "the rules end it here (three in a row)");
    CHECK(move_label(info, *after(kStart, "e2e4 e7e5")) == "2.");
    CHECK(move_label(info, *after(kStart, "e2e4")) == "1...");
    CHECK(chess->notation_of("uci") == Notation::Canonical);
    CHECK(make_game("chess960")->start_text(518) == chess->start_text(0));
}

TEST_CASE("Other games: tic-tac-toe and a race with dice keep the promises of game.h") {
    const auto race = assay::tests::make_dice_race();
    const auto board = assay::tests::make_tic_tac_toe();
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        CHECK(assay::tests::check_game(*race, seed, 60) == "");
        CHECK(assay::tests::check_game(*board, seed, 9) == "");
    }
}

TEST_CASE("Chance: a random word draws an event by its probability") {
    const auto position = assay::tests::make_dice_race()->start();
    std::array<int, 4> rolls{};
    for (std::uint64_t i = 0; i < 3000; ++i) ++rolls.at(drawn_event(*position, assay::mix64(i)));
    for (const int count : {rolls[1], rolls[2], rolls[3]}) {
        CHECK(count > 900);
        CHECK(count < 1100);
    }
    CHECK(drawn_event(*position, 0) == 1);
    CHECK(drawn_event(*position, ~std::uint64_t{0}) == 3);
}

TEST_CASE("Scores: the winner is the one player with the highest score") {
    CHECK(scores_with_winner(1, 2) == Scores{{0, 1}, 2});
    CHECK(scores_with_winner(-1, 2) == Scores{{0.5F, 0.5F}, 2});
    CHECK(scores_with_winner(2, 3).winner() == 2);
    CHECK(scores_with_loser(1, 2) == scores_with_winner(0, 2));
    CHECK(scores_with_loser(0, 3) == Scores{{0, 0.5F, 0.5F}, 3});
    CHECK(scores_with_loser(0, 1) == Scores{{0}, 1});
    CHECK(Scores{{0.5F, 0.5F, 0}, 3}.winner() == -1);
    CHECK(Scores{}.winner() == -1);
}

TEST_CASE("Chess: the picture shows the board from White's side") {
    const auto picture = after(kStart, "e2e4")->picture();
    REQUIRE(picture.has_value());
    std::string text;
    for (const PictureField& field : picture->fields)
        text += field.letter == 0 ? '.' : field.letter;
    CHECK(text ==
          "rnbqkbnr"
          "pppppppp"
          "........"
          "........"
          "....P..."
          "........"
          "PPPP.PPP"
          "RNBQKBNR");
    CHECK(picture->fields[4].piece == "king");
    CHECK(picture->fields[4].owner == 1);
}

TEST_CASE("Chess: a capture, en passant too, or a check makes a position loud; castling does not") {
    const auto is_loud = [](std::string_view fen, std::string_view move) {
        const auto position = make_game("chess")->parse(fen);
        return position->is_loud(position->move_of(move, Notation::Canonical).value_or(kNoMove));
    };
    CHECK_FALSE(is_loud("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1"));
    CHECK_FALSE(is_loud("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "none"));
    CHECK(is_loud("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"));
    CHECK(is_loud("4k3/8/8/8/8/8/r7/R3K3 w - - 0 1", "a1a2"));
    CHECK(is_loud("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "none"));
}

TEST_CASE("mirrored_fen: the board is turned over and the colours are swapped") {
    CHECK(mirrored_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1") ==
          "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1");
    CHECK(mirrored_fen("4k2r/8/8/8/8/8/8/R3K3 w Qk - 4 30") == "r3k3/8/8/8/8/8/8/4K2R b Kq - 4 30");
    CHECK(mirrored_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1") == "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
}

TEST_CASE("Chess: opening_key: a position and its mirror image are one, others are not") {
    const auto game = make_game("chess");
    const auto key = [&](const std::string& fen) { return game->parse(fen)->opening_key(); };
    const std::string fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    CHECK(key(fen) == key(mirrored_fen(fen)));
    CHECK(key(fen) != key("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
}
