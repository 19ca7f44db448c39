#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace SQLite {  // NOLINT(readability-identifier-naming): not ours to name
class Database;
}

namespace assay::harness {

/// "ASSY", the application's number in the SQLite header of every store.
inline constexpr std::uint32_t kStoreApplicationId = 0x41535359;

/// Step i takes a file of version i to version i + 1; the first makes an empty file a store. A step
/// that has been released is never edited: a change of the schema is a new step at the end.
[[nodiscard]] std::span<const std::string_view> store_migrations();

/// Brings a file to the version that `steps` end at, all missing steps in one transaction: after a
/// kill or an error it is the old version, whole. Another process may do the same at once.
/// Throws Error where the file is no assay store (also where it holds other tables) or of a newer
/// version, and leaves it as it was; SQLite's own errors pass through.
void migrate(SQLite::Database& database, const std::string& path,
             std::span<const std::string_view> steps);

/// True where `steps` have nothing to add. Throws as migrate() does; also where the file is empty.
[[nodiscard]] bool is_current(SQLite::Database& database, const std::string& path,
                              std::span<const std::string_view> steps);

}  // namespace assay::harness
