#pragma once
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A half-open range of byte offsets in a text.
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// One message about one place in a user's text. Line and column count from 1 (column in bytes);
/// line 0 means the whole file, and then no source line is shown.
struct Diagnostic {
    std::string path;
    std::size_t line = 0;
    std::size_t column = 0;
    std::size_t width = 1;    // how many bytes the caret underlines, at least 1
    std::string message;      // lower case, no full stop, user's text in 'single quotes'
    std::string source_line;  // without its line end; empty: no caret is drawn
    bool is_warning = false;
};

/// "path:line:col: error: message", the source line and a caret line, each ended by a newline.
/// Lines longer than 200 bytes are cut around the caret, messages longer than 2000 in the middle.
/// Control bytes are shown as '?'.
[[nodiscard]] std::string format(const Diagnostic& diagnostic);

/// A named text that turns offsets into diagnostics. Holds views: the text must outlive it.
class Source {
public:
    Source(std::string path, std::string_view text) : path_(std::move(path)), text_(text) {}

    [[nodiscard]] Diagnostic at(Span where, std::string message) const;
    /// Line and column from 1; a line beyond the end gives the last line.
    [[nodiscard]] Diagnostic at_line(std::size_t line, std::size_t column, std::size_t width,
                                     std::string message) const;

    [[nodiscard]] const std::string& path() const { return path_; }

    [[nodiscard]] std::string_view text() const { return text_; }

private:
    std::string path_;
    std::string_view text_;
};

/// Ends a command. Caught once, in main(), which prints what() and exits with exit_code().
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& message, int exit_code = 2)
        : std::runtime_error(message), exit_code_(exit_code) {}

    [[nodiscard]] int exit_code() const { return exit_code_; }

private:
    int exit_code_;
};

/// Something in a user's text is wrong: what() is all diagnostics, formatted, without passwords and
/// tokens of addresses (base/credentials.h). Exit code 2.
class SyntaxError : public Error {
public:
    explicit SyntaxError(std::vector<Diagnostic> diagnostics);

    explicit SyntaxError(Diagnostic diagnostic)
        : SyntaxError(std::vector<Diagnostic>{std::move(diagnostic)}) {}

    [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

private:
    struct Hidden {};  // what follows shows no secret

    SyntaxError(Hidden tag, std::vector<Diagnostic> diagnostics);

    std::vector<Diagnostic> diagnostics_;
};

/// The candidate within edit distance 2 of `word` (and less than its length), or empty.
/// Case is ignored; the first of equally near candidates wins.
[[nodiscard]] std::string nearest_name(std::string_view word,
                                       std::span<const std::string_view> candidates);

/// "; did you mean 'x'?" or empty.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> candidates);

}  // namespace assay
