#pragma once
#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "reports/view/figures.h"

namespace assay::reports {

/// One check of what the verdict takes for granted (stats/diagnostics.h), for a table.
struct Check {
    std::string name;
    std::string value;
    std::string limit;    // from where on it is an alarm; "–" where it never is
    std::string reading;  // what the value says
    bool is_alarm = false;
};

/// All of them, the same in every report; those that need a sample only from 30 pairs on.
[[nodiscard]] std::vector<Check> checks_of(const harness::MatchTally& tally,
                                           const harness::RunRecord& run);

/// As lines of the terminal: one with the figures, from 30 pairs on, and one for each that should
/// make the reader look.
[[nodiscard]] std::string checks_lines(const harness::MatchTally& tally,
                                       const harness::RunRecord& run);

/// The three ways to score games in which a program failed; empty where none did.
[[nodiscard]] std::string failure_scores_lines(const harness::MatchTally& tally);

/// The same for programs.
[[nodiscard]] boost::json::object checks_json(const harness::MatchTally& tally,
                                              const harness::RunRecord& run);

/// One match of a run of several, as Holm's correction judges it beside the others.
struct ListedTest {
    std::size_t match = 0;
    double p_value = 1;  // against H0 (its stop rule's), or of the sign-flip test
    double adjusted = 1;
    bool holds = false;  // at 5 %
};

/// Empty where fewer than two matches have a test, and in a gate, which begins a match only after
/// the earlier one was accepted and so needs no correction.
[[nodiscard]] std::vector<ListedTest> holm_of(const RunView& view);

}  // namespace assay::reports
