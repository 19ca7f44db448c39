#pragma once
#include <string>
#include <vector>

#include "rules/multigame/syntax/tree.h"

namespace assay::rules::multigame {

/// A rule of one of the files; `level` is the file's index.
struct MergedRule {
    const WrittenRule* rule = nullptr;
    int level = 0;
};

/// All files of a program as one: what is declared again has replaced what was there (SEMANTICS
/// 1.7.2). Points into the trees, which must outlive it.
struct Merged {
    int top = 0;  // level of the program's own file
    Place first;  // where the first declaration or rule of that file begins
    Place end;    // behind the last
    const WrittenDimensions* dimensions = nullptr;
    const Placed<int>* players = nullptr;
    const WrittenPicture* fields = nullptr;
    const WrittenStart* start = nullptr;
    const Placed<FieldNames>* names = nullptr;
    const WrittenRepetition* repetition = nullptr;
    const Placed<std::vector<WrittenItem>>* text = nullptr;
    const Placed<std::vector<Name>>* sides = nullptr;
    std::vector<const WrittenPiece*> pieces;
    std::vector<const WrittenZone*> zones;
    std::vector<const WrittenVariable*> variables;
    std::vector<KnownCounts> counts;  // of the program's own file
    std::vector<MergedRule> rules;    // all, also replaced ones

    /// False: the size of the board has been reported as missing or wrong.
    [[nodiscard]] bool is_size_known() const {
        return dimensions != nullptr && !dimensions->is_wrong;
    }

    /// Index of the rule that a call by this name means, or kNone.
    [[nodiscard]] int rule_called(const std::string& name) const;
    /// The same for `base` in a file of this level: as the files below it know the rule.
    [[nodiscard]] int rule_below(const std::string& name, int level) const;
};

[[nodiscard]] Merged merged(const std::vector<Tree>& trees);

}  // namespace assay::rules::multigame
