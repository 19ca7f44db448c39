// Matches by compiled rules and by the interpreter are the same matches.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "harness/store/store.h"
#include "tests/e2e/bench_run.h"

using assay::test::Finished;
using assay::test::rules_file;
using assay::test::RunFolder;

namespace {

/// Runs in which objects and compilers are the test's own.
class RulesFolder : public RunFolder {
public:
    [[nodiscard]] Finished assay_with(const std::vector<std::string>& words,
                                      const std::string& path = "/usr/bin:/bin") const {
        std::vector<std::string> argv{"/usr/bin/env", "XDG_CACHE_HOME=" + root() + "/cache",
                                      "PATH=" + path};
        for (const std::string& word : assay_argv(words)) argv.push_back(word);
        return assay::test::run(argv, root(), 280);
    }

    /// A match of two of our players in a game.
    void match(const std::string& game, const std::string& player) {
        match_of(rules_file(game), game, player);
    }

    /// The same by rules that are no program that ships, so that a compiler is needed.
    void match_of_own(const std::string& game, const std::string& player) {
        write(game + ".mg", assay::read_file(rules_file(game)) + "# my own\n");
        match_of(game + ".mg", game, player);
    }

    void match_of(const std::string& file, const std::string& game, const std::string& player) {
        const std::string words = player == "instant" ? ", --game, " : ", ";
        const std::string command = "{command: [" + program(player) + words + file + "]";
        write(game + ".yaml",
              "programs:\n  a: " + command + (player == "instant" ? ", options: {Seed: 1}" : "") +
                  "}\n  b: " + command + "}\nmatch: {between: [a, b], game: " + file +
                  ", seed: 5, time: {nodes: 200}, pairs: 2, concurrency: 1, "
                  "openings: {random: 4}, adjudicate: {length: 60}}\n");
    }

    /// All moves, results and reasons of the last run in a store.
    [[nodiscard]] std::vector<std::string> games_of(const std::string& store) const {
        std::vector<std::string> games;
        const assay::harness::Store opened(root() + "/" + store,
                                           assay::harness::Store::Access::Read);
        opened.for_each_game(1, 0, [&](const assay::harness::GameRecord& game) {
            std::string line = game.start + ":";
            for (const std::string& move : game.opening) line += " " + move;
            for (const auto& move : game.moves) line += " " + move.name;
            games.push_back(line + " " + game.reason);
        });
        return games;
    }
};

/// The first block of this language in a document.
std::string block_of(const std::string& text, const std::string& language) {
    const std::string fence = "\n```" + language + "\n";
    const std::size_t begin = text.find(fence);
    REQUIRE(begin != std::string::npos);
    const std::size_t from = begin + fence.size();
    return text.substr(from, text.find("\n```", from) + 1 - from);
}

}  // namespace

TEST_CASE("Compiled rules: a build replaces links in its folder, and does not follow them") {
    const RulesFolder folder;
    namespace fs = std::filesystem;
    fs::create_directory(folder.root() + "/out");
    for (const char* name : {"checkers.c", "multigame.h", "checkers.so"}) {
        const std::string victim = folder.root() + "/victim-" + name;
        assay::write_file(victim, "mine");
        fs::create_symlink(victim, folder.root() + "/out/" + name);
    }
    const Finished built =
        folder.assay_with({"rules", "build", rules_file("checkers"), "-o", "out"});
    REQUIRE_MESSAGE(built.code == 0, built.err);
    for (const char* name : {"checkers.c", "multigame.h", "checkers.so"}) {
        CAPTURE(name);
        CHECK(assay::read_file(folder.root() + "/victim-" + name) == "mine");
        CHECK(fs::symlink_status(folder.root() + "/out/" + name).type() == fs::file_type::regular);
    }
    CHECK(std::distance(fs::directory_iterator(folder.root() + "/out"), {}) == 3);
}

TEST_CASE("Compiled rules: the C and Python examples of the manual do what it says") {
    const RulesFolder folder;
    const std::string page = assay::read_file(ASSAY_SOURCE_DIR "/docs/multigame-c.md");
    const Finished built =
        folder.assay_with({"rules", "build", rules_file("checkers"), "-o", "out"});
    REQUIRE_MESSAGE(built.code == 0, built.err);
    CHECK(built.out == "out/checkers.c\nout/multigame.h\nout/checkers.so\n");
    folder.write("out/count.c", block_of(page, "c"));
    const Finished compiled =
        assay::test::run({"/usr/bin/gcc", "-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic",
                          "-Werror", "-o", "count", "count.c", "checkers.c"},
                         folder.root() + "/out");
    REQUIRE_MESSAGE(compiled.code == 0, compiled.err);
    const Finished counted = assay::test::run({folder.root() + "/out/count"}, folder.root());
    CHECK(counted.code == 0);
    CHECK(counted.out == block_of(page, "text"));

    folder.write("moves.py", block_of(page, "python"));
    const auto python = [&](const std::string& text) {
        return assay::test::run({"/usr/bin/env", "python3", "moves.py", "out/checkers.so", text},
                                folder.root());
    };
    const Finished moves = python("B:W21,22,30:B1,2");
    CHECK_MESSAGE(moves.out == "1-5\n1-6\n2-6\n2-7\n", moves.err);
    CHECK(python("B:W21,22,30:B1,2,").err == "no position of this game\n");

    const Finished c_alone = folder.assay_with(
        {"rules", "build", rules_file("tictactoe"), "--c", "-o", "c"}, folder.root() + "/nowhere");
    CHECK(c_alone.out == "c/tictactoe.c\nc/multigame.h\n");
    const Finished without = folder.assay_with(
        {"rules", "build", rules_file("tictactoe"), "-o", "c"}, folder.root() + "/nowhere");
    CHECK(without.code == 4);
    CHECK(without.err == "build: there is no C compiler (cc, gcc, clang, tcc)\n");
}

TEST_CASE("Compiled rules: a seeded match is the interpreter's, move for move") {
    RulesFolder folder;
    for (const auto& pairing :
         std::vector<std::pair<std::string, std::string>>{{"checkers", "instant"},
                                                          {"connect6", "instant"},
                                                          {"darkchess", "instant"},
                                                          {"breakthrough", "gameplayer"}}) {
        const auto& game = pairing.first;
        const auto& player = pairing.second;
        CAPTURE(game);
        folder.match(game, player);
        std::vector<std::vector<std::string>> played;
        for (const std::string mode : {"compiled", "interpreted"}) {
            const std::string store = game + "-" + mode + ".db";
            const Finished finished = folder.assay_with(
                {"run", game + ".yaml", "--rules", mode, "--db", store, "--json"});
            REQUIRE_MESSAGE(finished.code == 0, finished.err);
            CHECK(finished.err.find("are interpreted") == std::string::npos);
            played.push_back(folder.games_of(store));
        }
        CHECK(played[0].size() == 4);
        CHECK(played[0] == played[1]);
    }
    CHECK(folder.is_quiet());
}

TEST_CASE("Compiled rules: a match goes on where the compiler is missing or its code crashes") {
    RulesFolder folder;
    folder.match_of_own("connect4", "instant");
    const Finished without = folder.assay_with({"run", "connect4.yaml", "--db", "a.db", "--json"},
                                               folder.root() + "/nowhere");
    REQUIRE_MESSAGE(without.code == 0, without.err);
    CHECK(without.err.find("assay: the rules of connect4 are interpreted: there is no C compiler "
                           "(cc, gcc, clang, tcc)\n") != std::string::npos);

    // A compiler whose objects die of SIGSEGV when they list moves.
    const std::string bin = folder.root() + "/bin";
    std::filesystem::create_directory(bin);
    folder.write("bin/cc",
                 "#!/bin/sh\nexport PATH=/usr/bin:/bin\n"
                 "for last in \"$@\"; do :; done\n"
                 "case \"$last\" in *.c) echo 'int *volatile nowhere;' >> \"$last\"\n"
                 "sed -i -e 's/^static int moves_of(.*/&\\n  extern int *volatile nowhere; "
                 "*nowhere = 1;/' \"$last\";; esac\n"
                 "exec /usr/bin/cc \"$@\"\n");
    std::filesystem::permissions(bin + "/cc", std::filesystem::perms::owner_all);
    const Finished crashed =
        folder.assay_with({"run", "connect4.yaml", "--db", "b.db", "--json"}, bin);
    REQUIRE_MESSAGE(crashed.code == 0, crashed.err);
    CHECK(crashed.err.find("assay: the rules of connect4 are interpreted: the trial of the "
                           "compiled rules ") != std::string::npos);
    CHECK(folder.games_of("a.db") == folder.games_of("b.db"));
    CHECK(folder.games_of("a.db").size() == 4);
}

TEST_CASE("Compiled rules: programs that ship need no compiler and no folder") {
    RulesFolder folder;
    folder.match("connect4", "instant");
    const std::string nowhere = folder.root() + "/nowhere";
    const Finished without = folder.assay_with({"run", "connect4.yaml", "--json"}, nowhere);
    REQUIRE_MESSAGE(without.code == 0, without.err);
    const bool is_interpreted = without.err.find("are interpreted") != std::string::npos;
    CHECK(is_interpreted == (ASSAY_HAS_SHIPPED_RULES == 0));
    CHECK_FALSE(std::filesystem::exists(folder.root() + "/cache"));
    const Finished counted = folder.assay_with(
        {"rules", "perft", rules_file("chess"), "--depth", "3", "--rules", "compiled"}, nowhere);
    CHECK(counted.code == (ASSAY_HAS_SHIPPED_RULES == 1 ? 0 : 4));
}
