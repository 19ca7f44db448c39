#include "harness/store/store_schema.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "harness/record/run_identity.h"
#include "harness/store/store.h"
#include "rules/game.h"
#include "rules/make_game.h"
#include "tests/harness/store/older_store.h"
#include "tests/harness/store/sample_records.h"
#include "tests/support/temp_dir.h"

namespace assay::harness {

namespace {

/// The released steps and two of a later assay.
std::vector<std::string_view> with_later_steps(std::string_view first, std::string_view second) {
    const auto released = store_migrations();
    std::vector<std::string_view> steps(released.begin(), released.end());
    steps.push_back(first);
    steps.push_back(second);
    return steps;
}

int version_of(SQLite::Database& database) {
    return database.execAndGet("PRAGMA user_version").getInt();
}

}  // namespace

TEST_CASE("Migration: a store of any older version keeps its games and gets all that is new") {
    const assay::test::TempDir dir;
    const std::string now = dir.path("now.db");
    {
        Store store(now, Store::Access::Write);
        const std::int64_t run = store.begin_run(test::sample_run());
        test::write_sample_pair(store, run, 0);
        test::write_sample_pair(store, run, 1, 0, PairState::Void);
    }
    for (std::size_t version = 1; version < store_migrations().size(); ++version) {
        CAPTURE(version);
        const std::string path = dir.path(std::to_string(version) + ".db");
        test::write_older_store(now, path, version);
        {
            SQLite::Database database(path, SQLite::OPEN_READWRITE);
            CHECK_FALSE(is_current(database, path, store_migrations()));
        }
        Store store(path, Store::Access::Write);
        const std::vector<PairDigest> pairs = store.pairs(1, 0);
        REQUIRE(pairs.size() == 2);
        CHECK(pairs[1].state == PairState::Void);
        CHECK(store.game(1, 0, 2)->moves.size() == 60);
        const RunRecord run = store.find_run("1").value();
        CHECK(run.plan == test::sample_run().plan);
        CHECK(run.uid == derived_uid(run));
        CHECK(store.find_uid(run.uid)->id == 1);
        CHECK(store.searches(1).empty());
        SearchRecord search;
        search.answers.push_back({3.0, "", {}});
        store.write_search(1, search);
        CHECK(store.searches(1) == std::vector{search});
        store.write_pair(1, 0, test::sample_pair(1, 0, PairState::Late));
        CHECK(store.pairs(1, 0)[1].state == PairState::Late);
        store.write_attempt(1, {0, 16, 8, 0, AttemptFate::Returned, 1, 2, "left"});
        CHECK(store.attempts(1).at(0).reason == "left");
    }
}

// A run that an older assay is playing goes on while a newer one looks at it.
TEST_CASE("Migration: of a store that is being played into loses nothing") {
    const assay::test::TempDir dir;
    const std::string now = dir.path("now.db");
    {
        Store store(now, Store::Access::Write);
        const std::int64_t run = store.begin_run(test::sample_run());
        for (const int pair : {0, 1, 2}) test::write_sample_pair(store, run, pair);
    }
    for (const std::size_t version : {std::size_t{1}, store_migrations().size() - 1}) {
        const std::string path = dir.path(std::to_string(version) + ".db");
        test::write_older_store(now, path, version);
        SQLite::Database player(path, SQLite::OPEN_READWRITE, 10'000);
        player.execAndGet("PRAGMA journal_mode = WAL");
        player.exec("DELETE FROM pairs WHERE pair > 0");
        SQLite::Statement insert(
            player,
            "INSERT INTO pairs (run, match, pair, attempt, state, opening_index) VALUES "
            "(1, 0, ?, 0, 'counted', 17)");
        player.exec("BEGIN IMMEDIATE");
        insert.bind(1, 1);
        insert.exec();
        std::thread reader([&] { CHECK(Store(path, Store::Access::Read).pair_count(1, 0) == 2); });
        player.exec("COMMIT");
        reader.join();
        CHECK(version_of(player) == static_cast<int>(store_migrations().size()));
        insert.reset();
        insert.bind(1, 2);
        insert.exec();
        CHECK(Store(path, Store::Access::Read).pairs(1, 0).size() == 3);
    }
}

TEST_CASE("Migration: shards of one run that an older assay put into one store stay there") {
    const assay::test::TempDir dir;
    const std::string now = dir.path("now.db");
    RunRecord run = test::sample_run();
    run.uid = "aa";
    run.shard = Shard{1, 2};
    {
        Store store(now, Store::Access::Write);
        store.begin_run(run);
        store.begin_run(run);
    }
    const std::string path = dir.path("old.db");
    test::write_older_store(now, path, 10);
    Store store(path, Store::Access::Write);
    CHECK(store.runs().size() == 2);
    CHECK(store.find_uid("aa")->id == 1);
    run.shard.reset();
    store.begin_run(run);
    CHECK_THROWS_AS(store.begin_run(run), Error);  // a whole run is there once
    CHECK_FALSE(store.find_uid("bb").has_value());
}

TEST_CASE("Migration: single games stay single, and games get their numbers") {
    const assay::test::TempDir dir;
    const std::string now = dir.path("now.db");
    {
        Store store(now, Store::Access::Write);
        const std::int64_t run = store.begin_run(test::sample_run());
        test::write_sample_pair(store, run, 0);
        store.write_game(run, 0, test::sample_game(1, 0, 0));
        PairDigest single = test::sample_pair(1);
        single.is_single = true;
        store.write_pair(run, 0, single);
    }
    for (std::size_t version = 1; version < store_migrations().size(); ++version) {
        CAPTURE(version);
        const std::string path = dir.path(std::to_string(version) + ".db");
        test::write_older_store(now, path, version);
        const Store store(path, Store::Access::Write);
        CHECK(store.game(1, 0, 2)->game == 1);
        CHECK(store.game(1, 0, 3)->pair == 1);
        if (version < 9) continue;  // nothing was single then
        const std::vector<PairDigest> pairs = store.pairs(1, 0);
        REQUIRE(pairs.size() == 2);
        CHECK_FALSE(pairs[0].is_single);
        CHECK(pairs[1].is_single);
    }
}

TEST_CASE("Migration: games of version 4 are of the machine that their run began on") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("assay.db");
    {
        Store store(dir.path("now.db"), Store::Access::Write);
        test::write_sample_pair(store, store.begin_run(test::sample_run()), 0);
    }
    test::write_older_store(dir.path("now.db"), path, 4);
    Store store(path, Store::Access::Write);
    const RunRecord run = store.find_run("1").value();
    CHECK(run.other_machines.empty());
    CHECK(store.pairs(1, 0).at(0).machine == 0);
    CHECK(run.machine_of(0).host == "host");
    const std::int64_t other = store.add_machine(1, {"elsewhere", "AMD EPYC", "6.1.0", 4, 2, 1});
    GameRecord game = test::sample_game(1, 0, 0);
    game.machine = other;
    store.write_game(1, 0, game);
    CHECK(store.half_pairs(1, 0).at(0).machine == other);
}

TEST_CASE("Migration: a store of version 5 says who moved, also where Black began") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("assay.db");
    SQLite::Database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec(read_file(ASSAY_SOURCE_DIR "/tests/data/store-version-5.sql"));
    const Store store(path, Store::Access::Read);
    const auto chess = rules::make_game("chess");
    int black_began = 0;
    int long_searches = 0;
    std::vector<std::int64_t> numbers;
    store.for_each_game(1, 0, [&](const GameRecord& game) {
        numbers.push_back(game.number);
        const auto position = game.start.empty() ? chess->start() : chess->parse(game.start);
        black_began += position->to_move();
        REQUIRE(game.moves.size() == 8);
        for (const MoveRecord& move : game.moves) {
            CHECK(move.player == position->to_move());
            // The programs were given 200 and 600 nodes a move.
            if (move.nodes.value_or(0) > 200) {
                ++long_searches;
                CHECK(game.program_of(move.player) == 1);
            }
            position->make(position->move_of(move.name, rules::Notation::Canonical).value());
        }
    });
    CHECK(black_began == 2);
    CHECK(long_searches > 4);
    CHECK(numbers == std::vector<std::int64_t>{1, 2, 3, 4});
}

TEST_CASE("Migration: an older file gets the missing steps and keeps its rows") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("assay.db");
    {
        Store store(path, Store::Access::Write);
        test::write_sample_pair(store, store.begin_run(test::sample_run()), 0);
    }
    SQLite::Database database(path, SQLite::OPEN_READWRITE);
    const auto steps = with_later_steps(
        "ALTER TABLE runs ADD COLUMN mood TEXT NOT NULL DEFAULT "
        "'calm'",
        "UPDATE runs SET mood = mood || '!'");
    CHECK_FALSE(is_current(database, path, steps));
    migrate(database, path, steps);
    CHECK(is_current(database, path, steps));
    CHECK(version_of(database) == static_cast<int>(store_migrations().size()) + 2);
    CHECK(database.execAndGet("SELECT mood FROM runs").getString() == "calm!");
    CHECK(database.execAndGet("SELECT count(*) FROM games").getInt() == 2);
    migrate(database, path, steps);
    CHECK(database.execAndGet("SELECT mood FROM runs").getString() == "calm!");
}

TEST_CASE("Migration: where a step fails the file is the old version, whole") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("assay.db");
    SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(database, path, store_migrations());
    const auto steps =
        with_later_steps("ALTER TABLE runs ADD COLUMN mood TEXT", "UPDATE nothing SET x = 1");
    CHECK_THROWS_AS(migrate(database, path, steps), SQLite::Exception);
    CHECK(version_of(database) == static_cast<int>(store_migrations().size()));
    CHECK(database.execAndGet("SELECT count(*) FROM pragma_table_info('runs') WHERE name = 'mood'")
              .getInt() == 0);
    CHECK(is_current(database, path, store_migrations()));
}

}  // namespace assay::harness
