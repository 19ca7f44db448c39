#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rules/multigame/check/merged.h"
#include "rules/multigame/syntax/problems.h"

namespace assay::rules::multigame {

/// Turns written rules into statements of a form. A rule is lowered when it is first reached, so
/// that what nobody reaches is not in the form.
class Lowering {
public:
    /// REQUIRES: the form has its declarations (lower_declarations).
    Lowering(const Merged& program, Form& form, Problems& problems)
        : program_(program), form_(form), problems_(problems) {}

    /// main, setup, the rule of `perpetual`, and all that they reach.
    void reach_roots();
    /// Rules of the program's own file that nothing reached; what they say is checked too.
    void reach_own_rules();

    /// Names in the program's own file that no statement and no text uses, with their places.
    struct Unused {
        std::string_view kind;
        Name name;
    };

    [[nodiscard]] std::vector<Unused> unused() const;

private:
    void report_no_main();
    int rule(int merged_index, bool is_base);
    void pending_rules();
    int statement(const WrittenStatement& written);
    void fields_of(const WrittenStatement& written, Statement& made);
    void weights(const WrittenStatement& written, Statement& made);
    void named_rule(const WrittenStatement& written, Statement& made);
    void named_variable(const WrittenStatement& written, Statement& made);
    void comparison(const WrittenStatement& written);
    int expression(const WrittenExpression& written);
    int term(const WrittenTerm& written);
    int number(const WrittenTerm& written);
    int pattern(const WrittenPattern& written, bool is_replacement);
    int zone(const Name& name);
    int variable(const Name& name, const WrittenOwner& owner, std::optional<bool> is_field);
    int picture(const WrittenStatement& written);
    int text(const std::string& text);
    int added(const Expression& made);

    const Merged& program_;
    Form& form_;
    Problems& problems_;
    std::map<int, int> rules_;          // merged index to rule of the form
    std::vector<int> pending_;          // merged indices, to be lowered
    std::map<std::string, int> zones_;  // by name
    std::set<std::string> used_variables_;
    std::set<int> reached_;  // merged indices reached from the roots
    int rule_ = kNone;       // that is lowered now
    int level_ = 0;
};

}  // namespace assay::rules::multigame
