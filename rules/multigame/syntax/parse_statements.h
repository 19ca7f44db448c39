#pragma once
#include <string_view>

#include "rules/multigame/syntax/cursor.h"

namespace assay::rules::multigame {

/// The halves of the parser that stand within a rule. All throw ParseFailure after a report.
class StatementParser {
public:
    explicit StatementParser(Cursor& cursor) : cursor_(cursor) {}

    /// Forgets how deep it stood when a statement failed.
    void restart() { depth_ = 0; }

    /// "statement, statement", without the '.' at the end.
    WrittenStatement sequence();
    WrittenPicture picture();

    /// What to do about a word that no statement or rule ends before: "or", "else", "times", or one
    /// that goes with a word which was taken for a rule's name.
    [[nodiscard]] std::string advice_on_end() const;

private:
    WrittenStatement statement();
    WrittenStatement any_statement();
    WrittenStatement alternatives(Op op);
    WrittenStatement random();
    WrittenStatement repeat();
    WrittenStatement with_child(Op op);
    WrittenStatement with_owned_name(Op op, std::string_view what);
    WrittenStatement set_or_add();
    WrittenStatement check();
    WrittenStatement rotate();
    WrittenStatement verdict();
    WrittenStatement write();
    WrittenStatement call();
    WrittenStatement begun(Op op);
    WrittenOwner owner();
    WrittenPattern pattern();
    WrittenTerm term(bool is_subtracted);
    WrittenExpression expression();

    Cursor& cursor_;
    int depth_ = 0;
    std::string_view called_;      // the rule of the newest call
    std::size_t behind_call_ = 0;  // its token's successor
};

}  // namespace assay::rules::multigame
