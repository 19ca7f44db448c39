#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "rules/multigame/check/cases.h"

namespace assay::rules::multigame {

/// What is inferred of finger, hand and direction through all rules of a form. The form must
/// outlive it.
class Flow {
public:
    explicit Flow(const Form& form);

    /// What may hold where the statement has succeeded from the cases.
    [[nodiscard]] Cases after(int statement, const Cases& before) const;

    /// The fewest positions that the statement gives from the cases: 0, 1, or 2 for two or more.
    [[nodiscard]] int least_outputs(int statement, std::uint8_t before) const;

    /// The cases in which the statement is reached from main, setup or the rule of `perpetual`.
    [[nodiscard]] std::uint8_t reached(int statement) const { return item(reached_, statement); }

private:
    void find_outcomes();
    bool update_outcomes(int statement);
    void find_least();
    void find_reached();
    void reach(int statement, std::uint8_t before, std::vector<int>& rules);
    void reach_sequence(const Statement& each, std::uint8_t before, std::vector<int>& rules);
    [[nodiscard]] Cases outcome(int statement, int number) const;
    [[nodiscard]] Cases sequence(const Statement& each, int number) const;
    [[nodiscard]] Cases repeated(const Statement& each, int number) const;
    [[nodiscard]] int least(int statement, int number) const;
    [[nodiscard]] int least_of_sequence(const Statement& each, int number) const;
    [[nodiscard]] int least_of_random(const Statement& each, int number) const;

    [[nodiscard]] int child(const Statement& each, int n) const {
        return item(form_.children, each.first + n);
    }

    const Form& form_;
    std::vector<std::vector<int>> rule_statements_;           // by rule, children first
    std::vector<std::vector<int>> callers_;                   // by rule: rules
    std::vector<std::array<Cases, Cases::kCount>> outcomes_;  // by statement and case
    std::vector<std::array<std::uint8_t, Cases::kCount>> least_;
    std::vector<std::uint8_t> reached_;
};

}  // namespace assay::rules::multigame
