// Splits a query into tokens. The text is read once, from left to right, without backtracking: the
// first character decides what a token is, and operators are compared with a short list in which
// longer ones come first. A generator (re2c, flex) would be a build step for twenty operators.
//
// Users come from C, SQL and Python. Operators of those languages (`==`, `&&`, `<>`) are recognised
// here and answered with the right one, because the parser would see two valid tokens and report a
// place that is not the mistake. Every error carries the span of the offending text; diagnostic.h
// draws the caret.
#include "gtql/lang/lexer.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"

namespace assay::gtql {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool continues_name(char c) {
    return is_letter(c) || is_digit(c) || c == '_';
}

struct Spelling {
    std::string_view text;
    Symbol symbol;
};

/// A longer operator comes before the shorter one that it begins with.
constexpr std::array kSpellings{
    Spelling{"<=", Symbol::LessEqual}, Spelling{">=", Symbol::GreaterEqual},
    Spelling{"!=", Symbol::NotEqual},  Spelling{"<", Symbol::Less},
    Spelling{">", Symbol::Greater},    Spelling{"=", Symbol::Equal},
    Spelling{";", Symbol::Semicolon},  Spelling{":", Symbol::Colon},
    Spelling{",", Symbol::Comma},      Spelling{"(", Symbol::Open},
    Spelling{")", Symbol::Close},      Spelling{"&", Symbol::BitAnd},
    Spelling{"|", Symbol::BitOr},      Spelling{"+", Symbol::Plus},
    Spelling{"-", Symbol::Minus},      Spelling{"*", Symbol::Star},
    Spelling{"/", Symbol::Slash},      Spelling{"%", Symbol::Percent},
};

struct Foreign {
    std::string_view text;
    std::string_view ours;
};

constexpr std::array kForeign{
    Foreign{"==", "="},  Foreign{"&&", "and"}, Foreign{"||", "or"},
    Foreign{"<>", "!="}, Foreign{"=<", "<="},  Foreign{"=>", ">="},
};

class Lexer {
public:
    Lexer(const Source& source, Span part)
        : source_(source), text_(source.text().substr(0, part.end)), at_(part.begin) {}

    std::vector<Token> all() {
        std::vector<Token> tokens;
        do {
            skip_blanks();
            tokens.push_back(next());
        } while (tokens.back().symbol != Symbol::End);
        return tokens;
    }

private:
    [[noreturn]] void fail(std::size_t begin, std::size_t end, std::string message) const {
        throw SyntaxError(source_.at({begin, end}, std::move(message)));
    }

    [[nodiscard]] bool starts(std::string_view with) const {
        return text_.substr(at_, with.size()) == with;
    }

    void skip_blanks() {
        while (at_ < text_.size()) {
            if (text_[at_] == '#') {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (is_blank(text_[at_])) {
                ++at_;
            } else {
                return;
            }
        }
    }

    Token token(Symbol symbol, std::size_t length) {
        const Token made{symbol, {at_, at_ + length}, 0};
        at_ += length;
        return made;
    }

    Token next() {
        if (at_ >= text_.size()) return {Symbol::End, {text_.size(), text_.size()}, 0};
        const char c = text_[at_];
        if (is_letter(c)) return name();
        if (is_digit(c)) return integer();
        if (c == '"') return quoted();
        if (c == '[') return role();
        for (const Foreign& each : kForeign) {
            if (starts(each.text)) {
                fail(at_, at_ + each.text.size(),
                     "unknown operator '" + std::string(each.text) + "'; write '" +
                         std::string(each.ours) + "'");
            }
        }
        for (const Spelling& each : kSpellings) {
            if (starts(each.text)) return token(each.symbol, each.text.size());
        }
        refuse(c);
    }

    [[noreturn]] void refuse(char c) const {
        if (c == '!') fail(at_, at_ + 1, "unknown operator '!'; write 'not'");
        if (c == '\'') fail(at_, at_ + 1, "write a move in double quotes, as in \"e2e4\"");
        if (c == '_') fail(at_, at_ + 1, "a name must begin with a letter, found '_'");
        const bool is_plain = c > 0x20 && c < 0x7f;
        fail(at_, at_ + 1,
             is_plain ? std::string("unexpected '") + c + "'"
                      : "unexpected byte, not part of any query");
    }

    Token name() {
        std::size_t length = 1;
        while (at_ + length < text_.size() && continues_name(text_[at_ + length])) ++length;
        return token(Symbol::Name, length);
    }

    Token integer() {
        constexpr std::uint64_t kMost = std::uint64_t{1} << 63U;
        std::size_t end = at_;
        std::uint64_t value = 0;
        bool is_large = false;
        while (end < text_.size() && is_digit(text_[end])) {
            const auto digit = static_cast<std::uint64_t>(text_[end] - '0');
            // 2^63 itself is allowed: "-9223372036854775808" is a minus and this number.
            is_large = is_large || value > (kMost - digit) / 10;
            if (!is_large) value = value * 10 + digit;
            ++end;
        }
        if (is_large) fail(at_, end, "the number does not fit in 64 bits");
        // "4depth" and "3.5": reported as one mistake, not as two tokens.
        if (end < text_.size() && (continues_name(text_[end]) || text_[end] == '.')) {
            const bool is_point = text_[end] == '.';
            while (end < text_.size() && (continues_name(text_[end]) || text_[end] == '.')) ++end;
            fail(at_, end,
                 is_point ? "numbers must be integers" : "a name must begin with a letter");
        }
        Token made = token(Symbol::Integer, end - at_);
        made.value = value;
        return made;
    }

    Token quoted() {
        const std::size_t line_end = std::min(text_.find('\n', at_), text_.size());
        const std::size_t close = text_.find('"', at_ + 1);
        if (close == std::string_view::npos || close > line_end) {
            fail(at_, line_end, "the closing quote of the move is missing");
        }
        return token(Symbol::Text, close + 1 - at_);
    }

    Token role() {
        std::size_t end = at_ + 1;
        const auto skip = [this, &end] {
            while (end < text_.size() && is_blank(text_[end])) ++end;
        };
        skip();
        Symbol symbol = Symbol::ChildRole;
        if (end < text_.size()) {
            constexpr std::string_view kMarks = "<^*";
            constexpr std::array kRoles{Symbol::PreviousRole, Symbol::ParentRole,
                                        Symbol::QueriedRole};
            const std::size_t mark = kMarks.find(text_[end]);
            if (mark != std::string_view::npos) {
                symbol = kRoles.at(mark);
                ++end;
                skip();
            }
        }
        if (end >= text_.size() || text_[end] != ']') {
            fail(at_, std::min(end + 1, text_.size()), "expected '[]', '[<]', '[^]' or '[*]'");
        }
        return token(symbol, end + 1 - at_);
    }

    const Source& source_;
    std::string_view text_;
    std::size_t at_;
};

}  // namespace

std::vector<Token> tokens_of(const Source& source, Span part) {
    return Lexer(source, part).all();
}

bool is_name(std::string_view text) {
    return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, continues_name);
}

}  // namespace assay::gtql
