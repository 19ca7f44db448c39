#include <string>
#include <unistd.h>

#include <doctest/doctest.h>

#include "engines/chess_player/chess_backend.h"
#include "engines/uci/uci_go.h"
#include "rules/make_game.h"
#include "tests/engines/uci_answers.h"
#include "tests/support/contains.h"

using namespace assay::engines;
using assay::test::contains;

namespace {

std::string answers(const std::string& lines) {
    ChessBackend backend;
    return assay::test::answers(backend, lines);
}

}  // namespace

TEST_CASE("UCI player: options that do not go together are refused, and those before are kept") {
    const std::string text =
        answers("setoption name Method value minimax\nisready\nposition startpos\ngo depth 1\n");
    CHECK(
        text.starts_with("info string refused: minimax has no window that a null move could fail "
                         "high against: set NullMove false. The previous options stay in force.\n"
                         "readyok\n"));
    // It is said once, and played on with what was there.
    CHECK(text.rfind("refused") == text.find("refused"));
    CHECK(contains(text, "\nbestmove "));
    CHECK(contains(answers("setoption name Hsah value 3\n"),
                   "info string no option 'Hsah'; did you mean 'Hash'?\n"));
}

TEST_CASE("UCI player: where there is no move it says so, with the score of the rules") {
    CHECK(answers("position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1\ngo movetime 10\n") ==
          "info depth 0 score mate 0\nbestmove (none)\n");
    CHECK(answers("position fen 7k/5K2/6Q1/8/8/8/8/8 b - - 0 1\ngo movetime 10\n") ==
          "info depth 0 score cp 0\nbestmove (none)\n");
}

TEST_CASE("UCI player: with a clock a single reply is played at once") {
    const std::string text = answers(
        "position fen 7k/8/8/8/8/8/6q1/7K w - - 0 1\ngo wtime 60000 btime 60000\nisready\n");
    CHECK(contains(text, "\nbestmove h1g2"));
    CHECK(!contains(text, "info depth 2 "));
}

TEST_CASE("UCI player: a move is ready however little time there is") {
    for (const char* go : {"go wtime 1 btime 1", "go wtime 0 btime 0", "go movetime 1",
                           "go wtime -20 btime -20 winc 10 binc 10", "go nodes 1"}) {
        CAPTURE(std::string(go));
        const std::string text = answers("position startpos\n" + std::string(go) + "\nisready\n");
        CHECK(contains(text, "bestmove "));
        CHECK(contains(text, "readyok\n"));
    }
}

TEST_CASE(
    "UCI player: an answer waits for stop where it was asked to; commands meanwhile are kept") {
    const std::string text = answers(
        "position startpos\ngo infinite\nisready\nstop\nposition startpos moves e2e4\ngo depth 1\n");
    const std::size_t ready = text.find("readyok\n");
    const std::size_t first = text.find("bestmove ");
    const std::size_t second = text.find("bestmove ", first + 1);
    CHECK(ready < first);
    CHECK(first < second);
    CHECK(second != std::string::npos);
}

TEST_CASE("UCI player: what follows go is read as far as it makes sense") {
    const auto position = assay::rules::make_game("chess")->start();
    const GoCommand go = read_go(
        "searchmoves e2e4 d2d4 wtime 1000 btime x winc 10 movestogo 5 depth 7 nodes 900 mate 2 "
        "ponder foo",
        *position);
    CHECK(go.limits.only.size() == 2);
    CHECK(go.white.left == std::chrono::seconds(1));
    CHECK(go.black.left == std::chrono::milliseconds(1));
    CHECK(go.white.increment == std::chrono::milliseconds(10));
    CHECK(go.black.moves_to_go == 5);
    CHECK(go.limits.depth == 4);  // a mate in two moves is no deeper
    CHECK(go.limits.nodes == 900);
    CHECK(go.limits.mate == 2);
    CHECK(go.ponders);
    CHECK(!go.infinite);
    CHECK(go.wrong == std::vector<std::string>{"btime needs a whole number: 1 is used"});
    CHECK(score_text(won_at(1)) == "mate 1");
    CHECK(score_text(won_at(4)) == "mate 2");
    CHECK(score_text(lost_at(2)) == "mate -1");
    CHECK(score_text(-31) == "cp -31");
}

TEST_CASE("UCI player: no command of go that cannot be read makes it search for ever") {
    CHECK(contains(answers("position startpos\ngo depth x\n"),
                   "info string go: depth needs a whole number: 1 is used\n"));
    for (const char* go : {"go depth x", "go nodes", "go movetime x", "go mate 1",
                           "go winc 20 binc 20", "go wtime x"}) {
        CAPTURE(std::string(go));
        // The input stays open: only the answer ends the test.
        CHECK(contains(answers("position startpos\n" + std::string(go) + "\nisready\n"),
                       "bestmove "));
    }
}

TEST_CASE("UCI player: a position that it cannot read is said, and nothing is searched from it") {
    const std::string text =
        answers("position fen xyz\ngo depth 2\nposition startpos\ngo depth 2\n");
    CHECK(text.starts_with("info string position: "));
    const std::size_t nothing = text.find(
        "info string go: the position could not be read, so nothing is searched\nbestmove 0000\n");
    REQUIRE(nothing != std::string::npos);
    CHECK(text.find('\n') < nothing);
    CHECK(text.find("bestmove ", nothing + 90) != std::string::npos);
    CHECK(answers("position here\n") ==
          "info string position: expected 'startpos' or 'fen' with a position, found 'here'\n");
    CHECK(contains(answers("position startpos moves e2e4 xx e7e5\ngo depth 1\n"),
                   "info string position: 'xx' is not a legal move after 1 plies: it and all later "
                   "moves are ignored\n"));
}

TEST_CASE("UCI player: short FENs are filled up, and rights without a rook are dropped") {
    const std::string fruit = "2r1k2r/2pn1pp1/1p3n1p/p3PP2/4q2B/P1P5/2Q1N1PP/R4RK1 w ";
    const std::string go = "\ngo depth 3\n";
    const auto after_complaint = [](const std::string& text) {
        return text.starts_with("info string position") ? text.substr(text.find('\n') + 1) : text;
    };
    // Times and speeds differ; the move does not.
    const auto move = [](const std::string& text) { return text.substr(text.find("bestmove")); };
    const std::string without = answers("position fen " + fruit + "- - 0 1" + go);
    CHECK(contains(without, "bestmove c2e4"));
    CHECK(move(answers("position fen " + fruit + "- -" + go)) == move(without));
    const std::string dropped = answers("position fen " + fruit + "q - 0 1" + go);
    CHECK(
        dropped.starts_with("info string position: castling 'q' is read as '-': there is no king "
                            "or rook for the others\n"));
    CHECK(move(after_complaint(dropped)) == move(without));
    CHECK(contains(answers("position fen " + fruit + "kq - 0 1" + go),
                   "castling 'kq' is read as 'k'"));
}

TEST_CASE(
    "UCI player: a table that there is no memory for is refused, and the one before is kept") {
    const auto gigabytes =
        static_cast<long long>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE) / (1LL << 30);
    if (gigabytes >= 64) return;  // this machine has it
    const std::string text = answers(
        "setoption name Hash value 1\nisready\nsetoption name Hash value 65536\nisready\n"
        "position startpos\ngo depth 3\n");
    CHECK(contains(text,
                   "info string refused: there is no memory for a table of 65536 MB. The "
                   "previous options stay in force.\n"));
    CHECK(contains(text, "bestmove "));
}
