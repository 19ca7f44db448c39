#pragma once
#include <SQLiteCpp/SQLiteCpp.h>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "harness/store/store_schema.h"

namespace assay::test {

inline std::vector<std::string> texts(SQLite::Database& database, const std::string& sql) {
    SQLite::Statement rows(database, sql);
    std::vector<std::string> found;
    while (rows.executeStep()) found.push_back(rows.getColumn(0).getString());
    return found;
}

/// Writes to `older` what an assay of that version of the schema would have stored of `store`, as
/// one closed file.
inline void write_older_store(const std::string& store, const std::string& older,
                              std::size_t version) {
    SQLite::Database database(older, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    harness::migrate(database, older, harness::store_migrations().first(version));
    database.exec(fmt::format("ATTACH '{}' AS now", store));
    for (const std::string& table :
         texts(database,
               "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE "
               "'sqlite%'")) {
        std::string columns;
        for (const std::string& column :
             texts(database, fmt::format("SELECT name FROM pragma_table_info('{}')", table)))
            columns += (columns.empty() ? "" : ", ") + column;
        database.exec(
            fmt::format("INSERT INTO main.{0} ({1}) SELECT {1} FROM now.{0}", table, columns));
    }
}

}  // namespace assay::test
