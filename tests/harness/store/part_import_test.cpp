#include "harness/store/part/part_import.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <filesystem>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "harness/store/part/part_seal.h"
#include "harness/store/store.h"
#include "tests/harness/store/older_store.h"
#include "tests/harness/store/sample_part.h"
#include "tests/support/contains.h"

namespace assay::harness {

namespace {

using test::contains;
using test::fault_of;
using test::imported;
using test::PartTest;
using test::sample_run;
using test::whole_run;
using test::workers_run;

using FaultKind = PartFault::Kind;

}  // namespace

TEST_CASE("Part: is imported into a run that is open, once") {
    const PartTest t;
    const std::int64_t run = t.open_run();
    Store store(t.path("all.db"), Store::Access::Write);  // as its coordinator has it
    const Imported first = imported(t.import(run, t.part("a.db")));
    CHECK(first.taken == 3);
    CHECK(first.late + first.equal == 0);
    const std::vector<PairDigest> pairs = store.pairs(run, 0);
    REQUIRE(pairs.size() == 3);
    REQUIRE(first.pairs.size() == 3);
    CHECK(first.pairs[1].state == PairState::Void);
    CHECK(first.pairs[2].machine == pairs[2].machine);
    CHECK(store.pairs(1, 0).empty());
    const RunRecord record = store.find_run(std::to_string(run)).value();
    CHECK(record.machine.host == "host");
    const MachineRecord& n1 = record.machine_of(pairs[0].machine);
    CHECK(n1.host == "n1");
    CHECK(n1.nps == 1.5e6);
    CHECK(store.builds(run).at(0).machine == pairs[0].machine);
    CHECK(store.pv_summary(run, 0).count_of(1) == 9);
    CHECK(store.meters(run, 0).wall_us == 0);
    const std::vector<FaultsBetweenGames> faults{{1, 0}, {0, 2}};
    CHECK(store.meters(run, 0).between_games == faults);
    CHECK(record.findings.drift == sample_run().findings.drift);

    const Imported again = imported(t.import(run, t.path("a.db")));
    CHECK(again.taken == 0);
    CHECK(again.equal == 3);
    CHECK(store.meters(run, 0).between_games == faults);

    // The same pairs under a newer claim, when these have counted: late, and still readable.
    t.write("b.db", workers_run());
    SQLite::Database(t.path("b.db"), SQLite::OPEN_READWRITE)
        .exec(
            "UPDATE games SET attempt = attempt + 8; UPDATE pairs SET attempt = attempt + 8; "
            "UPDATE pv_findings SET attempt = attempt + 8");
    close_part(t.path("b.db"));
    const Imported late = imported(t.import(run, t.path("b.db")));
    CHECK(late.taken == 3);
    CHECK(late.late == 3);
    CHECK(late.pairs.at(0).state == PairState::Late);
    CHECK(store.meters(run, 0).between_games == faults);
    CHECK(store.pairs(run, 0).size() == 6);
    CHECK(store.game(run, 0, 9)->attempt == 0);
    const std::vector<AttemptRecord> attempts = store.attempts(run);
    REQUIRE(attempts.size() == 2);
    CHECK(attempts[1].pair == 5);
    CHECK(attempts[1].attempt == 8);
    CHECK(attempts[1].fate == AttemptFate::Late);
    CHECK(attempts[1].machine == pairs[0].machine);
}

TEST_CASE("Part: of one that was handed in too late no pair counts, though none is there yet") {
    const PartTest t;
    const std::int64_t run = t.open_run();
    PartAsked asked;
    asked.is_late = true;
    const Imported late = imported(t.import(run, t.part("a.db"), asked));
    CHECK(late.taken == 3);
    CHECK(late.late == 3);
    for (const PairDigest& pair : late.pairs) CHECK(pair.state == PairState::Late);
    const Imported again = imported(t.import(run, t.path("a.db"), asked));
    CHECK(again.equal == 3);
    // One row a claim of a pair, however many of its attempts were void.
    CHECK(Store(t.path("all.db"), Store::Access::Read).attempts(run).size() == 2);
}

TEST_CASE("Part: with another game of a pair that is there nothing of it is taken") {
    const PartTest t;
    const std::int64_t run = t.open_run();
    (void)imported(t.import(run, t.part("a.db")));
    t.write("b.db", workers_run());
    {
        Store store(t.path("b.db"), Store::Access::Write);
        PartTest::write_pair(store, 1, 7, 0, PairState::Counted);
    }
    SQLite::Database(t.path("b.db"), SQLite::OPEN_READWRITE)
        .exec("UPDATE games SET ended_us = ended_us + 1 WHERE pair = 4 AND game = 1");
    close_part(t.path("b.db"));
    const auto result = t.import(run, t.path("b.db"));
    REQUIRE(std::holds_alternative<PartFault>(result));
    CHECK(std::get<PartFault>(result).kind == FaultKind::Foreign);
    CHECK(contains(std::get<PartFault>(result).sentence,
                   "game 10 of 'match' (pair 5) differs: it was played in two places, and"));
    CHECK(Store(t.path("all.db"), Store::Access::Read).pairs(run, 0).size() == 3);
}

TEST_CASE("Part: a game that differs in anything that is stored is another game") {
    for (const char* const change :
         {"scores = CASE scores WHEN '[1,0]' THEN '[0,1]' ELSE '[1,0]' END", "reason = 'another'",
          "termination = 'stall', guilty = 0", "harness_caused = 1", "started_us = started_us - 1",
          "slot = slot + 1"}) {
        CAPTURE(change);
        const PartTest t;
        const std::int64_t run = t.open_run();
        (void)imported(t.import(run, t.part("a.db")));
        t.write("b.db", workers_run());
        SQLite::Database(t.path("b.db"), SQLite::OPEN_READWRITE)
            .exec("UPDATE games SET " + std::string(change) + " WHERE pair = 4 AND game = 1");
        close_part(t.path("b.db"));
        const auto result = t.import(run, t.path("b.db"));
        REQUIRE(std::holds_alternative<PartFault>(result));
        CHECK(std::get<PartFault>(result).kind == FaultKind::Foreign);
    }
}

TEST_CASE("Part: of an older schema is read and imported") {
    const PartTest t;
    const std::int64_t run = t.open_run();
    t.write("new.db", workers_run());
    test::write_older_store(t.path("new.db"), t.path("old.db"), 10);
    const std::string before = read_file(t.path("old.db"));
    PartTest::seal(t.path("old.db"), before);
    CHECK(imported(t.import(run, t.path("old.db"))).taken == 3);
    CHECK(PartTest::unsealed(read_file(t.path("old.db"))) == before);
}

TEST_CASE("Part: what its run does not ask for is not copied") {
    const PartTest t;
    const std::int64_t run = t.open_run();
    const std::string part = t.part("a.db", workers_run(), 4);
    // A pair without games, a third game, and a tree whose name leads to the coordinator's files.
    t.change("a.db",
             "INSERT INTO pairs VALUES (1, 0, 9, 400, 'counted', 0, 0); INSERT INTO games SELECT "
             "run, match, pair, 2, attempt, programs, scores, termination, guilty, plies, used_us, "
             "moves_hash, opening_index, harness_caused, started_us, ended_us, slot, record, "
             "reason, machine, number FROM games WHERE pair = 4 AND game = 0; INSERT INTO searches "
             "VALUES (1, 0, 0, 'searched', '', '', '', 1, 1, 1, 1, 1, 1, '1/../../all.db'); "
             "INSERT INTO summaries VALUES (1, 0, '{}')");
    CHECK(imported(t.import(run, part)).taken == 3);
    Store store(t.path("all.db"), Store::Access::Write);
    CHECK(store.pairs(run, 0).size() == 3);
    CHECK(store.attempts_at(run, 0, 9).empty());
    CHECK_FALSE(store.game_at(run, 0, {4, 2, 0}));
    CHECK(store.searches(run).empty());
    CHECK(store.summaries().empty());
    // A name that leads out of the folder is told by whoever reads it.
    SearchRecord search;
    search.tree = "1/../../all.db";
    store.write_search(run, search);
    CHECK_THROWS_WITH_AS((void)store.searches(run), doctest::Contains("the name of a tree"), Error);
}

TEST_CASE("Part: what it says twice, or of pairs that nobody asked for, is refused") {
    const PartTest t;
    const auto changed = [&](const std::string& sql) {
        std::filesystem::remove(t.path("a.db"));
        (void)t.part("a.db", workers_run(), 4);
        t.change("a.db", sql);
        return fault_of(t.path("a.db"), whole_run(), {AskedPairs{0, 4, 2}, 0}).sentence;
    };
    const auto without_key = [](const std::string& table, const std::string& where) {
        return "ALTER TABLE " + table + " RENAME TO t; CREATE TABLE " + table +
               " AS SELECT * FROM t; INSERT INTO " + table + " SELECT * FROM t WHERE " + where +
               "; DROP TABLE t";
    };
    CHECK(contains(changed(without_key("pv_findings", "pair = 4")), "has a flaw of game 9 twice"));
    CHECK_FALSE(changed(without_key("games", "pair = 4")).empty());
    CHECK_FALSE(changed(without_key("pairs", "pair = 4")).empty());
    CHECK(contains(changed("INSERT INTO attempts VALUES (1, 0, 7, 0, 0, 'returned', 0, 0, '')"),
                   "has pair 8 of match 1; asked for were pairs 5 to 6"));
    CHECK(contains(changed("INSERT INTO attempts VALUES (1, 0, 4, 0, 5, 'returned', 0, 0, '')"),
                   "of a machine (5)"));
}

TEST_CASE("Part: what is newly known of a machine is kept, and a lost attempt that comes is late") {
    const PartTest t;
    const std::int64_t run = t.open_run();
    (void)imported(t.import(run, t.part("a.db", workers_run(), 4)));
    Store store(t.path("all.db"), Store::Access::Write);
    for (const std::int64_t pair : {4, 5}) {
        AttemptRecord lost;
        lost.pair = pair;
        lost.attempt = 8;
        lost.machine = kNoMachine;
        lost.fate = pair == 4 ? AttemptFate::Lost : AttemptFate::Barred;
        store.write_attempt(run, lost);
    }
    RunRecord later = workers_run();
    later.machine.nps = 2e6;
    later.machine.factor = 0;
    later.machine.trouble = "its clock is wrong";
    t.write("b.db", later, 4);
    SQLite::Database(t.path("b.db"), SQLite::OPEN_READWRITE)
        .exec(
            "UPDATE games SET attempt = attempt + 8; UPDATE pairs SET attempt = attempt + 8; "
            "DELETE FROM pv_findings");
    close_part(t.path("b.db"));
    CHECK(imported(t.import(run, t.path("b.db"))).late == 3);
    const std::vector<AttemptRecord> attempts = store.attempts(run);
    REQUIRE(attempts.size() == 2);
    CHECK(attempts[0].fate == AttemptFate::Late);
    CHECK(attempts[0].machine != kNoMachine);
    CHECK(attempts[1].fate == AttemptFate::Barred);
    AttemptRecord lost = attempts[0];
    lost.fate = AttemptFate::Lost;
    store.write_attempt(run, lost);
    CHECK(store.attempts(run)[0].fate == AttemptFate::Late);
    const RunRecord record = store.find_run(std::to_string(run)).value();
    const MachineRecord& n1 = record.machine_of(attempts[0].machine);
    CHECK(n1.host == "n1");
    CHECK(n1.nps == 2e6);
    CHECK(n1.factor == 1.25);
    CHECK(n1.trouble == "its clock is wrong");
    CHECK(store.pv_summary(run, 0).count_of(1) == 9);
}

TEST_CASE("Part: where the store fails, that is not the part's fault") {
    const PartTest t;
    const std::int64_t run = t.open_run();
    const std::string part = t.part("a.db", workers_run(), 4);
    SQLite::Database(t.path("all.db"), SQLite::OPEN_READWRITE).exec("DROP TABLE machines");
    Store store(t.path("all.db"), Store::Access::Write);
    CHECK_THROWS_WITH_AS((void)take_part(
                             store,
                             [&] {
                                 RunRecord record = whole_run();
                                 record.id = run;
                                 return record;
                             }(),
                             std::get<Part>(read_part(part, whole_run()))),
                         doctest::Contains("all.db"), Error);
}

}  // namespace assay::harness
