// A transposition table with two entries a slot. One entry that always keeps the deeper search
// fills up with results that are never needed again; one that always keeps the newer search loses
// the expensive ones. With both, a deep result survives and the search at hand still finds what it
// has just stored. Results of earlier moves of the game count as shallow, by a generation number of
// six bits, so that the table need not be cleared between moves.
#include "engines/search/table.h"

#include <algorithm>
#include <bit>

namespace assay::engines {

namespace {

// A win is stored as its distance from the position, which is the same on every path to it.
int from_root_to_node(int value, int ply) {
    if (value >= kSureWin) return value + ply;
    if (value <= -kSureWin) return value - ply;
    return value;
}

int from_node_to_root(int value, int ply) {
    if (value >= kSureWin) return value - ply;
    if (value <= -kSureWin) return value + ply;
    return value;
}

}  // namespace

void TranspositionTable::resize(std::size_t bytes) {
    const std::size_t slots =
        bytes == 0 ? 0 : std::bit_floor(std::max(bytes / sizeof(Slot), std::size_t{1}));
    slots_.clear();
    slots_.shrink_to_fit();
    slots_.resize(slots);
    mask_ = slots == 0 ? 0 : slots - 1;
    generation_ = 0;
}

void TranspositionTable::clear() {
    std::fill(slots_.begin(), slots_.end(), Slot{});
    generation_ = 0;
}

Known TranspositionTable::find(std::uint64_t key, int ply) const {
    if (slots_.empty()) return {};
    const Slot& slot = slots_[key & mask_];
    for (const Entry* entry : {&slot.deep, &slot.recent}) {
        if (entry->key != upper(key) || entry->depth < 0) continue;
        return {entry->move, from_node_to_root(entry->value, ply), entry->depth,
                static_cast<Bound>(entry->marks & 3U)};
    }
    return {};
}

void TranspositionTable::store(std::uint64_t key, int ply, const Known& known) {
    if (slots_.empty()) return;
    Slot& slot = slots_[key & mask_];
    Entry entry;
    entry.key = upper(key);
    entry.move = known.move;
    entry.value = static_cast<std::int16_t>(from_root_to_node(known.value, ply));
    entry.depth = static_cast<std::int8_t>(known.depth);
    entry.marks = static_cast<std::uint8_t>(static_cast<unsigned>(known.bound) |
                                            static_cast<unsigned>(generation_) << 2U);
    const bool same = slot.deep.key == entry.key && slot.deep.depth >= 0;
    // A result without a move (a cut-off by the null move, say) keeps the move found earlier.
    if (entry.move == kNoMove && same) entry.move = slot.deep.move;
    if (same || entry.depth >= slot.deep.depth || (slot.deep.marks >> 2U) != generation_) {
        if (!same) slot.recent = slot.deep;
        slot.deep = entry;
    } else {
        slot.recent = entry;
    }
}

int TranspositionTable::permille_full() const {
    const std::size_t sample = std::min<std::size_t>(slots_.size(), 500);
    if (sample == 0) return 0;
    std::size_t used = 0;
    for (std::size_t i = 0; i < sample; ++i) {
        for (const Entry* entry : {&slots_[i].deep, &slots_[i].recent}) {
            used += entry->depth >= 0 && (entry->marks >> 2U) == generation_ ? 1 : 0;
        }
    }
    // Two entries a slot: thousandths of all entries in the sample.
    return static_cast<int>(used * 500 / sample);
}

}  // namespace assay::engines
