// A run in parts, and put together again: the same games, pairs and verdict as in one piece.
#include <SQLiteCpp/SQLiteCpp.h>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"

using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

namespace {

/// The repeatable match under a stop rule.
void write_config(RunFolder& folder, int pairs, const std::string& stop) {
    folder.write("m.yaml", folder.repeatable_config(pairs) + "stop: " + stop + "\n");
}

Finished play_shard(const RunFolder& folder, int index, int count,
                    const std::string& command = "run") {
    const std::string number = std::to_string(index);
    return folder.assay({command, "m.yaml", "--shard", number + "/" + std::to_string(count), "--db",
                         "shard-" + number + ".db"});
}

Finished merge(const RunFolder& folder, int count, const std::string& output) {
    std::vector<std::string> words{"merge"};
    for (int index = 1; index <= count; ++index)
        words.push_back("shard-" + std::to_string(index) + ".db");
    words.insert(words.end(), {"-o", output});
    return folder.assay(words);
}

}  // namespace

TEST_CASE("Shards: 1, 3 and 8 of them come to the verdict of one machine") {
    // A test that decides soon, one that decides late, and one that never does.
    for (const char* stop : {"{sprt: {nelo: [-400, -200]}}", "{closing: {nelo: [-60, 120]}}",
                             "{fixed: {alpha: 0.05}}"}) {
        CAPTURE(stop);
        RunFolder folder;
        write_config(folder, 200, stop);
        const Finished whole = folder.assay({"gate", "m.yaml", "--db", "whole.db"});
        const std::string expected = folder.decision_in("whole.db");
        // All numbers of shards where the test decides late; three where it decides soon or never.
        const bool is_late = contains(stop, "closing");
        for (const int count : is_late ? std::vector{1, 3, 8} : std::vector{3}) {
            CAPTURE(count);
            for (int index = 1; index <= count; ++index) {
                const Finished part = play_shard(folder, index, count, "gate");
                CHECK_MESSAGE(part.code == 0, part.out, part.err);
            }
            const Finished merged = merge(folder, count, "all.db");
            REQUIRE_MESSAGE(merged.code == 0, merged.err);
            CHECK_MESSAGE(contains(merged.out, "run 1: m, "), merged.out);
            const Finished judged = folder.assay({"gate", "m.yaml", "--db", "all.db", "--resume"});
            CHECK_MESSAGE(judged.code == whole.code, judged.out, judged.err);
            CHECK(folder.decision_in("all.db") == expected);
            const int pairs = std::stoi(expected.substr(6));
            CHECK(folder.games_in("all.db", pairs) == folder.games_in("whole.db", pairs));
            for (const auto& entry : std::filesystem::directory_iterator(folder.root())) {
                const std::string name = entry.path().filename().string();
                if (name.starts_with("shard-") || name.starts_with("all.db"))
                    std::filesystem::remove_all(entry.path());
            }
        }
    }
}

TEST_CASE("Shards: what a lost one lacks is told, named without play, and played by a resume") {
    RunFolder folder;
    write_config(folder, 30, "{fixed: {alpha: 0.05}}");
    for (const int index : {1, 3}) REQUIRE(play_shard(folder, index, 3).code == 0);
    REQUIRE(folder.assay({"run", "m.yaml", "--db", "whole.db"}).code == 0);
    const Finished merged = folder.assay({"merge", "shard-1.db", "shard-3.db", "-o", "all.db"});
    CHECK(merged.code == 0);
    CHECK_MESSAGE(contains(merged.out, "lacks 10 of 30 pairs of "), merged.out);
    CHECK(contains(merged.out, "the first is pair 2;"));
    const Finished named =
        folder.assay({"gate", "m.yaml", "--db", "all.db", "--resume", "--no-play"});
    CHECK(named.code == 4);
    CHECK_MESSAGE(contains(named.out + named.err, "lacks pairs: 1 of 30 count so far, and 19 wait"),
                  named.out, named.err);
    CHECK(contains(named.out, "resume: assay gate m.yaml --db all.db --resume\n"));
    const Finished played = folder.assay({"gate", "m.yaml", "--db", "all.db", "--resume"});
    CHECK_MESSAGE(played.code != 4, played.out, played.err);
    CHECK(folder.decision_in("all.db") == folder.decision_in("whole.db"));
    CHECK(folder.games_in("all.db", 30) == folder.games_in("whole.db", 30));
}

TEST_CASE("Shards: --no-play judges a run that lacks nothing, without its programs") {
    RunFolder folder;
    write_config(folder, 20, "{fixed: {alpha: 0.05}}");
    for (const int index : {1, 2}) REQUIRE(play_shard(folder, index, 2).code == 0);
    REQUIRE(merge(folder, 2, "all.db").code == 0);
    const Finished whole = folder.assay({"gate", "m.yaml", "--db", "whole.db"});
    std::filesystem::remove(folder.root() + "/instant");
    const Finished judged = folder.assay(
        {"gate", "m.yaml", "--db", "all.db", "--resume", "--no-play", "--markdown", "gate.md"});
    CHECK_MESSAGE(judged.code == whole.code, judged.out, judged.err);
    CHECK(folder.decision_in("all.db") == folder.decision_in("whole.db"));
    CHECK_FALSE(folder.read("gate.md").empty());
}

TEST_CASE("Shards: with a control match no match is over before its pairs are") {
    RunFolder folder;
    folder.write("m.yaml",
                 folder.repeatable_config(30) + "control: true\nstop: {fixed: {alpha: 0.05}}\n");
    for (const int index : {1, 3}) REQUIRE(play_shard(folder, index, 3).code == 0);
    REQUIRE(folder.assay({"merge", "shard-1.db", "shard-3.db", "-o", "all.db"}).code == 0);
    const std::vector<std::string> judge{"gate", "m.yaml", "--db", "all.db", "--resume"};
    std::vector<std::string> named = judge;
    named.emplace_back("--no-play");
    const Finished open = folder.assay(named);
    CHECK_MESSAGE(open.code == 4, open.out, open.err);
    const Finished judged = folder.assay(judge);
    const Finished whole = folder.assay({"gate", "m.yaml", "--db", "whole.db"});
    CHECK_MESSAGE(judged.code == whole.code, judged.out, judged.err);
}

TEST_CASE("Shards: without the suite that the config asks for there is no verdict") {
    RunFolder folder;
    write_config(folder, 10, "{fixed: {alpha: 0.05}}");
    folder.write("s.epd",
                 "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"a\";\n");
    folder.write("m.yaml",
                 folder.read("m.yaml") +
                     "suite: {programs: [a, b], limit: {nodes: 100}, positions: s.epd}\n");
    for (const int index : {1, 2}) {
        const Finished part = play_shard(folder, index, 2);
        REQUIRE_MESSAGE(part.code == 0, part.err);
    }
    REQUIRE(merge(folder, 2, "all.db").code == 0);
    // A shard is known again where the suite's file has moved.
    std::string config = folder.read("m.yaml");
    folder.write("moved.epd", folder.read("s.epd"));
    folder.write("m.yaml", config.replace(config.find("s.epd"), 5, "moved.epd"));
    const Finished done =
        folder.assay({"run", "m.yaml", "--shard", "2/2", "--db", "shard-2.db", "--resume"});
    CHECK_MESSAGE(contains(done.out, "skipped: shard 2/2 has been played"), done.out, done.err);
    const Finished judged =
        folder.assay({"gate", "m.yaml", "--db", "all.db", "--resume", "--no-play"});
    CHECK(judged.code == 4);
    CHECK_MESSAGE(contains(judged.out, "the suite has not been searched"), judged.out, judged.err);
}

TEST_CASE("Shards: stats rate counts each pair once, whatever stores hold it") {
    RunFolder folder;
    write_config(folder, 18, "{fixed: {alpha: 0.05}}");
    for (const int index : {1, 2, 3}) REQUIRE(play_shard(folder, index, 3).code == 0);
    const auto rated = [&folder](const std::vector<std::string>& stores) {
        std::vector<std::string> words{"stats", "rate"};
        words.insert(words.end(), stores.begin(), stores.end());
        const Finished finished = folder.assay(words);
        return finished.out + finished.err;
    };
    CHECK(contains(rated({"shard-1.db", "shard-2.db", "shard-3.db"}), "18 pairs of "));
    REQUIRE(folder.assay({"merge", "shard-1.db", "shard-2.db", "-o", "a.db"}).code == 0);
    REQUIRE(folder.assay({"merge", "shard-2.db", "shard-1.db", "-o", "b.db"}).code == 0);
    REQUIRE(folder.assay({"merge", "shard-2.db", "shard-3.db", "-o", "c.db"}).code == 0);
    REQUIRE(merge(folder, 3, "all.db").code == 0);
    CHECK(contains(rated({"all.db", "shard-2.db", "a.db"}), "18 pairs of "));
    const std::string refused = rated({"a.db", "c.db"});
    CHECK_MESSAGE(
        contains(refused, "are parts of one run, and each has pairs that the other lacks"),
        refused);
    CHECK(contains(rated({"a.db", "shard-3.db"}), "merge them first"));
    CHECK(contains(rated({"a.db", "b.db"}), "copy of a run left out"));
}

TEST_CASE("Shards: one that is killed is merged as far as it came, or goes on") {
    RunFolder folder;
    write_config(folder, 400, "{fixed: {alpha: 0.05}}");
    const std::vector<std::string> words{"run", "m.yaml", "--shard", "2/2", "--db", "shard-2.db"};
    {
        Child child(folder.assay_argv(words), folder.root());
        REQUIRE(child.until([&] {
            const std::string path = folder.root() + "/shard-2.db";
            if (!std::filesystem::exists(path)) return false;
            try {
                SQLite::Database store(path, SQLite::OPEN_READONLY, 5000);
                return store.execAndGet("SELECT count(*) FROM games").getInt() >= 8;
            } catch (const SQLite::Exception&) {
                return false;  // it is only being made
            }
        }));
        child.signal(SIGKILL);
        (void)child.wait();
    }
    const Finished merged = folder.assay({"merge", "shard-2.db", "-o", "part.db"});
    CHECK(merged.code == 0);
    CHECK_MESSAGE(contains(merged.out, " pairs of "), merged.out);
    std::vector<std::string> resumed = words;
    resumed.emplace_back("--resume");
    CHECK(folder.assay(resumed).code == 0);
    SQLite::Database store(folder.root() + "/shard-2.db", SQLite::OPEN_READONLY);
    CHECK(store.execAndGet("SELECT count(DISTINCT pair) FROM pairs WHERE pair % 2 = 1").getInt() ==
          200);
    CHECK(store.execAndGet("SELECT count(*) FROM pairs WHERE pair % 2 = 0").getInt() == 0);
    const Finished again = folder.assay(resumed);
    CHECK(again.code == 0);
    CHECK_MESSAGE(contains(again.out, "skipped: shard 2/2 has been played: it is run 1"),
                  again.out);
    CHECK(store.execAndGet("SELECT count(*) FROM runs").getInt() == 1);
}

TEST_CASE("Shards: an empty one is played at once, and a store has one of a run") {
    RunFolder folder;
    write_config(folder, 2, "{fixed: {alpha: 0.05}}");
    const Finished empty = play_shard(folder, 3, 3);
    CHECK_MESSAGE(empty.code == 0, empty.out, empty.err);
    CHECK_MESSAGE(contains(empty.out + empty.err, "there are more shards than pairs"), empty.out,
                  empty.err);
    CHECK_MESSAGE(contains(empty.out, "This shard has no pair"), empty.out);
    const Finished second = folder.assay({"run", "m.yaml", "--shard", "1/3", "--db", "shard-3.db"});
    CHECK(second.code == 2);
    CHECK_MESSAGE(contains(second.err, "is shard 3/3 of the same run, and a store has a run once"),
                  second.err);
    const Finished again = folder.assay({"run", "m.yaml", "--shard", "3/3", "--db", "shard-3.db"});
    CHECK(again.code == 2);
    CHECK_MESSAGE(contains(again.err, "go on with it with --resume"), again.err);
    for (const int index : {1, 2}) REQUIRE(play_shard(folder, index, 3).code == 0);
    const Finished merged = merge(folder, 3, "all.db");
    CHECK_MESSAGE(merged.code == 0, merged.err);
    CHECK_FALSE(contains(merged.out, "lacks"));
    const Finished listed = folder.assay({"runs", "--db", "shard-2.db", "--json"});
    const boost::json::value run = parsed(listed.out);
    CHECK(run.at("shard") == "2/3");
    CHECK(run.at("uid").as_string().size() == 32);
    CHECK(contains(folder.assay({"runs", "--db", "shard-2.db"}).out, "m 2/3"));
    const Finished report = folder.assay({"report", "--db", "all.db", "--format", "json"});
    CHECK(parsed(report.out).at("uid") == run.at("uid"));
    CHECK(parsed(report.out).at("shard").is_null());
}

TEST_CASE("Shards: wrong flags are refused before anything is written") {
    RunFolder folder;
    write_config(folder, 10, "{fixed: {alpha: 0.05}}");
    const auto refusal = [&folder](std::vector<std::string> more) {
        more.insert(more.begin(), {"run", "m.yaml"});
        const Finished finished = folder.assay(more);
        CHECK(finished.code == 2);
        CHECK_FALSE(std::filesystem::exists(folder.root() + "/assay.db"));
        return finished.err;
    };
    for (const char* shard : {"0/8", "9/8", "3", "", "x/y"}) {
        CAPTURE(shard);
        CHECK(contains(refusal({"--shard", shard}), "is not one of 1/N to N/N"));
    }
    CHECK(contains(refusal({"--shard-key", "7"}), "give --shard I/N too"));
    CHECK(contains(refusal({"--no-play"}), "give --resume"));
    CHECK(
        contains(refusal({"--shard", "1/2", "--extend", "5"}), "--extend the merged run instead"));
    folder.write("m.yaml",
                 folder.read("m.yaml").replace(folder.read("m.yaml").find(", seed: 7"), 9, ""));
    CHECK(contains(refusal({"--shard", "1/2"}), "give 'match.seed' in the config or --seed"));
}
