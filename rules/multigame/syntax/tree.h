#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/multigame/form/form.h"

namespace assay::rules::multigame {

// The syntax tree of one file: what is written, with its places, and nothing that needs another
// declaration to be understood. Names are texts here and indices in the form.

struct Name {
    std::string text;
    Place place;
};

/// No owner is written: nullopt.
using WrittenOwner = std::optional<Owner>;

struct WrittenPattern {
    Place place;
    WrittenOwner owner;
    bool is_empty_field = false;
    bool is_any_piece = false;
    Name piece;  // where neither
};

struct WrittenTerm {
    enum class Kind : std::uint8_t { Constant, Variable, Count };
    Kind kind = Kind::Constant;
    bool is_subtracted = false;
    int value = 0;
    WrittenOwner owner;  // of the variable or the zone
    Name name;           // the variable, or the zone of a count (empty: none)
    WrittenPattern pattern;
};

/// Terms from left to right; the first may not be subtracted.
struct WrittenExpression {
    std::vector<WrittenTerm> terms;
};

struct WrittenPicture {
    std::vector<Name> rows;  // from the top
    Place place;
};

struct WrittenStatement {
    Op op = Op::Sequence;
    Place place;
    std::vector<WrittenStatement> children;
    WrittenOwner owner;
    Name name;                            // rule, zone, variable, or the text of write and verdicts
    bool has_text = false;                // a verdict with a reason
    bool is_base = false;                 // Call
    Relation relation = Relation::Equal;  // Check
    Verdict verdict = Verdict::None;      // Verdict
    int index = 0;                        // Rotate, Direction, Forward, Directions
    int least = 0;                        // Repeat; Directions: the stride
    int most = 0;                         //
    WrittenPattern pattern;               // Find, PointsAt, Replace
    std::vector<WrittenExpression> expressions;  // Set, Add, Check, Most, weights of Random
    WrittenPicture picture;                      // Matches
};

struct WrittenRule {
    Name name;
    WrittenStatement body;
};

struct WrittenPiece {
    Name name;
    std::array<char, 2> symbols{};
};

struct WrittenRange {
    Name from;
    Name to;
};

struct WrittenZone {
    Name name;
    std::array<std::vector<WrittenRange>, 2> ranges;
};

struct WrittenVariable {
    Name name;
    bool is_silent = false;
    bool is_volatile = false;
    bool is_local = false;
    bool is_field = false;
    bool is_each = false;
    int initial = 0;
};

struct WrittenItem {
    TextItem::Kind kind = TextItem::Kind::Board;
    Place place;
    std::array<char, 2> symbols{};
    std::vector<Name> names;
    std::vector<std::array<char, 2>> name_symbols;
    std::string word;
};

struct WrittenRepetition {
    int occurrences = 0;
    Verdict verdict = Verdict::Draw;
    Name perpetual;  // empty: none
    Place place;
};

struct WrittenDimensions {
    int columns = 0;
    int rows = 0;
    bool is_wrong = false;  // reported: no board has this size
    Place place;
};

struct WrittenStart {
    int first_side = 0;
    std::optional<WrittenPicture> picture;
    Place place;
};

template <class Value>
struct Placed {
    Value value{};
    Place place;
};

/// One file. A declaration that is not there is nullopt.
struct Tree {
    int file = 0;
    /// A declaration could not be read, so that names may be missing.
    bool is_incomplete = false;
    Place first;  // where the first declaration or rule begins
    Place end;    // behind the last
    std::optional<Name> based_on;
    std::optional<WrittenDimensions> dimensions;
    std::optional<Placed<int>> players;
    std::optional<WrittenPicture> fields;
    std::optional<WrittenStart> start;
    std::optional<Placed<FieldNames>> names;
    std::optional<WrittenRepetition> repetition;
    std::optional<Placed<std::vector<WrittenItem>>> text;
    std::optional<Placed<std::vector<Name>>> sides;
    std::vector<WrittenPiece> pieces;
    std::vector<WrittenZone> zones;
    std::vector<WrittenVariable> variables;
    std::vector<KnownCounts> counts;
    std::vector<WrittenRule> rules;
};

}  // namespace assay::rules::multigame
