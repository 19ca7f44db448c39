#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace assay::gtql {

enum class Symbol : std::uint8_t {
    Name,
    Integer,
    Text,  // "e2e4"
    Semicolon,
    Colon,
    Comma,
    Open,
    Close,
    BitAnd,
    BitOr,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    ChildRole,     // []
    PreviousRole,  // [<]
    ParentRole,    // [^]
    QueriedRole,   // [*]
    End,
};

struct Token {
    Symbol symbol = Symbol::End;
    Span span;                // into the source's whole text
    std::uint64_t value = 0;  // of an Integer, at most 2^63
};

/// The tokens of a part of the text, the last one End. Blanks, line ends and comments (from '#' to
/// the line's end) separate tokens. Throws SyntaxError at what no token begins with, and names the
/// right operator for those of other languages.
[[nodiscard]] std::vector<Token> tokens_of(const Source& source, Span part);

/// A name as queries spell it: a letter, then letters, digits and '_'.
[[nodiscard]] bool is_name(std::string_view text);

}  // namespace assay::gtql
