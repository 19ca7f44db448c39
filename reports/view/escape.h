#pragma once
#include <string>
#include <string_view>

namespace assay::reports {

/// Text of others (names, reasons, a program's last lines) made harmless for one kind of document.
/// Each function takes any bytes, gives valid UTF-8 without control characters, and never fails.

/// For XML text and for attributes in double quotes. Characters that XML 1.0 has no form for
/// (U+FFFE, U+FFFF) become '?'.
[[nodiscard]] std::string xml(std::string_view text);

/// The same, but line ends stay.
[[nodiscard]] std::string xml_lines(std::string_view text);

/// For a line or a table cell of GitHub's and GitLab's Markdown: no markup, no HTML, no cell
/// border, no mention of a user (@name) or an issue (#1) comes through.
[[nodiscard]] std::string markdown(std::string_view text);

/// One field of RFC 4180. Text that a spreadsheet would run as a formula is led by an apostrophe.
[[nodiscard]] std::string csv(std::string_view text);

/// The message of a GitHub workflow command (::error::message). Line ends become %0A, which GitHub
/// shows as such.
[[nodiscard]] std::string github_message(std::string_view text);
/// A property of it (::error title=property::).
[[nodiscard]] std::string github_property(std::string_view text);

/// The value of a PGN tag, without its quotes. At most 240 bytes, the cut shown by "...".
[[nodiscard]] std::string pgn_tag(std::string_view text);
/// The inside of a PGN comment: braces become round brackets.
[[nodiscard]] std::string pgn_comment(std::string_view text);

/// The text up to its first line end: for a reason of several lines (a build's log) in a place of
/// one line.
[[nodiscard]] std::string_view first_line(std::string_view text);

/// At most `bytes` bytes, cut between characters; "..." ends what was cut. REQUIRES: bytes >= 3.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t bytes);

}  // namespace assay::reports
