#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "rules/multigame/form/limits.h"

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

/// In Statement and Expression: none.
inline constexpr int kNone = -1;
/// Statement::most of a repeat without end.
inline constexpr int kInfinity = std::numeric_limits<int>::max();
inline constexpr int kDirections = 8;  // 0 north, then clockwise by 45 degrees

/// Whose piece, zone or variable. Own is the side that moves, or the other inside `as enemy`.
enum class Owner : std::uint8_t { Own, Enemy, Any };

enum class Verdict : std::uint8_t { None, Win, Lose, Draw };

/// Win and Lose exchanged.
[[nodiscard]] constexpr Verdict opposite(Verdict verdict) {
    if (verdict == Verdict::Win) return Verdict::Lose;
    return verdict == Verdict::Lose ? Verdict::Win : verdict;
}

enum class Relation : std::uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

/// Where a statement stands in the user's files: line and column from 1, in bytes.
struct Place {
    int file = 0;  // index of Form::files
    int line = 0;
    int column = 0;
    int width = 1;
};

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

/// What `find`, `points at`, `replace by` and `count` name.
struct Pattern {
    static constexpr int kAnyPiece = -1;
    static constexpr int kEmptyField = -2;
    int piece = kAnyPiece;  // index, or one of these
    Owner owner = Owner::Any;

    friend bool operator==(const Pattern&, const Pattern&) = default;
};

struct Expression {
    enum class Kind : std::uint8_t {
        Constant,  // value
        Variable,  // number variable `value` of `owner`
        Count,     // fields that match `pattern`, in zone `zone` of `owner` or on the whole board
        Plus,      // left + right
        Minus,     // left - right
    };
    Kind kind = Kind::Constant;
    Owner owner = Owner::Own;
    int value = 0;
    int pattern = kNone;  // index of Form::patterns
    int zone = kNone;     // index of Form::zones
    int left = kNone;     // indices of Form::expressions
    int right = kNone;
};

/// One comment each: the meaning. `p` is the position a statement is applied to; "fails" is no
/// position. SEMANTICS 1.3 and 1.7 are the source.
enum class Op : std::uint8_t {
    Sequence,    // children one after another
    Either,      // the positions of the first child, then of the second, ..
    Try,         // first child; where it fails: the second child, or p where there is none
    Repeat,      // child applied least .. most times; depth first: p, then all that p leads to
    Test,        // p where the child succeeds
    Not,         // p where the child fails
    AsEnemy,     // child with own and enemy, forward and backward exchanged
    Find,        // one position per field that matches `index` (pattern), finger there
    PointsAt,    // p where the finger's field matches `index` (pattern)
    Pickup,      // content of the finger's field to the empty hand
    Putdown,     // hand to the finger's field
    Remove,      // the finger's field becomes empty; fails where it is
    Replace,     // the finger's field gets the piece or emptiness of `index` (pattern)
    Step,        // finger to the neighbour in the direction
    Rotate,      // direction + `index`, 0 .. 7, modulo 8
    Direction,   // direction = `index`
    Forward,     // direction = `index` for side 0, and opposite for side 1; 0 forward, 4 backward
    Directions,  // directions `index`, `index` + stride, .. below 8; `least` is the stride
    InZone,      // p where the finger is in zone `index` of `owner`
    At,          // p where field variable `index` of `owner` is the finger
    Goto,        // finger to field variable `index`; fails where it is kNone
    Mark,        // field variable `index` = finger; fails without a finger
    Forget,      // field variable `index` = kNone
    Set,         // number variable `index` of `owner` = expression `left`
    Add,         // number variable `index` of `owner` += expression `left`
    Check,       // p where `left` `relation` `right`
    Matches,     // p where the whole board equals picture `index`
    Verdict,     // verdict, seen from own, with reason text `index` or kNone
    Pass,        // a real move though nothing changes
    WriteText,   // text `index` to the name
    WriteField,  // the finger's field's name to the name
    WritePiece,  // the symbol of the finger's content to the name; fails on an empty field
    Random,      // chance: child n with the weight `weights` + n (expressions)
    Again,       // the side that moved moves on
    Spread,      // one position per field that the child reaches in any number of steps
    Most,        // the child's positions with the greatest value of expression `left`
    Call,        // rule `index`
};

struct Statement {
    Op op = Op::Sequence;
    Owner owner = Owner::Own;
    Relation relation = Relation::Equal;
    Verdict verdict = Verdict::None;
    int index = kNone;
    int least = 0;
    int most = 0;
    int left = kNone;     // expressions
    int right = kNone;    //
    int weights = kNone;  // first of Form::weights
    int first = 0;        // first of the children in Form::children
    int count = 0;        // of children
    int rule = kNone;     // in which it stands
    Place place;
};

struct Rule {
    std::string name;
    int body = kNone;           // statement
    Place place;                // of the name
    bool is_recursive = false;  // it may call itself, directly or not
    bool is_base = false;       // replaced, and reached by `base` alone
};

/// `matches`: by field the content that must stand there; kAnything matches all.
struct BoardPicture {
    static constexpr int kAnything = -1;
    std::vector<std::int16_t> contents;
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
            children[static_cast<std::size_t>(parent.first + n)])];
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
