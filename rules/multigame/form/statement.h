#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

// What the rules of a form (form.h) are made of: statements and expressions, which name each other
// by indices into the form's lists.

namespace assay::rules::multigame {

/// In Statement and Expression: none.
inline constexpr int kNone = -1;
/// Statement::most of a repeat without end.
inline constexpr int kInfinity = std::numeric_limits<int>::max();

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

}  // namespace assay::rules::multigame
