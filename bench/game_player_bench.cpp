// Speed of the searcher over rules of files, compiled and interpreted, beside the hand-written
// rules of chess: alpha-beta with table, killers and history, material as evaluation, one depth
// after the other up to a budget of nodes; processor time of one core.
//   build/release/bench/game_player_bench [NODES] [GAME...]
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/text.h"
#include "engines/game_player/game_knowledge.h"
#include "engines/search/game_state.h"
#include "engines/search/searcher.h"
#include "rules/make_game.h"
#include "rules/multigame/play/multigame_game.h"
#include "rules/multigame/shipped/shipped_rules.h"

namespace {

using namespace assay::engines;
namespace rules = assay::rules;
namespace mg = assay::rules::multigame;

constexpr std::size_t kTableBytes = std::size_t{16} << 20U;

struct Speed {
    double nodes = 0;
    double seconds = 0;

    [[nodiscard]] double millions() const { return nodes / seconds / 1e6; }
};

Settings settings() {
    Settings made = alpha_beta_settings();
    made.iterative = true;
    made.table = true;
    made.killers = true;
    made.history = HistoryKind::Moves;
    return made;
}

Speed speed_of(const rules::Game& game, std::int64_t nodes) {
    GameOptions options;
    options.search = settings();
    const PieceWorths worths;  // each piece is worth the same
    const auto position = game.start();
    const GameKnowledge knowledge(game, *position, options, worths);
    GameState state(*position, knowledge);
    const auto memory = std::make_unique<Memory>();
    memory->size_table(kTableBytes);
    Searcher<GameState> searcher(state, options.search, *memory);
    Limits limits;
    limits.nodes = nodes;
    Silence silence;
    const std::clock_t from = std::clock();
    (void)searcher.think(limits, silence);
    return {static_cast<double>(searcher.nodes()),
            static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC};
}

std::unique_ptr<rules::Game> game_of(const std::string& name, bool is_compiled) {
    const std::string path = ASSAY_SOURCE_DIR "/rules/multigame/programs/" + name + ".mg";
    const auto shipped = [](const mg::Form& form) {
        return mg::shipped_program(mg::hash_of_rules(form));
    };
    return mg::make_game_of_rules(name, path, mg::read_rules(path),
                                  is_compiled ? mg::FindCompiled(shipped) : nullptr);
}

}  // namespace

int main(int count, char** words) {
    const std::vector<std::string> given(words + 1, words + count);
    const std::int64_t nodes =
        given.empty() ? 2'000'000 : assay::to_number<std::int64_t>(given[0]).value_or(2'000'000);
    std::vector<std::string> games(given.begin() + (given.empty() ? 0 : 1), given.end());
    if (games.empty()) {
        games = {"chess",   "xiangqi", "checkers", "draughts10",
                 "othello", "morris",  "connect4", "breakthrough"};
    }
    fmt::print("{:<14} {:>12} {:>12} {:>6}   Mnodes/s, {} nodes\n", "game", "interpreted",
               "compiled", "ratio", nodes);
    fmt::print("{:<14} {:>12} {:>12.2f}\n", "hand-written", "-",
               speed_of(*rules::make_game("chess"), nodes).millions());
    for (const std::string& name : games) {
        const double slow = speed_of(*game_of(name, false), nodes / 10).millions();
        const double fast = speed_of(*game_of(name, true), nodes).millions();
        fmt::print("{:<14} {:>12.2f} {:>12.2f} {:>6.1f}\n", name, slow, fast, fast / slow);
        std::fflush(stdout);
    }
    return 0;
}
