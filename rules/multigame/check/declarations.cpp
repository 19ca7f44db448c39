// What stands outside rules becomes part of the form, in an order in which each step needs only
// those before it: size, pieces, board, start, variables, players. Nothing ends at the first error.
// An error is reported with its place, and the form gets a value that the later steps can use (a
// board of one field, a row without holes), so that a user sees all errors of a file at
// once. A form with errors is never played.
//
// The neighbours of a field are computed here, once for each field and direction: a step glides
// over cells '-' to the next '#'. Interpreter and compiled rules then look a step up instead of
// walking. Cost: 8 times the cells, times the longest glide.
#include "rules/multigame/check/declarations.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/multigame/form/state.h"

namespace assay::rules::multigame {

namespace {

constexpr std::array<int, kDirections> kColumnSteps{0, 1, 1, 1, 0, -1, -1, -1};
constexpr std::array<int, kDirections> kRowSteps{1, 1, 0, -1, -1, -1, 0, 1};

class Declarations {
public:
    Declarations(const Merged& program, Form& form, Problems& problems)
        : program_(program), form_(form), problems_(problems) {}

    void all() {
        if (program_.dimensions == nullptr) {
            problems_.error(program_.first,
                            "no 'dimensions': expected 'dimensions (columns, rows)'");
        }
        // On the largest board every field that is named exists.
        form_.board.columns = form_.board.rows = static_cast<int>(kMostColumns);
        if (program_.is_size_known()) {
            form_.board.columns = program_.dimensions->columns;
            form_.board.rows = program_.dimensions->rows;
        }
        if (program_.players != nullptr) form_.players = program_.players->value;
        if (program_.names != nullptr) form_.field_names = program_.names->value;
        pieces();
        board();
        start();
        variables();
        sides();
    }

private:
    void pieces() {
        std::map<char, std::string> owners;
        for (const WrittenPiece* each : program_.pieces) {
            form_.pieces.push_back({each->name.text, each->symbols});
            for (const char symbol : each->symbols) {
                if (symbol == 0) continue;
                const auto [known, is_new] = owners.emplace(symbol, each->name.text);
                if (is_new) continue;
                problems_.error(each->name.place,
                                fmt::format("the symbol '{}' of '{}' is that of '{}' already",
                                            symbol, each->name.text, known->second));
            }
        }
        if (form_.pieces.size() > kMostPieces) {
            problems_.error(program_.pieces[kMostPieces]->name.place,
                            fmt::format("more than {} kinds of pieces", kMostPieces));
            form_.pieces.resize(kMostPieces);
        }
    }

    void board() {
        Board& board = form_.board;
        const std::size_t columns = static_cast<std::size_t>(board.columns);
        board.pictures.assign(static_cast<std::size_t>(board.rows), std::string(columns, '#'));
        if (program_.fields != nullptr &&
            has_board_size(*program_.fields, "fields", program_, problems_)) {
            for (std::size_t row = 0; row < board.pictures.size(); ++row) {
                const Name& written = program_.fields->rows[row];
                const std::size_t wrong = written.text.find_first_not_of("#-.");
                if (wrong != std::string::npos) {
                    report_symbol(written, wrong,
                                  "'fields' has '#' for a field, '-' for a cell that "
                                  "a step glides over and '.' outside the board");
                    continue;
                }
                board.pictures[row] = written.text;
            }
        }
        board.is_field.assign(columns * static_cast<std::size_t>(board.rows), 0);
        board.names.resize(board.size());
        int number = 0;
        for (int row = board.rows; row-- > 0;) {
            for (int column = 0; column < board.columns; ++column) {
                const int field = row * board.columns + column;
                const bool is_field = cell(column, row) == '#';
                item(board.is_field, field) = is_field ? 1 : 0;
                if (is_field) ++number;
                item(board.names, field) = field_name(field, column, number);
            }
        }
        board.neighbours.resize(board.size());
        for (int field = 0; field < static_cast<int>(board.size()); ++field) neighbours(field);
    }

    void report_symbol(const Name& row, std::size_t at, std::string_view advice) {
        report_at(
            row, at,
            fmt::format("unknown symbol '{}'; {}", printable_utf8(row.text.substr(at, 1)), advice));
    }

    void report_at(const Name& row, std::size_t at, std::string message) {
        Place place = row.place;
        place.column += static_cast<int>(at) + 1;
        place.width = 1;
        problems_.error(place, std::move(message));
    }

    [[nodiscard]] char cell(int column, int row) const {
        return item(item(form_.board.pictures, form_.board.rows - 1 - row), column);
    }

    [[nodiscard]] std::string field_name(int field, int column, int number) const {
        switch (form_.field_names) {
            case FieldNames::Columns:
                return std::to_string(column + 1);
            case FieldNames::Numbered:
                return std::to_string(number);
            default:
                return form_.board.algebraic(field);
        }
    }

    void neighbours(int field) {
        Board& board = form_.board;
        for (int direction = 0; direction < kDirections; ++direction) {
            int column = field % board.columns;
            int row = field / board.columns;
            std::int16_t found = kNone;
            while (true) {
                column += item(kColumnSteps, direction);
                row += item(kRowSteps, direction);
                if (column < 0 || row < 0 || column >= board.columns || row >= board.rows) break;
                const char symbol = cell(column, row);
                if (symbol == '#') found = static_cast<std::int16_t>(row * board.columns + column);
                if (symbol != '-') break;
            }
            item(item(board.neighbours, field), direction) = found;
        }
    }

    void start() {
        form_.start.assign(form_.board.size(), 0);
        if (program_.start == nullptr) return;
        form_.first_side = form_.players == 1 ? 0 : program_.start->first_side;
        if (form_.players == 1 && program_.start->first_side == 1) {
            problems_.error(program_.start->place, "'start black' in a game for one player");
        }
        if (!program_.start->picture) return;
        const WrittenPicture& picture = *program_.start->picture;
        if (!has_board_size(picture, "start", program_, problems_)) return;
        for (int row = 0; row < form_.board.rows; ++row) {
            const Name& written = item(picture.rows, form_.board.rows - 1 - row);
            for (int column = 0; column < form_.board.columns; ++column) {
                place_piece(written, row, column);
            }
        }
    }

    void place_piece(const Name& written, int row, int column) {
        const char symbol = item(written.text, column);
        const int content = content_of_picture(form_, symbol);
        if (content == kNone) {
            if (!unknown_.insert(symbol).second) return;
            report_symbol(written, static_cast<std::size_t>(column),
                          "a picture has the symbols of 'pieces', and '.' for an empty field");
        } else if (content != 0 && cell(column, row) != '#') {
            report_at(written, static_cast<std::size_t>(column),
                      fmt::format("'{}' stands beside the board: 'fields' has no '#' in this place",
                                  symbol));
        } else {
            item(form_.start, row * form_.board.columns + column) = static_cast<Content>(content);
        }
    }

    void variables() {
        for (const WrittenVariable* each : program_.variables) {
            Variable made;
            made.name = each->name.text;
            made.is_silent = each->is_silent;
            made.is_volatile = each->is_volatile;
            made.is_local = each->is_local;
            made.is_field = each->is_field;
            made.is_each = each->is_each;
            made.initial = each->initial;
            made.slot = form_.slots;
            form_.slots += made.values() * (made.is_volatile ? 2 : 1);
            form_.variables.push_back(std::move(made));
        }
    }

    void sides() {
        if (program_.sides == nullptr) {
            form_.sides = form_.players == 1 ? std::vector<std::string>{"Player"}
                                             : std::vector<std::string>{"White", "Black"};
            return;
        }
        for (const Name& each : program_.sides->value) form_.sides.push_back(each.text);
        const auto expected = static_cast<std::size_t>(form_.players);
        if (form_.sides.size() != expected) {
            problems_.error(program_.sides->place,
                            fmt::format("'sides' has {} name{}, the game has {} player{}",
                                        form_.sides.size(), form_.sides.size() == 1 ? "" : "s",
                                        form_.players, form_.players == 1 ? "" : "s"));
            form_.sides.resize(expected, "Black");
        } else if (expected == 2 && form_.sides[0] == form_.sides[1]) {
            problems_.error(program_.sides->value[1].place, "both players have one name");
        }
    }

    const Merged& program_;
    Form& form_;
    Problems& problems_;
    std::set<char> unknown_;  // symbols of `start` that were reported
};

class Texts {
public:
    Texts(const Merged& program, Form& form, Problems& problems)
        : program_(program), form_(form), problems_(problems) {}

    void all() {
        if (program_.text == nullptr) {
            form_.text.emplace_back();
            if (form_.players == 2) {
                form_.text.emplace_back();
                form_.text.back().kind = TextItem::Kind::Side;
                form_.text.back().symbols = {'w', 'b'};
            }
            return;
        }
        const std::vector<WrittenItem>& items = program_.text->value;
        bool begins_with_board = false;
        for (std::size_t n = 0; n < items.size(); ++n) {
            const WrittenItem& each = items[n];
            const bool is_board =
                each.kind == TextItem::Kind::Board || each.kind == TextItem::Kind::Squares;
            begins_with_board = begins_with_board || (n == 0 && is_board);
            if (n == 0 && !is_board) {
                problems_.error(each.place, "a text begins with 'board' or 'squares'");
            } else if (n > 0 && is_board && begins_with_board) {
                problems_.error(each.place, "a text has one 'board' or 'squares', the first item");
            }
            one(each);
        }
    }

private:
    void one(const WrittenItem& each) {
        TextItem made;
        made.kind = each.kind;
        made.symbols = each.symbols;
        made.index_symbols = each.name_symbols;
        made.word = each.word;
        if (each.kind == TextItem::Kind::Side && form_.players == 1) {
            problems_.error(each.place, "'side' in a game for one player");
        }
        if (each.kind == TextItem::Kind::Squares) {
            squares(each, made);
        } else {
            for (std::size_t n = 0; n < each.names.size(); ++n) variable(each, n, made);
        }
        if (made.indices.size() == each.names.size()) form_.text.push_back(std::move(made));
    }

    void squares(const WrittenItem& each, TextItem& made) {
        for (const Name& name : each.names) {
            const int piece = piece_called(form_, name.text);
            if (piece == kNone) {
                problems_.error(name.place, fmt::format("unknown piece '{}'{}", name.text,
                                                        advice_on_piece(form_, name.text)));
                continue;
            }
            made.indices.push_back(piece);
        }
        if (form_.field_names == FieldNames::Columns) {
            problems_.error(each.place,
                            "'squares' needs fields with different names, and 'names "
                            "columns' gives a whole column one name");
        }
        for (std::size_t n = 0; n < each.names.size(); ++n) letter(each, n);
        if (made.indices.size() != each.names.size()) return;
        int plain = 0;
        for (int piece = 0; piece < static_cast<int>(form_.pieces.size()); ++piece) {
            const bool is_listed = std::ranges::find(made.indices, piece) != made.indices.end();
            if (item(form_.pieces, piece).is_owned() && !is_listed) ++plain;
        }
        if (plain > 1) {
            problems_.error(each.place,
                            fmt::format("'squares' gives letters to all kinds of pieces "
                                        "but one; here {} have none",
                                        plain));
        }
    }

    /// A letter that begins a field's name cannot be told from it.
    void letter(const WrittenItem& each, std::size_t n) {
        const char symbol = each.name_symbols[n][0];
        for (std::size_t field = 0; field < form_.board.size(); ++field) {
            const std::string& name = form_.board.names[field];
            if (form_.board.is_field[field] == 0 || name.front() != symbol) continue;
            problems_.error(each.names[n].place,
                            fmt::format("the letter '{}' of '{}' begins the name of the field {}",
                                        symbol, each.names[n].text, name));
            return;
        }
    }

    void variable(const WrittenItem& each, std::size_t n, TextItem& made) {
        const Name& name = each.names[n];
        const int index = variable_called(form_, name.text);
        if (index == kNone) {
            problems_.error(name.place, fmt::format("unknown variable '{}'{}", name.text,
                                                    advice_on_variable(form_, name.text)));
            return;
        }
        made.indices.push_back(index);
        const Variable& variable = item(form_.variables, index);
        if (!seen_.emplace(name.text, 0).second) {
            problems_.error(name.place, fmt::format("'{}' stands twice in the text", name.text));
        }
        if (variable.is_local) {
            problems_.error(name.place,
                            fmt::format("'{}' is local: it has no value between moves", name.text));
        }
        const bool wants_field = each.kind == TextItem::Kind::Field;
        if (variable.is_field != wants_field) {
            problems_.error(name.place,
                            fmt::format("'{}' is a {} variable; write it with '{}'", name.text,
                                        variable.is_field ? "field" : "number",
                                        variable.is_field ? "field" : "number"));
        } else if (wants_field && variable.is_each) {
            problems_.error(name.place, fmt::format("'{}' has a value for each side, and 'field' "
                                                    "writes one",
                                                    name.text));
        } else if (each.kind == TextItem::Kind::Flags &&
                   (each.name_symbols[n][1] != 0) != variable.is_each) {
            problems_.error(name.place, fmt::format("the flag '{}' needs {}", name.text,
                                                    variable.is_each ? "two symbols, one a side"
                                                                     : "one symbol"));
        }
    }

    const Merged& program_;
    Form& form_;
    Problems& problems_;
    std::map<std::string, int> seen_;
};

template <class Rows>
std::string nearest_of(const Rows& rows, const std::string& name) {
    std::vector<std::string_view> names;
    for (const auto& each : rows) names.push_back(each.name);
    return did_you_mean(name, names);
}

template <class Rows>
int index_of(const Rows& rows, const std::string& name) {
    for (std::size_t n = 0; n < rows.size(); ++n) {
        if (rows[n].name == name) return static_cast<int>(n);
    }
    return kNone;
}

std::optional<int> field_called(const Name& name, const Form& form) {
    const char letter = name.text.front();
    const auto row = to_number<int>(std::string_view(name.text).substr(1));
    if (letter < 'a' || letter >= 'a' + form.board.columns || !row || *row < 1 ||
        *row > form.board.rows || name.text[1] == '0') {
        return std::nullopt;
    }
    return (*row - 1) * form.board.columns + (letter - 'a');
}

}  // namespace

void lower_declarations(const Merged& program, Form& form, Problems& problems) {
    Declarations(program, form, problems).all();
}

Zone lowered_zone(const WrittenZone& written, const Form& form, Problems& problems) {
    Zone zone;
    zone.name = written.name.text;
    for (std::size_t side = 0; side < 2; ++side) {
        zone.holds[side].assign(form.board.size(), 0);
        for (const WrittenRange& range : written.ranges[side]) {
            const auto from = field_called(range.from, form);
            const auto to = field_called(range.to, form);
            for (const auto& [field, name] :
                 {std::pair(from, range.from), std::pair(to, range.to)}) {
                if (field) continue;
                problems.error(
                    name.place,
                    fmt::format("'{}' is no field of the board, which reaches from a1 to "
                                "{}",
                                name.text,
                                form.board.algebraic(static_cast<int>(form.board.size()) - 1)));
            }
            if (!from || !to) continue;
            const auto [left, right] =
                std::minmax({*from % form.board.columns, *to % form.board.columns});
            const auto [low, high] =
                std::minmax({*from / form.board.columns, *to / form.board.columns});
            for (int row = low; row <= high; ++row) {
                for (int column = left; column <= right; ++column) {
                    item(zone.holds[side], row * form.board.columns + column) = 1;
                }
            }
        }
    }
    return zone;
}

void lower_text(const Merged& program, Form& form, Problems& problems) {
    Texts(program, form, problems).all();
}

void lower_counts(const Merged& program, Form& form, Problems& problems) {
    for (const KnownCounts& each : program.counts) {
        if (!each.is_start) {
            try {
                (void)state_of(form, each.text);
            } catch (const Error& error) {
                problems.error(each.place, error.what());
                continue;
            }
        }
        form.counts.push_back(each);
    }
}

int piece_called(const Form& form, const std::string& name) {
    return index_of(form.pieces, name);
}

int variable_called(const Form& form, const std::string& name) {
    return index_of(form.variables, name);
}

std::string advice_on_piece(const Form& form, const std::string& name) {
    return nearest_of(form.pieces, name);
}

std::string advice_on_variable(const Form& form, const std::string& name) {
    return nearest_of(form.variables, name);
}

bool has_board_size(const WrittenPicture& picture, std::string_view what, const Merged& program,
                    Problems& problems) {
    if (!program.is_size_known()) return false;
    const WrittenDimensions& board = *program.dimensions;
    if (picture.rows.size() != static_cast<std::size_t>(board.rows)) {
        problems.error(picture.place,
                       fmt::format("'{}' has {} row{}, the board has {}", what, picture.rows.size(),
                                   picture.rows.size() == 1 ? "" : "s", board.rows));
        return false;
    }
    bool fits = true;
    for (const Name& row : picture.rows) {
        if (row.text.size() == static_cast<std::size_t>(board.columns)) continue;
        problems.error(row.place, fmt::format("this row of '{}' has {} fields, the board has {} "
                                              "columns",
                                              what, row.text.size(), board.columns));
        fits = false;
    }
    return fits;
}

int content_of_picture(const Form& form, char symbol) {
    if (symbol == '.') return 0;
    for (int piece = 0; piece < static_cast<int>(form.pieces.size()); ++piece) {
        for (int side = 0; side < 2; ++side) {
            const char known = item(item(form.pieces, piece).symbols, side);
            if (known != 0 && known == symbol) return content_of(piece, side);
        }
    }
    return kNone;
}

}  // namespace assay::rules::multigame
