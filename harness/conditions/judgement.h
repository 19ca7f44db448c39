#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/plan.h"
#include "harness/tournament/meeting.h"
#include "stats/estimate/estimate.h"

namespace assay::harness {

enum class ConditionState : std::uint8_t { Holds, Broken, Undecided };

/// "holds", "broken", "undecided".
[[nodiscard]] std::string_view name_of(ConditionState state);

/// As the config has it: "rating", "pairings", "crashes", "time_losses", "illegal_moves".
[[nodiscard]] std::string_view name_of(TournamentCondition::Kind kind);

/// By where an interval lies against the least that is asked.
[[nodiscard]] ConditionState state_against(const stats::Interval& interval, double least);

/// A condition on a tournament and what the games say of it.
struct ConditionResult {
    TournamentCondition condition;
    ConditionState state = ConditionState::Undecided;
    std::optional<double> elo;  // of the difference, or of the pairing that decides
    stats::Interval interval;   // of it, 95 % for all conditions of the run together
    std::string opponent;       // Pairings: of the one that decides
    std::size_t pairings = 0;   // that were met
    std::int64_t found = 0;     // failures
};

/// "new rated at least -5 Elo over old: +12.3 [+3.1, +21.5]".
[[nodiscard]] std::string text_of(const ConditionResult& result);

struct TournamentJudgement {
    std::vector<ConditionResult> conditions;  // in the order of the plan
    /// The harness was late in games that count, so that no condition on Elo is decided.
    bool is_tainted = false;

    /// One is broken, or else one is undecided; Holds where there is none.
    [[nodiscard]] ConditionState state() const;

    /// text_of() of those in this state, with ", undecided" behind those that are.
    [[nodiscard]] std::vector<std::string> sentences(ConditionState state) const;
};

/// Judges a tournament that has ended; nullopt where its plan has no conditions, or is none. A
/// condition whose games are lacking is undecided. `has_changed`: programs have been added or left
/// out since the first pair (stats::RatingStop). Costs as much as a fit of the ratings, and one of
/// two programs for each pairing that is asked for. REQUIRES: `played` is of this plan.
[[nodiscard]] std::optional<TournamentJudgement> judge_conditions(const RunPlan& plan,
                                                                  const PlayedMeetings& played,
                                                                  bool has_changed = false);

}  // namespace assay::harness
