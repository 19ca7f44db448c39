#include "harness/store/part/part.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <filesystem>
#include <memory>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "harness/record/move_codec.h"
#include "harness/store/part/part_seal.h"
#include "harness/store/part/quarantine.h"
#include "harness/store/store.h"
#include "tests/harness/store/older_store.h"
#include "tests/harness/store/sample_part.h"
#include "tests/support/contains.h"

namespace assay::harness {

namespace {

using test::contains;
using test::fault_of;
using test::PartTest;
using test::sample_game;
using test::whole_run;
using test::workers_run;

using FaultKind = PartFault::Kind;

}  // namespace

TEST_CASE("Part: is one file, and gives back all that its worker stored") {
    const PartTest t;
    t.write("a.db", workers_run());
    {
        Store store(t.path("a.db"), Store::Access::Write);
        store.write_game(1, 0, sample_game(6, 0, 0));
    }
    close_part(t.path("a.db"));
    CHECK(std::filesystem::file_size(t.path("a.db")) < 64'000);
    close_part(t.path("a.db"));  // a second time does nothing
    for (const char* end : {"-wal", "-shm", "-journal"})
        CHECK_FALSE(std::filesystem::exists(t.path("a.db") + end));
    const RunRecord whole = whole_run();
    auto result = read_part(t.path("a.db"), whole, {AskedPairs{0, 4, 2}, 0});
    if (const auto* const fault = std::get_if<PartFault>(&result)) FAIL(fault->sentence);
    auto& part = std::get<Part>(result);
    CHECK(part.run.machine.host == "n1");
    CHECK(part.run.machine.slots == 3);
    CHECK(part.run.machine.factor == 1.25);
    CHECK(part.run.machine.assay_version == "0.2.0");
    REQUIRE(part.pairs.size() == 3);
    CHECK(part.pairs[1].digest.state == PairState::Void);
    CHECK(part.pairs[2].digest.attempt == 1);
    const std::vector<GameRecord>& games = part.pairs[0].games;
    REQUIRE(games.size() == 2);
    CHECK(encode_moves(games[1].moves) == encode_moves(sample_game(4, 1, 0).moves));
    CHECK(games[1].reason == "White mates");
    CHECK(games[0].pv_counts.at(0).count == 3);
    CHECK(games[0].pv_counts.at(0).example->line == "e2e5");
    CHECK(games[1].pv_counts.empty());
    CHECK(part.meters.at(0).between_games.at(1).stalls == 2);
    CHECK(part.builds == std::vector<MachineBuild>{{0, 1, "ab", "g++ 12", 123U, 5e5}});
    REQUIRE(part.warnings.size() == 2);
    CHECK(contains(part.warnings[0], "1 game of pairs that were not finished is left out"));
    CHECK(part.warnings[1] == "n1: it got slower");
    // Every command reads it as a store.
    CHECK(is_store(t.path("a.db")));
    CHECK(Store(t.path("a.db"), Store::Access::Read).pairs(1, 0).size() == 3);
    SQLite::Database database(t.path("a.db"), SQLite::OPEN_READONLY);
    CHECK(database.execAndGet("PRAGMA integrity_check").getString() == "ok");
}

TEST_CASE("Part: cut at any byte it is refused") {
    const PartTest t;
    const std::string whole = read_file(t.part("a.db", workers_run(), 4));
    const RunRecord run = whole_run();
    const std::string cut = t.path("cut.db");
    write_file(cut, whole);
    for (std::size_t size = whole.size(); size-- > 0;) {
        std::filesystem::resize_file(cut, size);
        const PartFault fault = fault_of(cut, run);
        const bool is_told =
            fault.kind == FaultKind::Damaged && fault.sentence.starts_with(cut + ": ");
        if (is_told) continue;
        CAPTURE(size);
        FAIL(fault.sentence);
    }
}

TEST_CASE("Part: a byte that changed is told by the seal, and without it harms nothing") {
    const PartTest t;
    const std::string whole = read_file(t.part("a.db", workers_run(), 4));
    const std::string content = PartTest::unsealed(whole);
    const RunRecord run = whole_run();
    const std::string path = t.path("bad.db");
    for (std::size_t at = 0; at < whole.size(); at += 397) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
        write_file(path, bytes);
        CHECK(fault_of(path, run).kind == FaultKind::Damaged);
    }
    // A worker that writes nonsense and seals it.
    int read = 0;
    int refused = 0;
    for (std::size_t at = 0; at < content.size(); at += 211) {
        std::string bytes = content;
        bytes[at] = static_cast<char>(bytes[at] ^ (at % 2 == 0 ? 0xFF : 0x01));
        PartTest::seal(path, bytes);
        const auto result = read_part(path, run);
        const auto* const fault = std::get_if<PartFault>(&result);
        (fault == nullptr ? read : refused) += 1;
        if (fault != nullptr) CHECK_FALSE(fault->sentence.empty());
    }
    CHECK(read > 0);
    CHECK(refused > 0);
}

TEST_CASE(
    "Part: of another run, plan, seed, book, program or schema it is refused with the reason") {
    const PartTest t;
    const RunRecord run = whole_run();
    const PartAsked asked{AskedPairs{0, 4, 2}, 0};
    const auto refusal = [&](const RunRecord& workers, FaultKind kind) {
        std::filesystem::remove(t.path("a.db"));
        const PartFault fault = fault_of(t.part("a.db", workers), run, asked);
        CHECK(fault.kind == kind);
        return fault.sentence;
    };
    RunRecord other = workers_run();
    other.uid = "ee";
    CHECK(contains(refusal(other, FaultKind::Foreign), "is a part of another run (ee, not 0123"));
    other = workers_run();
    other.plan_hash = "x";
    CHECK(contains(refusal(other, FaultKind::Foreign), "their plans differ"));
    other = workers_run();
    other.plan.seed = 1;
    CHECK(contains(refusal(other, FaultKind::Foreign), "their seeds differ"));
    other = workers_run();
    other.book_hashes = {"dd"};
    CHECK(contains(refusal(other, FaultKind::Foreign), "their books differ"));
    other = workers_run();
    other.versions[1].sha256 = "ff";
    CHECK(contains(refusal(other, FaultKind::Foreign), "program 'base' is a different file"));
    // A build of the same commit by this machine is the same program, with the same benchmark.
    other = workers_run();
    other.versions[0].sha256 = "77";
    other.versions[0].files[0].first = "/elsewhere/a.nnue";
    std::filesystem::remove(t.path("a.db"));
    CHECK(std::holds_alternative<Part>(read_part(t.part("a.db", other), run, asked)));
    other.versions[0].bench->nodes = 5;
    CHECK(contains(refusal(other, FaultKind::Foreign), "another build"));

    const auto changed = [&](const std::string& sql, FaultKind kind) {
        std::filesystem::remove(t.path("a.db"));
        (void)t.part("a.db");
        t.change("a.db", sql);
        const PartFault fault = fault_of(t.path("a.db"), run, asked);
        CHECK_MESSAGE(fault.kind == kind, sql);
        return fault.sentence;
    };
    CHECK(contains(changed("PRAGMA user_version = 99", FaultKind::Newer),
                   "is of version 99, and this"));
    CHECK(contains(changed("PRAGMA application_id = 1", FaultKind::Damaged), "not an assay store"));
    CHECK(contains(changed("DELETE FROM runs", FaultKind::Damaged), "holds 0 runs"));
    CHECK(contains(changed("CREATE TRIGGER t AFTER UPDATE ON pairs BEGIN DELETE FROM games; END",
                           FaultKind::Damaged),
                   "has triggers"));
    for (const char* sql :
         {"CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT "
          "i FROM n",
          "CREATE/**/VIRTUAL TABLE v USING fts5(a)"})
        CHECK(contains(changed(sql, FaultKind::Damaged), "has triggers, views or virtual tables"));
    CHECK(contains(changed("DROP TABLE records", FaultKind::Damaged), "no such table"));
    CHECK(contains(changed("UPDATE games SET machine = 77", FaultKind::Damaged),
                   "has games of a machine (77) of which it says nothing"));
    CHECK(contains(changed("PRAGMA journal_mode = WAL", FaultKind::Damaged),
                   "not closed to one file"));
    CHECK(contains(changed("UPDATE games SET opening_index = 1", FaultKind::Damaged),
                   "contradicts itself"));
    CHECK(contains(
        changed("UPDATE games SET match = 3; UPDATE pairs SET match = 3", FaultKind::Pairs),
        "has games of match 4, and the run has 1"));
    CHECK(contains(changed("UPDATE pairs SET state = 'counted'", FaultKind::Pairs),
                   "has pair 6 twice"));
    CHECK(contains(changed("UPDATE games SET pair = 7 WHERE pair = 4; UPDATE pairs SET pair = 7 "
                           "WHERE pair = 4",
                           FaultKind::Pairs),
                   "has pair 8 of match 1; asked for were pairs 5 to 6 of match 1"));
    CHECK(contains(changed("UPDATE games SET attempt = 4 WHERE pair = 4; UPDATE pairs SET attempt "
                           "= 4 WHERE pair = 4",
                           FaultKind::Pairs),
                   "has attempt 4 of pair 5, which is not one of claim 0"));
    CHECK(contains(changed("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i "
                           "< 5000) INSERT INTO pairs SELECT 1, 0, i + 100, 0, 'counted', 0, 0 "
                           "FROM n",
                           FaultKind::TooLarge),
                   "has 5004 pairs; a part has at most 4096"));

    t.write("open.db", workers_run());
    CHECK(contains(fault_of(t.path("open.db"), run, asked).sentence, "has no seal at its end"));
    write_file(t.path("text.db"), "not a store");
    CHECK(contains(fault_of(t.path("text.db"), run, asked).sentence, "is not a part of a run"));
    const PartFault missing = fault_of(t.path("none.db"), run, asked);
    CHECK(missing.kind == FaultKind::Missing);
    CHECK(missing.sentence.rfind("none.db") == missing.sentence.find("none.db"));
    CHECK(fault_of(t.path(""), run, asked).kind == FaultKind::Damaged);
    std::filesystem::resize_file(t.path("text.db"), kMostPartBytes + 1);
    const PartFault large = fault_of(t.path("text.db"), run, asked);
    CHECK(large.kind == FaultKind::TooLarge);
    CHECK(contains(large.sentence, "has 67108865 bytes; a part has at most 64 MB"));
}

TEST_CASE("Part: what is not taken goes to the quarantine with its reason") {
    const PartTest t;
    t.open_run();
    for (const char* name : {"p.db", "p.db.1"}) {
        write_file(t.path("p.db"), name);
        const std::string where = quarantine(t.path("all.db"), t.path("p.db"), "is of another run");
        CHECK(where == t.path("all.db.quarantine/") + name);
        CHECK(read_file(where) == name);
        CHECK(read_file(where + ".reason") == "is of another run\n");
        CHECK_FALSE(std::filesystem::exists(t.path("p.db")));
    }
    try {
        (void)quarantine(t.path("all.db"), t.path("none.db"), "");
        FAIL("moved what is not there");
    } catch (const Error& error) {
        CHECK(error.exit_code() == 4);
        CHECK(contains(error.what(), "cannot be moved to"));
    }
}

TEST_CASE("Part: in the quarantine neither a file nor a reason replaces another") {
    const PartTest t;
    t.open_run();
    const auto put = [&](const std::string& name) {
        write_file(t.path(name), name);
        return quarantine(t.path("all.db"), t.path(name), "of " + name);
    };
    const std::string reason = put("a.reason");
    const std::string part = put("a");
    CHECK(read_file(reason) == "a.reason");
    CHECK(part == t.path("all.db.quarantine/a.1"));
    CHECK(read_file(part + ".reason") == "of a\n");
    std::filesystem::create_directory(t.path("all.db.quarantine/b"));  // whatever has that name
    CHECK(put("b") == t.path("all.db.quarantine/b.1"));
}

TEST_CASE("Part: larger than a reader takes it is not closed") {
    const PartTest t;
    t.write("a.db", workers_run(), 4);
    SQLite::Database(t.path("a.db"), SQLite::OPEN_READWRITE)
        .exec(
            "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4096) "
            "INSERT INTO pairs SELECT 1, 0, i + 100, 0, 'counted', 0, 0 FROM n");
    CHECK_THROWS_WITH_AS(close_part(t.path("a.db")),
                         doctest::Contains("has 4100 pairs; a part has at most 4096"), Error);
    CHECK(contains(fault_of(t.path("a.db"), whole_run()).sentence, "has no seal at its end"));
}

TEST_CASE("Part: of an older schema whose tables never end is refused at once") {
    const PartTest t;
    t.write("new.db", workers_run(), 4);
    test::write_older_store(t.path("new.db"), t.path("old.db"), 10);
    SQLite::Database(t.path("old.db"), SQLite::OPEN_READWRITE)
        .exec(
            "DROP TABLE pairs; CREATE VIEW pairs(run, match, pair, attempt, state, "
            "opening_index, single) AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
            "FROM n) SELECT 1, 0, i, 0, 'void', 0, 0 FROM n");
    PartTest::seal(t.path("old.db"), read_file(t.path("old.db")));
    CHECK(contains(fault_of(t.path("old.db"), whole_run()).sentence, "has triggers, views"));
    // Tables alone can ask for too much work too: each game is joined with all records.
    const std::string part = t.part("many.db", workers_run(), 4);
    t.change(
        "many.db",
        "ALTER TABLE records RENAME TO r; CREATE TABLE records AS SELECT * FROM r; DROP TABLE "
        "r; WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) "
        "INSERT INTO records SELECT 999, '', '', x'', '', '' FROM n; WITH RECURSIVE n(i) AS "
        "(SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) INSERT INTO games SELECT run, "
        "match, i + 100, game, attempt, programs, scores, termination, guilty, plies, "
        "used_us, moves_hash, opening_index, harness_caused, started_us, ended_us, slot, 998, "
        "reason, machine, number FROM n, (SELECT * FROM games WHERE pair = 4 AND game = 0)");
    CHECK(contains(fault_of(part, whole_run()).sentence, "asks for more work than any store"));
}

}  // namespace assay::harness
