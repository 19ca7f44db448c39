#include <csignal>
#include <fcntl.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/unique_fd.h"
#include "tests/adapters/process/process_tools.h"
#include "tests/adapters/uci/program_driver.h"
#include "tests/support/temp_dir.h"

using assay::Micros;
using assay::adapters::ProgramSpec;
using assay::adapters::SearchRequest;
using assay::test::ProgramDriver;

namespace {

// A program in shell: `cases` are branches on the first word of a line; those that are not given
// are answered properly. $rest is the rest of the line.
ProgramSpec scripted(const std::string& cases) {
    return ProgramDriver::spec({"sh", "-c",
                                "while read -r word rest; do case \"$word\" in\n" + cases +
                                    "\nuci) echo 'option name UCI_Chess960 type check default "
                                    "false'; echo uciok;;"
                                    "isready) echo readyok;;"
                                    "go) echo bestmove e2e4;;"
                                    "quit) exit 0;;"
                                    "esac; done"});
}

std::vector<std::string> sent(const ProgramDriver& driver) {
    std::vector<std::string> result;
    for (const std::string& line : driver.lines()) {
        if (line.front() == '>') result.push_back(line.substr(1));
    }
    return result;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += (text.empty() ? "" : "|") + line;
    return text;
}

SearchRequest with_clocks(long long white_us, long long black_us, long long white_inc_us = 0,
                          long long black_inc_us = 0) {
    SearchRequest request;
    request.clocks = {{Micros(white_us), Micros(white_inc_us)},
                      {Micros(black_us), Micros(black_inc_us)}};
    return request;
}

/// Begins a search, and gives it up for a new game. Returns what was asked.
SearchRequest give_up_first_search(ProgramDriver& driver) {
    REQUIRE(driver.start() == "ready");
    SearchRequest request;
    request.depth = 1;
    driver.player().go(request);
    driver.player().new_game({});
    CHECK(driver.next() == "ready");
    return request;
}

}  // namespace

TEST_CASE("UCI: position and go name all that was asked, times rounded down and never below 1 ms") {
    struct Case {
        const char* expected;
        SearchRequest request;
    };

    std::vector<Case> cases;
    const auto add = [&cases](const char* expected) -> SearchRequest& {
        cases.push_back({expected, {}});
        return cases.back().request;
    };
    add("position startpos|go infinite");
    add("position startpos moves e2e4 e7e5|go depth 7") = [] {
        SearchRequest request;
        request.moves = "e2e4 e7e5";
        request.depth = 7;
        return request;
    }();
    SearchRequest& fen = add("position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2|go nodes 5");
    fen.start = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
    fen.moves = "a1a2";
    fen.nodes = 5;
    add("position startpos|go wtime 1500 btime 1499 winc 100") =
        with_clocks(1'500'999, 1'499'999, 100'999);
    add("position startpos|go wtime 1 btime 1") = with_clocks(-5000, 0, 0, 400);  // CC#809
    add("position startpos|go wtime 1 btime 1 winc 1") = with_clocks(0, 0, 1000, 999);
    SearchRequest& classic = add("position startpos|go wtime 60000 btime 59000 movestogo 3");
    classic = with_clocks(60'000'000, 59'000'000);
    classic.moves_to_go = 3;
    add("position startpos|go movetime 99").move_time = Micros(99'999);
    add("position startpos|go movetime 5000").byoyomi = Micros(5'000'000);
    SearchRequest& byoyomi = add("position startpos|go wtime 10000 btime 5500 binc 5000");
    byoyomi = with_clocks(10'000'000, 500'000);
    byoyomi.byoyomi = Micros(5'000'000);
    byoyomi.player = 1;
    add("position startpos|go mate 4").mate = 4;
    add("position startpos|go infinite").infinite = true;
    SearchRequest& some =
        add("position startpos|go nodes 18446744073709551615 searchmoves e2e4 d2d4");
    some.nodes = ~std::uint64_t{0};
    some.search_moves = {"e2e4", "d2d4"};
    SearchRequest& all =
        add("position startpos|go movetime 10 nodes 3 depth 2 infinite searchmoves a2a3");
    all.move_time = Micros(10'000);
    all.nodes = 3;
    all.depth = 2;
    all.infinite = true;
    all.search_moves = {"a2a3"};

    ProgramDriver driver(scripted(""));
    REQUIRE(driver.start() == "ready");
    for (const Case& c : cases) {
        CAPTURE(c.expected);
        const std::size_t before = sent(driver).size();
        CHECK(driver.best(c.request) == "best e2e4");
        std::vector<std::string> lines = sent(driver);
        lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(before));
        CHECK(joined(lines) == c.expected);
    }
    CHECK(driver.player().last_command() ==
          "position startpos\ngo movetime 10 nodes 3 depth 2 infinite searchmoves a2a3\n");
}

TEST_CASE("UCI: options go out in order before isready; what does not suit is said and sent") {
    ProgramSpec spec = scripted(
        "uci) echo 'id name A Name'; echo 'id author B'; echo 'option name Hash type spin default 1 "
        "min 1 max 64'; echo 'option name Clear Hash type button'; echo 'option name Book Path type "
        "string default /my books/a'; echo 'option name Style type combo default Solid var Solid var "
        "Wild'; echo uciok;;");
    spec.options = {{"hash", "128"}, {"Book path", "/x y/z"}, {"clear hash", ""},
                    {"Hsah", "1"},   {"Style", "Odd"},        {"Style", "wild"}};
    ProgramDriver driver(spec);
    REQUIRE(driver.start() == "ready");
    CHECK(joined(sent(driver)) ==
          "uci|setoption name Hash value 128|setoption name Book Path value /x y/z|"
          "setoption name Clear Hash|setoption name Hsah value 1|setoption name Style value Odd|"
          "setoption name Style value wild|ucinewgame|isready");
    CHECK(joined(driver.warnings()) ==
          "option-value: option Hash is 1 to 64, not '128'|"
          "unknown-option: the program has no option 'Hsah'; did you mean 'Hash'?|"
          "option-value: option Style is one of Solid, Wild, not 'Odd'");
    CHECK(driver.player().identity().name == "A Name");
    CHECK(driver.player().identity().author == "B");
    CHECK(joined(driver.player().identity().option_names) == "Hash|Clear Hash|Book Path|Style");
}

TEST_CASE("UCI: chess960 is switched on, and a program without the option cannot play it") {
    ProgramSpec able = scripted("");
    able.game = "chess960";
    ProgramDriver driver(able);
    REQUIRE(driver.start() == "ready");
    CHECK(joined(sent(driver)) == "uci|setoption name UCI_Chess960 value true|ucinewgame|isready");
    ProgramSpec unable = scripted("uci) echo uciok;;");
    unable.game = "chess960";
    ProgramDriver other(unable);
    CHECK(other.start() == "gone Protocol: has no option UCI_Chess960, so it cannot play chess960");
}

TEST_CASE("UCI: a program that was given the file of the game needs no option for it") {
    for (const std::string_view argument : {"dir/checkers.mg", "--game=dir/checkers.mg"}) {
        ProgramSpec told = scripted("");
        told.game = "checkers";
        told.argv.emplace_back(argument);
        ProgramDriver driver(told);
        REQUIRE(driver.start() == "ready");
        CHECK(driver.warnings().empty());
    }
    ProgramSpec untold = scripted("");
    untold.game = "checkers";
    untold.argv.emplace_back("othercheckers.mg");
    ProgramDriver driver(untold);
    REQUIRE(driver.start() == "ready");
    CHECK(joined(driver.warnings()) ==
          "game: the program has no option UCI_Variant, so that nothing tells it to play checkers");
}

TEST_CASE("UCI: a new game is ucinewgame and isready, and warnings are said anew") {
    ProgramDriver driver(scripted("go) echo bestmove e2e4; echo bestmove e2e4;;"));
    REQUIRE(driver.start() == "ready");
    for (int game = 1; game <= 2; ++game) {
        driver.player().new_game({});
        REQUIRE(driver.next() == "ready");
        for (int search = 0; search < 2; ++search) {
            CHECK(driver.best_after("") == "best e2e4");
            driver.until([] { return true; });
        }
        CHECK(driver.warnings().size() == static_cast<std::size_t>(game));
    }
}

TEST_CASE("UCI: isready before go where it is asked for; the clock starts at the go") {
    const assay::test::TempDir dir;
    const std::string gate = dir.path("gate");
    REQUIRE(::mkfifo(gate.c_str(), 0600) == 0);
    // The readyok before the first go waits for the gate.
    ProgramSpec spec =
        scripted("isready) n=$((n+1)); [ $n = 2 ] && read -r x <" + gate + "; echo readyok;;");
    spec.ping_before_go = true;
    ProgramDriver driver(spec);
    REQUIRE(driver.start() == "ready");
    SearchRequest request;
    request.depth = 1;
    driver.player().go(request);
    const assay::UniqueFd opener(::open(gate.c_str(), O_WRONLY | O_CLOEXEC));
    CHECK(driver.is_settled());
    CHECK(sent(driver).back() == "isready");
    const assay::TimePoint opened = assay::SteadyClock().now();
    REQUIRE(::write(opener.get(), "\n", 1) == 1);
    CHECK(driver.next() == "best e2e4");
    CHECK(joined(sent(driver)) == "uci|ucinewgame|isready|isready|position startpos|go depth 1");
    CHECK(driver.go_written() >= opened);
    driver.player().go(request);
    driver.player().stop();  // before the readyok: follows the go
    CHECK(driver.next() == "best e2e4");
    driver.until([] { return true; });
    CHECK(sent(driver).back() == "stop");
}

TEST_CASE("UCI: a ponder move that is played before the ping is answered follows the go") {
    ProgramSpec spec = scripted("go) :;; ponderhit) echo bestmove e7e5;;");
    spec.ping_before_go = true;
    ProgramDriver driver(spec);
    REQUIRE(driver.start() == "ready");
    SearchRequest request;
    request.ponder = true;
    request.depth = 1;
    driver.player().go(request);
    driver.player().ponder_hit();
    CHECK(driver.next() == "best e7e5");
    CHECK(joined(sent(driver)) ==
          "uci|ucinewgame|isready|isready|position startpos|go ponder depth 1|ponderhit");
}

TEST_CASE("UCI: pondering ends by ponderhit or stop") {
    ProgramDriver driver(
        scripted("go) :;; ponderhit) echo bestmove e7e5 ponder d2d4;; stop) echo bestmove a7a6;;"));
    REQUIRE(driver.start() == "ready");
    SearchRequest request = with_clocks(1'000'000, 1'000'000);
    request.moves = "e2e4";
    request.ponder = true;
    driver.player().go(request);
    driver.player().ponder_hit();
    CHECK(driver.next() == "best e7e5 ponder d2d4");
    driver.player().go(request);
    driver.player().stop();
    CHECK(driver.next() == "best a7a6");
    driver.player().stop();  // no search is open: nothing is sent
    CHECK(
        joined(sent(driver)) ==
        "uci|ucinewgame|isready|position startpos moves e2e4|go ponder wtime 1000 btime 1000|ponderhit|"
        "position startpos moves e2e4|go ponder wtime 1000 btime 1000|stop");
    CHECK(driver.warnings().empty());
}

TEST_CASE("UCI: an answer while pondering is kept until ponderhit or stop (CC#180)") {
    ProgramDriver driver(scripted("go) echo bestmove e7e5 ponder d2d4;;"));
    REQUIRE(driver.start() == "ready");
    SearchRequest request;
    request.ponder = true;
    request.depth = 1;
    for (const bool hit : {true, false}) {
        CAPTURE(hit);
        const std::ptrdiff_t before = driver.lines_with("<bestmove");
        driver.player().go(request);
        CHECK(driver.until([&] { return driver.lines_with("<bestmove") > before; }));
        CHECK(driver.was_warned("ponder-bestmove"));
        CHECK(driver.is_settled());
        if (hit) {
            driver.player().ponder_hit();
        } else {
            driver.player().stop();
        }
        CHECK(driver.next() == "best e7e5 ponder d2d4");
    }
    CHECK_FALSE(driver.has_line(">ponderhit"));
    CHECK_FALSE(driver.has_line(">stop"));
}

TEST_CASE("UCI: the answer to a search that a new game gave up is nobody's (CC#635)") {
    // Answers only to stop, with the number of searches begun; so the old game's answer is 1.
    ProgramDriver driver(
        scripted("go) n=$((n+1)); [ $n -gt 1 ] && echo bestmove $n;; stop) echo bestmove $n;;"));
    const SearchRequest request = give_up_first_search(driver);
    CHECK(driver.best(request) == "best 2");
    CHECK(driver.was_warned("stray-bestmove: no search is open for 'bestmove 1'"));
}

TEST_CASE("UCI: an answer that is still owed after a new game's readyok is not the next one's") {
    ProgramDriver driver(scripted(
        "go) n=$((n+1)); [ $n -gt 1 ] && printf 'bestmove old\\nbestmove new\\n';; stop) :;;"));
    const SearchRequest request = give_up_first_search(driver);
    CHECK(driver.best(request) == "best new");
    CHECK(driver.was_warned("bestmove old"));
}

TEST_CASE("UCI: an answer that came before the go was written does not answer it") {
    // Both answers come in one write; the second is read before the next search begins.
    ProgramDriver driver(scripted(
        "go) n=$((n+1)); if [ $n = 1 ]; then printf 'bestmove a\\nbestmove b\\n'; else echo "
        "bestmove c; fi;;"));
    REQUIRE(driver.start() == "ready");
    SearchRequest request;
    request.depth = 1;
    bool is_first = true;
    driver.on_best = [&] {
        if (is_first) driver.player().go(request);
        is_first = false;
    };
    CHECK(driver.best(request) == "best a");
    CHECK(driver.next() == "best c");
    CHECK(driver.was_warned("bestmove b"));
}

TEST_CASE("UCI: registration and copy protection are answered and said") {
    ProgramDriver driver(scripted(
        "uci) echo registration checking; echo copyprotection checking; echo uciok; echo "
        "registration error; echo copyprotection ok;; register) echo register $rest >&2;;"));
    REQUIRE(driver.start() == "ready");
    CHECK(driver.until([&driver] { return driver.has_line("!register later"); }));
    CHECK(driver.was_warned("registration: the program says 'registration error'"));
    CHECK(driver.warnings().size() == 1);
}

TEST_CASE("UCI: the last words of a program that ends come before its end (FC#1029)") {
    ProgramDriver driver(scripted("go) echo bestmove e2e4; printf 'half a li'; exit 4;;"));
    REQUIRE(driver.start() == "ready");
    CHECK(driver.best_after("") == "best e2e4");
    CHECK(driver.next() == "gone Exited: exited with code 4");
    CHECK(driver.player().last_output().back() == "half a li");
    CHECK(driver.gone().exit_code == 4);
}

TEST_CASE("UCI: quit stops an open search, and the end of the program is reported") {
    ProgramDriver driver(scripted("go) :;;"));
    REQUIRE(driver.start() == "ready");
    SearchRequest request;
    driver.player().go(request);
    driver.player().quit();
    CHECK(driver.next() == "gone Exited: exited with code 0");
    CHECK(driver.has_line(">stop"));
    CHECK(driver.player().is_gone());
    driver.player().go(request);  // no effect on a player that is gone
    driver.player().stop();
    driver.player().quit();
    driver.player().kill();
    CHECK(driver.is_settled());
}

TEST_CASE("make_player: an unknown protocol is refused with those there are") {
    ProgramSpec spec = scripted("");
    spec.name = "prog";
    const auto refusal_of = [&](const std::string& protocol) -> std::string {
        spec.protocol = protocol;
        try {
            const ProgramDriver driver(spec);
        } catch (const assay::Error& error) {
            return error.what();
        }
        return "";
    };
    CHECK(refusal_of("uco") ==
          "unknown protocol 'uco' of program 'prog'; there is: uci, json; did you mean 'uci'?");
    CHECK(refusal_of("xboard") ==
          "unknown protocol 'xboard' of program 'prog'; there is: uci, json; start it through an "
          "adapter such as Wb2Uci");
}

TEST_CASE(
    "UCI: where it is asked to ponder, Ponder is set before isready, unless the config sets it") {
    ProgramSpec spec =
        scripted("uci) echo 'option name Ponder type check default false'; echo uciok;;");
    spec.ponder = true;
    ProgramDriver driver(spec);
    REQUIRE(driver.start() == "ready");
    CHECK(joined(sent(driver)) == "uci|setoption name Ponder value true|ucinewgame|isready");
    CHECK(driver.warnings().empty());
    spec.options = {{"ponder", "false"}};
    ProgramDriver told(spec);
    REQUIRE(told.start() == "ready");
    CHECK(joined(sent(told)) == "uci|setoption name Ponder value false|ucinewgame|isready");

    ProgramSpec unable = scripted("");
    unable.ponder = true;
    ProgramDriver other(unable);
    REQUIRE(other.start() == "ready");
    CHECK(
        joined(other.warnings()) ==
        "ponder: the program has no option Ponder: it is asked to ponder, but may not be able to");
}

TEST_CASE("UCI: a second uciok is said, and options behind an early one are known and set") {
    ProgramDriver twice(scripted("uci) echo uciok; echo uciok;;"));
    REQUIRE(twice.start() == "ready");
    CHECK(joined(twice.warnings()) == "uciok: 'uciok' came more than once, or before all options");

    ProgramSpec spec = scripted(
        "uci) echo uciok; echo 'option name Hash type spin default 1 min 1 max 64'; echo 'option name "
        "UCI_Chess960 type check default false';;");
    spec.options = {{"hash", "32"}};
    spec.game = "chess960";
    ProgramDriver early(spec);
    REQUIRE(early.start() == "ready");
    CHECK(joined(sent(early)) ==
          "uci|setoption name hash value 32|ucinewgame|isready|setoption name Hash value 32|"
          "setoption name UCI_Chess960 value true|ucinewgame|isready");
    CHECK(
        joined(early.warnings()) ==
        "uciok: options come after 'uciok', first 'option name Hash type spin default 1 min 1 max "
        "64'");
}

TEST_CASE("UCI: a stop before the ping is answered belongs to that go alone") {
    ProgramSpec spec = scripted("");
    spec.ping_before_go = true;
    ProgramDriver driver(spec);
    REQUIRE(driver.start() == "ready");
    SearchRequest request;
    request.depth = 1;
    driver.player().go(request);
    driver.player().stop();
    CHECK(driver.next() == "best e2e4");
    CHECK(sent(driver).back() == "stop");
    CHECK(driver.best(request) == "best e2e4");
    driver.player().go(request);
    driver.player().ponder_hit();  // of a search that does not ponder: nothing is sent
    CHECK(driver.next() == "best e2e4");
    request.ponder = true;
    driver.player().go(request);
    CHECK(driver.until([&driver] { return driver.was_warned("ponder-bestmove"); }));
    CHECK(joined(sent(driver)) ==
          "uci|ucinewgame|isready|isready|position startpos|go depth 1|stop|isready|position "
          "startpos|go depth 1|isready|position startpos|go depth 1|isready|position startpos|go "
          "ponder depth 1");
}

TEST_CASE("UCI: what was said of the search before does not count for the next one") {
    // One write: the next search begins while its second half has not been read.
    ProgramDriver driver(scripted(
        "go) n=$((n+1)); if [ $n = 1 ]; then printf 'info depth 3\\nbestmove a\\ninfo depth 9 nodes "
        "99\\n'; else echo bestmove b; fi;;"));
    REQUIRE(driver.start() == "ready");
    SearchRequest request;
    request.depth = 1;
    std::optional<int> first_depth;
    driver.on_best = [&] {
        if (first_depth) return;
        first_depth = driver.info().depth.value_or(0);
        driver.player().go(request);
    };
    CHECK(driver.best(request) == "best a");
    CHECK(driver.next() == "best b");
    CHECK(first_depth == 3);
    CHECK_FALSE(driver.info().depth.has_value());
    CHECK_FALSE(driver.info().nodes.has_value());
}

TEST_CASE("UCI: what a search that a new game gave up still says does not count for the next one") {
    ProgramDriver driver(
        scripted("go) n=$((n+1)); [ $n -gt 1 ] && printf 'info depth 9\\nbestmove old\\ninfo nodes "
                 "7\\nbestmove new\\n';; stop) :;;"));
    REQUIRE(driver.start() == "ready");
    SearchRequest request;
    request.depth = 1;
    driver.player().go(request);
    driver.player().new_game({});
    REQUIRE(driver.next() == "ready");
    CHECK(driver.best(request) == "best new");
    CHECK_FALSE(driver.info().depth.has_value());
    CHECK(driver.info().nodes == 7U);
}
