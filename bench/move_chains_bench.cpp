// Table 1 of "Dynamic Move Chains" (Greer): the nodes of searches to depths 5 and 6 over 98
// positions, with the Chessmaps order alone, with a transposition table of a million entries, and
// with move chains; all with minimal windows and iterative deepening.
//
// The rule for the positions was fixed before the first measurement. Game i, from i = 0 on: eight
// plies at random (Random(i)), then the player's own moves with all settings on, 2,000 nodes each;
// the position is the one at ply 16 + i mod 40. Games that end before it are skipped, and the first
// 98 others are used.
//     move_chains_bench [POSITIONS]

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/random.h"
#include "base/text.h"
#include "engines/chess_player/chess_search.h"
#include "engines/chess_player/chess_state.h"
#include "engines/search/searcher.h"
#include "rules/make_game.h"

namespace {

using namespace assay::engines;

constexpr std::size_t kPositions = 98;
constexpr std::array<int, 2> kDepths{5, 6};
constexpr std::size_t kTableBytes = 1U << 24U;  // 1,048,576 entries

std::unique_ptr<assay::rules::Position> draw_position(std::uint64_t i) {
    const auto game = assay::rules::make_game("chess");
    auto position = game->start();
    assay::Random random(i);
    const auto memory = std::make_unique<Memory>();
    memory->size_table(kTableBytes);
    std::vector<assay::rules::Move> moves;
    const int last = 16 + static_cast<int>(i % 40);
    while (position->ply() < last && !position->result()) {
        position->moves(moves);
        assay::rules::Move move = moves[random.below(moves.size())];
        if (position->ply() >= 8) {
            Limits limits;
            limits.nodes = 2000;
            Silence silence;
            move = search(*position, {}, *memory, limits, silence).front().moves.front();
        }
        position->make(move);
    }
    if (position->result()) return nullptr;
    return position;
}

/// The sums of one column at one depth.
struct Sums {
    double nodes = 0;
    double quiescence = 0;
    double found = 0;
    double followed = 0;
    std::size_t longest = 0;
    int differs = 0;  // positions in which the move differs from the first column
};

struct Setting {
    const char* name;
    bool table;
    bool chains;
    int chains_from;
};

Settings settings_of(const Setting& setting) {
    Settings settings = alpha_beta_settings();
    settings.method = Method::Pvs;
    settings.iterative = true;
    settings.quiescence = true;
    settings.ordering = Ordering::Chessmaps;
    settings.table = setting.table;
    settings.chains = setting.chains;
    settings.chains_from = setting.chains_from;
    return settings;
}

assay::rules::Move run(const assay::rules::Position& position, const Setting& setting, int depth,
                       Sums& sums) {
    const SearchRoot root = root_of(position);
    ChessState state(root.board, EvaluationKind::Full, root.earlier);
    const auto memory = std::make_unique<Memory>();
    memory->size_table(setting.table ? kTableBytes : 0);
    Searcher<ChessState> searcher(state, settings_of(setting), *memory);
    Limits limits;
    limits.depth = depth;
    Silence silence;
    const auto lines = searcher.think(limits, silence);
    sums.nodes += static_cast<double>(searcher.nodes());
    sums.quiescence += static_cast<double>(searcher.quiescence_nodes());
    sums.found += static_cast<double>(searcher.chains_found());
    sums.followed += static_cast<double>(searcher.chains_followed());
    sums.longest = std::max(sums.longest, memory->chains.longest());
    return lines.front().moves.front();
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t wanted =
        argc > 1 ? assay::to_number<std::size_t>(argv[1]).value_or(kPositions) : kPositions;
    constexpr std::array<Setting, 4> kSettings{{{"Chessmaps", false, false, 1},
                                                {"Chessmaps + TT", true, false, 1},
                                                {"Chessmaps + MC", false, true, 1},
                                                {"  the same, at the root too", false, true, 0}}};
    std::array<std::array<Sums, kSettings.size()>, kDepths.size()> sums{};
    std::size_t taken = 0;
    for (std::uint64_t i = 0; taken < wanted; ++i) {
        const auto position = draw_position(i);
        if (!position) continue;
        ++taken;
        for (std::size_t d = 0; d < kDepths.size(); ++d) {
            assay::rules::Move usual = assay::rules::kNoMove;
            for (std::size_t s = 0; s < kSettings.size(); ++s) {
                const auto move = run(*position, kSettings[s], kDepths[d], sums[d][s]);
                if (s == 0) usual = move;
                sums[d][s].differs += move == usual ? 0 : 1;
            }
        }
    }
    const auto count = static_cast<double>(taken);
    std::printf("%zu positions\n", taken);
    for (std::size_t d = 0; d < kDepths.size(); ++d) {
        std::printf("depth %d\n", kDepths[d]);
        for (std::size_t s = 0; s < kSettings.size(); ++s) {
            const Sums& sum = sums[d][s];
            std::printf(
                "  %-28s nodes %12.1f  reduction %5.1f %%  other move %3d of %zu (%.0f %%)  "
                "quiescence/other nodes %4.1f",
                kSettings[s].name, sum.nodes / count, 100 * (1 - sum.nodes / sums[d][0].nodes),
                sum.differs, taken, 100.0 * sum.differs / count,
                sum.quiescence / (sum.nodes - sum.quiescence));
            if (kSettings[s].chains && sum.found > 0) {
                std::printf("  chains found %.1f, followed %.0f %%, longest %zu", sum.found / count,
                            100 * sum.followed / sum.found, sum.longest);
            }
            std::printf("\n");
        }
    }
}
