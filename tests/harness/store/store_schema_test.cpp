#include "harness/store/store_schema.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "harness/store/store.h"
#include "rules/game.h"
#include "rules/make_game.h"
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

TEST_CASE("Migration: a store of version 2 becomes one with suites, and keeps its games") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("assay.db");
    {
        Store store(path, Store::Access::Write);
        test::write_sample_pair(store, store.begin_run(test::sample_run()), 0);
    }
    {
        // What version 3 added is taken away: the file is then as version 2 left it.
        SQLite::Database database(path, SQLite::OPEN_READWRITE);
        database.exec(
            "DROP TABLE searches; DROP TABLE answers; DROP TABLE summaries; DROP TABLE machines; "
            "ALTER TABLE games DROP COLUMN machine; DROP INDEX games_by_number; ALTER TABLE games DROP COLUMN number; "
            "ALTER TABLE matches DROP COLUMN between_games; DROP TABLE pv_findings; "
            "ALTER TABLE pairs DROP COLUMN single; ALTER TABLE runs DROP COLUMN uid; "
            "ALTER TABLE runs DROP COLUMN shard; PRAGMA user_version = 2");
        CHECK_FALSE(is_current(database, path, store_migrations()));
    }
    Store store(path, Store::Access::Write);
    CHECK(store.pairs(1, 0).size() == 1);
    CHECK(store.searches(1).empty());
    SearchRecord search;
    search.answers.push_back({3.0, "", {}});
    store.write_search(1, search);
    CHECK(store.searches(1) == std::vector{search});
}

TEST_CASE("Migration: games of version 4 are of the machine that their run began on") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("assay.db");
    {
        Store store(path, Store::Access::Write);
        test::write_sample_pair(store, store.begin_run(test::sample_run()), 0);
    }
    SQLite::Database(path, SQLite::OPEN_READWRITE)
        .exec(
            "DROP TABLE machines; ALTER TABLE games DROP COLUMN machine; "
            "DROP INDEX games_by_number; ALTER TABLE games DROP COLUMN number; "
            "ALTER TABLE matches DROP COLUMN between_games; DROP TABLE pv_findings; "
            "ALTER TABLE pairs DROP COLUMN single; ALTER TABLE runs DROP COLUMN uid; "
            "ALTER TABLE runs DROP COLUMN shard; PRAGMA user_version = 4");
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
