// The layout of a file of rules. A line-breaking formatter would have to decide which statements
// belong together, which the author knows better: as in gofmt, lines stay as they are broken, and
// all else follows from the tokens alone. So formatting twice is formatting once, and no comment
// can be lost: it stays on its line.
//
// A line stands below the first word behind the innermost bracket that is open, where that bracket
// is not the last of its line, else two columns to the right of the bracket's line. The lines of a
// rule behind its first stand below the first statement behind '=', where that is near enough.
#include "rules/multigame/syntax/formatter.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/multigame/syntax/lexer.h"
#include "rules/multigame/syntax/parser.h"

namespace assay::rules::multigame {

namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kWidestHead = 24;  // a wider head of a rule has its statements below it

using TokenKind = Token::Kind;

/// A line of the file as it is read and written.
struct Line {
    std::vector<Token> tokens;
    std::string comment;  // with '#', without the blanks at its end
    std::string text;     // of the tokens, indented
};

std::string source_of(const Token& token) {
    if (token.kind == TokenKind::String) return '"' + std::string(token.text) + '"';
    if (token.kind == TokenKind::Symbol) return "'" + std::string(token.text) + "'";
    return std::string(token.text);
}

bool opens(const Token& token) {
    return token.is("[") || token.is("{") || token.is("(");
}

bool closes(const Token& token) {
    return token.is("]") || token.is("}") || token.is(")");
}

/// True where a '-' behind this token subtracts; else it is a sign.
bool ends_operand(const Token& token) {
    return token.kind == TokenKind::Integer || token.is(")") ||
           (token.kind == TokenKind::Word && !token.is("rotate") && !token.is("to") &&
            !token.is("check") && !token.is("add") && !token.is("most") && !token.is("or") &&
            !token.is("either"));
}

/// The comment of a line, or nothing. `from`: behind its last token.
std::string comment_of(std::string_view line, std::size_t from) {
    const std::size_t begin = line.find('#', from);
    return begin == std::string_view::npos ? "" : std::string(trim(line.substr(begin)));
}

std::vector<Line> lines_of(std::string_view text, const std::vector<Token>& tokens) {
    std::vector<Line> lines;
    auto token = tokens.begin();
    int number = 1;
    for (std::size_t begin = 0; begin <= text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        Line& line = lines.emplace_back();
        std::size_t behind = 0;
        for (;
             token != tokens.end() && token->kind != TokenKind::End && token->place.line == number;
             ++token) {
            line.tokens.push_back(*token);
            behind = static_cast<std::size_t>(token->place.column - 1 + token->place.width);
        }
        line.comment = comment_of(text.substr(begin, end - begin), behind);
        begin = end + 1;
    }
    return lines;
}

/// Tells for each token whether a blank stands before it.
class Spacing {
public:
    [[nodiscard]] bool before(const Token& token) {
        const bool is_sign = token.is("-") && !(has_last_ && ends_operand(last_));
        const bool is_close = token.is(",") || token.is(")") || token.is(".");
        const bool wants = has_last_ && !is_close && !last_.is("(") && !was_sign_;
        was_sign_ = is_sign;
        last_ = token;
        has_last_ = true;
        return wants;
    }

private:
    Token last_;
    bool has_last_ = false;
    bool was_sign_ = false;
};

class Layout {
public:
    explicit Layout(std::vector<Line>& lines) : lines_(lines) {}

    void run() {
        for (Line& line : lines_) {
            if (line.tokens.empty()) continue;
            line.text = std::string(indent_of(line), ' ') + words_of(line);
            follow(line);
        }
        indent_comments();
        align_columns();
        align_comments();
    }

private:
    /// An open bracket: where the lines within it stand, and where the line that opened it stood.
    struct Open {
        std::size_t column = 0;
        std::size_t line = 0;
    };

    [[nodiscard]] std::size_t indent_of(const Line& line) const {
        const std::size_t base = is_in_rule_ ? base_ : 0;
        if (open_.empty()) return base;
        return closes(line.tokens.front()) ? open_.back().line : open_.back().column;
    }

    static std::string words_of(const Line& line) {
        std::string words;
        Spacing spacing;
        for (const Token& token : line.tokens) {
            if (spacing.before(token)) words += ' ';
            words += source_of(token);
        }
        return words;
    }

    /// Brackets and rules that are open behind the line.
    void follow(const Line& line) {
        const std::size_t indent = line.text.find_first_not_of(' ');
        std::size_t column = indent;
        Spacing spacing;
        for (std::size_t n = 0; n < line.tokens.size(); ++n) {
            const Token& token = line.tokens[n];
            column += spacing.before(token) ? 1U : 0U;
            const bool is_last = n + 1 == line.tokens.size();
            if (opens(token)) {
                open_.push_back({is_last ? indent + kIndent : column + (token.is("(") ? 1 : 2),
                                 is_in_rule_ ? std::max(indent, base_) : indent});
            }
            if (closes(token) && !open_.empty()) open_.pop_back();
            column += source_of(token).size();
            if (!open_.empty()) continue;
            if (token.is("=") && n == 1 && !is_in_rule_) {
                is_in_rule_ = true;
                base_ = is_last || column > kWidestHead ? kIndent : column + 1;
            } else if (token.is(".")) {
                is_in_rule_ = false;
            }
        }
    }

    /// A line of a comment alone stands as the next line of words does.
    void indent_comments() {
        std::size_t indent = 0;
        for (std::size_t n = lines_.size(); n-- > 0;) {
            Line& line = lines_[n];
            if (!line.tokens.empty()) {
                indent = line.text.find_first_not_of(' ');
                if (closes(line.tokens.front())) indent += kIndent;
            } else if (!line.comment.empty()) {
                line.text = std::string(indent, ' ') + line.comment;
                line.comment.clear();
            }
        }
    }

    /// The names in `pieces` and `zones` have one width, and two blanks behind the longest.
    void align_columns() {
        for (std::size_t n = 0; n < lines_.size(); ++n) {
            const Line& head = lines_[n];
            if (head.tokens.empty()) continue;
            if (!head.tokens.front().is("pieces") && !head.tokens.front().is("zones")) continue;
            if (ends_block(head)) continue;
            std::size_t end = n + 1;
            while (end < lines_.size() && !ends_block(lines_[end])) ++end;
            align_names(n + 1, end);
            n = end;
        }
    }

    static bool ends_block(const Line& line) {
        return std::ranges::any_of(line.tokens, [](const Token& each) { return each.is("}"); });
    }

    void align_names(std::size_t begin, std::size_t end) {
        const auto is_entry = [](const Line& line) {
            return line.tokens.size() > 1 && line.tokens.front().kind == TokenKind::Word;
        };
        std::size_t widest = 0;
        for (std::size_t n = begin; n < end; ++n) {
            if (is_entry(lines_[n])) {
                widest = std::max(widest, lines_[n].tokens.front().text.size());
            }
        }
        for (std::size_t n = begin; n < end; ++n) {
            if (!is_entry(lines_[n])) continue;
            std::string& text = lines_[n].text;
            const std::size_t width = lines_[n].tokens.front().text.size();
            text.insert(text.find_first_not_of(' ') + width, widest + 1 - width, ' ');
        }
    }

    /// Comments behind words begin in one column, line by line below each other.
    void align_comments() {
        const auto has_both = [](const Line& line) {
            return !line.tokens.empty() && !line.comment.empty();
        };
        for (std::size_t n = 0; n < lines_.size(); ++n) {
            if (!has_both(lines_[n])) continue;
            std::size_t end = n;
            std::size_t widest = 0;
            for (; end < lines_.size() && has_both(lines_[end]); ++end) {
                widest = std::max(widest, lines_[end].text.size());
            }
            for (; n < end; ++n) {
                std::string& text = lines_[n].text;
                text.append(widest + 2 - text.size(), ' ');
                text += lines_[n].comment;
            }
        }
    }

    std::vector<Line>& lines_;
    std::vector<Open> open_;
    std::size_t base_ = 0;  // of the lines of a rule behind its first
    bool is_in_rule_ = false;
};

}  // namespace

std::string formatted(const std::string& path, std::string_view text) {
    const std::vector<FormFile> files{{path, std::string(text)}};
    Problems problems(files);
    (void)parsed(files.front().text, 0, problems);
    if (problems.has_errors()) throw SyntaxError(problems.sorted());
    const std::vector<Token> tokens = tokens_of(files.front().text, 0, problems);
    std::vector<Line> lines = lines_of(files.front().text, tokens);
    Layout(lines).run();
    std::string out;
    bool was_empty = true;
    bool wants_empty = false;
    for (const Line& line : lines) {
        if (line.text.empty()) {
            wants_empty = !was_empty;
            continue;
        }
        if (wants_empty) out += '\n';
        out += line.text + '\n';
        was_empty = wants_empty = false;
    }
    return out;
}

}  // namespace assay::rules::multigame
