#include "engines/search/chains.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "engines/search/searcher.h"
#include "tests/support/tree_state.h"

using namespace assay::engines;

TEST_CASE("Chains: one a square and piece, replaced, found by the whole first move, removed") {
    ChainStore store;
    const Origin knight{6, 1};
    const Origin rook{6, 3};
    CHECK(store.size() == 0);
    CHECK(store.longest() == 0);
    CHECK(!store.contains(knight, 10));
    store.insert(knight, std::vector<Move>{10, 20, 30});
    store.insert(rook, std::vector<Move>{11});
    CHECK(store.size() == 2);
    CHECK(store.longest() == 3);
    CHECK(store.find(knight, 10) == std::vector<Move>{10, 20, 30});
    CHECK(store.find(rook, 11) == std::vector<Move>{11});
    CHECK(store.find(knight, 11).empty());
    CHECK(store.find({7, 1}, 10).empty());
    // A new chain of the same piece on the same square takes the place of the old one.
    store.insert(knight, std::vector<Move>{12, 22});
    CHECK(store.size() == 2);
    CHECK(!store.contains(knight, 10));
    CHECK(store.find(knight, 12) == std::vector<Move>{12, 22});
    CHECK(store.longest() == 2);
    CHECK(!store.remove(knight, 10));
    CHECK(store.remove(knight, 12));
    CHECK(!store.remove(knight, 12));
    CHECK(store.size() == 1);
    CHECK(store.longest() == 1);
    // Links that were given back are used again and hold what is put there.
    store.insert({1, 1}, std::vector<Move>{1, 2, 3, 4, 5, 6, 7});
    store.insert({2, 1}, std::vector<Move>{8, 9});
    CHECK(store.find({1, 1}, 1) == std::vector<Move>{1, 2, 3, 4, 5, 6, 7});
    CHECK(store.find({2, 1}, 8) == std::vector<Move>{8, 9});
    CHECK(store.find(rook, 11) == std::vector<Move>{11});
    store.insert({3, 1}, std::vector<Move>(40, 5));
    CHECK(store.longest() == ChainStore::kLongest);
    store.clear();
    CHECK(store.size() == 0);
    CHECK(!store.contains(rook, 11));
}

namespace {

/// A tree written down by hand: moves are letters, positions are the letters that led there, and
/// values are the first player's.
class ScriptedTree : public assay::tests::BareState {
public:
    ScriptedTree(std::map<std::string, std::string> moves, std::map<std::string, int> values)
        : moves_(std::move(moves)), values_(std::move(values)) {}

    [[nodiscard]] static Abilities abilities() { return {false, true, false, true}; }

    [[nodiscard]] int side() const { return static_cast<int>(path_.size() % 2); }

    [[nodiscard]] std::uint64_t hash() const { return std::hash<std::string>()(path_); }

    [[nodiscard]] std::uint64_t table_key() const { return hash(); }

    void moves(MoveBuffer& out) const {
        for (const char letter : here()) out.push(static_cast<Move>(letter));
    }

    void make(Move move) { path_ += static_cast<char>(move); }

    void undo() { path_.pop_back(); }

    [[nodiscard]] bool is_legal(Move move) const {
        return here().find(static_cast<char>(move)) != std::string::npos;
    }

    [[nodiscard]] std::optional<Judgement> judge(int) const { return std::nullopt; }

    [[nodiscard]] int evaluate() const {
        const auto found = values_.find(path_);
        REQUIRE_MESSAGE(found != values_.end(), path_);
        return side() == 0 ? found->second : -found->second;
    }

    [[nodiscard]] Origin origin(Move move) const { return {move % 64, 0}; }

private:
    [[nodiscard]] std::string here() const {
        const auto found = moves_.find(path_);
        return found == moves_.end() ? "" : found->second;
    }

    std::map<std::string, std::string> moves_;
    std::map<std::string, int> values_;
    std::string path_;
};

/// "0 search a", "1 follow yk" and so on.
class Recorder final : public ChainEvents {
public:
    void on(Kind kind, int ply, std::span<const Move> moves) override {
        static constexpr std::array<const char*, 5> kWords{"follow", "remove", "search", "update",
                                                           "add"};
        std::string text = std::to_string(ply) + " " + kWords[static_cast<std::size_t>(kind)] + " ";
        for (const Move move : moves) text += static_cast<char>(move);
        events.push_back(text);
    }

    std::vector<std::string> events;
};

std::vector<Move> chain(std::string_view letters) {
    std::vector<Move> moves;
    for (const char letter : letters) moves.push_back(static_cast<Move>(letter));
    return moves;
}

Settings chain_settings() {
    Settings settings = alpha_beta_settings();
    settings.quiescence = true;
    settings.chains = true;
    return settings;
}

struct Traced {
    int value = 0;
    std::vector<Move> line;
    std::vector<std::string> events;
};

Traced trace(ScriptedTree& tree, Memory& memory, const Settings& settings) {
    REQUIRE(!check_settings(settings, ScriptedTree::abilities()));
    Searcher<ScriptedTree> searcher(tree, settings, memory);
    Recorder recorder;
    searcher.listen(&recorder);
    Limits limits;
    limits.depth = 2;
    Silence silence;
    const auto lines = searcher.think(limits, silence);
    return {lines.at(0).value, lines.at(0).moves, recorder.events};
}

}  // namespace

TEST_CASE("Chains: Figure 2, event by event, on a tree of three moves") {
    ScriptedTree tree({{"", "abc"}, {"a", "xy"}, {"b", "xz"}, {"c", "xy"}},
                      {{"ax", 3}, {"ay", 1}, {"bx", 5}, {"bz", 4}, {"cx", 6}, {"cy", 2}});
    Memory memory;
    const Traced traced = trace(tree, memory, chain_settings());
    CHECK(traced.events == std::vector<std::string>{
                               "0 search a",
                               "1 search x",  // 3, the best so far for the opponent
                               "1 search y",  // 1 is better for him
                               "1 add y",     // the best path of a's position
                               "0 search b",
                               "1 search x",
                               "1 search z",
                               "1 add z",
                               "0 search c",
                               "1 search x",
                               "1 follow y",  // stored after a, legal after c as well
                               "1 update y",  // it raised alpha, and cuts
                               "1 add y",
                               "0 add bz",
                           });
    CHECK(traced.value == 4);
    CHECK(traced.line == chain("bz"));
    CHECK(memory.chains.find(tree.origin('b'), 'b') == chain("bz"));
    CHECK(memory.chains.size() == 3);
}

TEST_CASE(
    "Chains: one that cannot be played is removed and the move searched; a long one is played out") {
    ScriptedTree tree({{"", "ab"}, {"a", "xy"}, {"b", "xz"}, {"bz", "k"}, {"bzk", "m"}},
                      {{"ax", 3}, {"ay", 1}, {"bx", 5}, {"bzkm", -7}});
    Memory memory;
    memory.chains.insert(tree.origin('x'), chain("xq"));   // no q after ax
    memory.chains.insert(tree.origin('z'), chain("zkm"));  // all legal after b
    const Traced traced = trace(tree, memory, chain_settings());
    CHECK(traced.events == std::vector<std::string>{"0 search a", "1 remove xq", "1 search x",
                                                    "1 search y", "1 add y", "0 search b",
                                                    "1 search x", "1 follow zkm", "1 update zkm",
                                                    "1 add zkm", "0 add ay"});
    // After bzkm the first player is to move again, and it is -7 to him.
    CHECK(traced.value == 1);
    CHECK(!memory.chains.contains(tree.origin('x'), 'x'));
    CHECK(memory.chains.longest() == 3);
}

TEST_CASE("Chains: at the root they are followed only where that is asked for") {
    ScriptedTree tree({{"", "ab"}, {"a", "x"}, {"b", "x"}},
                      {{"a", 9}, {"ax", 1}, {"bx", 2}, {"b", 0}});
    Memory memory;
    memory.chains.insert(tree.origin('a'), chain("a"));
    CHECK(trace(tree, memory, chain_settings()).value == 2);
    memory.clear();
    memory.chains.insert(tree.origin('a'), chain("a"));
    Settings settings = chain_settings();
    settings.chains_from = 0;
    const Traced traced = trace(tree, memory, settings);
    CHECK(traced.events.front() == "0 follow a");
    CHECK(traced.value == 9);  // the quiescence search after a
}
