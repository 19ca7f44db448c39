#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "openings/read/index_file.h"

namespace assay::openings {

/// Called for each position or game of a book, in order, with its text; for PGN `text` may go on
/// behind the game. The view is valid during the call.
using OnEntry = std::function<void(const Entry& entry, std::string_view text)>;

/// The longest game that is read, in bytes; a longer one is a comment that is never closed.
inline constexpr std::size_t kLongestGame = std::size_t{16} << 20U;

/// Which lines of a list of positions are entries.
enum class WhichLines : std::uint8_t {
    Positions,  // those that are not blank and do not start with '#', '%' or ';'
    All,        // those that are not empty
};

/// Reads the content once, in a window of bounded size, and returns its SHA-256 in 64 hex digits.
/// Throws Error.
std::string scan_lines(const File& content, const OnEntry& on_entry,
                       WhichLines which = WhichLines::Positions);
std::string scan_games(const File& content, const OnEntry& on_entry);

}  // namespace assay::openings
