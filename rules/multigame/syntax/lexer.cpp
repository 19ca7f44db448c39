// Splits a file into tokens in one pass: the first character decides what a token is. `..` is one
// token and is recognised before `.`, which ends a rule. Comments run from `#` to the end of the
// line, except within a string, where `#` is a field of a picture.
#include "rules/multigame/syntax/lexer.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace assay::rules::multigame {

namespace {

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// A byte of a UTF-8 character behind its first.
bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

constexpr std::array<std::string_view, 18> kSigns{"..", "<=", ">=", "<>", "(", ")", "{", "}", "[",
                                                  "]",  ",",  ".",  ":",  "=", "<", ">", "+", "-"};

class Lexer {
public:
    Lexer(std::string_view text, int file, Problems& problems) : text_(text), problems_(problems) {
        place_.file = file;
        place_.line = 1;
    }

    std::vector<Token> all() {
        skip_byte_order_mark();
        for (skip_blanks(); at_ < text_.size(); skip_blanks()) read();
        add(Token::Kind::End, at_, at_, at_);
        return std::move(tokens_);
    }

private:
    void skip_byte_order_mark() {
        constexpr std::string_view kMark = "\xef\xbb\xbf";
        if (!text_.starts_with(kMark)) return;
        problems_.error(place_of(0, kMark.size()),
                        "the file begins with a byte order mark: save it as UTF-8 without one");
        at_ = kMark.size();
    }

    void skip_blanks() {
        while (at_ < text_.size()) {
            if (text_[at_] == '\n') {
                ++place_.line;
                line_begin_ = at_ + 1;
                is_first_ = true;
            } else if (text_[at_] == '#') {
                at_ = std::min(text_.find('\n', at_), text_.size());
                continue;
            } else if (!is_blank(text_[at_])) {
                return;
            }
            ++at_;
        }
    }

    [[nodiscard]] Place place_of(std::size_t begin, std::size_t end) const {
        Place place = place_;
        place.column = static_cast<int>(begin - line_begin_) + 1;
        place.width = std::max(1, static_cast<int>(end - begin));
        return place;
    }

    /// The token is [begin, end); its text begins at `from` and has the token's end, quotes apart.
    void add(Token::Kind kind, std::size_t begin, std::size_t end, std::size_t from) {
        Token token;
        token.kind = kind;
        token.text = text_.substr(from, end - from - (from - begin));
        token.place = place_of(begin, end);
        token.is_first_of_line = is_first_;
        is_first_ = false;
        tokens_.push_back(token);
        at_ = end;
    }

    template <class Continues>
    void add_run(Token::Kind kind, Continues continues) {
        std::size_t end = at_;
        while (end < text_.size() && continues(text_[end])) ++end;
        add(kind, at_, end, at_);
    }

    void read() {
        const char c = text_[at_];
        if (is_letter(c)) {
            add_run(Token::Kind::Word,
                    [](char each) { return is_letter(each) || is_digit(each) || each == '_'; });
        } else if (is_digit(c)) {
            add_run(Token::Kind::Integer, is_digit);
        } else if (c == '"') {
            read_string();
        } else if (c == '\'') {
            read_symbol();
        } else {
            read_sign();
        }
    }

    void read_string() {
        const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
        if (end == std::string_view::npos || text_[end] == '\n') {
            const std::size_t stop = std::min(end, text_.size());
            problems_.error(place_of(at_, stop),
                            "this string does not end in its line; expected '\"'");
            add(Token::Kind::Broken, at_, stop, at_);
            return;
        }
        add(Token::Kind::String, at_, end + 1, at_ + 1);
    }

    void read_symbol() {
        if (at_ + 2 < text_.size() && text_[at_ + 2] == '\'' && text_[at_ + 1] != '\n') {
            add(Token::Kind::Symbol, at_, at_ + 3, at_ + 1);
            return;
        }
        const std::size_t end = text_.find_first_of("'\n \t", at_ + 1);
        const bool is_closed = end != std::string_view::npos && text_[end] == '\'';
        const std::size_t stop = is_closed ? end + 1 : std::min(end, text_.size());
        problems_.error(place_of(at_, stop), "a symbol is one character between quotes, as in 'K'");
        add(Token::Kind::Broken, at_, stop, at_);
    }

    void read_sign() {
        const auto sign = std::ranges::find_if(
            kSigns, [&](std::string_view each) { return text_.substr(at_).starts_with(each); });
        if (sign != kSigns.end()) {
            add(Token::Kind::Sign, at_, at_ + sign->size(), at_);
            return;
        }
        read_unknown();
    }

    /// Text of another encoding, or no text at all: one error is enough.
    void read_foreign() {
        problems_.error(place_of(at_, at_ + 1), "unknown character '" +
                                                    printable_utf8(text_.substr(at_, 1)) +
                                                    "': the file is no UTF-8 text");
        add(Token::Kind::Broken, at_, at_ + 1, at_);
        at_ = text_.size();
    }

    /// The comment of another language.
    bool skip_foreign_comment() {
        const std::string_view rest = text_.substr(at_);
        if (!rest.starts_with("//") && !rest.starts_with("/*")) return false;
        problems_.error(place_of(at_, at_ + 2), "a comment begins with '#'");
        const std::size_t line = std::min(text_.find('\n', at_), text_.size());
        const std::size_t close = text_.substr(0, line).find("*/", at_ + 2);
        at_ = rest[1] == '*' && close != std::string_view::npos ? close + 2 : line;
        return true;
    }

    [[nodiscard]] static std::string_view advice_on(std::string_view found) {
        if (found == "!") return "; 'not equal' is written '<>'";
        if (found == ";") return "; ',' stands between statements, '.' at the end of a rule";
        if (found == "*") return "; numbers are added and subtracted only";
        return "";
    }

    void read_unknown() {
        if (skip_foreign_comment()) return;
        const auto lead = static_cast<unsigned char>(text_[at_]);
        if (lead == 0 || utf8_length(text_.substr(at_)) == 0) return read_foreign();
        std::size_t end = at_ + 1;
        while (end < text_.size() && is_continuation(text_[end])) ++end;
        const std::string_view found = text_.substr(at_, end - at_);
        problems_.error(place_of(at_, end), "unknown character '" + printable_utf8(found) + "'" +
                                                std::string(advice_on(found)));
        // What follows belongs to the same word in the writer's mind.
        while (end < text_.size() &&
               (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '_')) {
            ++end;
        }
        add(Token::Kind::Broken, at_, end, at_);
    }

    std::string_view text_;
    Problems& problems_;
    std::vector<Token> tokens_;
    Place place_;  // file and line of `at_`
    std::size_t at_ = 0;
    std::size_t line_begin_ = 0;
    bool is_first_ = true;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text, int file, Problems& problems) {
    return Lexer(text, file, problems).all();
}

}  // namespace assay::rules::multigame
