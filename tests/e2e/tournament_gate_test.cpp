// Gates on tournaments: the built program, real processes, and what its reports say.
#include <SQLiteCpp/SQLiteCpp.h>
#include <csignal>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"

using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

namespace {

/// "new" and two more, equal players but for their seeds.
std::string gate_config(RunFolder& folder, const std::string& require,
                        const std::string& more = "rounds: 12") {
    const std::string instant = folder.program("instant");
    std::string text = "programs:\n";
    int seed = 0;
    for (const char* const name : {"new", "old", "other"})
        text += std::string("  ") + name + ": {command: [" + instant +
                "], options: {Seed: " + std::to_string(++seed) + "}}\n";
    return text + "tournament: {kind: round_robin, " + more + ", require: [" + require +
           "]}\nmatch: {time: {nodes: 10}, concurrency: 2, seed: 7, adjudicate: {length: 40}}\n";
}

int stored_pairs(const RunFolder& folder) {
    SQLite::Database store(folder.root() + "/assay.db", SQLite::OPEN_READONLY, 5000);
    return store.execAndGet("SELECT count(*) FROM pairs").getInt();
}

}  // namespace

TEST_CASE("Tournament gate: conditions that hold accept, in every report") {
    RunFolder folder;
    folder.write("t.yaml", gate_config(folder,
                                       "{program: new, over: old, rating: -900, crashes: 0}, "
                                       "{program: new, pairings: -950}"));
    const Finished gate = folder.assay({"gate", "t.yaml", "--json", "--out", "files"});
    REQUIRE_MESSAGE(gate.code == 0, gate.err);
    const auto result = parsed(gate.out);
    CHECK(result.at("outcome") == "accepted");
    CHECK(result.at("outcome_reason") == "conditions");
    CHECK(result.at("exit_code") == 0);
    const auto& conditions = result.at("tournament").at("conditions").as_array();
    REQUIRE(conditions.size() == 3);
    CHECK(conditions[0].at("kind") == "rating");
    CHECK(conditions[0].at("program") == "new");
    CHECK(conditions[0].at("over") == "old");
    CHECK(conditions[0].at("state") == "holds");
    CHECK(conditions[0].at("limit").to_number<double>() == -900);
    CHECK(conditions[1].at("found") == 0);
    CHECK(conditions[2].at("pairings") == 2);
    CHECK(contains(gate.err, "holds: new rated at least -900 Elo over old: "));
    const auto file = [&](const std::string& name) {
        return assay::read_file(folder.root() + "/files/" + name);
    };
    CHECK(contains(file("report.md"), "gate: **accepted**, exit 0: the conditions on the "));
    CHECK(contains(file("junit.xml"), "condition: new rated at least -900 Elo over old"));
    CHECK(contains(file("junit.xml"), "\"condition: crashes of new\""));
    CHECK(contains(file("report.html"), "Exit code 0: the conditions on the tournament hold."));
    CHECK(contains(file("report.html"), "new rated at least −900 Elo over old: "));
    const Finished badge = folder.assay({"report", "--format", "badge"});
    CHECK(contains(badge.out, "accepted: "));
    // What is stored gives the same again.
    const Finished again = folder.assay({"report", "--format", "json"});
    CHECK(parsed(again.out) == result);
    CHECK(contains(folder.assay({"report"}).out,
                   "gate: accepted, exit 0\nreason: the conditions on the tournament hold\n"));
}

TEST_CASE("Tournament gate: a broken condition rejects, and makes a run return 1") {
    RunFolder folder;
    folder.write("t.yaml", gate_config(folder, "{program: new, over: old, rating: 900}"));
    const Finished run = folder.assay({"run", "t.yaml"});
    CHECK(run.code == 1);
    CHECK(contains(run.err, "required: new rated at least +900 Elo over old: "));
    const Finished gate = folder.assay({"gate", "t.yaml", "--json", "--junit", "gate.xml"});
    CHECK(gate.code == 1);
    const auto result = parsed(gate.out);
    CHECK(result.at("outcome") == "rejected");
    CHECK(result.at("outcome_reason") == "requirement");
    CHECK(result.at("broken_requirements").as_array().size() == 1);
    CHECK(contains(assay::read_file(folder.root() + "/gate.xml"), "failures=\"1\""));
    // It has nothing to do with how the tournament was played.
    folder.write("t.yaml", gate_config(folder, "{program: new, rating: -900}"));
    const Finished other = folder.assay({"gate", "t.yaml", "--add", "--json"});
    CHECK_MESSAGE(other.code == 0, other.err);
    CHECK(stored_pairs(folder) == 72);
}

TEST_CASE("Tournament gate: what the games leave open is inconclusive, as the flag has it") {
    RunFolder folder;
    folder.write("t.yaml", gate_config(folder, "{program: new, rating: 0}"));
    const Finished gate = folder.assay({"gate", "t.yaml", "--json", "--markdown", "gate.md"});
    CHECK(gate.code == 3);
    const auto result = parsed(gate.out);
    CHECK(result.at("outcome") == "inconclusive");
    CHECK(result.at("outcome_reason") == "open_condition");
    CHECK(result.at("open_requirements").as_array().size() == 1);
    CHECK(result.at("tournament").at("conditions").at(0).at("over").is_null());
    CHECK(contains(gate.err, "reason: a condition on the tournament is not settled\nexit 3\n"));
    CHECK(contains(assay::read_file(folder.root() + "/gate.md"), "gate: **inconclusive**, exit 3"));
    CHECK(folder.assay({"gate", "t.yaml", "--inconclusive", "pass"}).code == 0);
    CHECK(folder.assay({"gate", "t.yaml", "--inconclusive", "fail"}).code == 1);
    folder.write("t.yaml", gate_config(folder, "{program: new, rating: 0}") +
                               "at_end: [sh, -c, 'echo \"{verdict} {exit}\" > end.txt']\n");
    const Finished run = folder.assay({"run", "t.yaml"});
    CHECK(run.code == 0);
    CHECK(assay::read_file(folder.root() + "/end.txt") == "inconclusive 0\n");
    CHECK(contains(run.out, "undecided: new rated at least +0 Elo over the mean of all others: "));
}

TEST_CASE("Tournament gate: killed and taken up, it comes to the same conditions") {
    RunFolder folder;
    const std::string config = gate_config(folder, "{program: new, pairings: -950}", "rounds: 200");
    folder.write("t.yaml", config);
    const std::vector<std::string> words{"gate", "t.yaml", "--json", "--resume"};
    Child child(folder.assay_argv(words), folder.root());
    (void)child.until([&] { return folder.games_stored() >= 8; });
    child.signal(SIGKILL);
    REQUIRE(child.wait().code == 128 + SIGKILL);
    CHECK(stored_pairs(folder) < 600);
    const Finished unplayed = folder.assay({"gate", "t.yaml", "--resume", "--no-play"});
    CHECK(unplayed.code == 4);
    CHECK(contains(unplayed.out, "the tournament lacks games"));
    const std::string lacking = "reason: games are lacking, and --no-play plays none\n";
    CHECK(contains(unplayed.out, lacking));
    CHECK(contains(folder.assay({"report"}).out, lacking));
    const Finished resumed = folder.assay(words);
    REQUIRE_MESSAGE(resumed.code == 0, resumed.err);
    CHECK(stored_pairs(folder) == 600);
    RunFolder whole;
    whole.write("t.yaml", config);
    const Finished uncut = whole.assay({"gate", "t.yaml", "--json"});
    REQUIRE_MESSAGE(uncut.code == 0, uncut.err);
    CHECK(parsed(resumed.out).at("tournament").at("conditions") ==
          parsed(uncut.out).at("tournament").at("conditions"));
}

TEST_CASE("Tournament gate: a program that conditions name and that keeps failing is rejected") {
    RunFolder folder;
    const auto code_of = [&folder](const std::string& program) {
        std::string config = gate_config(folder, "{program: " + program + ", crashes: 1000}");
        config.insert(config.find("  other:"), "  bad: {command: [" + folder.program("misbehave") +
                                                   ", --sin, abort, --at, \"3\"]}\n");
        folder.write("t.yaml", config + "failures_in_a_row: 3\n");
        return folder.assay({"gate", "t.yaml"});
    };
    const Finished named = code_of("bad");
    CHECK_MESSAGE(named.code == 1, named.out << named.err);
    CHECK(contains(named.out, "reason: the program under test failed\n"));
    CHECK(code_of("new").code == 4);
}

TEST_CASE("Tournament gate: crashes of the named program are limited") {
    RunFolder folder;
    std::string config = gate_config(folder, "{program: bad, crashes: 0}");
    config.insert(config.find("  other:"), "  bad: {command: [" + folder.program("misbehave") +
                                               ", --sin, exit, --at, 3]}\n");
    folder.write("t.yaml", config + "failures_in_a_row: 1000\n");
    const Finished gate = folder.assay({"gate", "t.yaml", "--json"});
    CHECK(gate.code == 1);
    CHECK(contains(gate.err, "required: bad: "));
    CHECK(contains(gate.err, " crashes or stalls, at most 0 allowed\n"));
}

TEST_CASE("Tournament gate: crashes between games of the named program are limited too") {
    RunFolder folder;
    std::string config = gate_config(folder, "{program: bad, crashes: 0}", "rounds: 2");
    config.insert(config.find("  other:"), "  bad: {command: [" + folder.program("misbehave") +
                                               ", --sin, abort-between]}\n");
    folder.write("t.yaml", config + "failures_in_a_row: 1000\n");
    const Finished gate = folder.assay({"gate", "t.yaml", "--json"});
    CHECK(gate.code == 1);
    CHECK(contains(gate.err, "required: bad: "));
    CHECK(contains(gate.err, " crashes or stalls, at most 0 allowed\n"));
    // No game was lost by one.
    SQLite::Database store(folder.root() + "/assay.db", SQLite::OPEN_READONLY, 5000);
    CHECK(store.execAndGet("SELECT count(*) FROM games WHERE termination = 'crash'").getInt() == 0);
    CHECK(contains(folder.assay({"report"}).out, "required: bad: "));
}

TEST_CASE("Tournament gate: wrong names and a gate without a condition are refused") {
    RunFolder folder;
    folder.write("t.yaml", gate_config(folder, "{program: nwe, over: old, rating: -5}"));
    const Finished named = folder.assay({"gate", "t.yaml"});
    CHECK(named.code == 2);
    CHECK(contains(named.err, "t.yaml:5:"));
    CHECK(contains(named.err, "no program is called 'nwe'; did you mean 'new'?"));
    folder.write("t.yaml", gate_config(folder, "{program: new, over: old, rating: -5}"));
    const Finished bare = folder.assay({"gate", "t.yaml", "--set", "tournament.require=null"});
    CHECK(bare.code == 2);
    CHECK(contains(bare.err,
                   "a gate needs a condition, and this tournament has none: add 'require: [{"));
}
