// What the workers count of a program that fails, with several games at once.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/runner_folder.h"
#include "tests/support/contains.h"

using assay::test::Argv;
using assay::test::contains;
using assay::test::Finished;
using assay::test::fishtest_words;
using assay::test::openbench_words;
using assay::test::RunnerFolder;
using assay::test::times_in;
using assay::test::operator+;

namespace dropin_faults {

namespace {

constexpr int kRounds = 4;
constexpr int kGames = 2 * kRounds;

struct Fault {
    std::string sin;
    std::string counted;      // by OpenBench
    std::string reason;       // without the side
    std::string termination;  // the tag
};

const std::vector<Fault> kFaults{
    {"exit", "crashes", "disconnects", "abandoned"},
    {"late-bestmove --delay 1500", "time_losses", "loses on time (", "time forfeit"},
    {"illegal-move", "illegal", "makes an illegal move", "illegal move"},
    {"none-move", "illegal", "makes an illegal move", "illegal move"},
};

/// The word in place of the first one that begins so.
void replace(Argv& words, const std::string& begin, const std::string& word) {
    const auto found = std::ranges::find_if(
        words, [&begin](const std::string& one) { return one.starts_with(begin); });
    REQUIRE(found != words.end());
    *found = word;
}

/// The first program fails in this way in each game; four games at once.
Argv with_fault(Argv words, const std::string& seed, const std::string& sin) {
    replace(words, seed, "args=--sin " + sin + " --at 3");
    *(std::ranges::find(words, "-concurrency") + 1) = "4";
    return words + Argv{"-force-concurrency"};
}

}  // namespace

TEST_CASE("Drop-in: OpenBench counts each failure of a program once, with four games at once") {
    for (const Fault& fault : kFaults) {
        CAPTURE(fault.sin);
        RunnerFolder folder;
        Argv words = with_fault(openbench_words("misbehave", kRounds), "option.Seed=", fault.sin);
        replace(words, "tc=", "tc=1.00+0.00");
        const Finished said = folder.run("fastchess-ob", words);
        REQUIRE_MESSAGE(said.code == 0, said.out << said.err);
        const Finished read = folder.read_as(
            "openbench", {"--games", std::to_string(kGames), "--pgn", "games.pgn"}, said);
        CHECK_MESSAGE(read.code == 0, read.out << said.out);
        for (const std::string kind : {"crashes", "time_losses", "illegal"})
            CHECK_MESSAGE(contains(read.out + " ",
                                   kind + "=" + std::to_string(kind == fault.counted ? kGames : 0)),
                          read.out);
        // It lost all its pairs.
        CHECK(contains(read.out, "penta=[" + std::to_string(kRounds) + ", 0, 0, 0, 0]"));
        const std::string pgn = assay::read_file(folder.root() + "/games.pgn");
        CHECK(times_in(pgn, "[Termination \"" + fault.termination + "\"]") == kGames);
        CHECK(times_in(said.out, fault.reason) == kGames);
        CHECK(folder.folder().is_quiet());
    }
}

TEST_CASE("Drop-in: fishtest counts each crash and each loss on time once, and each pair") {
    for (const Fault& fault : kFaults) {
        CAPTURE(fault.sin);
        RunnerFolder folder;
        Argv words =
            with_fault(fishtest_words("misbehave", "1.000", kRounds), "option.Hash=", fault.sin);
        std::erase(words, "option.Hash=2");
        // Base plays at once.
        const auto base = std::ranges::find(words, "name=Base-fedcba9876543210");
        *std::find(base, words.end(), "cmd=misbehave") = "cmd=instant";
        const Finished said = folder.run("fastchess", words);
        REQUIRE_MESSAGE(said.code == 0, said.out << said.err);
        const Finished read = folder.read_as(
            "fishtest", {"--games", std::to_string(kGames), "--batch", "4", "--pgn", "results.pgn"},
            said);
        if (fault.counted == "illegal") {
            CHECK(read.code == 1);
            CHECK(contains(read.out, "an error that stops the test: Warning; "));
            CHECK(times_in(said.out, "Warning; Illegal move ") == kGames);
            continue;
        }
        CHECK_MESSAGE(read.code == 0, read.out << said.out);
        const std::string games = std::to_string(kGames);
        CHECK(contains(read.out, fault.counted == "crashes" ? "crashes=" + games + " time_losses=0"
                                                            : "crashes=0 time_losses=" + games));
        CHECK(contains(read.out, "blocks=" + std::to_string(kRounds)));
    }
}

}  // namespace dropin_faults
