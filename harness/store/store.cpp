#include "harness/store/store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sqlite3.h>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/file.h"
#include "harness/store/store_parts.h"
#include "harness/store/store_schema.h"

namespace assay::harness {

namespace {

constexpr int kRetryMilliseconds = 10;

// Of a copy in memory: instructions of SQLite's machine, 10^8 in all, which take some seconds. The
// largest part asks for a hundredth of it.
constexpr int kStepsOfACall = 1000;
constexpr std::int64_t kMostCalls = 100'000;

/// The open file was deleted or renamed: what is written to it could not be found again.
bool has_moved(SQLite::Database& database) {
    int answer = 0;
    const int code = ::sqlite3_file_control(database.getHandle(), "main", SQLITE_FCNTL_HAS_MOVED,
                                            static_cast<void*>(&answer));
    return code == SQLITE_OK && answer != 0;
}

/// SQLite waits for a writer where the file is a pipe, and takes one of a single byte for empty.
void check_regular(const std::string& path) {
    std::error_code ignored;
    const auto kind = std::filesystem::status(path, ignored).type();
    if (kind == std::filesystem::file_type::fifo || kind == std::filesystem::file_type::character ||
        kind == std::filesystem::file_type::socket || kind == std::filesystem::file_type::block)
        throw Error(path + ": is not a regular file, and so not an assay store");
    if (std::filesystem::file_size(path, ignored) == 1 && !ignored)
        throw Error(path + ": has one byte, and so is not an assay store");
}

std::unique_ptr<SQLite::Database> connect(const std::string& name, int flags) {
    auto database = std::make_unique<SQLite::Database>(name, flags | SQLite::OPEN_NOMUTEX,
                                                       kStoreBusyMilliseconds);
    switch_off_views(*database);
    database->exec("PRAGMA foreign_keys = ON");
    return database;
}

/// Opens for reading and reads once, because SQLite opens the file only then.
std::unique_ptr<SQLite::Database> connect_for_reading(const std::string& path) {
    try {
        auto database = connect(path, SQLite::OPEN_READONLY);
        database->execAndGet("PRAGMA user_version");
        return database;
    } catch (const SQLite::Exception&) {
        // The folder may be read-only, such as an archive. WAL mode creates a file beside the
        // store, unless the store is opened as immutable, which is safe where no log is left.
        const std::string log = path + "-wal";
        std::error_code ignored;
        const bool has_log =
            std::filesystem::exists(log, ignored) && std::filesystem::file_size(log, ignored) > 0;
        if (has_log) throw;
        return connect(file_uri(path, "immutable=1"), SQLite::OPEN_READONLY | SQLite::OPEN_URI);
    }
}

/// Makes a copy of a store's bytes the content of a connection.
void load_copy(SQLite::Database& database, std::string_view bytes) {
    sqlite3* const handle = database.getHandle();
    auto* const copy = static_cast<unsigned char*>(::sqlite3_malloc64(bytes.size()));
    if (copy == nullptr) throw SQLite::Exception("out of memory", SQLITE_NOMEM);
    std::ranges::copy(bytes, copy);
    const auto size = static_cast<sqlite3_int64>(bytes.size());
    const int code =
        ::sqlite3_deserialize(handle, "main", copy, size, size,
                              SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
    if (code != SQLITE_OK) throw SQLite::Exception(handle, code);
    ::sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
}

/// What no assay writes could run while the store is migrated and read. The list of tables is of
/// the schema as SQLite understands it, not of what its text looks like.
void check_only_tables(SQLite::Database& database, const std::string& name) {
    const bool has_others =
        database
            .execAndGet(
                "SELECT (SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND "
                "type <> 'table') + (SELECT count(*) FROM sqlite_master WHERE type NOT IN "
                "('table', 'index'))")
            .getInt64() > 0;
    if (has_others)
        throw Error(name + ": has triggers, views or virtual tables, which no assay writes");
}

}  // namespace

void switch_off_views(SQLite::Database& database) {
    sqlite3* const handle = database.getHandle();
    ::sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    ::sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    ::sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
}

std::string file_uri(const std::string& path, const std::string& parameters) {
    std::string uri = "file:";
    for (const char c : path) {
        if (c == '%' || c == '?' || c == '#') {
            uri += fmt::format("%{:02X}", static_cast<unsigned>(c));
        } else {
            uri += c;
        }
    }
    return uri + "?" + parameters;
}

Store::Parts::Parts(std::string file, Access access) : path(std::move(file)) {
    if (path.empty()) throw Error("the store has no name: --db FILE names it");
    guarded([&] { open(access); });
}

Store::Parts::Parts(std::string name, std::string_view bytes) : path(std::move(name)) {
    guarded([&] {
        database = connect(":memory:", SQLite::OPEN_READWRITE);
        load_copy(*database, bytes);
        calls_left = kMostCalls;
        ::sqlite3_progress_handler(
            database->getHandle(), kStepsOfACall,
            [](void* left) { return --*static_cast<std::int64_t*>(left) < 0 ? 1 : 0; },
            &calls_left);
        check_only_tables(*database, path);
        migrate(*database, path, store_migrations());
    });
}

Store::Parts::~Parts() = default;

void Store::Parts::open(Access access) {
    check_regular(path);
    const auto steps = store_migrations();
    if (access == Access::Read) {
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored)) {
            throw Error(path +
                        ": there is no such store; 'assay run' creates one, --db names another");
        }
        database = connect_for_reading(path);
        if (is_current(*database, path, steps)) return;
        migrate(*connect(path, SQLite::OPEN_READWRITE), path, steps);
        return;
    }
    // Where several processes create one file, SQLite reports SQLITE_BUSY to the slower ones at
    // once, whatever the busy timeout: the change to WAL holds a lock itself and cannot wait.
    const SteadyClock clock;
    const TimePoint deadline = clock.now() + std::chrono::milliseconds(kStoreBusyMilliseconds);
    while (!try_open_for_writing(clock.now() < deadline)) ::sqlite3_sleep(kRetryMilliseconds);
}

bool Store::Parts::try_open_for_writing(bool may_be_locked) {
    try {
        database = connect(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        // An empty store has nothing to lose: it is synced once, when it is complete.
        const bool is_new = database->execAndGet("PRAGMA page_count").getInt() == 0;
        if (is_new) database->exec("PRAGMA synchronous = OFF");
        migrate(*database, path, store_migrations());
        // Set before the change to WAL, so that the change syncs the whole file. The change writes
        // the first page only, and a new store has nothing that a journal could restore.
        database->exec("PRAGMA synchronous = FULL");
        if (is_new) database->execAndGet("PRAGMA journal_mode = OFF");
        // Only after migrate() has accepted the file: a foreign file is not changed.
        database->execAndGet("PRAGMA journal_mode = WAL");
        database->execAndGet("PRAGMA journal_size_limit = 16777216");
        // Written pages are seldom read again, so a small cache is enough.
        database->exec("PRAGMA cache_size = -400");
        return true;
    } catch (const SQLite::Exception& error) {
        if (error.getErrorCode() == SQLITE_BUSY && may_be_locked) return false;
        throw;
    }
}

void Store::Parts::transaction(const std::function<void()>& work) {
    if (in_transaction) {
        work();
        return;
    }
    if (has_moved(*database)) {
        throw StoreFailure(path + ": the file was moved or deleted while it was in use");
    }
    guarded([&] {
        SQLite::Transaction transaction(*database, SQLite::TransactionBehavior::IMMEDIATE);
        in_transaction = true;
        try {
            work();
            transaction.commit();
        } catch (...) {
            in_transaction = false;
            throw;
        }
        in_transaction = false;
    });
}

bool is_store(const std::string& path) {
    // SQLite's header: 16 bytes that name the format; at 68 the application's number, big-endian.
    constexpr std::size_t kHeader = 72;
    constexpr std::size_t kApplication = 68;
    const std::string head = read_start(path, kHeader).value_or("");
    if (head.size() < kHeader || !head.starts_with("SQLite format 3")) return false;
    std::uint32_t application = 0;
    for (std::size_t i = kApplication; i < kHeader; ++i)
        application = application << 8U | static_cast<unsigned char>(head[i]);
    return application == kStoreApplicationId;
}

Store::Store(const std::string& path, Access access)
    : parts_(std::make_unique<Parts>(path, access)) {}

Store::Store(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Store Store::in_memory(const std::string& name, std::string_view bytes) {
    return Store(std::make_unique<Parts>(name, bytes));
}

Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

const std::string& Store::path() const {
    return parts_->path;
}

void Store::transaction(const std::function<void()>& work) {
    parts_->transaction(work);
}

void Store::prune() {
    parts_->guarded([&] {
        parts_->database->exec("VACUUM");
        parts_->database->execAndGet("PRAGMA wal_checkpoint(TRUNCATE)");
    });
}

}  // namespace assay::harness
