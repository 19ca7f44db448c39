#include "harness/record/game.h"

#include <algorithm>
#include <array>

namespace assay::harness {

namespace {

struct Names {
    std::string_view name;
    std::string_view words;
};

constexpr std::array<Names, kTerminations> kNames{{
    {"mate", "checkmate"},
    {"stalemate", "stalemate"},
    {"insufficient", "insufficient material"},
    {"repetition", "threefold repetition"},
    {"fifty", "fifty-move rule"},
    {"variant", "rules of the variant"},
    {"draw_adjudicated", "adjudicated draw"},
    {"win_adjudicated", "adjudicated win"},
    {"tablebase", "endgame database"},
    {"length", "length limit"},
    {"time", "loss on time"},
    {"illegal_move", "illegal move"},
    {"crash", "crash"},
    {"disconnect", "disconnection"},
    {"stall", "stall"},
    {"no_start", "no start"},
    {"claim_resign", "resignation"},
    {"claim_draw", "claimed draw"},
    {"interrupted", "interrupted"},
}};

}  // namespace

std::string_view name_of(Termination termination) {
    return kNames[static_cast<std::size_t>(termination)].name;
}

std::string_view words_of(Termination termination) {
    return kNames[static_cast<std::size_t>(termination)].words;
}

std::optional<Termination> termination_of(std::string_view name) {
    const auto* found = std::ranges::find(kNames, name, &Names::name);
    if (found == kNames.end()) return std::nullopt;
    return static_cast<Termination>(found - kNames.begin());
}

bool is_failure(Termination termination) {
    return termination >= Termination::Time && termination <= Termination::NoStart;
}

}  // namespace assay::harness
