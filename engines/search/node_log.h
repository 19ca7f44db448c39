#pragma once
#include <cstdint>

#include "engines/search/values.h"

namespace assay::engines {

/// What a node is to alpha-beta: PV where its window is open at entry; with a minimal window, what
/// the order of moves leads one to expect.
enum class NodeType : std::uint8_t { PV = 1, Cut = 2, All = 3 };

/// Bits of a node's `flags` in tree logs.
enum NodeFlag : unsigned {
    kQNode = 1,          // part of a quiescence search
    kQRootNode = 2,      // the first node of one
    kNullMove = 4,       // reached by passing
    kNullSearch = 8,     // somewhere below such a node
    kReSearch = 16,      // the same position again, because a search of it failed high
    kReSearchTree = 32,  // somewhere below such a node
    kInCheck = 64,
    kExtended = 128,
    kReduced = 256,
    kTTCut = 2048,       // answered by the transposition table
    kDraw = 4096,        // drawn by the rules
    kStandPat = 8192,    // a quiescence node whose static value was enough
    kChainLink = 16384,  // a move of a move chain that is played out
    kInherited = kNullSearch | kReSearchTree
};

/// A node as the search enters it.
struct NodeEntry {
    int ply = 0;
    int depth = 0;  // what is left; 0 and below in quiescence
    int alpha = -kInfinite;
    int beta = kInfinite;
    NodeType type = NodeType::PV;
    unsigned flags = 0;
    Move move = kNoMove;  // that led here; kNoMove at the root and after a pass
};

/// Writes the nodes of a search, iteration by iteration, as trees.
class NodeLog {
public:
    void start_tree(int iteration, int line) {
        (void)iteration;
        (void)line;
    }

    void enter(const NodeEntry& entry) { (void)entry; }

    void leave(int value, unsigned flags) {
        (void)value;
        (void)flags;
    }

    void end_tree() {}
};

}  // namespace assay::engines
