#pragma once
#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "reports/view/run_view.h"

namespace assay::reports {

/// One check of an assumption that the verdict relies on (stats/estimate/diagnostics.h), for a
/// table.
struct Check {
    std::string name;
    std::string value;
    std::string limit;    // values beyond it raise an alarm; "–": none does
    std::string reading;  // what the value means
    bool is_alarm = false;
};

/// All checks, the same in every report. Checks that need a sample appear from 30 pairs on.
[[nodiscard]] std::vector<Check> checks_of(const harness::MatchTally& tally,
                                           const harness::RunRecord& run);

/// The same as lines of the terminal: from 30 pairs on one line with the figures, and one line for
/// each alarm.
[[nodiscard]] std::string checks_lines(const harness::MatchTally& tally,
                                       const harness::RunRecord& run);

/// The Elo under the other ways to score games in which a program failed; empty where none failed.
[[nodiscard]] std::string failure_scores_lines(const harness::MatchTally& tally);

/// The checks as JSON.
[[nodiscard]] boost::json::object checks_json(const harness::MatchTally& tally,
                                              const harness::RunRecord& run);

/// The test of one match after Holm's correction for several matches in a run.
struct ListedTest {
    std::size_t match = 0;
    /// Against H0 (its stop rule's), or of the sign-flip test; nullopt where the match was stopped
    /// or its rule has not decided.
    std::optional<double> p_value;
    std::optional<double> adjusted;
    bool holds = false;  // at 5 %

    [[nodiscard]] bool is_claim() const { return p_value.has_value(); }
};

/// Empty where fewer than two matches have a test or none of them has a p-value, and in a gate,
/// which begins a match only after the earlier one was accepted and so needs no correction.
[[nodiscard]] std::vector<ListedTest> holm_of(const RunView& view);

}  // namespace assay::reports
