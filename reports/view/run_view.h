#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/match/estimates.h"
#include "harness/match/tally.h"
#include "harness/record/game.h"
#include "harness/record/run.h"
#include "harness/suite/verdict.h"
#include "harness/tournament/tournament_state.h"
#include "reports/tournament/tournament_view.h"
#include "stats/estimate/estimate.h"
#include "stats/stop/stop_rule.h"
#include "stats/test/sign_flip.h"
#include "stats/test/trinomial.h"

namespace assay::reports {

/// The statistics of one match, computed once for all kinds of report. They are right for a fixed
/// number of pairs; after a sequential stop they are the naive figures.
struct Figures {
    stats::Strength strength;
    stats::SignFlip sign_flip;
    std::optional<stats::TrinomialNull> null;  // plug-in rates; unset without games
    stats::TrinomialTest trinomial;            // of the score; meaningless without `null`
    std::int64_t balance = 0;                  // wins minus losses, in games
};

[[nodiscard]] Figures figures_of(const harness::MatchTally& tally);

/// Where the stop rule stands; nullopt where the match has none. Its state is "inconclusive" once
/// the match has ended without a decision.
[[nodiscard]] std::optional<stats::TestState> test_state(const harness::MatchTally& tally);

/// The bounds that the rule compared its LLR with: corrected for looks at discrete times where they
/// are, so that a verdict lies beyond the one that is shown. nullopt: it has none.
struct LlrBounds {
    double lower = 0;
    double upper = 0;
};

[[nodiscard]] std::optional<LlrBounds> bounds_of(const stats::TestState& test);

using harness::after_stop;

/// A game in which a program failed, as reports show it.
struct FailedGame {
    std::size_t match = 0;
    std::int64_t number = 0;  // from 1
    std::int64_t pair = 0;    // from 0, as the two that follow are in GameRecord
    int game = 0;             // of the pair, from 0
    int ply = 0;              // the one that failed, from 1, the opening's included
    std::string program;
    harness::Termination termination = harness::Termination::Crash;
    std::string reason;
    std::string last_command;
    std::string last_lines;
};

/// Nullopt where no program is to blame.
[[nodiscard]] std::optional<FailedGame> failed_game(const harness::RunRecord& run,
                                                    std::size_t match,
                                                    const harness::GameRecord& game);

/// The flag by which a command finds this store: " --db FILE", quoted for a shell where necessary;
/// empty for the default store.
[[nodiscard]] std::string store_flag(const std::string& store);

/// "assay replay 12 113 34".
[[nodiscard]] std::string replay_command(const harness::RunRecord& run, const FailedGame& game,
                                         const std::string& store);

/// One match of a report. `tally` is not null.
struct MatchView {
    const harness::MatchTally* tally = nullptr;
    std::vector<FailedGame> failed;  // those that the caller wants to be shown
};

/// A run with its matches in the order of the plan; every report is made from it. Holds references.
struct RunView {
    const harness::RunRecord& run;
    std::vector<MatchView> matches;
    std::vector<std::string> warnings;  // sentences, each once
    std::string store_path = "assay.db";
    const harness::SuiteResult* suite = nullptr;  // null: no suite, or nothing of it is known
    std::optional<int> exit_code = {};            // of the command, where it is known
    /// Null: the run is no tournament. Else reports show it in place of the matches, of which each
    /// two programs have one.
    const TournamentView* tournament = nullptr;
};

/// What the reports of a tournament show. `us_per_pair`: how fast pairs are played, all games at
/// once together; nullopt: not known.
[[nodiscard]] TournamentView tournament_of(const harness::RunRecord& run,
                                           const harness::TournamentState& state,
                                           std::optional<double> us_per_pair = std::nullopt);

/// The name of program 0 or 1 of `between`.
[[nodiscard]] const std::string& program_name(const harness::RunRecord& run,
                                              const harness::MatchPlan& match, std::size_t index);

/// The sum of half points of the first program over all games.
[[nodiscard]] std::int64_t half_points(const harness::MatchTally& tally);

/// The time control of the match: one, or one a program.
[[nodiscard]] std::string time_text(const harness::RunRecord& run, const harness::MatchPlan& match);

}  // namespace assay::reports
