#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "harness/store/store.h"
#include "harness/store/store_lock.h"
#include "tests/harness/store/sample_records.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using assay::harness::PairState;
using assay::harness::RunState;
using assay::harness::Store;
using assay::test::Finished;
using assay::test::TempDir;

namespace {

Finished assay_in(const TempDir& dir, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), ASSAY_BINARY_DIR "/assay");
    return assay::test::run(arguments, dir.root());
}

/// A pair with these scores of the first program, and its row.
void write_pair(Store& store, std::int64_t run, std::int64_t pair, std::array<float, 2> scores,
                PairState state) {
    std::array<assay::harness::GameRecord, 2> games;
    for (int i = 0; i < 2; ++i) {
        auto& game = games[static_cast<std::size_t>(i)];
        game = assay::test::sample_game(pair, i, 0, 10);
        const float score = scores[static_cast<std::size_t>(i)];
        game.scores.value = {i == 0 ? score : 1 - score, i == 0 ? 1 - score : score};
        store.write_game(run, 0, game);
    }
    store.write_pair(run, 0, assay::test::pair_of(games[0], games[1], state));
}

/// Two runs; the first has two counted pairs, in which its first program makes 2.5 of 4, and a
/// void one.
void make_store(const TempDir& dir) {
    Store store(dir.path("assay.db"), Store::Access::Write);
    const auto first = store.begin_run(assay::test::sample_run("nightly"));
    write_pair(store, first, 0, {1, 1}, PairState::Counted);
    write_pair(store, first, 1, {0.5F, 0}, PairState::Counted);
    write_pair(store, first, 2, {1, 1}, PairState::Void);
    store.set_state(first, RunState::Finished, "");
    store.begin_run(assay::test::sample_run("gate"));
}

}  // namespace

TEST_CASE("assay runs: lists the newest run first, with what was counted") {
    const TempDir dir;
    make_store(dir);
    const Finished text = assay_in(dir, {"runs"});
    CHECK(text.code == 0);
    CHECK(text.err.empty());
    CHECK(
        text.out ==
        "run  name     match  state     verdict  exit   pairs  score  started (UTC)     versions\n"
        "  2  gate     match  cut off   -           3  0/1000  0.0/0  2023-11-14 22:13  "
        "a1b2c3d+ A \\ subject against 00ff\n"
        "  1  nightly  match  finished  -           3  2/1000  2.5/4  2023-11-14 22:13  "
        "a1b2c3d+ A \\ subject against 00ff\n");
    {
        const assay::harness::StoreLock lock(dir.path("assay.db"));
        CHECK(assay_in(dir, {"runs"}).out.find("match  running ") != std::string::npos);
        CHECK(assay_in(dir, {"runs", "--json"}).out.find("\"cut_off\":true") == std::string::npos);
    }

    const Finished json = assay_in(dir, {"runs", "--json"});
    CHECK(json.code == 0);
    const std::string second_line = json.out.substr(json.out.find('\n') + 1);
    const auto run = boost::json::parse(second_line).as_object();
    CHECK(run.at("run") == 1);
    CHECK(run.at("state") == "finished");
    CHECK(run.at("cut_off") == false);
    const auto first_line = boost::json::parse(json.out.substr(0, json.out.find('\n')));
    CHECK(first_line.at("state") == "running");
    CHECK(first_line.at("cut_off") == true);
    CHECK(run.at("matches").at(0).at("pairs") == 2);
    CHECK(run.at("matches").at(0).at("score") == 2.5);
    const auto& versions = run.at("matches").at(0).at("versions").as_array();
    CHECK(versions.at(0).at("commit") == "a1b2c3d+");
    CHECK(versions.at(0).at("subject") == "A \\ subject");
    CHECK(versions.at(0).at("id_name") == "Stockfish 15.1");
    CHECK(versions.at(1).at("commit").is_null());
}

TEST_CASE("assay runs delete: asks first, and without a terminal wants --yes") {
    const TempDir dir;
    make_store(dir);
    const Finished asked = assay_in(dir, {"runs", "delete", "1"});
    CHECK(asked.code == 2);
    CHECK(asked.err == "to delete without being asked, add --yes\n");
    CHECK(Store(dir.path("assay.db"), Store::Access::Read).runs().size() == 2);

    for (const char* run : {"1", "2"})
        std::filesystem::create_directories(dir.path("assay.db.trees/" + std::string(run)));
    const Finished done = assay_in(dir, {"runs", "delete", "nightly", "--yes"});
    CHECK(done.code == 0);
    CHECK_FALSE(std::filesystem::exists(dir.path("assay.db.trees/1")));
    CHECK(std::filesystem::exists(dir.path("assay.db.trees/2")));
    CHECK(done.out == "run 1 is deleted; 'assay runs prune' frees its disk space\n");
    CHECK(assay_in(dir, {"runs", "prune"}).code == 0);
    const auto left = Store(dir.path("assay.db"), Store::Access::Read).runs();
    REQUIRE(left.size() == 1);
    CHECK(left[0].name == "gate");

    const Finished gone = assay_in(dir, {"runs", "delete", "1", "--yes"});
    CHECK(gone.code == 2);
    CHECK(gone.err == "assay.db: there is no run '1'; 'assay runs' lists them\n");
}

TEST_CASE("assay runs delete: the question says how many games go, single ones and halves too") {
    const TempDir dir;
    make_store(dir);
    {
        Store store(dir.path("assay.db"), Store::Access::Write);
        for (const int pair : {3, 4}) {
            assay::test::PairDigest single = assay::test::sample_pair(pair);
            single.is_single = true;
            store.write_game(1, 0, assay::test::sample_game(pair, 0, 0));
            store.write_pair(1, 0, single);
        }
        store.write_game(1, 0, assay::test::sample_game(5, 0, 0));
    }
    // `script` gives it a terminal.
    const Finished asked = assay::test::run(
        {"/bin/sh", "-c",
         "echo n | script -qec '" ASSAY_BINARY_DIR "/assay runs delete 1' /dev/null"},
        dir.root());
    CHECK(asked.out.find("delete run 1 (nightly, 9 games)? [y/N] ") != std::string::npos);
    CHECK(asked.out.find("nothing was deleted") != std::string::npos);
    CHECK(Store(dir.path("assay.db"), Store::Access::Read).runs().size() == 2);
}

TEST_CASE("assay runs delete: a store that is being played into is left alone") {
    const TempDir dir;
    make_store(dir);
    const assay::harness::StoreLock lock(dir.path("assay.db"));
    const Finished refused = assay_in(dir, {"runs", "delete", "1", "--yes"});
    CHECK(refused.code == 2);
    CHECK(refused.err.find("is already writing to this store") != std::string::npos);
    CHECK(assay_in(dir, {"runs"}).code == 0);
}

TEST_CASE("assay merge: says which run became which, and refuses to write over a store") {
    const TempDir dir;
    make_store(dir);
    std::filesystem::create_directory(dir.path("other"));
    std::filesystem::copy_file(dir.path("assay.db"), dir.path("other/old.db"));
    {
        Store store(dir.path("assay.db"), Store::Access::Write);
        write_pair(store, 2, 0, {1, 0}, PairState::Counted);
    }
    const Finished merged = assay_in(dir, {"merge", "other/old.db", "assay.db", "-o", "all.db"});
    CHECK_MESSAGE(merged.code == 0, merged.err);
    CHECK(merged.out ==
          "run 1: gate, 2 games from other/old.db run 2 and assay.db run 2\n"
          "run 2: nightly, 6 games from other/old.db run 1 and assay.db run 1\n"
          "all.db: 2 runs, 8 games\n");
    const Finished again = assay_in(dir, {"merge", "assay.db", "-o", "all.db"});
    CHECK(again.code == 2);
    CHECK(
        again.err ==
        "all.db: already exists; a merge writes a new store: name another file with -o, or delete "
        "what an interrupted merge left\n");
}

TEST_CASE("assay runs: a store that is not there is told, and none is made") {
    const TempDir dir;
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"runs"}, {"runs", "prune"}, {"runs", "delete", "1"}}) {
        const Finished missing = assay_in(dir, arguments);
        CHECK(missing.code == 2);
        CHECK(missing.err ==
              "assay.db: there is no such store; 'assay run' creates one, --db names another\n");
    }
    CHECK_FALSE(std::filesystem::exists(dir.path("assay.db")));
    CHECK_FALSE(std::filesystem::exists(dir.path("assay.db.lock")));
}

TEST_CASE("assay doctor: exit 0 whatever it finds, with latencies in its JSON") {
    const TempDir dir;
    const Finished text = assay_in(dir, {"doctor"});
    CHECK(text.code == 0);
    CHECK(text.out.find("timer") != std::string::npos);
    const Finished json = assay_in(dir, {"doctor", "--json"});
    CHECK(json.code == 0);
    const auto found = boost::json::parse(json.out).as_object();
    CHECK(found.at("timer_us").at("p99").as_double() > 0);
    CHECK(found.at("pipe_us").at("p99").as_double() > 0);
    CHECK(found.at("findings").as_array().size() == 13);
}
