#include "harness/store/part.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <filesystem>
#include <memory>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/sha256.h"
#include "harness/record/move_codec.h"
#include "harness/store/store.h"
#include "harness/store/store_schema.h"
#include "tests/harness/store/older_store.h"
#include "tests/harness/store/sample_records.h"
#include "tests/support/contains.h"
#include "tests/support/temp_dir.h"

namespace assay::harness {

namespace {

using test::contains;
using test::sample_game;
using test::sample_run;

using FaultKind = PartFault::Kind;

RunRecord whole_run() {
    RunRecord run = sample_run();
    run.uid = "0123456789abcdef0123456789abcdef";
    run.plan.matches[0].pairs = 100;
    return run;
}

RunRecord workers_run() {
    RunRecord run = whole_run();
    run.machine = {"n1", "AMD EPYC", "6.1.0", 8, 4, 1};
    run.machine.slots = 3;
    run.machine.nps = 1.5e6;
    run.machine.factor = 1.25;
    run.machine.assay_version = "0.2.0";
    run.findings.drift = {"it got slower"};
    return run;
}

class PartTest {
public:
    [[nodiscard]] std::string path(const std::string& name) const { return dir_.path(name); }

    /// A part that is not closed: pair 4 as it is, pair 5 void and played again.
    void write(const std::string& name, const RunRecord& run, int plies = 60) const {
        Store store(path(name), Store::Access::Write);
        const std::int64_t id = store.begin_run(run);
        store.transaction([&] {
            write_pair(store, id, 4, 0, PairState::Counted, plies);
            write_pair(store, id, 5, 0, PairState::Void, plies);
            write_pair(store, id, 5, 1, PairState::Counted, plies);
            RunMeters meters;
            meters.wall_us = 77;
            meters.between_games = {{1, 0}, {0, 2}};
            store.set_meters(id, 0, meters);
            store.write_build(id, {0, 1, "ab", "g++ 12", 123U, 5e5});
        });
    }

    static void write_pair(Store& store, std::int64_t run, std::int64_t pair, int attempt,
                           PairState state, int plies = 60) {
        GameRecord first = sample_game(pair, 0, attempt, plies);
        first.opening_index = 17 + static_cast<std::uint64_t>(pair);
        PvFinding example;
        example.line = "e2e5";
        first.pv_counts = {{PvFlaw::IllegalMove, 1, 3, example}};
        store.write_game(run, 0, first);
        store.write_game(run, 0, sample_game(pair, 1, attempt, plies));
        store.write_pair(run, 0, test::sample_pair(pair, attempt, state, plies));
    }

    /// The same, closed; its path.
    [[nodiscard]] std::string part(const std::string& name, const RunRecord& run = workers_run(),
                                   int plies = 60) const {
        write(name, run, plies);
        close_part(path(name));
        return path(name);
    }

    /// The run that parts are imported into, in "all.db", with pair 4 of another machine.
    std::int64_t open_run() const {
        Store store(path("all.db"), Store::Access::Write);
        RunRecord other = sample_run("other");
        other.uid = "ff";
        store.begin_run(other);
        return store.begin_run(whole_run());
    }

    /// Changes a closed part by SQL, and seals it again.
    void change(const std::string& name, const std::string& sql) const {
        SQLite::Database(path(name), SQLite::OPEN_READWRITE).exec(sql);
        seal(path(name), unsealed(read_file(path(name))));
    }

    static std::string unsealed(std::string bytes) {
        constexpr std::size_t kSeal = 80;
        const std::size_t mark = bytes.rfind("assay part sha2:");
        return bytes.substr(0, mark == bytes.size() - kSeal ? mark : bytes.size());
    }

    static void seal(const std::string& path, const std::string& bytes) {
        write_file(path, bytes + "assay part sha2:" + sha256_of(bytes));
    }

private:
    assay::test::TempDir dir_;
};

PartFault fault_of(const std::string& file, const RunRecord& run, const PartAsked& asked = {}) {
    auto result = read_part(file, run, asked);
    REQUIRE(std::holds_alternative<PartFault>(result));
    return std::get<PartFault>(result);
}

Imported imported(const std::variant<Imported, PartFault>& result) {
    if (const auto* const fault = std::get_if<PartFault>(&result)) FAIL(fault->sentence);
    return std::get<Imported>(result);
}

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
    part.set_machine(9);
    CHECK(part.pairs[2].digest.machine == 9);
    CHECK(part.pairs[2].games[0].machine == 9);
    CHECK(part.builds == std::vector<MachineBuild>{{9, 1, "ab", "g++ 12", 123U, 5e5}});
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
    CHECK(contains(changed("DROP TABLE records", FaultKind::Damaged), "no such table"));
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
    CHECK(fault_of(t.path("none.db"), run, asked).kind == FaultKind::Missing);
    CHECK(fault_of(t.path(""), run, asked).kind == FaultKind::Missing);
    std::filesystem::resize_file(t.path("text.db"), kMostPartBytes + 1);
    const PartFault large = fault_of(t.path("text.db"), run, asked);
    CHECK(large.kind == FaultKind::TooLarge);
    CHECK(contains(large.sentence, "has 67108865 bytes; a part has at most 64 MB"));
}

TEST_CASE("Part: is imported into a run that is open, once") {
    const PartTest t;
    const std::int64_t run = t.open_run();
    Store store(t.path("all.db"), Store::Access::Write);  // as its coordinator has it
    const Imported first = imported(import_part(t.path("all.db"), run, t.part("a.db")));
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
    CHECK(record.findings.drift == sample_run().findings.drift);

    const Imported again = imported(import_part(t.path("all.db"), run, t.path("a.db")));
    CHECK(again.taken == 0);
    CHECK(again.equal == 3);

    // The same pairs under a newer claim, when these have counted: late, and still readable.
    t.write("b.db", workers_run());
    SQLite::Database(t.path("b.db"), SQLite::OPEN_READWRITE)
        .exec(
            "UPDATE games SET attempt = attempt + 8; UPDATE pairs SET attempt = attempt + 8; "
            "UPDATE pv_findings SET attempt = attempt + 8");
    close_part(t.path("b.db"));
    const Imported late = imported(import_part(t.path("all.db"), run, t.path("b.db")));
    CHECK(late.taken == 3);
    CHECK(late.late == 3);
    CHECK(late.pairs.at(0).state == PairState::Late);
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
    const Imported late = imported(import_part(t.path("all.db"), run, t.part("a.db"), asked));
    CHECK(late.taken == 3);
    CHECK(late.late == 3);
    for (const PairDigest& pair : late.pairs) CHECK(pair.state == PairState::Late);
    const Imported again = imported(import_part(t.path("all.db"), run, t.path("a.db"), asked));
    CHECK(again.equal == 3);
    CHECK(Store(t.path("all.db"), Store::Access::Read).attempts(run).size() == 2);
}

TEST_CASE("Part: with another game of a pair that is there nothing of it is taken") {
    const PartTest t;
    const std::int64_t run = t.open_run();
    (void)imported(import_part(t.path("all.db"), run, t.part("a.db")));
    t.write("b.db", workers_run());
    {
        Store store(t.path("b.db"), Store::Access::Write);
        PartTest::write_pair(store, 1, 7, 0, PairState::Counted);
    }
    SQLite::Database(t.path("b.db"), SQLite::OPEN_READWRITE)
        .exec("UPDATE games SET used_us = used_us + 1 WHERE pair = 4 AND game = 1");
    close_part(t.path("b.db"));
    const auto result = import_part(t.path("all.db"), run, t.path("b.db"));
    REQUIRE(std::holds_alternative<PartFault>(result));
    CHECK(std::get<PartFault>(result).kind == FaultKind::Foreign);
    CHECK(contains(std::get<PartFault>(result).sentence,
                   "game 10 of 'match' (pair 5) differs: it was played in two places"));
    CHECK(Store(t.path("all.db"), Store::Access::Read).pairs(run, 0).size() == 3);
    CHECK_THROWS_AS((void)import_part(t.path("all.db"), 9, t.path("a.db")), Error);
}

TEST_CASE("Part: of an older schema is read and imported") {
    const PartTest t;
    const std::int64_t run = t.open_run();
    t.write("new.db", workers_run());
    test::write_older_store(t.path("new.db"), t.path("old.db"), 10);
    const std::string before = read_file(t.path("old.db"));
    PartTest::seal(t.path("old.db"), before);
    CHECK(imported(import_part(t.path("all.db"), run, t.path("old.db"))).taken == 3);
    CHECK(PartTest::unsealed(read_file(t.path("old.db"))) == before);
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

}  // namespace assay::harness
