#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "base/file.h"
#include "base/text.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using assay::test::Finished;
using assay::test::run;
using assay::test::TempDir;

namespace {

Finished book(const TempDir& dir, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {ASSAY_BINARY_DIR "/assay", "book"});
    return run(arguments, dir.root());
}

/// assay with these words.
std::vector<std::string> command(const std::string& words) {
    std::vector<std::string> arguments{ASSAY_BINARY_DIR "/assay"};
    for (const std::string_view word : assay::split_words(words)) arguments.emplace_back(word);
    return arguments;
}

/// ./judge, which answers every search with the same two lines.
void write_judge(const TempDir& dir, const std::string& info, const std::string& best) {
    assay::write_file(dir.path("judge"),
                      "#!/bin/sh\nwhile read -r line; do case $line in\n"
                      "uci) echo uciok;; isready) echo readyok;; quit) exit;;\n"
                      "go*) echo '" +
                          info + "'; echo 'bestmove " + best + "';;\nesac; done\n");
    std::filesystem::permissions(dir.path("judge"), std::filesystem::perms::owner_all);
}

}  // namespace

TEST_CASE("assay book info: counts in text and in JSON, warnings where a user looks for them") {
    const TempDir dir;
    assay::write_file(dir.path("b.pgn"), "1. e4 e5 *\n1. d4 *\n1. e5 *\n");
    const Finished text = book(dir, {"info", "b.pgn", "--cache", "cache"});
    CHECK(text.code == 0);
    CHECK(text.err ==
          "b.pgn:3:4: warning: game 3: illegal or ambiguous move 'e5': the line is cut before it\n"
          "  1. e5 *\n     ^~\n");
    CHECK(text.out.find("openings    2, of which 0 repeat a position\nskipped     1\n") !=
          std::string::npos);
    const Finished json = book(dir, {"info", "b.pgn", "--cache", "cache", "--json"});
    CHECK(json.code == 0);
    CHECK(json.err.empty());
    const auto found = boost::json::parse(json.out).as_object();
    CHECK(found.at("openings") == 2);
    CHECK(found.at("skipped") == 1);
    CHECK(found.at("plies") == boost::json::array{1, 2});
    CHECK(found.at("to_move") == boost::json::array{1, 1});
    CHECK(found.at("warnings").at(0).at("line") == 3);
}

TEST_CASE("assay book convert: there and back, packed, each position once") {
    const TempDir dir;
    assay::write_file(dir.path("b.pgn"), "1. e4 e5 *\n1. e3 e6 2. e4 e5 *\n1. d4 *\n");
    const Finished first = book(dir, {"convert", "b.pgn", "c.epd.zst", "--unique"});
    CHECK(first.code == 0);
    CHECK(first.err == "c.epd.zst: 2 openings of 3\n");
    CHECK(book(dir, {"convert", "c.epd.zst", "d.fen"}).code == 0);
    CHECK(assay::read_file(dir.path("d.fen")) ==
          "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n"
          "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n");
}

TEST_CASE("assay book: a book that the program polyglot made gives the games it was made of") {
    constexpr const char* kPolyglot = "/usr/games/polyglot";
    if (!std::filesystem::exists(kPolyglot)) {
        MESSAGE("skipped: no /usr/games/polyglot (package polyglot)");
        return;
    }
    const TempDir dir;
    // Castling both ways, en passant, a promotion to a knight, a transposition. polyglot gives the
    // moves of the side that lost no weight, so all are drawn.
    const std::vector<std::string> games{
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Nxe4",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7",
        "1. e4 d5 2. e5 f5 3. exf6 Kf7 4. fxg7 Kg6 5. gxh8=N+ Kg7",
        "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O",
        "1. e4 e6 2. Nf3 Nf6 3. e5 d5 4. Bb5+ Ke7 5. Bc6 d4 6. b4 d3",
        "1. Nf3 Nf6 2. e4 e6",
    };
    std::string pgn;
    for (const std::string& game : games) {
        pgn += "[Event \"x\"]\n[Result \"1/2-1/2\"]\n\n" + game + " 1/2-1/2\n\n";
    }
    assay::write_file(dir.path("games.pgn"), pgn);
    const Finished made = run({kPolyglot, "make-book", "-pgn", "games.pgn", "-bin", "book.bin",
                               "-min-game", "1", "-max-ply", "40"},
                              dir.root());
    REQUIRE(made.code == 0);
    const Finished converted = book(dir, {"convert", "book.bin", "lines.pgn", "--cache", "cache"});
    CHECK(converted.code == 0);
    CHECK(converted.err == "lines.pgn: 5 openings of 5\n");
    const std::string lines = assay::read_file(dir.path("lines.pgn"));
    for (std::size_t i = 0; i + 1 < games.size(); ++i) {
        CAPTURE(games[i]);
        CHECK(lines.find("\n" + games[i] + " *\n") != std::string::npos);
    }
}

TEST_CASE("assay book: what is wrong with a file or a name is said, with exit code 2") {
    const TempDir dir;
    assay::write_file(dir.path("b.epd.gz"), std::string("\x1f\x8b\x08\x00\x00", 5));

    struct Case {
        std::vector<std::string> arguments;
        const char* expected;
    };

    const std::vector<Case> cases{
        {{"info", "none.epd"}, "none.epd: cannot open: No such file or directory\n"},
        {{"info", "b.epd.gz"}, "b.epd.gz: error: damaged gzip archive: it is cut short\n"},
        {{"convert", "b.epd.gz", "out.txt"},
         "'out.txt': expected a name that ends in .epd, .fen or .pgn, and then maybe .gz or .zst\n"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.arguments.back());
        const Finished finished = book(dir, c.arguments);
        CHECK(finished.code == 2);
        CHECK(finished.err == c.expected);
    }
}

TEST_CASE("assay book build: a real program makes the same book again, also after it was stopped") {
    constexpr const char* kStockfish = "/usr/games/stockfish";
    if (!std::filesystem::exists(kStockfish)) {
        MESSAGE("skipped: no /usr/games/stockfish (package stockfish)");
        return;
    }
    const TempDir dir;
    const auto build = [&](const std::string& out, const std::string& concurrency) {
        return command(std::string("book build ") + out + " --program " + kStockfish +
                       " --count 6 --nodes 1500 --walk-nodes 100 --plies 4 --window 30..90 "
                       "--concurrency " +
                       concurrency);
    };
    const Finished whole = run(build("a.epd", "2"), dir.root());
    REQUIRE_MESSAGE(whole.code == 0, whole.err);
    CHECK(whole.err.starts_with("a.epd: 6 openings of "));
    CHECK_FALSE(std::filesystem::exists(dir.path("a.epd.part")));
    const std::string made = assay::read_file(dir.path("a.epd"));
    CHECK(made.find("; c0 \"assay ") < made.find('\n'));
    for (std::size_t at = made.find(" ce "); at != std::string::npos;
         at = made.find(" ce ", at + 1)) {
        const int score = std::abs(std::stoi(made.substr(at + 4)));
        CHECK(score >= 30);
        CHECK(score <= 90);
    }
    const Finished info = book(dir, {"info", "a.epd", "--cache", "cache"});
    CHECK(info.out.find("openings    6, of which 0 repeat a position\n") != std::string::npos);

    assay::test::Child stopped(build("b.epd", "1"), dir.root());
    const auto begun = [&] {
        // Empty where there is none: a build that is done takes it away.
        std::ifstream part(dir.path("b.epd.part"), std::ios::binary);
        const std::string found{std::istreambuf_iterator<char>(part), {}};
        return found.find('|') != std::string::npos;
    };
    (void)stopped.until(begun);
    stopped.signal(SIGINT);
    const int code = stopped.wait().code;
    const bool was_quicker = code == 0;
    CHECK_MESSAGE((code == 130 || was_quicker), code);
    CHECK(assay::test::all_gone(dir.root()));
    if (was_quicker) {
        MESSAGE("the build was done before it could be stopped: going on is not tested");
    } else {
        std::vector<std::string> other = build("b.epd", "1");
        other.insert(other.end(), {"--seed", "2"});
        CHECK(run(other, dir.root()).code == 2);
        CHECK(
            run(build("b.epd", "2"), dir.root()).err.starts_with("b.epd.part: continuing after "));
    }
    CHECK(assay::read_file(dir.path("b.epd")) == made);
}

TEST_CASE("assay book build: a smaller --count than what was found is refused, and loses nothing") {
    const TempDir dir;
    write_judge(dir, "info depth 1 score cp 10", "a2a3");
    const auto build = [](const std::string& count) {
        return command("book build a.epd --program ./judge --count " + count +
                       " --plies 4 --concurrency 1");
    };
    assay::test::Child stopped(build("1000000"), dir.root());
    const auto found = [&dir] {
        std::ifstream part(dir.path("a.epd.part"), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(part), {}};
        return std::count(text.begin(), text.end(), '|');
    };
    REQUIRE(stopped.until([&] { return found() >= 3; }));
    stopped.signal(SIGINT);
    CHECK(stopped.wait().code == 130);
    const std::string before = assay::read_file(dir.path("a.epd.part"));
    const std::string count = std::to_string(found());
    const Finished fewer = run(build("1"), dir.root());
    CHECK(fewer.code == 2);
    CHECK(fewer.err == "a.epd.part: holds " + count +
                           " openings already, more than --count 1; ask for " + count +
                           " at least, or delete it\n");
    CHECK(assay::read_file(dir.path("a.epd.part")) == before);
    const Finished all = run(build(count), dir.root());
    CHECK_MESSAGE(all.code == 0, all.err);
    CHECK_FALSE(std::filesystem::exists(dir.path("a.epd.part")));
}

TEST_CASE("assay book build: on a full disk it is exit 4, and the same command goes on") {
    const TempDir dir;
    write_judge(dir, "info depth 1 score cp 10", "a2a3");
    const auto build = [&dir](const std::string& out, const std::string& before) {
        const std::string command = before + "exec '" ASSAY_BINARY_DIR "/assay' book build " + out +
                                    " --program ./judge --count 400 --plies 4 --concurrency 1";
        return run({"/bin/sh", "-c", command}, dir.root());
    };
    const Finished full = build("a.epd", "ulimit -f 8; ");
    CHECK(full.code == 4);
    CHECK(full.err ==
          "a.epd.part: cannot write: File too large\n"
          "what was found is in a.epd.part; the same command continues\n");
    const Finished rest = build("a.epd", "");
    CHECK_MESSAGE(rest.code == 0, rest.err);
    CHECK(rest.err.starts_with("a.epd.part: continuing after "));
    CHECK(build("b.epd", "").code == 0);
    CHECK(assay::read_file(dir.path("a.epd")) == assay::read_file(dir.path("b.epd")));
}

TEST_CASE("assay book build: a judge that judges nothing is exit 4, and it is named") {
    const TempDir dir;
    const std::vector<std::string> words{"build", "a.epd", "--program", "./judge"};
    write_judge(dir, "info depth 1", "a2a3");
    const Finished dumb = book(dir, words);
    CHECK(dumb.code == 4);
    CHECK(dumb.err.find("./judge: it answers without saying a score\n") != std::string::npos);
    write_judge(dir, "info depth 1 score cp 10", "(none)");
    const Finished none = book(dir, words);
    CHECK(none.code == 4);
    CHECK(none.err.find("./judge: it answers 'bestmove (none)' where there are moves\n") !=
          std::string::npos);
    CHECK_FALSE(std::filesystem::exists(dir.path("a.epd.part")));
}

TEST_CASE(
    "assay book build: wrong flags are exit 2 and a program that fails is exit 4, with a word") {
    const TempDir dir;
    assay::write_file(dir.path("there.epd"), "");

    struct Case {
        std::vector<std::string> arguments;
        int code;
        const char* said;
    };

    const std::string player = ASSAY_BINARY_DIR "/engines/instant";
    const std::vector<Case> cases{
        {{"there.epd", "--program", player}, 2, "there.epd: exists already"},
        {{"x.txt", "--program", player}, 2, "expected a name that ends in .epd, .fen or .pgn"},
        {{"x.epd", "--program", "./nothing"}, 2, "there is no file './nothing'"},
        {{"x.epd", "--program", player, "--window", "30..20"}, 2, "found '30..20'"},
        {{"x.epd", "--program", player, "--plies", "0"}, 2, "holds the start position alone"},
        {{"x.epd", "--program", player, "--from", "none.pgn"}, 2, "none.pgn: cannot open"},
        {{"x.epd", "--program", player, "--option", "=1"}, 2, "--option needs NAME=VALUE"},
        {{"x.epd", "--program", "/bin/true"}, 4, "could not be started"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.said);
        std::vector<std::string> arguments = c.arguments;
        arguments.insert(arguments.begin(), "build");
        const Finished done = book(dir, arguments);
        CHECK(done.code == c.code);
        CHECK_MESSAGE(done.err.find(c.said) != std::string::npos, done.err);
        CHECK_FALSE(std::filesystem::exists(dir.path("x.epd.part")));
    }
}
