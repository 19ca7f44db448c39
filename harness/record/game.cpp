#include "harness/record/game.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/text.h"

namespace assay::harness {

namespace {

struct Names {
    std::string_view name;
    std::string_view words;
};

/// By cause; of Rules no text is used.
constexpr std::array<Names, kCauses> kNames{{
    {"", ""},
    {"draw_adjudicated", "adjudicated draw"},
    {"win_adjudicated", "adjudicated win"},
    {"tablebase", "endgame tablebase"},
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

/// Longer texts in a store are damage.
constexpr std::size_t kLongestWord = 64;

std::optional<Termination::Cause> cause_of(std::string_view name) {
    const auto* found = std::ranges::find(kNames, name, &Names::name);
    if (name.empty() || found == kNames.end()) return std::nullopt;
    return static_cast<Termination::Cause>(found - kNames.begin());
}

}  // namespace

Termination Termination::by_rules(std::string_view word) {
    Termination termination(Rules);
    termination.word = word.empty() ? "variant" : word;
    if (cause_of(word)) termination.word += " by the rules";
    return termination;
}

std::string_view name_of(const Termination& termination) {
    if (termination.cause == Termination::Rules) return termination.word;
    return kNames[termination.cause].name;
}

std::string_view words_of(const Termination& termination) {
    if (termination.cause == Termination::Rules) return termination.word;
    return kNames[termination.cause].words;
}

std::optional<Termination> termination_of(std::string_view name) {
    if (const auto cause = cause_of(name)) return Termination(*cause);
    if (name.empty() || name.size() > kLongestWord || printable_utf8(name) != name) {
        return std::nullopt;
    }
    Termination termination(Termination::Rules);
    termination.word = name;
    return termination;
}

bool is_failure(const Termination& termination) {
    return termination.cause >= Termination::Time && termination.cause <= Termination::NoStart;
}

bool is_gone(const Termination& termination) {
    return termination.cause >= Termination::Crash && termination.cause <= Termination::NoStart;
}

Lineup::Lineup(std::initializer_list<int> programs) {
    for (const int program : programs) push_back(program);
}

int Lineup::player_of(int program) const {
    for (std::size_t player = 0; player < players_; ++player) {
        if (program_[player] == program) return static_cast<int>(player);
    }
    return -1;
}

void Lineup::push_back(int program) {
    ASSAY_CHECK(players_ < rules::kMostPlayers);
    program_[players_++] = static_cast<std::int16_t>(program);
}

}  // namespace assay::harness
