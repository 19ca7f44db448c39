// A file's declarations and rules. One error does not hide the others: after an error the parser
// goes on where the next declaration or rule seems to begin (Cursor::recover).
#include "rules/multigame/syntax/parser.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>

#include "base/text.h"
#include "rules/multigame/syntax/cursor.h"
#include "rules/multigame/syntax/parse_statements.h"
#include "rules/multigame/syntax/words.h"

namespace assay::rules::multigame {

namespace {

bool is_declaration(std::string_view word) {
    const auto words = declaration_words();
    return std::ranges::find(words, word) != words.end();
}

class Parser {
public:
    Parser(std::vector<Token> tokens, int file, Problems& problems)
        : cursor_(std::move(tokens), problems), statements_(cursor_) {
        tree_.file = file;
    }

    Tree all() {
        if (cursor_.is("based")) guarded([&] { based_on(); });
        tree_.first = cursor_.now().place;
        while (!cursor_.is_at_end()) guarded([&] { declaration_or_rule(); });
        tree_.end = cursor_.behind();
        return std::move(tree_);
    }

private:
    template <class Read>
    void guarded(Read read) {
        const std::size_t begin = cursor_.position();
        is_in_declaration_ = false;
        try {
            read();
        } catch (const ParseFailure&) {
            // The name of a rule that was not understood is known all the same.
            if (begun_rule_) {
                tree_.rules.push_back({*begun_rule_, {}});
            } else {
                tree_.is_incomplete = true;
            }
            begun_rule_.reset();
            cursor_.recover(begin, !is_in_declaration_);
            statements_.restart();
        }
    }

    void based_on() {
        is_in_declaration_ = true;
        cursor_.take();
        cursor_.expect("on");
        const Place place = cursor_.now().place;
        tree_.based_on = Name{std::string(cursor_.string("the path of a file")), place};
    }

    void declaration_or_rule() {
        const Token& token = cursor_.now();
        if (token.is("based")) {
            cursor_.fail(token.place, "'based on' stands first in a file");
        }
        if (token.kind != Token::Kind::Word) {
            const bool is_comment = token.is("-") && cursor_.next().is("-");
            cursor_.fail_expected("a declaration or a rule",
                                  is_comment ? "; a comment begins with '#'" : "");
        }
        if (is_declaration(token.text)) {
            declaration();
        } else if (is_reserved(token.text)) {
            const std::string nearest = cursor_.next().is("{") || cursor_.next().is("(")
                                            ? did_you_mean(token.text, declaration_words())
                                            : "";
            cursor_.fail_expected(
                "a declaration or a rule",
                nearest.empty() ? "; a rule is written 'name = statement, .. .'" : nearest);
        } else {
            rule();
        }
    }

    void rule() {
        WrittenRule made;
        made.name = cursor_.name("a rule");
        if (!cursor_.is("=")) {
            const std::string advice = did_you_mean(made.name.text, declaration_words());
            cursor_.fail_expected(fmt::format("'=' after the rule's name '{}'", made.name.text),
                                  cursor_.is("{") || cursor_.is("(") ? advice : "");
        }
        once("rule", made.name);
        begun_rule_ = made.name;
        cursor_.take();
        made.body = statements_.sequence();
        if (cursor_.begins_rule_or_declaration()) {
            // The rule is whole, so that its names are checked as well.
            cursor_.report(
                cursor_.behind(),
                fmt::format("the rule '{}' has no end: add '.' here, before {} in line "
                            "{}",
                            made.name.text, described(cursor_.now()), cursor_.now().place.line));
        } else if (!cursor_.accept(".")) {
            cursor_.fail_missing("',' before another statement or '.' at the end of the rule",
                                 statements_.advice_on_end());
        }
        made.body.place = made.name.place;
        begun_rule_.reset();
        tree_.rules.push_back(std::move(made));
    }

    /// Reports a name that this file declares twice, or as two things.
    void once(std::string_view kind, const Name& name) {
        for (const std::string_view other : {"rule", "piece", "zone", "variable"}) {
            if (!declared_.contains(fmt::format("{} {}", other, name.text))) continue;
            cursor_.report(name.place,
                           other == kind
                               ? fmt::format("the {} '{}' is declared twice", kind, name.text)
                               : fmt::format("'{}' is the name of a {} already", name.text, other));
            return;
        }
        declared_.insert(fmt::format("{} {}", kind, name.text));
    }

    void declaration() {
        const Token& token = cursor_.take();
        is_in_declaration_ = true;
        if (declared_.insert(fmt::format("declaration {}", token.text)).second) {
            return declaration(token.text, token.place);
        }
        cursor_.report(token.place, fmt::format("'{}' is declared twice", token.text));
        // The first one counts, so that what fits it is not reported as well.
        Tree first = tree_;
        declaration(token.text, token.place);
        tree_ = std::move(first);
    }

    void declaration(std::string_view word, const Place& place) {
        if (word == "dimensions") dimensions(place);
        if (word == "players") players(place);
        if (word == "pieces") listed(word, [&] { piece(); });
        if (word == "fields") tree_.fields = placed_picture(place);
        if (word == "start") start(place);
        if (word == "names") names(place);
        if (word == "zones") listed(word, [&] { zone(); });
        if (word == "variables") listed(word, [&] { variable(); });
        if (word == "repetition") repetition(place);
        if (word == "text") text(place);
        if (word == "sides") sides(place);
        if (word == "counts") listed(word, [&] { count(); });
    }

    template <class Read>
    void listed(std::string_view word, Read read) {
        cursor_.expect("{");
        while (!cursor_.accept("}")) {
            const bool is_entry = word == "counts" && cursor_.is("start");
            if (!is_entry && cursor_.begins_rule_or_declaration()) return report_no_end(word);
            read();
        }
    }

    /// The declaration counts, so that its names are known.
    void report_no_end(std::string_view word) {
        cursor_.report(cursor_.behind(),
                       fmt::format("'{}' has no end: add '}}' here, before {} in line {}", word,
                                   described(cursor_.now()), cursor_.now().place.line));
    }

    WrittenPicture placed_picture(const Place& place) {
        WrittenPicture picture = statements_.picture();
        picture.place = place;
        return picture;
    }

    void dimensions(const Place& place) {
        WrittenDimensions made;
        made.place = place;
        cursor_.expect("(");
        made.columns = cursor_.integer();
        cursor_.expect(",");
        made.rows = cursor_.integer();
        cursor_.expect(")");
        constexpr int kMost = static_cast<int>(kMostColumns);
        if (made.columns < 1 || made.rows < 1 || made.columns > kMost || made.rows > kMost) {
            cursor_.report(place,
                           fmt::format("a board has 1 to {} columns and 1 to {} rows, not {} "
                                       "and {}",
                                       kMost, kMost, made.columns, made.rows));
            made.is_wrong = true;
        }
        tree_.dimensions = made;
    }

    void players(const Place& place) {
        const int number = cursor_.integer();
        if (number < 1 || number > 2) {
            cursor_.report(place,
                           fmt::format("a game has 1 or 2 players, not {}: verdicts, 'own' and "
                                       "'enemy' know two sides",
                                       number));
        }
        tree_.players = {std::clamp(number, 1, 2), place};
    }

    void piece() {
        WrittenPiece made;
        made.name = cursor_.name("a piece", true);
        once("piece", made.name);
        made.symbols[0] = piece_symbol();
        if (cursor_.now().kind == Token::Kind::Symbol) made.symbols[1] = piece_symbol();
        tree_.pieces.push_back(made);
    }

    char piece_symbol() {
        const Place place = cursor_.now().place;
        const char symbol = cursor_.symbol("the piece's symbol");
        const bool is_taken = symbol <= ' ' || symbol > '~' || (symbol >= '0' && symbol <= '9') ||
                              symbol == '/' || symbol == '.' || symbol == '"';
        if (is_taken) {
            cursor_.report(place, fmt::format("'{}' cannot be the symbol of a piece: expected a "
                                              "printable character, no digit and none of / . \"",
                                              printable_utf8(std::string_view(&symbol, 1))));
        }
        return symbol;
    }

    void start(const Place& place) {
        WrittenStart made;
        made.place = place;
        std::string_view expected = "'white', 'black' or '{'";
        if (cursor_.is("white") || cursor_.is("black")) {
            made.first_side = cursor_.take().is("black") ? 1 : 0;
            expected = "'{'";
        }
        const bool is_foreign = cursor_.now().kind == Token::Kind::Word &&
                                !cursor_.now().is_first_of_line && cursor_.next().is("{") &&
                                !is_declaration(cursor_.now().text);
        if (is_foreign || cursor_.now().kind == Token::Kind::String) {
            cursor_.fail_missing(expected);
        }
        if (cursor_.is("{")) made.picture = placed_picture(place);
        tree_.start = made;
    }

    void names(const Place& place) {
        if (cursor_.accept("algebraic")) {
            tree_.names = {FieldNames::Algebraic, place};
        } else if (cursor_.accept("columns")) {
            tree_.names = {FieldNames::Columns, place};
        } else if (cursor_.accept("numbered")) {
            tree_.names = {FieldNames::Numbered, place};
        } else {
            cursor_.fail_expected("'algebraic', 'columns' or 'numbered'");
        }
    }

    void zone() {
        WrittenZone made;
        made.name = cursor_.name("a zone");
        once("zone", made.name);
        if (cursor_.is("black")) cursor_.fail_expected("'white' and its fields first, or '('");
        if (cursor_.accept("white")) {
            made.ranges[0] = ranges();
            cursor_.expect("black");
            made.ranges[1] = ranges();
        } else {
            made.ranges[0] = made.ranges[1] = ranges();
        }
        tree_.zones.push_back(std::move(made));
    }

    std::vector<WrittenRange> ranges() {
        std::vector<WrittenRange> made;
        cursor_.expect("(");
        do {
            WrittenRange range;
            range.from = range.to = cursor_.name("a field, as in a1");
            if (cursor_.accept("..")) range.to = cursor_.name("a field, as in a1");
            made.push_back(std::move(range));
        } while (cursor_.accept(","));
        cursor_.expect(")");
        return made;
    }

    void variable() {
        WrittenVariable made;
        for (bool is_more = true; is_more;) {
            if (cursor_.accept("silent")) {
                made.is_silent = true;
            } else if (cursor_.accept("volatile")) {
                made.is_volatile = true;
            } else if (cursor_.accept("local")) {
                made.is_local = true;
            } else {
                is_more = false;
            }
        }
        if (cursor_.accept("field")) {
            made.is_field = true;
            made.initial = kNone;
        } else if (!cursor_.accept("number")) {
            cursor_.fail_expected(
                "'number' or 'field', after any of 'silent', 'volatile', 'local'");
        }
        made.is_each = cursor_.accept("each");
        made.name = cursor_.name("a variable");
        once("variable", made.name);
        if (cursor_.is("=")) {
            if (made.is_field) {
                cursor_.fail(cursor_.now().place,
                             "a field variable has no first value: it is no "
                             "field until 'mark'");
            }
            cursor_.take();
            made.initial = cursor_.integer(true);
        }
        tree_.variables.push_back(std::move(made));
    }

    void repetition(const Place& place) {
        WrittenRepetition made;
        made.place = place;
        const Place number = cursor_.now().place;
        made.occurrences = cursor_.integer();
        if (made.occurrences < 2) {
            cursor_.report(number,
                           "a position that occurs once is no repetition: expected 2 or more");
        }
        if (cursor_.accept("win")) {
            made.verdict = Verdict::Win;
        } else if (cursor_.accept("lose")) {
            made.verdict = Verdict::Lose;
        } else if (!cursor_.accept("draw")) {
            cursor_.fail_expected("'draw', 'win' or 'lose'");
        }
        if (cursor_.accept("unless")) {
            cursor_.expect("perpetual");
            made.perpetual = cursor_.name("a rule");
        }
        tree_.repetition = made;
    }

    void sides(const Place& place) {
        Placed<std::vector<Name>> made;
        made.place = place;
        do {
            const Place where = cursor_.now().place;
            made.value.push_back({std::string(cursor_.string("a player's name")), where});
            const std::string& name = made.value.back().text;
            if (!is_said(name)) {
                cursor_.report(where,
                               fmt::format("a player's name has 1 to {} printable characters",
                                           kLongestReason));
            }
        } while (cursor_.now().kind == Token::Kind::String);
        tree_.sides = std::move(made);
    }

    void count() {
        KnownCounts made;
        made.place = cursor_.now().place;
        if (cursor_.accept("start")) {
            made.is_start = true;
        } else {
            made.text = std::string(cursor_.string("'start' or the text of a position"));
        }
        while (cursor_.now().kind == Token::Kind::Integer) {
            const auto number = to_number<std::uint64_t>(cursor_.now().text);
            if (!number) cursor_.fail(cursor_.now().place, "this number is too large");
            made.numbers.push_back(*number);
            made.places.push_back(cursor_.take().place);
        }
        if (made.numbers.empty()) {
            cursor_.fail_expected("the number of move sequences at depth 1");
        }
        tree_.counts.push_back(std::move(made));
    }

    void text(const Place& place) {
        Placed<std::vector<WrittenItem>> made;
        made.place = place;
        cursor_.expect("{");
        while (!cursor_.accept("}")) made.value.push_back(item());
        if (made.value.empty()) {
            cursor_.report(place, "'text' begins with 'board' or 'squares'");
        }
        tree_.text = std::move(made);
    }

    WrittenItem item() {
        WrittenItem made;
        made.place = cursor_.now().place;
        if (cursor_.accept("board")) return made;
        if (cursor_.accept("moves")) {
            made.kind = TextItem::Kind::Moves;
        } else if (cursor_.accept("side")) {
            made.kind = TextItem::Kind::Side;
            both_symbols(made);
        } else if (cursor_.accept("squares")) {
            squares(made);
        } else if (cursor_.accept("flags")) {
            flags(made);
        } else if (cursor_.accept("field")) {
            made.kind = TextItem::Kind::Field;
            made.names.push_back(cursor_.name("a field variable"));
        } else if (cursor_.accept("number")) {
            made.kind = TextItem::Kind::Number;
            made.names.push_back(cursor_.name("a number variable"));
        } else if (cursor_.accept("word")) {
            word(made);
        } else {
            static constexpr std::array<std::string_view, 8> kItems{
                "board", "squares", "side", "flags", "field", "number", "moves", "word"};
            const std::string advice = cursor_.now().kind == Token::Kind::Word
                                           ? did_you_mean(cursor_.now().text, kItems)
                                           : "";
            cursor_.fail_expected(
                "an item of a text (board, squares, side, flags, field, number, moves or word)",
                advice);
        }
        return made;
    }

    void both_symbols(WrittenItem& made) {
        made.symbols[0] = cursor_.symbol("the first side's symbol");
        made.symbols[1] = cursor_.symbol("the second side's symbol");
        if (made.symbols[0] == made.symbols[1]) {
            cursor_.report(made.place, "both sides have one symbol");
        }
        for (const char symbol : made.symbols) text_symbol(symbol, made.place);
    }

    void text_symbol(char symbol, const Place& place) {
        if (symbol <= ' ' || symbol > '~' || symbol == '=' || symbol == ':' || symbol == ',') {
            cursor_.report(place, "a symbol of a text is printable, no blank and none of = : ,");
        }
    }

    /// No symbol of an item stands for two flags, and none is that of no flag at all.
    void flag_symbol(char symbol, const Place& place, std::string& used) {
        text_symbol(symbol, place);
        if (symbol == '-') cursor_.report(place, "'-' is written where no flag is set");
        if (used.find(symbol) != std::string::npos) {
            cursor_.report(place, fmt::format("the symbol '{}' stands for two flags", symbol));
        }
        used += symbol;
    }

    void squares(WrittenItem& made) {
        made.kind = TextItem::Kind::Squares;
        both_symbols(made);
        while (cursor_.now().kind == Token::Kind::Word &&
               (!is_reserved(cursor_.now().text) ||
                (cursor_.is("mark") && cursor_.next().kind == Token::Kind::Symbol))) {
            made.names.push_back(cursor_.name("a piece", true));
            made.name_symbols.push_back({cursor_.symbol("the piece's letter"), 0});
            text_symbol(made.name_symbols.back()[0], made.names.back().place);
        }
    }

    void flags(WrittenItem& made) {
        made.kind = TextItem::Kind::Flags;
        std::string used;
        do {
            made.names.push_back(cursor_.name("a number variable"));
            std::array<char, 2> symbols{cursor_.symbol("the flag's symbol"), 0};
            if (cursor_.now().kind == Token::Kind::Symbol) {
                symbols[1] = cursor_.symbol("the second side's symbol");
            }
            for (const char symbol : symbols) {
                if (symbol != 0) flag_symbol(symbol, made.names.back().place, used);
            }
            made.name_symbols.push_back(symbols);
        } while (cursor_.accept(","));
    }

    void word(WrittenItem& made) {
        made.kind = TextItem::Kind::Word;
        const Place place = cursor_.now().place;
        made.word = std::string(cursor_.string("a word"));
        if (made.word.empty() || made.word == "moves" ||
            !std::ranges::all_of(made.word,
                                 [](char c) { return c > ' ' && c <= '~' && c != '='; })) {
            cursor_.report(place,
                           "a word of a text is printable, has no blank and no '=', and is "
                           "not 'moves'");
        }
    }

    Cursor cursor_;
    StatementParser statements_;
    Tree tree_;
    std::optional<Name> begun_rule_;
    bool is_in_declaration_ = false;
    std::set<std::string, std::less<>> declared_;  // "rule NAME", "declaration NAME"
};

}  // namespace

bool is_said(std::string_view text) {
    std::size_t characters = 0;
    for (std::string_view rest = text; !rest.empty(); ++characters) {
        const std::size_t length = utf8_length(rest);
        if (length == 0) return false;
        rest.remove_prefix(length);
    }
    return characters > 0 && characters <= kLongestReason && printable_utf8(text) == text;
}

Tree parsed(std::string_view text, int file, Problems& problems) {
    return Parser(tokens_of(text, file, problems), file, problems).all();
}

}  // namespace assay::rules::multigame
