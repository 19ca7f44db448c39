// Speed of the searcher over rules of files, compiled and interpreted, beside the hand-written
// rules of chess: alpha-beta with table, killers and history, material as evaluation, one depth
// after the other up to a budget of nodes; processor time of one core. "Template" is the same
// search over the class of such positions itself, where no call is virtual.
//   build/release/bench/game_player_bench [NODES] [GAME...]
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/text.h"
#include "engines/game_player/game_knowledge.h"
#include "engines/search/game_state.h"
#include "engines/search/searcher.h"
#include "rules/make_game.h"
#include "rules/multigame/play/multigame_game.h"
#include "rules/multigame/play/multigame_position.h"
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

/// What GameState and GameKnowledge say, without a virtual call.
class TemplateState {
public:
    TemplateState(const rules::Game& game, mg::MultigamePosition& position) : position_(position) {
        for (const rules::PictureField& content : game.contents()) {
            const int worth = content.owner < 0 ? 0 : PieceWorths().of(content.piece);
            values_.push_back(content.owner == 0 ? worth : -worth);
        }
    }

    [[nodiscard]] static Abilities abilities() { return GameKnowledge::kAbilities; }

    [[nodiscard]] int side() const { return std::max(0, position_.to_move()); }

    [[nodiscard]] std::uint64_t hash() const { return position_.hash(); }

    [[nodiscard]] std::uint64_t table_key() const { return position_.search_key(); }

    void moves(MoveBuffer& out) {
        position_.moves(list_);
        out.append(list_);
    }

    void noisy(MoveBuffer& out) {
        position_.moves(list_);
        for (const Move move : list_) {
            if (promise(move) > 0) out.push(move);
        }
    }

    void make(Move move) {
        path_.push(position_.hash());
        position_.make(move);
    }

    void undo() {
        position_.undo();
        path_.pop();
    }

    void pass() {}

    void unpass() {}

    [[nodiscard]] static bool may_pass() { return false; }

    [[nodiscard]] bool is_legal(Move move) const { return position_.is_legal(move); }

    [[nodiscard]] std::optional<Judgement> judge(int ply) {
        const auto outcome = position_.verdict();
        if (!outcome) return std::nullopt;
        Judgement judgement;
        judgement.value = value_of_outcome(*outcome, side(), ply);
        if (outcome->basis == rules::OutcomeBasis::Repetition)
            judgement.reach = path_.last_equal(position_.hash(), ply).value_or(-1);
        if (outcome->basis == rules::OutcomeBasis::Counter) judgement.reach = -1;
        return judgement;
    }

    [[nodiscard]] static int stuck(int) { return 0; }

    [[nodiscard]] bool in_check() const { return position_.is_loud(rules::kNoMove); }

    [[nodiscard]] int evaluate() const {
        int sum = 0;
        for (const std::uint8_t content : position_.contents()) sum += values_[content];
        return std::clamp(side() == 0 ? sum : -sum, 1 - kSureWin, kSureWin - 1);
    }

    [[nodiscard]] int promise(Move move) const {
        return !in_check() && position_.is_loud(move) ? 1 : 0;
    }

    [[nodiscard]] static int gain(Move) { return kInfinite; }

    [[nodiscard]] static bool wastes(Move) { return false; }

    [[nodiscard]] static int move_class(Move) { return 0; }

    [[nodiscard]] static std::uint64_t history_key(Move move) { return move; }

    [[nodiscard]] std::uint64_t signature(Move move) { return position_.signature(move); }

    [[nodiscard]] static Origin origin(Move) { return {}; }

private:
    mg::MultigamePosition& position_;
    std::vector<int> values_;
    Path path_;
    std::vector<Move> list_;
};

template <class State>
Speed speed_in(State& state, std::int64_t nodes) {
    const auto memory = std::make_unique<Memory>();
    memory->size_table(kTableBytes);
    const Settings wanted = settings();
    Searcher<State> searcher(state, wanted, *memory);
    Limits limits;
    limits.nodes = static_cast<std::uint64_t>(nodes);
    Silence silence;
    const std::clock_t from = std::clock();
    (void)searcher.think(limits, silence);
    return {static_cast<double>(searcher.nodes()),
            static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC};
}

Speed speed_of(const rules::Game& game, std::int64_t nodes) {
    GameOptions options;
    const PieceWorths worths;  // each piece is worth the same
    const auto position = game.start();
    const GameKnowledge knowledge(game, *position, options, worths, has_quiet_moves(game));
    GameState state(*position, knowledge);
    return speed_in(state, nodes);
}

/// REQUIRES: the game is one of rules of a file.
Speed speed_by_template(const rules::Game& game, std::int64_t nodes) {
    const auto position = game.start();
    TemplateState state(game, dynamic_cast<mg::MultigamePosition&>(*position));
    return speed_in(state, nodes);
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
    fmt::print("{:<14} {:>12} {:>12} {:>6} {:>12} {:>6}   Mnodes/s, {} nodes\n", "game",
               "interpreted", "compiled", "ratio", "template", "ratio", nodes);
    fmt::print("{:<14} {:>12} {:>12.2f}\n", "hand-written", "-",
               speed_of(*rules::make_game("chess"), nodes).millions());
    for (const std::string& name : games) {
        const double slow = speed_of(*game_of(name, false), nodes / 10).millions();
        const double fast = speed_of(*game_of(name, true), nodes).millions();
        const Speed bare = speed_by_template(*game_of(name, true), nodes);
        fmt::print("{:<14} {:>12.2f} {:>12.2f} {:>6.1f} {:>12.2f} {:>6.2f}\n", name, slow, fast,
                   fast / slow, bare.millions(), bare.millions() / fast);
        std::fflush(stdout);
    }
    return 0;
}
