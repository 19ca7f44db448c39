#pragma once
#include <cstdint>
#include <string>

namespace assay::harness {

/// What must hold of a program at the end of a tournament. Programs are known by their names, so
/// that a condition stays itself when others join or leave.
struct TournamentCondition {
    enum class Kind : std::uint8_t {
        Rating,    // it is rated `limit` Elo over another one, or over the mean of all others
        Pairings,  // its own games with each opponent show `limit` Elo or more
        Crashes,   // it has `limit` crashes and stalls at most
        TimeLosses,
        IllegalMoves,
    };

    Kind kind = Kind::Rating;
    std::string program;
    std::string over;  // Rating; empty: the mean of all others
    double limit = 0;  // Elo, at least; of failures the most

    /// Whether it is a limit on failures.
    [[nodiscard]] bool is_of_failures() const {
        return kind != Kind::Rating && kind != Kind::Pairings;
    }

    friend bool operator==(const TournamentCondition&, const TournamentCondition&) = default;
};

}  // namespace assay::harness
