#include "harness/plan/plan.h"

#include <fmt/format.h>

#include "base/sha256.h"
#include "base/text.h"

namespace assay::harness {

std::unique_ptr<rules::Game> game_of(const MatchPlan& match) {
    return rules::make_game(match.game);
}

std::string words_of(const OpeningsPlan& openings) {
    if (openings.book != kRandomOpenings) return openings.book;
    return counted(openings.plies.value_or(0), "random ply", "random plies");
}

std::string game_text(const rules::GameSource& game) {
    constexpr std::size_t kDigits = 12;
    if (game.text.empty()) return game.name;
    return fmt::format("{}, by the rules of {} (SHA-256 {})", game.name, game.path,
                       sha256_of(game.text).substr(0, kDigits));
}

std::size_t first_program(const RunPlan& plan) {
    if (!plan.matches.empty()) return plan.matches.front().between[0];
    return plan.suite && !plan.suite->programs.empty() ? plan.suite->programs.front() : 0;
}

std::string plan_hash(const RunPlan& plan) {
    return sha256_of(to_json(plan));
}

}  // namespace assay::harness
