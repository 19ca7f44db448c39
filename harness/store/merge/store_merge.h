#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace assay::harness {

/// A run of a merged store, and where it came from.
struct MergedRun {
    struct Origin {
        std::string store;
        std::int64_t run = 0;
    };

    /// Pairs of a match that no store had.
    struct Lack {
        std::string match;
        std::int64_t pairs = 0;
        std::int64_t of = 0;     // planned
        std::int64_t first = 0;  // the first that lacks, from 0
    };

    std::int64_t run = 0;  // its number in the merged store
    std::string name;
    std::vector<Origin> from;  // more than one: stores that each held a copy, or a part, of it
    std::int64_t games = 0;    // finished ones, each once
    std::vector<Lack> lacks;   // of a run that was played as shards
};

struct MergeResult {
    std::vector<MergedRun> runs;
    std::vector<std::string> warnings;  // sentences
    int missing_trees = 0;  // packed trees that a store names and that are no longer there
};

/// Puts the runs of all inputs into a new store, numbered from 1 in the order in which they began,
/// with their packed trees. Runs of one uid (record/run_identity.h) are one: its games are united,
/// and what both have must be equal in every field. The run's state is that of the copy that got
/// further; of shards of it, that of an interrupted run. The inputs stay as they are (an
/// older schema is brought up to date, as everywhere) and may be played into meanwhile. Throws
/// Error (exit code 2) and leaves no output where it is there already, where an input is named
/// twice or is no store, and where two copies of a run differ: in plan, seed, program, book, a game
/// or a search.
MergeResult merge_stores(const std::vector<std::string>& inputs, const std::string& output);

}  // namespace assay::harness
