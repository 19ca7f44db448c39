#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "stats/estimate/davidson.h"
#include "stats/estimate/rating.h"
#include "stats/stop/rating_goal.h"

namespace assay::stats {

/// "every rating within 8 Elo", "the order of each two programs", or both with "and".
[[nodiscard]] std::string text_of(const RatingGoal& goal);

/// The share of the 5 % that look `number` (from 1) may spend on false orders: 5 % over
/// number * (number + 1), which all looks together bring to 5 %.
[[nodiscard]] double error_of_look(int number);

/// The factor of an error in intervals of `number` claims, two-sided, that all hold together but
/// with this error.
[[nodiscard]] double bonferroni_factor(double error, std::size_t number);

/// When a tournament looks at its ratings, and whether they show what is asked. Looks are planned
/// in pairs: ten a program, then always two fifths more. A game that has no partner counts as a
/// pair. Pure.
class RatingStop {
public:
    /// `asked`: the programs of which the goal is asked. `played`: pairs by now, of earlier
    /// sessions; the looks up to there are over. `has_changed`: programs have been added or left
    /// out since the first pair; then `pairs` and `played` are all that were ever played, and looks
    /// are those of a tournament of two programs, which has had as many by then as any other.
    RatingStop(RatingGoal goal, std::vector<std::size_t> asked, std::int64_t played,
               bool has_changed = false);

    /// The next look takes place with so many pairs.
    [[nodiscard]] std::int64_t next_look() const { return next_; }

    /// And has this number, which error_of_look() takes.
    [[nodiscard]] int next_number() const { return look_; }

    [[nodiscard]] bool is_due(std::int64_t pairs) const { return goal_.is_set() && pairs >= next_; }

    /// A look with `pairs` played, which have these results: whether the tournament may end. Costs
    /// as much as a fit of the ratings. `programs`: those that rows number, of which some may have
    /// no games. `singles`: games without a partner. REQUIRES: is_due(pairs), that there is a row
    /// of the two kinds, and that how long games take has no part in which pairs are there.
    [[nodiscard]] bool shows(std::int64_t pairs, std::size_t programs,
                             const std::vector<RatedPairs>& rows,
                             const std::vector<RatedGames>& singles = {});

private:
    /// The number of the look that takes place now; later ones follow.
    int pass(std::int64_t pairs);

    RatingGoal goal_;
    std::vector<std::size_t> asked_;
    std::int64_t next_ = 0;
    int look_ = 1;
};

}  // namespace assay::stats
