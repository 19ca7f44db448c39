#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rules/multigame/syntax/lexer.h"
#include "rules/multigame/syntax/tree.h"

namespace assay::rules::multigame {

/// The parser has reported an error and cannot go on within this declaration or rule.
struct ParseFailure {};

/// Walks over the tokens of one file. All that both halves of the parser share.
class Cursor {
public:
    Cursor(std::vector<Token> tokens, Problems& problems)
        : tokens_(std::move(tokens)), problems_(problems) {}

    [[nodiscard]] const Token& now() const { return tokens_[at_]; }

    [[nodiscard]] const Token& next() const {
        return tokens_[std::min(at_ + 1, tokens_.size() - 1)];
    }

    [[nodiscard]] bool is(std::string_view word) const { return now().is(word); }

    [[nodiscard]] bool is_at_end() const { return now().kind == Token::Kind::End; }

    /// Takes the token, which is not the last.
    const Token& take();
    bool accept(std::string_view word);
    void expect(std::string_view word);
    /// A name of the user's own; `what` says of what: "a rule". With `is_piece`, mark is one too.
    Name name(std::string_view what, bool is_piece = false);
    /// A whole number; with a sign where `is_signed`.
    int integer(bool is_signed = false);
    std::string_view string(std::string_view what);
    char symbol(std::string_view what);

    void report(const Place& place, std::string message) {
        problems_.error(place, std::move(message));
    }

    [[noreturn]] void fail(const Place& place, std::string message);
    /// "expected WHAT, found TOKEN"; `advice` follows. Says nothing of a token that is broken.
    [[noreturn]] void fail_expected(std::string_view what, std::string_view advice = "");
    /// The same of what has to be added behind the last token: that is the place where the token
    /// found is in a later line.
    [[noreturn]] void fail_missing(std::string_view what, std::string_view advice = "");

    /// The place right behind the last token that was taken.
    [[nodiscard]] Place behind() const;

    /// True at a word that begins a line and is a declaration's, or is followed by `=`.
    [[nodiscard]] bool begins_rule_or_declaration() const;

    /// Goes to where the next declaration or rule seems to begin: at such a word, or, `of_rule`,
    /// behind a `.`. `begin`: where the part that failed begins; at least one token is passed.
    void recover(std::size_t begin, bool of_rule);

    [[nodiscard]] std::size_t position() const { return at_; }

private:
    std::vector<Token> tokens_;
    Problems& problems_;
    std::size_t at_ = 0;
    std::set<std::string, std::less<>> reserved_names_;  // words that were declared as names
};

/// "'step'", "the end of the file", "the string \"..#\"".
[[nodiscard]] std::string described(const Token& token);

}  // namespace assay::rules::multigame
