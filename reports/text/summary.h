#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/view/match_left.h"
#include "reports/view/run_view.h"

namespace assay::reports {

/// The texts of the terminal; `assay run` and `assay report` print the same ones. Lines end with a
/// newline, nothing is wrapped. Colours are ANSI sequences around verdict words alone.

/// What is played and what it can tell: two lines. `concurrency` 0: not said.
[[nodiscard]] std::string match_header(const RunView& view, std::size_t match, int concurrency);

/// The verdict with its figures, both tests, how games ended, and what failed.
[[nodiscard]] std::string match_summary(const RunView& view, std::size_t match, bool colour);

/// How the run ended, if it did not simply finish, with the line that resumes it; its warnings; and
/// where to read more.
[[nodiscard]] std::string run_end(const RunView& view, bool colour);

/// Of a gate that has ended: its word, exit code and reason, a line or two; else empty.
[[nodiscard]] std::string outcome_lines(const RunView& view, bool colour);

/// All of a stored run. `width`: the terminal's columns, 0: unlimited.
[[nodiscard]] std::string run_summary(const RunView& view, bool colour, int width = 0);

/// A game in which a program failed: what happened, what it had said, how to see it again.
[[nodiscard]] std::string failed_game_text(const harness::RunRecord& run, const FailedGame& game,
                                           const std::string& store);

/// The facts of a match in play, most important first.
[[nodiscard]] std::vector<std::string> live_facts(const harness::MatchTally& tally,
                                                  const MatchSpeed& speed);

/// "\x1b[32maccepted\x1b[0m" for the words that have a colour, else the word.
[[nodiscard]] std::string painted(std::string_view word, bool colour);

}  // namespace assay::reports
