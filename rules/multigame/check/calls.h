#pragma once
#include <functional>
#include <string>
#include <vector>

#include "rules/multigame/form/op_facts.h"
#include "rules/multigame/syntax/problems.h"

namespace assay::rules::multigame {

/// Who calls whom. Finds what can be said of a program without regard to fingers and hands: left
/// recursion, repeats that change nothing, and statements in places where they may not stand.
class Calls {
public:
    Calls(Form& form, Problems& problems) : form_(form), problems_(problems) {}

    /// Reports errors, and sets Rule::is_recursive. REQUIRES: every call names a rule.
    void check();

    /// "main > go > hop": a shortest way from main, setup or the rule of `perpetual` to the rule.
    [[nodiscard]] std::string path_to(int rule) const;

private:
    struct Edge {
        int statement = 0;  // the call
        int callee = 0;
    };

    void find_calls();
    void find_callers();
    void find_movers();
    void check_left_recursion();
    [[nodiscard]] std::string cycle_of(const std::vector<std::vector<int>>& graph, int rule) const;
    bool passes(int statement, std::vector<Edge>* edges) const;
    void mark_recursion();
    void check_repeats();
    void check_places();
    [[nodiscard]] int first_within(int statement, bool enters_tests, bool enters_calls,
                                   const std::function<bool(const Statement&)>& is_it) const;
    [[nodiscard]] bool moves(int statement) const;

    Form& form_;
    Problems& problems_;
    std::vector<std::vector<Edge>> calls_;  // by rule
    std::vector<int> caller_;               // by rule: a rule nearer to a root, or kNone
    std::vector<bool> moves_;               // by rule: moves the finger or changes something
    std::vector<bool> passes_;              // by rule: may succeed without either
};

}  // namespace assay::rules::multigame
