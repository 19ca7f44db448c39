#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "harness/run/outcome.h"
#include "harness/run/requirements.h"
#include "reports/view/run_view.h"

namespace assay::reports {

/// How the run ended, the same in every report. A run of which the exit code is not known (an older
/// store, or it is still being played) has the code that its facts give.
[[nodiscard]] harness::Outcome outcome_of(const RunView& view);

/// The word of the outcome; empty where there is none.
[[nodiscard]] std::string_view outcome_word(const RunView& view);

/// The word of one match: harness::match_word().
[[nodiscard]] std::string_view match_word(const RunView& view, const MatchView& match);

/// How a run that failed ended: "rejected" where a gate's first program was to blame, otherwise
/// "stopped". REQUIRES: its state is Failed.
[[nodiscard]] std::string_view end_word(const RunView& view);

/// The match that the outcome speaks of; null where the run has none.
[[nodiscard]] const MatchView* deciding_match(const RunView& view);

/// harness::broken_requirements() of all matches of the run, and the broken conditions on a
/// tournament that has ended.
[[nodiscard]] std::vector<std::string> broken_requirements(const RunView& view);

/// harness::open_requirements(), and those conditions that are not settled.
[[nodiscard]] std::vector<std::string> open_requirements(const RunView& view);

/// A match of which not one game was begun: a gate begins a match only after the one before it was
/// accepted, and a run may end before it.
[[nodiscard]] bool is_unplayed(const harness::MatchTally& tally);

/// Why that is, for people.
[[nodiscard]] std::string unplayed_reason(const RunView& view, const MatchView& match);

/// Whether a verdict was asked for and is not there: a stop rule has not decided, or the run was
/// stopped before its end.
[[nodiscard]] bool is_undecided(const RunView& view, const MatchView& match);

/// Why a match has no verdict: "stopped by a signal after 9 of at most 400 pairs; resume with …",
/// "no stop rule, so no verdict". Empty where verdict_sentence() says one.
[[nodiscard]] std::string undecided_reason(const RunView& view, const MatchView& match);

/// The same without the command that resumes the run: for a headline.
[[nodiscard]] std::string undecided_state(const RunView& view, const MatchView& match);

}  // namespace assay::reports
