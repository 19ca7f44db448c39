#pragma once
#include <optional>

namespace assay::stats {

/// What the ratings of a tournament are to show before it may end. Nothing is asked where both are
/// unset.
struct RatingGoal {
    /// The simultaneous 95 % interval of each rating reaches at most so many Elo to each side.
    std::optional<double> elo;
    /// Of each two programs it is shown which one is stronger: with 95 % no such claim of the whole
    /// tournament is false, at whichever look it ends.
    bool orders = false;

    [[nodiscard]] bool is_set() const { return elo || orders; }

    friend bool operator==(const RatingGoal&, const RatingGoal&) = default;
};

}  // namespace assay::stats
