#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/multigame/form/limits.h"
#include "rules/multigame/form/statement.h"

namespace assay::rules::multigame {

// The intermediate form of a Multigame program (a reconstruction of the 1995 paper's language):
// what the checker makes and what the interpreter and the writer of C both walk. Every name is an
// index, every piece, zone and variable is known to exist, and `based on` is resolved. Statements
// keep the order of the text, because the order of moves is derivation order.

/// An element by an index of type int, as this form stores them.
template <class Row>
[[nodiscard]] constexpr auto& item(Row& row, int index) {
    return row[static_cast<std::size_t>(index)];
}

inline constexpr int kDirections = 8;  // 0 north, then clockwise by 45 degrees

/// What stands on a field: 0 is empty, else 1 + 2 * piece + side; side 0 is the first colour of
/// `pieces`. A piece with one symbol belongs to nobody and has side 0.
using Content = std::uint8_t;

[[nodiscard]] constexpr Content content_of(int piece, int side) {
    return static_cast<Content>(1 + 2 * piece + side);
}

[[nodiscard]] constexpr int piece_of(Content content) {
    return (content - 1) >> 1;
}

[[nodiscard]] constexpr int side_of(Content content) {
    return (content - 1) & 1;
}

struct Piece {
    std::string name;
    std::array<char, 2> symbols{};  // of both sides; the second 0: it belongs to nobody

    [[nodiscard]] bool is_owned() const { return symbols[1] != 0; }
};

/// Fields are numbered row by row from the bottom left: a1, b1, .. a2, ..; kNone is no field. Also
/// cells that are no field have a number.
struct Board {
    int columns = 0;
    int rows = 0;
    std::vector<std::uint8_t> is_field;  // by number
    std::vector<std::string> pictures;   // rows from the top: '#', '-', '.'
    std::vector<std::string> names;      // as `write field` prints them
    std::vector<std::array<std::int16_t, kDirections>> neighbours;  // after one step, or kNone

    [[nodiscard]] std::size_t size() const { return is_field.size(); }

    /// "a1", "i10", whatever `names` says.
    [[nodiscard]] std::string algebraic(int field) const;
};

struct Zone {
    std::string name;
    std::array<std::vector<std::uint8_t>, 2> holds;  // by side, then by field
};

/// A variable. A state keeps the values of all variables in one row of 32-bit numbers; a field
/// variable holds a field or kNone. From `slot` on: the value that is read (both sides' for an
/// `each` variable, the first side's first), then for a volatile one the value that is written and
/// becomes readable after the move.
struct Variable {
    std::string name;
    bool is_silent = false;    // no part of identity, hash and repetition
    bool is_volatile = false;  // lives for one move
    bool is_local = false;     // lives within one derivation
    bool is_field = false;
    bool is_each = false;  // one for each side
    int initial = 0;       // kNone for a field variable
    int slot = 0;
    /// Constants with which `check` compares a silent variable (1.7.11), ascending.
    std::vector<int> compared;

    [[nodiscard]] int values() const { return is_each ? 2 : 1; }

    /// Where a value is read; `side` 0 for a variable of both.
    [[nodiscard]] int read_slot(int side) const { return slot + (is_each ? side : 0); }

    [[nodiscard]] int write_slot(int side) const {
        return read_slot(side) + (is_volatile ? values() : 0);
    }
};

/// An item of `text { .. }` (1.7.1).
struct TextItem {
    enum class Kind : std::uint8_t { Board, Squares, Side, Flags, Field, Number, Moves, Word };
    Kind kind = Kind::Board;
    std::array<char, 2> symbols{};                   // Squares, Side: of both sides
    std::vector<int> indices;                        // pieces (Squares) or variables
    std::vector<std::array<char, 2>> index_symbols;  // of each, Squares and Flags
    std::string word;                                // Word
};

/// `repetition n verdict`: the verdict is that of the side to move at the repeated position.
struct Repetition {
    int occurrences = 0;  // 0: the game has no such rule
    Verdict verdict = Verdict::Draw;
    int perpetual = kNone;  // rule
};

/// One position of `counts` and its known numbers at depth 1, 2, ..
struct KnownCounts {
    bool is_start = false;
    std::string text;
    std::vector<std::uint64_t> numbers;
    std::vector<Place> places;  // of each number
    Place place;
};

enum class FieldNames : std::uint8_t { Algebraic, Columns, Numbered };

/// A file that the program was read from; the last is the program's own, those before it are what
/// it is based on.
struct FormFile {
    std::string path;
    std::string text;
};

/// A checked program. A plain value; any thread may read it.
struct Form {
    std::vector<FormFile> files;
    int players = 2;
    int first_side = 0;  // who starts
    FieldNames field_names = FieldNames::Algebraic;
    Board board;
    std::vector<Piece> pieces;
    std::vector<Content> start;  // by field, before `setup`
    std::vector<Zone> zones;
    std::vector<Variable> variables;
    int slots = 0;  // of all variables
    Repetition repetition;
    std::vector<TextItem> text;      // also where the program declares none
    std::vector<std::string> sides;  // names of the players
    std::vector<KnownCounts> counts;

    std::vector<Rule> rules;
    int main_rule = kNone;
    int setup_rule = kNone;  // kNone: there is none

    std::vector<Statement> statements;
    std::vector<int> children;  // statement indices
    std::vector<int> weights;   // expression indices
    std::vector<Expression> expressions;
    std::vector<Pattern> patterns;
    std::vector<BoardPicture> pictures;
    std::vector<std::string> texts;  // of `write` and of verdicts

    [[nodiscard]] const Statement& child(const Statement& parent, int n) const {
        return statements[static_cast<std::size_t>(
            children[static_cast<std::size_t>(parent.first) + static_cast<std::size_t>(n)])];
    }

    [[nodiscard]] bool has_chance() const;
};

/// True where the content matches for `own`, the index of the side that is own.
[[nodiscard]] bool matches(const Form& form, const Pattern& pattern, Content content, int own);

/// The contents that a pattern matches, ascending; 0 is the empty field.
[[nodiscard]] std::vector<Content> contents_of(const Form& form, const Pattern& pattern, int own);

/// What `replace by` puts down.
[[nodiscard]] Content replacement(const Form& form, const Pattern& pattern, int own);

/// The form as text: one statement a line, children indented, each with its line in the file.
[[nodiscard]] std::string dump(const Form& form);

}  // namespace assay::rules::multigame
