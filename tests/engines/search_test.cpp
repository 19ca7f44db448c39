#include <cmath>
#include <set>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "engines/search/game_state.h"
#include "engines/search/searcher.h"
#include "tests/support/check_game.h"
#include "tests/support/tic_tac_toe.h"
#include "tests/support/tree_state.h"

using namespace assay::engines;
using assay::tests::UniformTree;

namespace {

struct Found {
    int value = 0;
    Move move = kNoMove;
    std::uint64_t nodes = 0;
    std::uint64_t leaves = 0;
};

template <class State>
Found search_to(State& state, const Settings& settings, int depth, std::size_t table_bytes = 0) {
    Memory memory;
    memory.size_table(table_bytes);
    Searcher<State> searcher(state, settings, memory);
    Limits limits;
    limits.depth = depth;
    Silence silence;
    const auto lines = searcher.think(limits, silence);
    REQUIRE(!lines.empty());
    return {lines[0].value, lines[0].moves[0], searcher.nodes(), searcher.leaves()};
}

/// Minimax as a text book has it, apart from everything that is tested.
int reference(UniformTree& tree, int depth, Move* best_move = nullptr) {
    if (depth == 0) return tree.evaluate();
    MoveBuffer moves;
    tree.moves(moves);
    int best = -kInfinite;
    for (const ScoredMove& scored : moves) {
        tree.make(scored.move);
        const int value = -reference(tree, depth - 1);
        tree.undo();
        if (value <= best) continue;
        best = value;
        if (best_move != nullptr) *best_move = scored.move;
    }
    return best;
}

/// Figure 6 of the seminar paper as it is printed, values always the first player's: a maximiser
/// whose move does not raise alpha falls into the minimiser's branch, and a minimiser's best starts
/// at alpha.
int figure_6(UniformTree& tree, int depth, int alpha, int beta, bool is_maximizer) {
    if (depth <= 0) return tree.side() == 0 ? tree.evaluate() : -tree.evaluate();
    MoveBuffer moves;
    tree.moves(moves);
    int best = alpha;
    for (const ScoredMove& scored : moves) {
        tree.make(scored.move);
        const int current = figure_6(tree, depth - 1, alpha, beta, !is_maximizer);
        tree.undo();
        if (is_maximizer && current > alpha) {
            alpha = current;
            best = alpha;
        } else if (current < beta) {
            beta = current;
            best = beta;
        }
        if (alpha >= beta) return best;
    }
    return best;
}

Settings pvs_settings() {
    Settings settings = alpha_beta_settings();
    settings.method = Method::Pvs;
    return settings;
}

std::uint64_t power(std::uint64_t base, int exponent) {
    std::uint64_t value = 1;
    while (exponent-- > 0) value *= base;
    return value;
}

}  // namespace

TEST_CASE("Minimax: a uniform tree is visited node by node, the sum of b to the i") {
    for (const auto& shape : {std::pair{2U, 6}, {3U, 5}, {5U, 4}, {1U, 9}, {7U, 1}}) {
        const auto width = shape.first;
        const auto depth = shape.second;
        CAPTURE(width);
        CAPTURE(depth);
        UniformTree tree(width, depth, UniformTree::Kind::Random, 1);
        std::uint64_t sum = 0;
        for (int i = 0; i <= depth; ++i) sum += power(width, i);
        const Found found = search_to(tree, minimax_settings(), depth);
        CHECK(found.nodes == sum);
        CHECK(found.leaves == power(width, depth));
    }
}

TEST_CASE("Alpha-beta: value and move are minimax's on random trees, and so are those of windows") {
    int figure_6_wrong = 0;
    constexpr int kTrees = 2000;
    for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
        const auto width = 2 + static_cast<unsigned>(seed % 3);
        UniformTree tree(width, 3, UniformTree::Kind::Random, seed, seed % 2 == 0 ? 100 : 3);
        Move first = kNoMove;
        const int value = reference(tree, 3, &first);
        CAPTURE(seed);
        for (const Settings& settings :
             {minimax_settings(), alpha_beta_settings(), pvs_settings()}) {
            const Found found = search_to(tree, settings, 3);
            CHECK(found.value == value);
            CHECK(found.move == first);
        }
        figure_6_wrong += figure_6(tree, 3, -kInfinite, kInfinite, true) == value ? 0 : 1;
    }
    // The printed algorithm is caught by this very comparison.
    CHECK(figure_6_wrong > kTrees / 4);
    MESSAGE("Figure 6 is wrong on " << figure_6_wrong << " of " << kTrees << " trees");
}

TEST_CASE("Alpha-beta: in perfect order the leaves are b^ceil(d/2) + b^floor(d/2) - 1") {
    for (const auto& shape : {std::pair{2U, 7}, {3U, 6}, {4U, 5}, {6U, 4}, {8U, 3}}) {
        const auto width = shape.first;
        const auto depth = shape.second;
        CAPTURE(width);
        CAPTURE(depth);
        UniformTree tree(width, depth, UniformTree::Kind::Ordered, 7);
        const std::uint64_t least = power(width, (depth + 1) / 2) + power(width, depth / 2) - 1;
        CHECK(search_to(tree, alpha_beta_settings(), depth).leaves == least);
        CHECK(search_to(tree, pvs_settings(), depth).leaves == least);
        CHECK(search_to(tree, alpha_beta_settings(), depth).value == 0);
    }
}

TEST_CASE("Alpha-beta: in random order it lies between the least tree and the whole one") {
    constexpr int kDepth = 6;
    constexpr unsigned kWidth = 6;
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        UniformTree tree(kWidth, kDepth, UniformTree::Kind::Random, seed, 10'000);
        sum += static_cast<double>(search_to(tree, alpha_beta_settings(), kDepth).leaves);
    }
    const double exponent = std::log(sum / 10) / std::log(kWidth) / kDepth;
    MESSAGE("random order: b^(" << exponent << " d) leaves; the paper says 3/4");
    CHECK(exponent > 0.55);
    CHECK(exponent < 0.90);
}

TEST_CASE("Options: each keeps the root's value, and together they need fewer nodes") {
    const auto game = assay::tests::make_tic_tac_toe();
    CHECK(assay::tests::check_game(*game, 3, 9) == "");
    const auto position = game->start();
    const RulesOnly knowledge(*position);
    const auto nodes_with = [&](const Settings& settings) {
        GameState state(*position, knowledge);
        const Found found = search_to(state, settings, 9, 1U << 22U);
        CHECK(found.value == 0);  // the seminar says that the first player wins: it does not
        return found.nodes;
    };
    const std::uint64_t whole = nodes_with(minimax_settings());
    CHECK(whole == 549'946);
    const std::uint64_t plain = nodes_with(alpha_beta_settings());
    CHECK(plain < whole / 10);
    Settings table = alpha_beta_settings();
    table.table = true;
    const std::uint64_t with_table = nodes_with(table);
    CHECK(with_table < plain / 3);
    Settings history = alpha_beta_settings();
    history.history = HistoryKind::Moves;
    CHECK(nodes_with(history) < plain);
    Settings signature = history;
    signature.history = HistoryKind::Signature;
    CHECK(nodes_with(signature) < plain);
    Settings killers = alpha_beta_settings();
    killers.killers = true;
    CHECK(nodes_with(killers) < plain);
    Settings deepening = table;
    deepening.method = Method::Pvs;
    deepening.iterative = true;
    deepening.history = HistoryKind::Moves;
    CHECK(nodes_with(deepening) < plain / 3);
}

TEST_CASE("Tic-tac-toe: there are 5,478 states") {
    const auto game = assay::tests::make_tic_tac_toe();
    std::set<std::string> seen;
    std::vector<std::unique_ptr<assay::rules::Position>> queue;
    queue.push_back(game->start());
    seen.insert(queue[0]->text());
    std::vector<Move> moves;
    for (std::size_t at = 0; at < queue.size(); ++at) {
        queue[at]->moves(moves);
        for (const Move move : moves) {
            auto next = queue[at]->clone();
            next->make(move);
            if (seen.insert(next->text()).second) queue.push_back(std::move(next));
        }
    }
    CHECK(seen.size() == 5478);
}

TEST_CASE("Settings: what does not go together is refused with a sentence") {
    const Abilities all{true, true, true, true};
    CHECK(!check_settings(Settings{}, all));
    CHECK(!check_settings(minimax_settings(), {}));
    CHECK(!check_settings(alpha_beta_settings(), {}));
    const auto refused = [&](auto change, const Abilities& abilities = {true, true, true, true}) {
        Settings settings;
        change(settings);
        return check_settings(settings, abilities).value_or("");
    };
    CHECK(refused([](Settings& s) { s.iterative = false; }) ==
          "aspiration needs the value of an iteration before: set IterativeDeepening true or "
          "Aspiration 0");
    CHECK(refused([](Settings& s) { s.method = Method::AlphaBeta; }) ==
          "a reduced search needs the minimal window that shows it wrong: set Method pvs or "
          "Reductions false");
    CHECK(refused([](Settings& s) {
              s.method = Method::AlphaBeta;
              s.reductions = false;
              s.fault = Fault::ResearchLoop;
          }) == "there is no second search to loop over without minimal windows: set Method pvs");
    CHECK(refused([](Settings& s) {
              s.quiescence = false;
              s.fault = Fault::QuiescenceWithoutStop;
          }) == "a quiescence search that is off cannot miss its stop: set Quiescence true");
    CHECK(refused([](Settings& s) {
              s.chains = true;
              s.quiescence = false;
          }) == "a move chain ends in a quiescence search: set Quiescence true or Chains false");
}

TEST_CASE("Settings: minimax refuses each improvement of alpha-beta by its name") {
    const auto refused = [](auto change) {
        Settings settings = minimax_settings();
        change(settings);
        return check_settings(settings, {true, true, true, true}).value_or("");
    };
    CHECK(refused([](Settings&) {}).empty());
    CHECK(refused([](Settings& s) { s.null_move = true; }) ==
          "minimax has no window that a null move could fail high against: set NullMove false");
    CHECK(refused([](Settings& s) {
              s.iterative = true;
              s.aspiration = 30;
          }) == "minimax has no window, so none to aspire to: set Aspiration 0");
    CHECK(refused([](Settings& s) { s.table = true; }) ==
          "minimax visits every node, so it uses no table: set Table false");
    CHECK(refused([](Settings& s) { s.chains = true; }) ==
          "minimax prunes nothing, so it follows no move chains: set Chains false");
    const std::string memory =
        "minimax has no cut-offs that killers and history could remember: set Killers false and "
        "History none";
    CHECK(refused([](Settings& s) { s.killers = true; }) == memory);
    CHECK(refused([](Settings& s) { s.history = HistoryKind::Signature; }) == memory);
    CHECK(refused([](Settings& s) { s.reductions = true; }) ==
          "minimax looks at all moves to the same depth: set Reductions false");
    CHECK(refused([](Settings& s) { s.quiescence = true; }) ==
          "minimax evaluates at its depth, and a quiescence search needs a window to stop: set "
          "Quiescence false");
    CHECK(refused([](Settings& s) { s.extensions = true; }) ==
          "minimax looks at all moves to the same depth: set Extensions false");
    CHECK(refused([](Settings& s) { s.ordering = Ordering::Chessmaps; }) ==
          "the order of moves changes nothing in minimax: set Ordering plain");
    CHECK(refused([](Settings& s) { s.fault = Fault::BadOrder; }) ==
          "the faults are faults of alpha-beta: set Method alphabeta or pvs, or Fault none");
}

TEST_CASE("Settings: what a game cannot do is refused by the game's lack") {
    const auto refused = [](auto change, const Abilities& abilities) {
        Settings settings = alpha_beta_settings();
        change(settings);
        return check_settings(settings, abilities).value_or("");
    };
    CHECK(refused([](Settings& s) { s.null_move = true; }, {false, true, true, true}) ==
          "this game does not let a player pass: set NullMove false");
    CHECK(refused([](Settings& s) { s.quiescence = true; }, {true, false, true, true}) ==
          "this game does not tell noisy moves from quiet ones: set Quiescence false");
    CHECK(
        refused([](Settings& s) { s.ordering = Ordering::Chessmaps; }, {true, true, false, true}) ==
        "this game has no such classes of moves: set Ordering plain");
    CHECK(refused([](Settings& s) { s.chains = s.quiescence = true; }, {true, true, true, false}) ==
          "move chains are kept by square and piece, which this game does not tell: set Chains "
          "false");
}

TEST_CASE("Outcomes: a tie is 0 and a win is the other's loss, the sooner the greater") {
    assay::rules::Outcome tie;
    tie.scores = {{0.5F, 0.5F}, 2};
    assay::rules::Outcome win;
    win.scores = {{1.0F, 0.0F}, 2};
    for (const int ply : {0, 3, 100}) {
        CHECK(value_of_outcome(tie, 0, ply) == 0);
        CHECK(value_of_outcome(win, 0, ply) == won_at(ply));
        CHECK(value_of_outcome(win, 1, ply) == -won_at(ply));
        CHECK(is_sure(value_of_outcome(win, 1, ply)));
    }
    CHECK(value_of_outcome(win, 0, 2) > value_of_outcome(win, 0, 4));
    CHECK(value_of_outcome(win, 0, 4) > value_of_outcome(tie, 0, 4));
}

namespace {

/// The lecture's example of graph-history interaction ("Theory of Computer Games"): who closes a
/// loop loses. A has the moves B and C; B, the opponent's, leads to E and D; D is lost and G is won
/// for the first player.
///     A: B C   B: E D   C: F   E: I G   F: H   I: J   J: H   H: E
class LoopGraph : public assay::tests::BareState {
public:
    [[nodiscard]] int side() const { return at() == 'B' ? 1 : 0; }

    [[nodiscard]] std::uint64_t hash() const {
        return assay::mix64(static_cast<std::uint64_t>(at()));
    }

    [[nodiscard]] std::uint64_t table_key() const { return hash(); }

    void moves(MoveBuffer& out) const {
        for (const char next : successors()) out.push(static_cast<Move>(next));
    }

    void make(Move move) { path_ += static_cast<char>(move); }

    void undo() { path_.pop_back(); }

    [[nodiscard]] bool is_legal(Move move) const {
        return successors().find(static_cast<char>(move)) != std::string::npos;
    }

    [[nodiscard]] std::optional<Judgement> judge(int ply) const {
        const std::size_t before = path_.rfind(at(), path_.size() - 2);
        if (before != std::string::npos) {
            // The one who came here is the first player, who is also the one to move.
            return Judgement{lost_at(ply), static_cast<Reach>(before)};
        }
        if (at() == 'D') return Judgement{lost_at(ply), kAnyPath};
        if (at() == 'G') return Judgement{won_at(ply), kAnyPath};
        return std::nullopt;
    }

    [[nodiscard]] int evaluate() const { return 0; }

    [[nodiscard]] Origin origin(Move move) const { return {move % 64, 0}; }

private:
    [[nodiscard]] char at() const { return path_.back(); }

    [[nodiscard]] std::string successors() const {
        switch (at()) {
            case 'A':
                return "BC";
            case 'B':
                return "ED";
            case 'C':
                return "F";
            case 'E':
                return "IG";
            case 'F':
                return "H";
            case 'I':
                return "J";
            case 'J':
                return "H";
            case 'H':
                return "E";
            default:
                return "";
        }
    }

    std::string path_ = "A";
};

}  // namespace

TEST_CASE("Table: a value that rests on a repetition is not used on another path") {
    Settings settings = alpha_beta_settings();
    settings.table = true;
    const auto value_with = [&](bool path_safe) {
        settings.path_safe = path_safe;
        LoopGraph graph;
        return search_to(graph, settings, 12, 1U << 16U);
    };
    // H was lost by the loop A-B-E-I-J-H-E; by A-C-F-H-E-G it is won.
    CHECK(value_with(false).value <= -kSureWin);
    CHECK(value_with(true).value == won_at(5));
    CHECK(value_with(true).move == Move{'C'});
    settings.table = false;
    CHECK(value_with(true).value == won_at(5));
}

TEST_CASE("Table: a deep entry stays while shallow ones come and go; sizes are kept to") {
    TranspositionTable table;
    CHECK(table.find(1, 0).depth == -1);
    table.store(1, 0, {1, 1, 1, Bound::Exact});  // no room: nothing happens
    CHECK(table.find(1, 0).depth == -1);
    table.resize(100);
    CHECK(table.entries() == 4);
    table.resize(1U << 20U);
    CHECK(table.entries() == (1U << 16U));
    table.next_search();
    const std::uint64_t slot = 5;
    const auto key = [&](std::uint64_t upper) { return upper << 40U | slot; };
    table.store(key(1), 0, {11, 10, 9, Bound::Lower});
    table.store(key(2), 0, {12, 20, 3, Bound::Upper});
    table.store(key(3), 0, {13, 30, 2, Bound::Exact});
    CHECK(table.find(key(1), 0).depth == 9);
    CHECK(table.find(key(1), 0).move == 11);
    CHECK(table.find(key(2), 0).depth == -1);
    CHECK(table.find(key(3), 0).value == 30);
    // A deeper one takes the first place and leaves the second to what was there.
    table.store(key(4), 0, {14, 40, 12, Bound::Exact});
    CHECK(table.find(key(4), 0).depth == 12);
    CHECK(table.find(key(1), 0).depth == 9);
    // In a later search the old first entry goes, however deep.
    table.next_search();
    table.store(key(5), 0, {15, 50, 1, Bound::Exact});
    CHECK(table.find(key(5), 0).depth == 1);
    CHECK(table.find(key(4), 0).depth == 12);
    // Wins are kept as distances from the position.
    table.store(key(6), 4, {16, won_at(10), 5, Bound::Exact});
    CHECK(table.find(key(6), 2).value == won_at(8));
    CHECK(table.find(key(6), 4).value == won_at(10));
}

TEST_CASE("Limits: a node limit is kept to the node, and a move is ready whatever it is") {
    UniformTree tree(5, 30, UniformTree::Kind::Random, 3);
    for (const std::uint64_t most : {1U, 2U, 7U, 100U, 1024U, 5000U}) {
        CAPTURE(most);
        Memory memory;
        Settings settings = pvs_settings();
        settings.iterative = true;
        Searcher<UniformTree> searcher(tree, settings, memory);
        Limits limits;
        limits.nodes = most;
        Silence silence;
        const auto lines = searcher.think(limits, silence);
        REQUIRE(!lines.empty());
        CHECK(lines[0].moves[0] >= 1);
        CHECK(searcher.nodes() <= most + 1);
    }
}
