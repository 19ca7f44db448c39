#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "rules/multigame/check/calls.h"

namespace assay::rules::multigame {

/// What may be true at a point of a program: is there a finger, and is the hand full? A set of the
/// four cases; for a full hand also which pickup filled it.
struct Hands {
    static constexpr int kInherited = -2;     // the hand was full when the rule began
    std::uint8_t cases = 0;                   // bit finger + 2 * full
    std::array<int, 2> pickup{kNone, kNone};  // by finger: the statement

    [[nodiscard]] bool may(bool finger, bool full) const {
        return ((cases >> index(finger, full)) & 1) != 0;
    }

    void add(bool finger, bool full, int by);
    void add(const Hands& other);

    static constexpr int index(bool finger, bool full) { return (finger ? 1 : 0) + (full ? 2 : 0); }
};

/// Infers finger and hand through all rules, and reports statements that surely fail for want of
/// them, ways through main that end with a full hand, and rules that can never succeed.
class Flow {
public:
    Flow(const Form& form, const Calls& calls, Problems& problems)
        : form_(form), calls_(calls), problems_(problems) {}

    void check();

private:
    void find_summaries();
    void find_entries();
    Hands after(int statement, const Hands& before, bool is_recording);
    Hands after_sequence(const Statement& each, const Hands& before, bool is_recording);
    Hands after_repeat(const Statement& each, const Hands& before, bool is_recording);
    Hands after_call(int statement, const Hands& before, bool is_recording);
    [[nodiscard]] bool surely_succeeds(int statement, const Hands& before);
    void report_statements();
    void report_ends();
    void report_failing_rules();

    const Form& form_;
    const Calls& calls_;
    Problems& problems_;
    std::vector<std::array<Hands, 4>> summaries_;  // by rule and case at its begin
    std::vector<std::uint8_t> entries_;            // by rule: cases at its begin
    std::vector<std::uint8_t> seen_;               // by statement
    std::vector<int> todo_;                        // rules with new entries
};

}  // namespace assay::rules::multigame
