// Texts of positions: one word for each item of the program's `text`, then `name=value` for each
// variable that stands in no item and has another value than at the start. The writer and the
// reader walk the same list of items, each with a function for every kind of item, and stand side
// by side, so that a change of one shows what the other needs.
//
// A text may come from a user, a book or a program. The reader therefore refuses what it does not
// know instead of guessing: it says what it expected and what it found, and a text that is read
// leaves nothing to chance (exactly one blank between words, no piece beside the board, no flag or
// square twice). What the words leave out has its value from the start of the game.
//
// Cost: a pass over the text for the reader and one over the board for the writer. The reader finds
// a field by its name and a piece by its symbol by trying all. A table would have to be built for
// each text, or kept with the form, and positions are read once a game while moves name fields by
// number.
#include "rules/multigame/form/state.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::rules::multigame {

namespace {

bool is_run_digit(char c) {
    return c >= '0' && c <= '9';
}

char symbol_of(const Form& form, Content content) {
    return item(form.pieces, piece_of(content)).symbols[static_cast<std::size_t>(side_of(content))];
}

/// 0 where no piece has this symbol.
Content content_of_symbol(const Form& form, char symbol) {
    for (std::size_t piece = 0; piece < form.pieces.size(); ++piece) {
        for (int side = 0; side < 2; ++side) {
            if (symbol != 0 && item(form.pieces[piece].symbols, side) == symbol) {
                return content_of(static_cast<int>(piece), side);
            }
        }
    }
    return 0;
}

bool is_in_text(const Form& form, int variable) {
    return std::ranges::any_of(form.text, [&](const TextItem& each) {
        return each.kind != TextItem::Kind::Squares &&
               std::ranges::find(each.indices, variable) != each.indices.end();
    });
}

class TextWriter {
public:
    TextWriter(const Form& form, const State& state) : form_(form), state_(state) {}

    std::string all() {
        for (const TextItem& each : form_.text) {
            if (!out_.empty()) out_ += ' ';
            write(each);
        }
        for (std::size_t n = 0; n < form_.variables.size(); ++n) {
            const Variable& variable = form_.variables[n];
            if (variable.is_local || is_in_text(form_, static_cast<int>(n))) continue;
            const bool is_first = value(variable, 0) == variable.initial &&
                                  value(variable, variable.values() - 1) == variable.initial;
            if (is_first) continue;
            out_ += ' ' + variable.name + '=' + value_text(variable, 0);
            if (variable.is_each) out_ += ',' + value_text(variable, 1);
        }
        return std::move(out_);
    }

private:
    [[nodiscard]] int value(const Variable& variable, int side) const {
        return item(state_.values, variable.read_slot(side));
    }

    [[nodiscard]] std::string value_text(const Variable& variable, int side) const {
        const int number = value(variable, side);
        if (!variable.is_field) return std::to_string(number);
        return number == kNone ? "-" : form_.board.algebraic(number);
    }

    void write(const TextItem& each) {
        switch (each.kind) {
            case TextItem::Kind::Board:
                board();
                break;
            case TextItem::Kind::Squares:
                squares(each);
                break;
            case TextItem::Kind::Side:
                out_ += item(each.symbols, state_.side);
                break;
            case TextItem::Kind::Moves:
                out_ += std::to_string(state_.moves);
                break;
            case TextItem::Kind::Word:
                out_ += each.word;
                break;
            case TextItem::Kind::Flags:
                flags(each);
                break;
            default: {
                const Variable& variable = item(form_.variables, each.indices.front());
                out_ += value_text(variable, 0);
                if (variable.is_each) out_ += '+' + value_text(variable, 1);
            }
        }
    }

    void board() {
        const int columns = form_.board.columns;
        for (int row = form_.board.rows; row-- > 0;) {
            int run = 0;
            for (int column = 0; column < columns; ++column) {
                const Content content = item(state_.board, row * columns + column);
                if (content == 0) {
                    ++run;
                    continue;
                }
                if (run > 0) out_ += std::to_string(run);
                run = 0;
                out_ += symbol_of(form_, content);
            }
            if (run > 0) out_ += std::to_string(run);
            if (row > 0) out_ += '/';
        }
    }

    void squares(const TextItem& each) {
        out_ += item(each.symbols, state_.side);
        for (int side = 0; side < 2; ++side) {
            out_ += ':';
            out_ += item(each.symbols, side);
            bool is_first = true;
            for (int row = form_.board.rows; row-- > 0;) {
                for (int column = 0; column < form_.board.columns; ++column) {
                    const int field = row * form_.board.columns + column;
                    const Content content = item(state_.board, field);
                    if (content == 0 || side_of(content) != side ||
                        !item(form_.pieces, piece_of(content)).is_owned()) {
                        continue;
                    }
                    if (!is_first) out_ += ',';
                    is_first = false;
                    const auto listed = std::ranges::find(each.indices, piece_of(content));
                    if (listed != each.indices.end()) {
                        out_ += item(each.index_symbols,
                                     static_cast<int>(listed - each.indices.begin()))[0];
                    }
                    out_ += item(form_.board.names, field);
                }
            }
        }
    }

    void flags(const TextItem& each) {
        const std::size_t before = out_.size();
        for (int side = 0; side < 2; ++side) {
            for (std::size_t n = 0; n < each.indices.size(); ++n) {
                const char symbol = item(each.index_symbols[n], side);
                if (symbol != 0 && value(item(form_.variables, each.indices[n]), side) != 0) {
                    out_ += symbol;
                }
            }
        }
        if (out_.size() == before) out_ += '-';
    }

    const Form& form_;
    const State& state_;
    std::string out_;
};

class TextReader {
public:
    TextReader(const Form& form, std::string_view text)
        : form_(form), text_(text), state_(first_state(form)) {}

    State all() {
        if (text_.size() > kLongestText) {
            text_ = text_.substr(0, 60);
            fail(fmt::format("is longer than {} bytes", kLongestText));
        }
        split();
        std::size_t next = 0;
        for (const TextItem& each : form_.text) {
            const bool is_over = next == words_.size() ||
                                 (next > 0 && words_[next].find('=') != std::string_view::npos);
            if (is_over) break;
            read(each, words_[next++]);
        }
        while (next < words_.size()) named_value(words_[next++]);
        return std::move(state_);
    }

private:
    [[noreturn]] void fail(const std::string& reason) const {
        throw Error(fmt::format("the position '{}': {}", printable_utf8(text_), reason));
    }

    static std::string quoted(std::string_view word) { return "'" + printable_utf8(word) + "'"; }

    void split() {
        std::string_view rest = text_;
        while (true) {
            const std::size_t blank = rest.find(' ');
            const std::string_view word = rest.substr(0, blank);
            if (word.empty()) fail("expected exactly one blank between items");
            words_.push_back(word);
            if (blank == std::string_view::npos) return;
            rest.remove_prefix(blank + 1);
        }
    }

    [[nodiscard]] int integer(std::string_view word) const {
        const auto number = to_number<int>(word);
        if (!number || *number > kMostNumber || *number < -kMostNumber) {
            fail("expected a number, found " + quoted(word));
        }
        return *number;
    }

    [[nodiscard]] std::optional<int> field_called(std::string_view word) const {
        for (int field = 0; field < static_cast<int>(form_.board.size()); ++field) {
            if (item(form_.board.is_field, field) != 0 && form_.board.algebraic(field) == word) {
                return field;
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] int value(const Variable& variable, std::string_view word) const {
        if (!variable.is_field) return integer(word);
        if (word == "-") return kNone;
        const auto field = field_called(word);
        if (!field) fail("expected a field or '-', found " + quoted(word));
        return *field;
    }

    void set(const Variable& variable, std::string_view word, char between) {
        const std::size_t middle = word.find(between, 1);
        if (variable.is_each != (middle != std::string_view::npos)) {
            fail(fmt::format("expected {} of '{}', found {}",
                             variable.is_each ? fmt::format("two values with '{}' between", between)
                                              : std::string("one value"),
                             variable.name, quoted(word)));
        }
        item(state_.values, variable.read_slot(0)) = value(variable, word.substr(0, middle));
        if (variable.is_each) {
            item(state_.values, variable.read_slot(1)) = value(variable, word.substr(middle + 1));
        }
    }

    void read(const TextItem& each, std::string_view word) {
        switch (each.kind) {
            case TextItem::Kind::Board:
                board(word);
                break;
            case TextItem::Kind::Squares:
                squares(each, word);
                break;
            case TextItem::Kind::Side:
                state_.side = side(each, word, "who moves");
                break;
            case TextItem::Kind::Moves:
                state_.moves = integer(word);
                if (state_.moves < 1) fail("moves count from 1, found " + quoted(word));
                break;
            case TextItem::Kind::Word:
                if (word != each.word) {
                    fail(fmt::format("expected '{}', found {}", each.word, quoted(word)));
                }
                break;
            case TextItem::Kind::Flags:
                flags(each, word);
                break;
            default:
                set(item(form_.variables, each.indices.front()), word, '+');
        }
    }

    [[nodiscard]] int side(const TextItem& each, std::string_view word,
                           std::string_view what) const {
        if (word.size() == 1) {
            for (int side = 0; side < 2; ++side) {
                if (word[0] == item(each.symbols, side)) return side;
            }
        }
        fail(fmt::format("expected '{}' or '{}' ({}), found {}", each.symbols[0], each.symbols[1],
                         what, quoted(word)));
    }

    void put(int field, Content content) {
        if (item(form_.board.is_field, field) == 0) {
            fail(fmt::format("a piece on {}, which is no field", form_.board.algebraic(field)));
        }
        item(state_.board, field) = content;
    }

    void board(std::string_view word) {
        std::ranges::fill(state_.board, Content{0});
        int row = form_.board.rows - 1;
        int column = 0;
        for (std::size_t at = 0; at < word.size();) {
            if (word[at] == '/') {
                end_row(row, column);
                if (--row < 0) fail(fmt::format("expected {} rows", form_.board.rows));
                column = 0;
                ++at;
            } else if (is_run_digit(word[at])) {
                std::size_t end = at;
                while (end < word.size() && is_run_digit(word[end])) ++end;
                const auto run = to_number<int>(word.substr(at, end - at));
                if (!run || *run == 0 || *run > form_.board.columns - column) {
                    fail(fmt::format("row {} does not fit: {} empty fields at its column {}",
                                     form_.board.rows - row, word.substr(at, end - at),
                                     column + 1));
                }
                column += *run;
                at = end;
            } else {
                const Content content = content_of_symbol(form_, word[at]);
                if (content == 0) fail("no piece has the symbol " + quoted(word.substr(at, 1)));
                if (column >= form_.board.columns) end_row(row, column + 1);
                put(row * form_.board.columns + column, content);
                ++column;
                ++at;
            }
        }
        end_row(row, column);
        if (row != 0) {
            fail(fmt::format("expected {} rows, found {}", form_.board.rows,
                             form_.board.rows - row));
        }
    }

    void end_row(int row, int columns) const {
        if (columns == form_.board.columns) return;
        fail(fmt::format("row {} has {} fields, expected {}", form_.board.rows - row, columns,
                         form_.board.columns));
    }

    void squares(const TextItem& each, std::string_view word) {
        std::ranges::fill(state_.board, Content{0});
        state_.side =
            side(each, word.substr(0, std::min(word.find(':'), word.size())), "who moves");
        std::array<bool, 2> had{};
        std::string_view rest = word.substr(1);
        while (!rest.empty()) {
            rest.remove_prefix(1);  // the colon
            const std::string_view list = rest.substr(0, rest.find(':'));
            const int owner = side(each, list.substr(0, 1), "whose squares");
            if (item(had, owner)) fail("one side's squares twice");
            item(had, owner) = true;
            list_of_squares(each, list.substr(1), owner);
            rest.remove_prefix(list.size());
        }
        if (!had[0] || !had[1]) fail("expected the squares of both sides");
    }

    void list_of_squares(const TextItem& each, std::string_view list, int owner) {
        while (!list.empty()) {
            const std::size_t comma = list.find(',');
            one_square(each, list.substr(0, comma), owner);
            if (comma == std::string_view::npos) return;
            list.remove_prefix(comma + 1);
            if (list.empty()) fail("expected a square after ','");
        }
    }

    void one_square(const TextItem& each, std::string_view word, int owner) {
        int piece = kNone;
        std::string_view name = word;
        for (std::size_t n = 0; n < each.indices.size() && !word.empty(); ++n) {
            if (each.index_symbols[n][0] != word[0]) continue;
            piece = each.indices[n];
            name.remove_prefix(1);
            break;
        }
        for (int n = 0; piece == kNone && n < static_cast<int>(form_.pieces.size()); ++n) {
            const bool is_listed = std::ranges::find(each.indices, n) != each.indices.end();
            if (item(form_.pieces, n).is_owned() && !is_listed) piece = n;
        }
        for (int field = 0; field < static_cast<int>(form_.board.size()); ++field) {
            const bool is_it = piece != kNone && item(form_.board.is_field, field) != 0 &&
                               item(form_.board.names, field) == name &&
                               item(state_.board, field) == 0;
            if (is_it) return put(field, content_of(piece, owner));
        }
        fail("expected an empty square, found " + quoted(word));
    }

    void flags(const TextItem& each, std::string_view word) {
        for (const int index : each.indices) {
            const Variable& variable = item(form_.variables, index);
            for (int side = 0; side < variable.values(); ++side) {
                item(state_.values, variable.read_slot(side)) = 0;
            }
        }
        if (word == "-") return;
        for (const char symbol : word) flag(each, symbol);
    }

    void flag(const TextItem& each, char symbol) {
        bool is_known = false;
        for (std::size_t n = 0; n < each.indices.size(); ++n) {
            for (int side = 0; side < 2; ++side) {
                if (symbol == 0 || item(each.index_symbols[n], side) != symbol) continue;
                is_known = true;
                std::int32_t& value =
                    item(state_.values, item(form_.variables, each.indices[n]).read_slot(side));
                if (value != 0) fail("the flag " + quoted(std::string_view(&symbol, 1)) + " twice");
                value = 1;
            }
        }
        if (!is_known) fail("no flag is " + quoted(std::string_view(&symbol, 1)));
    }

    void named_value(std::string_view word) {
        const std::size_t equal = word.find('=');
        if (equal == std::string_view::npos) fail(quoted(word) + " follows the last item");
        const std::string_view name = word.substr(0, equal);
        for (std::size_t n = 0; n < form_.variables.size(); ++n) {
            const Variable& variable = form_.variables[n];
            if (variable.name != name || variable.is_local ||
                is_in_text(form_, static_cast<int>(n))) {
                continue;
            }
            if (equal + 1 == word.size()) fail("expected a value after " + quoted(word));
            return set(variable, word.substr(equal + 1), ',');
        }
        fail("no variable is written as " + quoted(word));
    }

    const Form& form_;
    std::string_view text_;
    State state_;
    std::vector<std::string_view> words_;
};

}  // namespace

State first_state(const Form& form) {
    State state;
    state.board = form.start;
    state.side = form.first_side;
    state.values.assign(static_cast<std::size_t>(form.slots), 0);
    for (const Variable& each : form.variables) {
        const int size = each.values() * (each.is_volatile ? 2 : 1);
        for (int n = 0; n < size; ++n) item(state.values, each.slot + n) = each.initial;
    }
    return state;
}

std::string text_of(const Form& form, const State& state) {
    return TextWriter(form, state).all();
}

State state_of(const Form& form, std::string_view text) {
    return TextReader(form, text).all();
}

}  // namespace assay::rules::multigame
