#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"

namespace assay::openings {

/// The game of all books that ship.
inline constexpr std::string_view kShippedGame = "chess";

/// The path of a book that ships with us: "unbalanced" (10,000 openings; also as
/// "default") or "balanced" (2,000). Looks beside the program that runs (../share/assay/books),
/// then in the source tree around it, which may have been moved, then in the one that it was built
/// from. Throws Error where the name is unknown or neither has it.
[[nodiscard]] std::string shipped_book_path(std::string_view name);

/// openings/books/FILE in the source tree around a program in its build folder; nullopt where there
/// is none.
[[nodiscard]] std::optional<std::string> book_in_sources_of(const std::string& program,
                                                            const std::string& file);

/// What is said where none of the two files is there. A book that nobody named is called the
/// default, whatever file it is.
[[nodiscard]] std::string missing_book_text(std::string_view name, const std::string& installed,
                                            const std::string& source);

/// A file, or the book that ships under this name where no file has it.
[[nodiscard]] std::string book_path_of(const std::string& name);

/// Whether this is, unpacked, a book that ships. All its lines are openings of kShippedGame, which
/// a test checks, so that readers need not. Throws Error where it cannot be read.
[[nodiscard]] bool is_shipped_text(const File& content);

}  // namespace assay::openings
