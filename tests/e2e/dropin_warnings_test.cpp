#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/runner_folder.h"
#include "tests/support/contains.h"

using assay::test::Argv;
using assay::test::contains;
using assay::test::Finished;
using assay::test::RunnerFolder;
using assay::test::times_in;
using assay::test::two_engines;
using assay::test::operator+;

namespace {

/// A misbehaving engine on a short clock, and one whose clock no busy machine uses up; one round.
Argv against_calm(const std::string& args) {
    return {"-engine",       "cmd=./misbehave", "name=first",  "args=" + args,    "tc=1",
            "-engine",       "cmd=./instant",   "name=second", "tc=1000",         "-openings",
            "file=book.epd", "-rounds",         "1",           "-ratinginterval", "0"};
}

}  // namespace

TEST_CASE("Drop-in: an opening that is none ends the match, and says which") {
    RunnerFolder folder;
    folder.write("bad.epd",
                 std::string("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - "
                             "1 2\nno position at all\n"));
    Argv words = two_engines("instant", "", "nodes=10") + Argv{"-rounds", "2", "-recover"};
    std::ranges::replace(words, std::string("file=book.epd"), std::string("file=bad.epd"));
    const Finished said = folder.run("fastchess", words);
    CHECK(said.code == 1);
    CHECK(contains(said.out,
                   "Error while creating match: Failed to set position from opening book, invalid "
                   "FEN or EPD: no position at all\n"));
    CHECK(contains(said.out, "Tournament was interrupted."));
}

TEST_CASE("Drop-in: an engine that does not start is named, with exit code 1") {
    RunnerFolder folder;
    const Finished deaf =
        folder.run("fastchess", two_engines("misbehave", "--sin no-uciok", "nodes=10") +
                                    Argv{"-startup-ms", "500", "-recover"});
    CHECK(deaf.code == 1);
    CHECK(contains(deaf.out,
                   "Fatal; first engine startup failure: \"Engine didn't respond to uciok after "
                   "startup\"\n"));
    const Finished strict =
        folder.run("fastchess", two_engines("instant", "", "nodes=10") +
                                    Argv{"-each", "option.NoSuch=1", "-rounds", "50", "-strict"});
    CHECK(strict.code == 1);
    CHECK(contains(strict.out, " doesn't have option NoSuch\n"));
    CHECK(contains(strict.out, "Tournament was interrupted."));
}

TEST_CASE("Drop-in: an engine without UCI_Chess960 is warned of and plays fischerandom") {
    RunnerFolder folder;
    folder.write("960.epd", "bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w - - 0 1\n");
    const Argv words{"-engine",
                     "cmd=/usr/games/toga2",
                     "name=toga",
                     "option.OwnBook=false",
                     "-engine",
                     "cmd=./instant",
                     "name=other",
                     "-each",
                     "plies=1",
                     "-openings",
                     "file=960.epd",
                     "-variant",
                     "fischerandom",
                     "-rounds",
                     "1",
                     "-recover"};
    const Finished played = folder.run("fastchess", words);
    CHECK_MESSAGE(played.code == 0, played.out);
    CHECK(contains(played.out, "Warning; toga doesn't have option UCI_Chess960\n"));
    CHECK_FALSE(contains(played.out, "other doesn't have option UCI_Chess960"));
    CHECK(contains(played.out, "Finished game 2 (other vs toga): "));
    CHECK_FALSE(contains(played.out, "llegal move"));
}

TEST_CASE("Drop-in: an engine that is there and does not answer stalls, in fastchess's words") {
    struct Silence {
        std::string sin;
        std::string warnings;  // before each "Finished game"
    };

    const std::string deaf = "Warning; Engine first is not responsive\n";
    const std::vector<Silence> silences{
        // It answers uci, and never isready.
        {"no-readyok", deaf},
        {"deaf", "Warning; No output from first\n" + deaf},
        {"chatter",
         "Warning; No bestmove found from first because: Line does not start with 'bestmove'. "
         "Last line was: info depth 1 score cp 1 nodes 1\n" +
             deaf},
    };
    RunnerFolder folder;
    for (const Silence& silence : silences) {
        CAPTURE(silence.sin);
        const Argv words = against_calm("--sin " + silence.sin + " --at 2") +
                           Argv{"-ping-ms", "700",        "-ucinewgame-ms", "3000",
                                "-pgnout",  "file=g.pgn", "append=false"};
        const Finished kept = folder.run("fastchess", words + Argv{"-recover"});
        CHECK_MESSAGE(kept.code == 0, kept.out);
        CHECK_FALSE(contains(kept.out, "Fatal;"));
        CHECK(contains(kept.out, silence.warnings + "Finished game 1 (first vs second): 0-1 "
                                                    "{White's connection stalls}\n"));
        CHECK(contains(kept.out, silence.warnings + "Finished game 2 (second vs first): 1-0 "
                                                    "{Black's connection stalls}\n"));
        CHECK(contains(kept.out, "Player: first\n  Timeouts: 0\n  Crashed: 2\n"));
        CHECK(times_in(assay::read_file(folder.root() + "/g.pgn"), "[Termination \"abandoned\"]") ==
              2);
        const Finished ended = folder.run("fastchess", words);
        CHECK(ended.code == 1);
        CHECK(contains(ended.out, silence.warnings +
                                      "Game 1 stalled / disconnected and no recover option set for "
                                      "engine, stopping tournament.\nFinished game 1 "));
    }
    CHECK(folder.folder().is_quiet());
}

TEST_CASE("Drop-in: an engine that is late and answers loses on time, and nothing is warned of") {
    RunnerFolder folder;
    const Finished late =
        folder.run("fastchess", against_calm("--sin late-bestmove --delay 2500 --at 2"));
    CHECK(late.code == 0);
    CHECK_FALSE(contains(late.out, "Warning; "));
    CHECK(contains(late.out, "{White loses on time ("));
    CHECK(contains(late.out, "  Timeouts: 2\n  Crashed: 0\n"));
}

TEST_CASE("Drop-in: each mistake is blamed on what is at fault, once") {
    RunnerFolder folder;
    const Finished hurried =
        folder.run("fastchess", two_engines("misbehave", "--sin no-uciok", "nodes=10") +
                                    Argv{"-startup-ms", "0", "-recover"});
    CHECK(hurried.code == 1);
    CHECK(contains(hurried.out,
                   " engine startup failure: \"Engine didn't respond to uciok after startup\"\n"));
    CHECK_FALSE(contains(hurried.out, "Match failed with exception"));

    const Finished few = folder.run(
        "fastchess", two_engines("instant", "", "nodes=10") + Argv{"-concurrency", "-9999"});
    CHECK(few.code == 1);
    CHECK(few.out.starts_with("Error: -concurrency -9999 leaves no thread of "));

    folder.write("empty.epd", "");
    Argv empty = two_engines("instant", "", "nodes=10");
    std::ranges::replace(empty, std::string("file=book.epd"), std::string("file=empty.epd"));
    const Finished bookless = folder.run("fastchess", empty);
    CHECK(bookless.code == 1);
    CHECK(contains(bookless.out, "Error"));
    CHECK_FALSE(contains(bookless.out, "error: "));

    const Finished unwritable =
        folder.run("fastchess", two_engines("instant", "", "nodes=10") +
                                    Argv{"-pgnout", "file=/no/such/folder/g.pgn"});
    CHECK(unwritable.code == 1);
    CHECK(contains(unwritable.out, "Error: /no/such/folder/g.pgn: "));

    const Finished cute =
        folder.run("cutechess-cli", {"-engine", "cmd=./none", "name=a", "-engine", "cmd=./instant",
                                     "name=b", "-each", "proto=uci", "tc=1", "-rounds", "1"});
    CHECK(cute.code == 0);
    CHECK(cute.err == "Warning: Cannot start engine a:\nCannot execute command: ./none\n");
    const Finished deaf =
        folder.run("cutechess-cli", {"-engine", "cmd=/bin/false", "name=a", "-engine",
                                     "cmd=./instant", "name=b", "-each", "proto=uci", "tc=1"});
    CHECK_FALSE(contains(deaf.err, "Fatal;"));
    CHECK(contains(deaf.err, "Warning: Could not initialize player a: "));
}

TEST_CASE("Drop-in: the log has what is printed, from a level on, and what engines say") {
    RunnerFolder folder;
    const Argv words = two_engines("instant", "", "nodes=10") + Argv{"-rounds", "1"};
    const auto log_of = [&](const Argv& flags) {
        std::filesystem::remove(folder.root() + "/log.txt");
        const Finished said = folder.run("fastchess", words + Argv{"-log"} + flags);
        CHECK_MESSAGE(said.code == 0, said.out);
        return assay::read_file(folder.root() + "/log.txt");
    };
    const std::string all = log_of({"file=log.txt", "level=info", "engine=true"});
    CHECK(contains(all, "[Engine] ["));
    CHECK(contains(all, "> first <--- uci\n"));
    CHECK(contains(all, "> second ---> uciok\n"));
    CHECK(contains(all, "[INFO  ] ["));
    CHECK(contains(all, "> fastchess --- Finished match\n\n"));
    CHECK(log_of({"file=log.txt"}).empty());  // warnings alone, and there are none
    CHECK(folder.run("fastchess", words + Argv{"-log", "file=log.txt", "compress=true"}).code == 1);
}

TEST_CASE("Drop-in: a log that cannot be written any more is told of once, and ends no match") {
    RunnerFolder folder;
    const Finished full =
        folder.run("fastchess", two_engines("instant", "", "nodes=10") +
                                    Argv{"-rounds", "1", "-log", "file=/dev/full", "engine=true"});
    CHECK(full.code == 0);
    const std::string told = "Warning: -log ends here, the match goes on: /dev/full: ";
    CHECK(contains(full.out, told));
    CHECK_FALSE(contains(full.out.substr(full.out.find(told) + 1), "Warning: -log"));
    CHECK(contains(full.out, "Finished match"));
}

TEST_CASE("Drop-in: a message that has an error's word in a name is printed as it is") {
    RunnerFolder folder;
    std::filesystem::create_directory(folder.root() + "/terror");
    const Finished said =
        folder.folder().assay(Argv{"match"} + two_engines("instant", "", "nodes=10") +
                              Argv{"-rounds", "1", "--db", "terror"});
    CHECK(said.code == 1);
    CHECK(contains(said.out, "Error: terror: "));
}
