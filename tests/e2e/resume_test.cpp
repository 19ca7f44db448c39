#include <SQLiteCpp/SQLiteCpp.h>
#include <csignal>
#include <string>

#include <doctest/doctest.h>

#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"

using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::RunFolder;

namespace {

void write_long_config(RunFolder& folder) {
    const std::string instant = folder.program("instant");
    folder.write("m.yaml",
                 "programs:\n  a: {command: [" + instant +
                     "], options: {Seed: 1}}\n  b: {command: [" + instant +
                     "], options: {Seed: 2}}\nmatch: {between: [a, b], time: {nodes: 10}, "
                     "pairs: 100000, concurrency: 2, adjudicate: {length: 30}}\n");
}

/// Plays until some pairs are in, and is interrupted then; returns what it printed.
std::string cut_run(const RunFolder& folder, std::vector<std::string> more) {
    more.insert(more.begin(), {"run", "m.yaml"});
    Child child(folder.assay_argv(more), folder.root());
    REQUIRE(child.says("seed "));
    const int before = folder.games_stored();
    REQUIRE(child.until([&] { return folder.games_stored() >= before + 120; }));
    child.signal(SIGINT);
    const Finished finished = child.wait();
    REQUIRE(finished.code == 130);
    return finished.out;
}

/// Kills it once it has stored four more games; what it said where it ended before.
std::string kill_among_games(Child& child, const RunFolder& folder) {
    if (child.says("run 1 in ")) {
        const int before = folder.games_stored();
        (void)child.until([&] { return folder.games_stored() >= before + 4; });
    }
    child.signal(SIGKILL);
    const Finished ended = child.wait();
    return ended.code == 128 + SIGKILL ? "" : ended.out + ended.err;
}

/// Goes on with run 1 by this command, kills it among its games, and says what the store calls it.
std::string gate_after_kill(const RunFolder& folder, const char* command, bool resumes) {
    std::vector<std::string> words{command, "m.yaml"};
    if (resumes) words.emplace_back("--resume");
    // What died by SIGKILL may hold its lock for a moment, in a child that has not begun yet.
    std::string early = "never begun";
    for (int tries = 0; tries < 5 && !early.empty(); ++tries) {
        Child child(folder.assay_argv(words), folder.root());
        early = kill_among_games(child, folder);
    }
    if (!early.empty()) return early;
    const SQLite::Database store(folder.root() + "/assay.db", SQLite::OPEN_READONLY, 5000);
    SQLite::Statement row(store,
                          "SELECT count(*), max(json_extract(findings, '$.gate')) FROM runs");
    row.executeStep();
    return row.getColumn(0).getString() + " " + row.getColumn(1).getString();
}

std::string seed_in(const std::string& text) {
    const std::size_t at = text.find("seed ") + 5;
    return text.substr(at, text.find(' ', at) - at);
}

}  // namespace

TEST_CASE("Resume: other flags than the unfinished run's are told apart, and nothing is started") {
    RunFolder folder;
    write_long_config(folder);
    (void)cut_run(folder, {});
    for (const char* flag : {"--resume", "--extend=10"}) {
        CAPTURE(flag);
        const Finished refused = folder.assay(
            {"run", "m.yaml", flag, "--pairs", "5", "--set", "match.adjudicate.length=20"});
        CHECK(refused.code == 2);
        CHECK(contains(refused.err, "was started with another config or other flags:"));
        CHECK(contains(refused.err, ".adjudicate.length was 30, is 20"));
        CHECK(contains(refused.err, ".pairs was 100000, is 5"));
        CHECK(contains(refused.err, "\n  it was started with: assay run m.yaml"));
    }
    CHECK_FALSE(contains(folder.assay({"runs"}).out, "\n  2 "));
    // Without --resume a new one may be started, and where that is finished, so may another.
    const std::vector<std::string> small{"run", "m.yaml", "--pairs", "2"};
    CHECK(folder.assay(small).code == 0);
    CHECK(folder.assay({"run", "m.yaml", "--pairs", "3", "--resume"}).code == 0);
    CHECK(contains(folder.assay({"runs"}).out, "\n  3 "));
}

TEST_CASE("Resume: a run is a gate's where a gate went on with it last, also after kills") {
    RunFolder folder;
    const std::string instant = folder.program("instant");
    folder.write("m.yaml", "programs:\n  a: {command: [" + instant + "]}\n  b: {command: [" +
                               instant +
                               "], options: {Seed: 2}}\nmatch: {between: [a, b], time: {nodes: "
                               "10}, pairs: 100000, seed: 1}\nstop: {fixed: {alpha: 0.05}}\n");
    CHECK(gate_after_kill(folder, "run", false) == "1 0");
    CHECK(gate_after_kill(folder, "gate", true) == "1 1");
    CHECK(gate_after_kill(folder, "run", true) == "1 0");
}

TEST_CASE("Resume: the seed that was drawn may be given, another one is another run") {
    RunFolder folder;
    write_long_config(folder);
    const std::string seed = seed_in(cut_run(folder, {}));
    const Finished other = folder.assay({"run", "m.yaml", "--resume", "--seed", seed + "1"});
    CHECK(other.code == 2);
    CHECK(contains(other.err, "\n  seed was " + seed + ", is " + seed + "1"));
    // As if it had been begun on another machine.
    SQLite::Database(folder.root() + "/assay.db", SQLite::OPEN_READWRITE)
        .exec("UPDATE runs SET host = 'elsewhere'");
    const std::string again = cut_run(folder, {"--resume", "--seed", seed});
    CHECK(contains(again, "  check: played on 2 machines: elsewhere ("));
    CHECK(contains(again, "run 1 in "));
    CHECK(seed_in(again) == seed);

    // A run may be resumed any number of times.
    const std::string third = cut_run(folder, {"--resume"});
    CHECK(contains(third, "run 1 in "));
    CHECK(seed_in(third) == seed);
    SQLite::Database store(folder.root() + "/assay.db");
    CHECK(store.execAndGet("SELECT count(*) FROM runs").getInt() == 1);
    CHECK(
        store
            .execAndGet("SELECT count(*) - count(DISTINCT pair) FROM pairs WHERE state = 'counted'")
            .getInt() == 0);

    const std::string named = cut_run(folder, {"--seed", "77"});
    CHECK(contains(named, "run 2 in "));
    CHECK(contains(cut_run(folder, {"--seed", "77", "--resume"}), "run 2 in "));
}
