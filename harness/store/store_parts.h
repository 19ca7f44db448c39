#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "harness/store/store.h"

namespace SQLite {  // NOLINT(readability-identifier-naming): not ours to name
class Database;
class Statement;
}  // namespace SQLite

namespace assay::harness {

/// How long a store waits where another process keeps it locked.
inline constexpr int kStoreBusyMilliseconds = 10'000;

/// Something in the file that no assay has written; Parts::guarded makes an Error of it.
struct StoreDamage {
    std::string what;
};

/// Makes an Error of what is being caught: SQLite's exceptions with the path and the reason (exit
/// code 4 where the machine is to blame: disk full, file locked, bad disk, no descriptor left),
/// damage with what it is.
/// REQUIRES: an exception is being handled.
[[noreturn]] void rethrow_store_error(const std::string& path);

/// Switches views and triggers off, of which no assay writes any. In a store that comes from
/// elsewhere a view in place of a table would be read for ever, and a trigger delete what is
/// written.
void switch_off_views(SQLite::Database& database);

/// The "file:" URI of a path with the parameters behind it, as "mode=ro".
[[nodiscard]] std::string file_uri(const std::string& path, const std::string& parameters);

/// What `machines` holds of this machine (GameRecord::machine). Nothing of the one in the run's row
/// where nothing of a fleet is known of it.
void write_machine(SQLite::Database& database, std::int64_t run, std::int64_t number,
                   const MachineRecord& machine);
/// Reads all of them into the record, whose own machine has been read from its row.
void read_machines(SQLite::Database& database, RunRecord& run);

/// The inside of a Store, shared by the files that implement it.
struct Store::Parts {
    Parts(std::string file, Access access);
    /// A copy of `bytes` in memory.
    Parts(std::string name, std::string_view bytes);
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;
    ~Parts();

    /// Runs `work`; what SQLite throws goes through rethrow_store_error().
    template <class Work>
    auto guarded(Work&& work) const {
        try {
            return work();
        } catch (...) {
            rethrow_store_error(path);
        }
    }

    /// Everything in `work` is one transaction, or part of the one that is open.
    void transaction(const std::function<void()>& work);

    /// The bulk of a game; its id.
    std::int64_t write_record(const GameRecord& game, const std::string& moves);
    void write_pv_counts(std::int64_t run, std::size_t match, const GameRecord& game);

    std::string path;
    std::unique_ptr<SQLite::Database> database;
    bool in_transaction = false;
    std::int64_t calls_left = 0;  // of a copy in memory, until its work is too much

    // Prepared once, as they run for every game.
    std::unique_ptr<SQLite::Statement> insert_record;
    std::unique_ptr<SQLite::Statement> insert_game;
    std::unique_ptr<SQLite::Statement> count_games;
    std::unique_ptr<SQLite::Statement> insert_pair;
    std::unique_ptr<SQLite::Statement> select_game;
    std::unique_ptr<SQLite::Statement> select_attempts;

private:
    void open(Access access);
    /// False where the file is locked at the moment, and `may_be_locked`.
    bool try_open_for_writing(bool may_be_locked);
};

}  // namespace assay::harness
