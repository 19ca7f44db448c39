#pragma once
#include <string>
#include <vector>

#include "reports/view/estimates.h"
#include "reports/view/run_view.h"

namespace assay::reports {

/// The verdict of a match in one line for people, the same in every report:
/// "accepted: head is not worse than base by more than 18.1 nElo (5 % error), after 1,804 of at
/// most 2,400 pairs.". Begins with accepted, rejected, inconclusive or tainted, and says why.
/// Empty while a rule goes on and where there is none (unless tainted).
[[nodiscard]] std::string verdict_sentence(const RunView& view, const MatchView& match);

/// The word before the colon; empty where there is no sentence.
[[nodiscard]] std::string_view verdict_word(const harness::MatchTally& tally);

/// Why a match without a verdict has fewer pairs than were asked: "ended early: the book is used up
/// after 2 of at most 5 pairs; take a larger one.". Empty where nothing ran out.
[[nodiscard]] std::string early_end_sentence(const MatchView& match);

/// Where the quoted interval and the test, or what test_sentence() says, seem to contradict each
/// other, as those of few pairs may: a sentence that says why both are right; otherwise empty.
[[nodiscard]] std::string interval_note(const MatchView& match, const Figures& figures,
                                        const KindOfEstimate& quoted);

/// What the trinomial and the sign-flip test show, in one sentence; where they show nothing, also
/// how many pairs certainty would take.
[[nodiscard]] std::string test_sentence(const RunView& view, const MatchView& match,
                                        const Figures& figures);

/// The command that resumes an unfinished run.
[[nodiscard]] std::string resume_command(const harness::RunRecord& run);

/// The name of a test's rule as a config has it: "closing" for the shapes that a config chooses by
/// its bounds, "symmetric closing" for the one that it has to name.
[[nodiscard]] std::string_view rule_words(std::string_view rule);

/// "nElo", "Elo" or "BayesElo" by the model's name.
[[nodiscard]] std::string_view elo_unit(std::string_view model);

/// "2 crashes", "14 losses on time", … of one program; "none" where it did not fail.
[[nodiscard]] std::string failures_text(const harness::Failures& failures);

/// What a program of `between` did wrong in all, as conditions count it
/// (harness::MatchTally::all_failures()): "39 crashes (39 not in counted games)".
[[nodiscard]] std::string failures_text(const harness::MatchTally& tally, std::size_t program);

/// How many of them are not of counted games: between games, in void pairs and so on.
[[nodiscard]] std::int64_t failures_elsewhere(const harness::MatchTally& tally,
                                              std::size_t program);

/// Flaws of one kind in the lines of moves that one program said.
struct PvRow {
    std::string program;
    harness::PvFlaw flaw = harness::PvFlaw::IllegalMove;
    const harness::PvSummary::Row* counts = nullptr;  // never null; lives as long as the tally
};

/// The flaws that were found, by program, then kind. Empty where there are none.
[[nodiscard]] std::vector<PvRow> pv_rows(const harness::RunRecord& run,
                                         const harness::MatchTally& tally);

/// "game 3, ply 17: e7e8q": where an example was said, and the move at fault.
[[nodiscard]] std::string place_text(const harness::PvFinding& finding);

}  // namespace assay::reports
