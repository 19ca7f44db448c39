#pragma once
#include <cstdint>
#include <vector>

#include "engines/search/values.h"

namespace assay::engines {

/// Limits that end a search, beside its Control.
struct Limits {
    int depth = kMaxPly - 1;
    std::uint64_t nodes = 0;  // 0: any number
    int mate = 0;             // a win in at most this number of own moves ends it; 0: not used
    int lines = 1;            // number of best moves to report with their values
    std::vector<Move> only;   // the root moves to search; empty: all
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
    // A sure win or loss has all moves to its end, unless this is set: the value was proven, but
    // not all moves that prove it are known. Such a value is told as a bound.
    bool is_cut = false;
    bool is_only_reply = false;
};

/// Tells a search when to stop, and receives its results. Called on the searching thread.
class Control {
public:
    virtual ~Control() = default;

    /// Called about every 256 nodes. True ends the search at once.
    virtual bool must_stop() = 0;

    /// Called after each iteration with its best line: whether to begin another one.
    virtual bool may_deepen(const Line& best) = 0;

    virtual void report(const Line& line) = 0;
};

/// Never stops and reports nothing: for searches that end by their limits.
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
