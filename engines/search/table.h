#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engines/search/large_pages.h"
#include "engines/search/values.h"

namespace assay::engines {

/// An entry for a position.
struct Known {
    Move move = kNoMove;  // the best one, or the one that caused a cut-off; kNoMove: neither
    int value = 0;        // wins count from the position, as the table keeps them
    int depth = -1;       // -1 where nothing is known
    Bound bound = Bound::None;
};

/// A transposition table. Two entries a slot: the first is given up only for a search as deep or
/// for one of a later game move, the second for any ("two-level replacement", Breuker, Uiterwijk
/// and van den Herik 1994). It does not know of paths: the searcher keeps out what rests on them.
class TranspositionTable {
public:
    /// The largest power of two of slots within `bytes`, at least one; 0 bytes hold nothing, and
    /// then nothing is ever known. Cleared.
    void resize(std::size_t bytes);
    void clear();

    /// Older entries become the first to be replaced.
    void next_search() { generation_ = static_cast<std::uint8_t>((generation_ + 1U) & 0x3fU); }

    [[nodiscard]] Known find(std::uint64_t key, int ply) const;
    void store(std::uint64_t key, int ply, const Known& known);

    void prefetch(std::uint64_t key) const {
        if (!slots_.empty()) __builtin_prefetch(&slots_[key & mask_]);
    }

    /// The share of entries of this search, in thousandths; from a sample.
    [[nodiscard]] int permille_full() const;

    [[nodiscard]] std::size_t entries() const { return 2 * slots_.size(); }

private:
    struct Entry {
        std::uint32_t key = 0;
        Move move = kNoMove;
        std::int16_t value = 0;
        std::int8_t depth = -1;
        std::uint8_t marks = 0;  // bound in bits 0-1, generation above
    };

    struct alignas(32) Slot {
        Entry deep;
        Entry recent;
    };

    static std::uint32_t upper(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32U); }

    std::vector<Slot, LargePages<Slot>> slots_;
    std::uint64_t mask_ = 0;
    std::uint8_t generation_ = 0;
};

}  // namespace assay::engines
