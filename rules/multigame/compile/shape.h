#pragma once
#include <cstdint>
#include <vector>

#include "rules/multigame/form/form.h"

namespace assay::rules::multigame {

/// Facts about the statements of a form that decide how they are written in C.
class Shape {
public:
    /// REQUIRES: the form outlives this.
    explicit Shape(const Form& form);

    /// How many statements the C of this one has where calls are written out, up to kMostWeight.
    [[nodiscard]] int weight(int statement) const { return at(statement).weight; }

    /// It leaves at most one position, which differs in finger and direction alone.
    [[nodiscard]] bool is_walk(int statement) const { return at(statement).is_walk; }

    /// A walk that steps and keeps its direction, so that it leaves the board if repeated.
    [[nodiscard]] bool is_straight(int statement) const {
        return at(statement).is_straight && at(statement).steps;
    }

    /// It leaves positions that are as before but for a verdict or a name, or none.
    [[nodiscard]] bool only_says(int statement) const { return at(statement).only_says; }

    /// It may fill or empty the hand.
    [[nodiscard]] bool uses_hand(int statement) const { return at(statement).uses_hand; }

    static constexpr int kMostWeight = 1'000'000;

private:
    struct Facts {
        int weight = 1;
        bool is_known = false;
        bool is_walk = false;
        bool is_straight = false;
        bool steps = false;
        bool uses_hand = false;
        bool only_says = false;
    };

    [[nodiscard]] const Facts& at(int statement) const {
        return facts_[static_cast<std::size_t>(statement)];
    }

    const Facts& find(int statement);
    void find_children(const Statement& statement, Facts& facts);
    static void find_own(const Statement& statement, Facts& facts);

    const Form& form_;
    std::vector<Facts> facts_;
};

}  // namespace assay::rules::multigame
