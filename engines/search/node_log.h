#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "engines/search/values.h"
#include "gtql/log/treelog.h"

namespace assay::engines {

/// The type of a node in alpha-beta: PV where its window is open at entry; with a minimal window,
/// the type that a perfect order of moves would give.
enum class NodeType : std::uint8_t { PV = 1, Cut = 2, All = 3 };

/// Bits of a node's `flags` in tree logs.
inline constexpr unsigned kQNode = 1;       // part of a quiescence search
inline constexpr unsigned kQRootNode = 2;   // the first node of one
inline constexpr unsigned kNullMove = 4;    // reached by passing
inline constexpr unsigned kNullSearch = 8;  // somewhere below such a node
inline constexpr unsigned kReSearch = 16;   // searched again, because the first search failed high
inline constexpr unsigned kReSearchTree = 32;  // somewhere below such a node
inline constexpr unsigned kInCheck = 64;
inline constexpr unsigned kExtended = 128;
inline constexpr unsigned kReduced = 256;
inline constexpr unsigned kTTCut = 2048;       // answered by the transposition table
inline constexpr unsigned kDraw = 4096;        // drawn by the rules
inline constexpr unsigned kStandPat = 8192;    // a quiescence node whose static value was enough
inline constexpr unsigned kChainLink = 16384;  // a move of a chain that is played out, not the last
inline constexpr unsigned kChainEnd = 32768;   // the quiescence search after a chain
inline constexpr unsigned kChainBroken = 65536;  // searched in full: its chain cannot be played
inline constexpr unsigned kInherited = kNullSearch | kReSearchTree;

/// A node as the search enters it.
struct NodeEntry {
    int ply = 0;
    int depth = 0;  // remaining depth; 0 and below in quiescence
    int alpha = -kInfinite;
    int beta = kInfinite;
    NodeType type = NodeType::PV;
    unsigned flags = 0;
    Move move = kNoMove;  // that led to the node; kNoMove at the root and after a pass
};

/// Writes the nodes of a search with treelog.h, one tree an iteration. An error turns the log off
/// and does not affect the search. One thread.
class NodeLog {
public:
    /// Writes the name of a move. REQUIRES: `text` holds 32 bytes.
    using MoveName = void (*)(Move move, char* text, const void* context);

    /// Creates the file or replaces an old one. `game`: as rules::make_game knows it. `most_nodes`:
    /// in the whole log; 0: no limit. REQUIRES: `context`, the argument of `name`, outlives the
    /// log.
    NodeLog(const std::string& path, const std::string& game, std::uint64_t most_nodes,
            MoveName name, const void* context);
    ~NodeLog();
    NodeLog(const NodeLog&) = delete;
    NodeLog& operator=(const NodeLog&) = delete;

    /// Begins a new search from the position with this text.
    void start_search(std::string position, std::string parameters);
    void start_tree(int iteration);

    void enter(const NodeEntry& entry) {
        const std::array<std::int64_t, 5> values{entry.ply, entry.depth, entry.alpha, entry.beta,
                                                 static_cast<std::int64_t>(entry.type)};
        const bool has_move = entry.move != kNoMove || (entry.flags & kNullMove) != 0;
        const std::int64_t move = has_move ? static_cast<std::int64_t>(entry.move) : -1;
        treelog_enter(stream_, move, values.data(), values.size());
    }

    void leave(int value, unsigned flags) {
        const std::array<std::int64_t, 2> values{value, flags};
        treelog_leave(stream_, values.data(), values.size());
    }

    /// Nodes that are still open are marked as unfinished.
    void end_tree();

    /// The reason why the log is off; empty while it is on.
    [[nodiscard]] std::string error() const;

private:
    static void write_name(std::int64_t move, char* text, void* self);

    treelog* log_;
    treelog_stream* stream_ = nullptr;
    MoveName name_;
    const void* context_;
    std::string position_;
    std::string parameters_;
    std::uint32_t search_ = 0;
};

}  // namespace assay::engines
