// What SQLite asks of the system, in which order, seen by a file system of our own over the usual.
#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <cstring>
#include <sqlite3.h>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "harness/store/store.h"
#include "tests/harness/store/sample_records.h"
#include "tests/support/temp_dir.h"

namespace assay::harness {

namespace {

/// While it lives, new databases of this process are opened through it, and it notes "db write",
/// "db sync", "wal write" and so on.
class SpyingFileSystem {
public:
    SpyingFileSystem() : below_(::sqlite3_vfs_find(nullptr)), own_(*below_) {
        own_.zName = "spy";
        own_.pNext = nullptr;
        own_.pAppData = this;
        own_.szOsFile = below_->szOsFile + static_cast<int>(sizeof(File));
        own_.xOpen = open;
        REQUIRE(::sqlite3_vfs_register(&own_, 1) == SQLITE_OK);
        events.reserve(1000);
    }

    SpyingFileSystem(const SpyingFileSystem&) = delete;
    SpyingFileSystem& operator=(const SpyingFileSystem&) = delete;

    ~SpyingFileSystem() {
        ::sqlite3_vfs_unregister(&own_);
        ::sqlite3_vfs_register(below_, 1);
    }

    std::vector<std::string> events;

private:
    /// As SQLite lays it out: the methods first. The real file follows.
    struct File {
        sqlite3_file base;
        sqlite3_io_methods methods;
        SpyingFileSystem* spy;
        const char* kind;
    };

    static sqlite3_file* real(sqlite3_file* file) {
        return reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(file) + sizeof(File));
    }

    static void note(sqlite3_file* file, const char* what) {
        const auto* const ours = reinterpret_cast<File*>(file);
        ours->spy->events.push_back(std::string(ours->kind) + " " + what);
    }

    static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out) {
        auto* const ours = reinterpret_cast<File*>(file);
        auto* const spy = static_cast<SpyingFileSystem*>(vfs->pAppData);
        const int result = spy->below_->xOpen(spy->below_, name, real(file), flags, out);
        ours->base.pMethods = nullptr;
        if (result != SQLITE_OK) return result;
        ours->spy = spy;
        ours->kind = (flags & SQLITE_OPEN_MAIN_DB) != 0 ? "db"
                     : (flags & SQLITE_OPEN_WAL) != 0   ? "wal"
                                                        : "other";
        fill(ours->methods, real(file)->pMethods->iVersion);
        ours->base.pMethods = &ours->methods;
        return SQLITE_OK;
    }

    static void fill(sqlite3_io_methods& m, int version) {
        m = {};
        m.iVersion = std::min(version, 2);  // shared memory, but no mapping of pages
        m.xClose = [](sqlite3_file* f) { return real(f)->pMethods->xClose(real(f)); };
        m.xRead = [](sqlite3_file* f, void* to, int size, sqlite3_int64 at) {
            return real(f)->pMethods->xRead(real(f), to, size, at);
        };
        m.xWrite = [](sqlite3_file* f, const void* from, int size, sqlite3_int64 at) {
            note(f, "write");
            return real(f)->pMethods->xWrite(real(f), from, size, at);
        };
        m.xTruncate = [](sqlite3_file* f, sqlite3_int64 size) {
            return real(f)->pMethods->xTruncate(real(f), size);
        };
        m.xSync = [](sqlite3_file* f, int how) {
            note(f, "sync");
            return real(f)->pMethods->xSync(real(f), how);
        };
        m.xFileSize = [](sqlite3_file* f, sqlite3_int64* size) {
            return real(f)->pMethods->xFileSize(real(f), size);
        };
        m.xLock = [](sqlite3_file* f, int how) { return real(f)->pMethods->xLock(real(f), how); };
        m.xUnlock = [](sqlite3_file* f, int how) {
            return real(f)->pMethods->xUnlock(real(f), how);
        };
        m.xCheckReservedLock = [](sqlite3_file* f, int* is_held) {
            return real(f)->pMethods->xCheckReservedLock(real(f), is_held);
        };
        m.xFileControl = [](sqlite3_file* f, int what, void* with) {
            return real(f)->pMethods->xFileControl(real(f), what, with);
        };
        m.xSectorSize = [](sqlite3_file* f) { return real(f)->pMethods->xSectorSize(real(f)); };
        m.xDeviceCharacteristics = [](sqlite3_file* f) {
            return real(f)->pMethods->xDeviceCharacteristics(real(f));
        };
        m.xShmMap = [](sqlite3_file* f, int page, int size, int extend, volatile void** at) {
            return real(f)->pMethods->xShmMap(real(f), page, size, extend, at);
        };
        m.xShmLock = [](sqlite3_file* f, int at, int count, int how) {
            return real(f)->pMethods->xShmLock(real(f), at, count, how);
        };
        m.xShmBarrier = [](sqlite3_file* f) { real(f)->pMethods->xShmBarrier(real(f)); };
        m.xShmUnmap = [](sqlite3_file* f, int removes) {
            return real(f)->pMethods->xShmUnmap(real(f), removes);
        };
    }

    sqlite3_vfs* below_;
    sqlite3_vfs own_;
};

}  // namespace

TEST_CASE("Store: a new store is whole on the disk, for one wait, before its log gets a byte") {
    const assay::test::TempDir dir;
    SpyingFileSystem spy;
    {
        Store store(dir.path("assay.db"), Store::Access::Write);
        (void)store.begin_run(test::sample_run());
    }
    const auto find = [&](std::string_view event) {
        return std::find(spy.events.begin(), spy.events.end(), event);
    };
    const auto first_log = find("wal write");
    REQUIRE(first_log != spy.events.end());
    const std::vector<std::string> before(spy.events.begin(), first_log);
    const auto last_write = std::find(before.rbegin(), before.rend(), "db write");
    const auto last_sync = std::find(before.rbegin(), before.rend(), "db sync");
    REQUIRE(last_write != before.rend());
    REQUIRE(last_sync != before.rend());
    CHECK(last_sync < last_write);  // seen from the end: the sync came later
    CHECK(std::count_if(before.begin(), before.end(),
                        [](const std::string& event) { return event.ends_with(" sync"); }) == 1);
}

TEST_CASE("Store: what was told durable is in a log that was synced") {
    const assay::test::TempDir dir;
    SpyingFileSystem spy;
    Store store(dir.path("assay.db"), Store::Access::Write);
    spy.events.clear();
    const std::int64_t run = store.begin_run(test::sample_run());
    CHECK(spy.events.back() == "wal sync");
    test::write_sample_pair(store, run, 0);
    CHECK(spy.events.back() == "wal sync");
}

}  // namespace assay::harness
