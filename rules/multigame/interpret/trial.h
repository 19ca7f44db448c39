#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rules/multigame/interpret/machine.h"

namespace assay::rules::multigame {

/// What random games of a program showed.
struct Trial {
    int games = 0;
    int unfinished = 0;  // stopped at the most plies, or by repetition, which the referee judges
    std::uint64_t plies = 0;
    int longest = 0;
    std::uint64_t positions = 0;  // in which a list of moves was made
    std::uint64_t moves = 0;      // in all these lists
    std::array<int, 2> wins{};    // by side; one player: the first
    int draws = 0;
    std::map<std::string, int> endings;    // by reason, "" where none was given
    std::vector<std::string> rule_errors;  // the first of each place
    std::map<std::string, int> silent;     // variables in which two ways to one move differ
    StatementCounts counts;
};

struct TrialOptions {
    int games = 1'000;
    std::uint64_t seed = 1;
    int most_plies = 1'000;
};

/// Plays random games with names, coverage and all checks of lists. The same seed plays the same
/// games.
[[nodiscard]] Trial tried(const std::shared_ptr<const Tables>& tables, const TrialOptions& options);

/// "t.mg:12: 'en_passant' never succeeded": a line for each statement that was reached and never
/// succeeded, in the order of the text.
[[nodiscard]] std::vector<std::string> uncovered(const Form& form, const StatementCounts& counts);

}  // namespace assay::rules::multigame
