#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <sqlite3.h>
#include <string>

#include <doctest/doctest.h>

#include "base/file.h"
#include "harness/store/new_store.h"
#include "harness/store/store.h"
#include "harness/store/store_lock.h"
#include "harness/store/store_parts.h"
#include "tests/harness/store/sample_records.h"
#include "tests/support/no_descriptors.h"
#include "tests/support/temp_dir.h"

namespace assay::harness {

namespace {

/// "exit code: message" of what is thrown.
std::string failure_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const StoreFailure& error) {
        return "store failure " + std::to_string(error.exit_code()) + ": " + error.what();
    } catch (const Error& error) {
        return std::to_string(error.exit_code()) + ": " + error.what();
    }
    return "nothing";
}

std::string failure_by(int code) {
    const assay::test::TempDir dir;
    write_file(dir.path("x.db"), "");
    const std::string text = failure_of([&] {
        try {
            throw SQLite::Exception("as SQLite says", code);
        } catch (...) {
            rethrow_store_error(dir.path("x.db"));
        }
    });
    const std::size_t path = text.find(dir.path("x.db") + ": ");
    REQUIRE(path != std::string::npos);
    return text.substr(0, path) + text.substr(path + dir.path("x.db").size() + 2);
}

}  // namespace

TEST_CASE(
    "Store: what the machine does to it is exit code 4 and a sentence, what a user does is 2") {
    CHECK(failure_by(SQLITE_FULL) ==
          "store failure 4: the disk is full; what was reported durable is safe");
    CHECK(failure_by(SQLITE_BUSY) ==
          "store failure 4: another process has kept the store locked for 10 s");
    CHECK(failure_by(SQLITE_BUSY_RECOVERY) ==
          "store failure 4: another process has kept the store locked for 10 s");
    CHECK(failure_by(SQLITE_PROTOCOL) ==
          "store failure 4: another process has kept the store locked for 10 s");
    CHECK(failure_by(SQLITE_READONLY) ==
          "store failure 4: cannot be written: the file or its folder is read-only for this user");
    CHECK(failure_by(SQLITE_NOMEM) == "store failure 4: there is not enough memory");
    CHECK(failure_by(SQLITE_IOERR_READ) ==
          "store failure 4: the system cannot read or write it (disk I/O error): is the disk or "
          "network drive in order? A store on another disk is named with --db");
    CHECK(failure_by(SQLITE_CANTOPEN) ==
          "store failure 4: a file beside it (-wal, -shm) cannot be opened");
    CHECK(failure_by(SQLITE_NOTADB) == "2: is not an assay store (not an SQLite file)");
}

TEST_CASE("Store: without a descriptor left the machine failed, a folder is the user's mistake") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("assay.db");
    { const Store made(path, Store::Access::Write); }
    // What a sanitizer meets here it need not look at where there is no descriptor for it.
    CHECK_THROWS_AS(const SQLite::Database none("/no/such/folder/x.db"), SQLite::Exception);
    REQUIRE(failure_by(SQLITE_FULL).starts_with("store failure 4: "));
    CHECK(failure_of([&] { const Store store("/no/such/folder/x.db", Store::Access::Write); }) ==
          "2: /no/such/folder/x.db: cannot open: No such file or directory");
    for (const Store::Access access : {Store::Access::Read, Store::Access::Write}) {
        std::string text;
        {
            const assay::test::NoDescriptors none;
            text = failure_of([&] { const Store store(path, access); });
        }
        CHECK(text == "store failure 4: " + path + ": cannot open: Too many open files");
        CHECK(failure_of([&] { const Store store(dir.root(), access); }) ==
              "2: " + dir.root() + ": is a folder, not an assay store");
    }
}

TEST_CASE("Store: nothing is written to a file that was moved or deleted meanwhile") {
    for (const bool is_deleted : {false, true}) {
        CAPTURE(is_deleted);
        const assay::test::TempDir dir;
        const std::string path = dir.path("assay.db");
        Store store(path, Store::Access::Write);
        const std::int64_t run = store.begin_run(test::sample_run());
        if (is_deleted) {
            std::filesystem::remove(path);
        } else {
            std::filesystem::rename(path, path + ".old");
        }
        CHECK(failure_of([&] { store.set_state(run, RunState::Finished, ""); }) ==
              "store failure 4: " + path + ": the file was moved or deleted while it was in use");
    }
}

TEST_CASE("Store: a view in place of a table is refused, and a trigger runs nothing") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("assay.db");
    {
        Store store(path, Store::Access::Write);
        (void)store.begin_run(test::sample_run());
    }
    {
        SQLite::Database other(path, SQLite::OPEN_READWRITE);
        other.exec("CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END");
    }
    {
        Store store(path, Store::Access::Write);
        (void)store.begin_run(test::sample_run());
        CHECK(store.runs().size() == 2);
    }
    {
        SQLite::Database other(path, SQLite::OPEN_READWRITE);
        other.exec(
            "DROP TRIGGER t; ALTER TABLE runs RENAME TO kept; CREATE VIEW runs AS WITH "
            "RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT kept.* FROM "
            "kept, c");
    }
    for (const Store::Access access : {Store::Access::Read, Store::Access::Write}) {
        CHECK(failure_of([&] { const Store store(path, access); }) ==
              "2: " + path + ": has a view in place of the table 'runs', which no assay writes");
    }
}

TEST_CASE("NewStore: takes away what was made where nothing stood, unless it is kept") {
    const assay::test::TempDir dir;
    const std::string path = dir.path("assay.db");
    const auto make = [&](bool keeps) {
        NewStore made(path);
        { Store(path, Store::Access::Write).begin_run(test::sample_run()); }
        write_file(path + "-wal", "");
        if (keeps) made.keep();
    };
    make(false);
    CHECK(std::filesystem::is_empty(dir.root()));
    make(true);
    CHECK(std::filesystem::exists(path));
    make(false);
    CHECK(Store(path, Store::Access::Read).runs().size() == 2);
}

}  // namespace assay::harness
