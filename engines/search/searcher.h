#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engines/search/chains.h"
#include "engines/search/control.h"
#include "engines/search/history.h"
#include "engines/search/node_log.h"
#include "engines/search/settings.h"
#include "engines/search/state.h"
#include "engines/search/table.h"
#include "engines/search/values.h"

namespace assay::engines {

/// Receives each step of a search with move chains. For tests and traces.
class ChainEvents {
public:
    enum class Kind : std::uint8_t {
        Followed,  // a chain was found, is legal, and stands for the search of its first move
        Removed,   // a chain was found and cannot be played here
        Searched,  // no chain: the move is searched in full
        Updated,   // a chain raised alpha and is stored anew
        Added      // a node's best path is stored
    };

    virtual ~ChainEvents() = default;
    virtual void on(Kind kind, int ply, std::span<const Move> moves) = 0;
};

/// Data that a search keeps from move to move of a game.
struct Memory {
    TranspositionTable table;
    History history;
    ChainStore chains;
    std::size_t size_in_bytes = 0;  // that the table was sized with

    /// Throws std::bad_alloc where there is no memory for it; the table is empty then.
    void size_table(std::size_t bytes) {
        if (bytes == size_in_bytes) return;
        size_in_bytes = 0;
        table.resize(bytes);
        size_in_bytes = bytes;
    }

    void clear() {
        table.clear();
        history.clear();
        chains.clear();
    }
};

/// One searcher for all games and methods: fail-soft alpha-beta in the negamax form, with each
/// improvement a setting. A node is one call of node(), counted and logged as such, with one
/// exception: a node at whose depth quiescence begins is that search's first node. Holds neither
/// the position nor the memory; both must outlive it. One thread.
template <SearchState State>
class Searcher {
public:
    /// REQUIRES: check_settings() accepts the settings.
    Searcher(State& state, const Settings& settings, Memory& memory)
        : state_(state), settings_(settings), memory_(memory), frames_(kMaxPly + 2) {}

    void listen(ChainEvents* events) { events_ = events; }

    /// Nothing is logged, and logging costs one test a node, where it is null.
    void log_to([[maybe_unused]] NodeLog* log) {
#if !defined(ASSAY_PLAYER_WITHOUT_LOG)
        log_ = log;
#endif
    }

    /// The best lines of the last whole iteration, or what a started one found that is better;
    /// empty where there is no move. The state is as before.
    std::vector<Line> think(const Limits& limits, Control& control);

    [[nodiscard]] std::uint64_t nodes() const {
        return nodes_;
    }

    /// The number of positions that were evaluated statically.
    [[nodiscard]] std::uint64_t leaves() const {
        return leaves_;
    }

    [[nodiscard]] std::uint64_t quiescence_nodes() const {
        return quiescence_nodes_;
    }

    [[nodiscard]] std::uint64_t chains_found() const {
        return chains_found_;
    }

    [[nodiscard]] std::uint64_t chains_followed() const {
        return chains_followed_;
    }

private:
    struct Frame {
        MoveBuffer moves;
        std::array<Move, 2> killers{kNoMove, kNoMove};
        std::vector<Move> line;  // the best one found from here
        std::vector<Move> tail;  // behind it, below the depth: the moves to a win or loss
        int mover = 0;           // whose moves they are

        void clear_line() {
            line.clear();
            tail.clear();
        }
    };

    /// A search of one move's position: how deep, and the flags that its node adds.
    struct Try {
        int alpha = 0;
        int beta = 0;
        int depth = 0;
        NodeType type = NodeType::PV;
        unsigned flags = 0;
    };

    /// Results of the loop over the moves of a node.
    struct Best {
        int value = -kInfinite;
        Move move = kNoMove;
        Reach reach = kAnyPath;
        int alpha = 0;
    };

    // searcher_root.h
    void fill_root(const Limits& limits);
    void iterate(int depth, int number);
    int aspire(int depth, int number);
    void keep_root(int depth, int number, int value);
    void finish(Line& line);
    int value_by_table(int ply);
    Move move_to_value(int ply, int value);
    [[nodiscard]] bool is_enough(const Limits& limits, int depth) const;

    // searcher_nodes.h
    int node(NodeEntry entry);
    int value_of(NodeEntry& entry);
    int minimax(const NodeEntry& entry);
    int interior(NodeEntry& entry);
    std::optional<int> known_value(NodeEntry& entry, Known& known);
    std::optional<int> try_pass(const NodeEntry& entry);
    int loop(const NodeEntry& entry, const Known& known);
    int loop_body(const NodeEntry& entry, std::size_t i, Best& best);
    int search_move(const NodeEntry& entry, std::size_t i, Move move, int alpha);
    int reduction(const NodeEntry& entry, std::size_t i, const ScoredMove& move) const;
    int child(const NodeEntry& parent, Move move, const Try& attempt, int mover);
    void store(const NodeEntry& entry, const Known& known, const Best& best);
    void poll();

    // searcher_quiet.h
    int leaf(int ply);
    int quiescence(NodeEntry& entry);
    void lead_with(Move move, int ply);
    [[nodiscard]] bool is_hopeless(Move move, int standing, int alpha) const;

    // searcher_moves.h
    [[nodiscard]] std::uint64_t history_key(Move move);
    void fill_moves(const NodeEntry& entry, Move first);
    ScoredMove pick(Frame& frame, std::size_t i) const;
    void learn_cut(const NodeEntry& entry, std::size_t i, Move move);
    void keep_line(int ply, Move move);

    // searcher_chains.h
    std::optional<int> follow_chain(const NodeEntry& entry, Move move, int alpha);
    bool can_play(std::span<const Move> chain);
    int play_out(const NodeEntry& parent, std::span<const Move> rest, const Try& attempt,
                 int mover);
    void add_chain(int ply, ChainEvents::Kind kind, std::span<const Move> moves);
    void tell(ChainEvents::Kind kind, int ply, std::span<const Move> moves);

    State& state_;
    const Settings settings_;
    Memory& memory_;
    std::vector<Frame> frames_;
    ChainEvents* events_ = nullptr;
#if defined(ASSAY_PLAYER_WITHOUT_LOG)
    static constexpr NodeLog* log_ = nullptr;  // to measure what logging costs while it is off
#else
    NodeLog* log_ = nullptr;
#endif

    std::vector<Move> root_moves_;  // best first, as far as known
    std::vector<Line> lines_;
    Control* control_ = nullptr;
    std::uint64_t nodes_ = 0;
    std::uint64_t leaves_ = 0;
    std::uint64_t quiescence_nodes_ = 0;
    std::uint64_t chains_found_ = 0;
    std::uint64_t chains_followed_ = 0;
    std::uint64_t next_poll_ = 0;
    std::uint64_t most_nodes_ = 0;  // 0: no limit
    std::size_t first_root_ = 0;    // root moves before it are taken by better lines
    int root_depth_ = 0;
    int deepest_ = 0;
    Reach reach_ = kAnyPath;  // of the value that the last call returned
    bool stopped_ = false;
    bool chain_broke_ = false;  // of the move to be searched next
};

}  // namespace assay::engines

#include "engines/search/searcher_chains.h"
#include "engines/search/searcher_moves.h"
#include "engines/search/searcher_nodes.h"
#include "engines/search/searcher_quiet.h"
#include "engines/search/searcher_root.h"
