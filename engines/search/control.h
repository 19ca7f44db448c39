#pragma once
#include <cstdint>
#include <vector>

#include "engines/search/values.h"

namespace assay::engines {

/// What ends a search besides its control.
struct Limits {
    int depth = kMaxPly - 1;
    std::uint64_t nodes = 0;  // 0: any number
    int mate = 0;             // a win in at most so many moves of ours is enough; 0: not asked
    int lines = 1;            // how many of the best moves are wanted with their values
    std::vector<Move> only;   // the root moves to look at; empty: all
};

/// One of the best moves after an iteration.
struct Line {
    int number = 1;  // 1 is the best
    int depth = 0;
    int deepest = 0;  // the deepest ply reached, quiescence included
    int value = 0;
    std::uint64_t nodes = 0;  // of the whole search so far
    int permille_full = 0;
    std::vector<Move> moves;  // from the root; not empty
    bool is_only_reply = false;
};

/// The searcher's view of the world: who says when to stop, and who hears of results. Called on the
/// searching thread.
class Control {
public:
    virtual ~Control() = default;

    /// Asked every 256 nodes or so. True ends the search at once.
    virtual bool must_stop() = 0;

    /// Asked after each iteration with its best line, whether another one is worth its time.
    virtual bool may_deepen(const Line& best) = 0;

    virtual void report(const Line& line) = 0;
};

/// Never stops and says nothing: for searches that their limits end.
class Silence final : public Control {
public:
    bool must_stop() override { return false; }

    bool may_deepen(const Line& best) override {
        (void)best;
        return true;
    }

    void report(const Line& line) override { (void)line; }
};

}  // namespace assay::engines
