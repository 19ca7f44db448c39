#include "rules/multigame/syntax/cursor.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/multigame/syntax/words.h"

namespace assay::rules::multigame {

std::string described(const Token& token) {
    switch (token.kind) {
        case Token::Kind::End:
            return "the end of the file";
        case Token::Kind::String:
            return fmt::format("\"{}\"", printable_utf8(token.text));
        case Token::Kind::Symbol:
            return fmt::format("the symbol '{}'", printable_utf8(token.text));
        default:
            return fmt::format("'{}'", token.text);
    }
}

const Token& Cursor::take() {
    const Token& token = tokens_[at_];
    if (!is_at_end()) ++at_;
    return token;
}

bool Cursor::accept(std::string_view word) {
    if (!is(word)) return false;
    take();
    return true;
}

void Cursor::expect(std::string_view word) {
    if (!accept(word)) fail_missing(fmt::format("'{}'", word));
}

Place Cursor::behind() const {
    if (at_ == 0) return now().place;
    Place place = tokens_[at_ - 1].place;
    place.column += place.width;
    place.width = 1;
    return place;
}

void Cursor::fail(const Place& place, std::string message) {
    problems_.error(place, std::move(message));
    throw ParseFailure();
}

namespace {

/// The words of the language between quotes: those of "'draw', 'win' or 'lose'".
std::vector<std::string_view> quoted_words(std::string_view what) {
    std::vector<std::string_view> words;
    for (std::size_t begin = what.find('\''); begin < what.size();) {
        const std::size_t end = std::min(what.find('\'', begin + 1), what.size());
        const std::string_view word = what.substr(begin + 1, end - begin - 1);
        if (is_reserved(word)) words.push_back(word);
        begin = what.find('\'', end + 1);
    }
    return words;
}

}  // namespace

void Cursor::fail_expected(std::string_view what, std::string_view advice) {
    std::string nearest;
    if (advice.empty() && now().kind == Token::Kind::Word) {
        nearest = did_you_mean(now().text, quoted_words(what));
        advice = nearest;
    }
    if (now().kind == Token::Kind::Broken) throw ParseFailure();
    // The end of the file is in no line that can be shown.
    const Place place = is_at_end() ? behind() : now().place;
    fail(place, fmt::format("expected {}, found {}{}", what, described(now()), advice));
}

void Cursor::fail_missing(std::string_view what, std::string_view advice) {
    const bool is_in_line =
        at_ == 0 || !now().is_first_of_line || is_at_end() || now().kind == Token::Kind::Broken;
    if (is_in_line) fail_expected(what, advice);
    fail(behind(), fmt::format("expected {}, found {} in line {}{}", what, described(now()),
                               now().place.line, advice));
}

Name Cursor::name(std::string_view what, bool is_piece) {
    if (now().kind != Token::Kind::Word) fail_expected(fmt::format("the name of {}", what));
    if (is_reserved(now().text) && !(is_piece && is("mark"))) {
        // Who has declared it uses it as well.
        if (reserved_names_.contains(now().text)) throw ParseFailure();
        if (what == "a piece" || what == "a zone" || what == "a variable") {
            reserved_names_.emplace(now().text);
        }
        fail(now().place, fmt::format("expected the name of {}, found '{}', which is a word of the "
                                      "language and cannot be a name",
                                      what, now().text));
    }
    const Token& token = take();
    return {std::string(token.text), token.place};
}

int Cursor::integer(bool is_signed) {
    const bool is_negative = is_signed && accept("-");
    if (now().kind != Token::Kind::Integer) {
        fail_expected("a number",
                      is("infinity") ? "; without end from 0 on is '0 .. infinity'" : "");
    }
    const auto value = to_number<int>(now().text);
    if (!value || *value > kMostNumber) {
        fail(now().place, "a number is at most 1,000,000,000");
    }
    const Place place = take().place;
    const bool has_point = is(".") && next().kind == Token::Kind::Integer &&
                           next().place.line == place.line &&
                           next().place.column == place.column + place.width + 1;
    if (has_point) {
        take();
        take();
        fail(place, "a number is whole: it has no '.'");
    }
    return is_negative ? -*value : *value;
}

std::string_view Cursor::string(std::string_view what) {
    if (now().kind != Token::Kind::String) {
        fail_expected(fmt::format("{} in double quotes", what));
    }
    return take().text;
}

char Cursor::symbol(std::string_view what) {
    if (now().kind != Token::Kind::Symbol) {
        fail_expected(fmt::format("{}, one character in single quotes", what));
    }
    return take().text.front();
}

bool Cursor::begins_rule_or_declaration() const {
    if (now().kind != Token::Kind::Word || !now().is_first_of_line) return false;
    return next().is("=") ||
           std::ranges::find(declaration_words(), now().text) != declaration_words().end();
}

void Cursor::recover(std::size_t begin, bool of_rule) {
    bool is_first = at_ == begin;
    while (!is_at_end()) {
        if (!is_first && begins_rule_or_declaration()) return;
        is_first = false;
        if (take().is(".") && of_rule) return;
    }
}

}  // namespace assay::rules::multigame
