#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engines/search/values.h"

namespace assay::engines {

/// The square that a move leaves and the piece that moves: the key of the store.
struct Origin {
    std::size_t square = 0;  // below ChainStore::kSquares
    std::uint8_t piece = 0;  // kind and colour
};

/// Dynamic move chains (Greer, "Dynamic Move Chains", section 3): an array by the square that a
/// chain's first move leaves, one chain a piece there, each move linked to the next. A chain does
/// not record the position that it was found in: the search tests each time whether it can be
/// played, and removes it if not.
class ChainStore {
public:
    static constexpr std::size_t kSquares = 64;
    static constexpr std::size_t kLongest = 16;  // moves of a chain; the rest is not kept

    void clear();

    /// Replaces the chain of its first move's square and piece. REQUIRES: not empty.
    void insert(Origin origin, std::span<const Move> chain);

    /// The chain that begins with this move; empty if there is none.
    [[nodiscard]] std::vector<Move> find(Origin origin, Move first) const;

    [[nodiscard]] bool contains(Origin origin, Move first) const {
        return entry_of(origin, first) != nullptr;
    }

    /// False if there was none.
    bool remove(Origin origin, Move first);

    /// Chains now in store.
    [[nodiscard]] std::size_t size() const { return size_; }

    /// The most moves in any chain now in store; 0 without one.
    [[nodiscard]] std::size_t longest() const;

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    struct Link {
        Move move = kNoMove;
        std::uint32_t next = kNone;
    };

    struct Entry {
        std::uint8_t piece = 0;
        std::uint32_t first = kNone;
    };

    [[nodiscard]] const Entry* entry_of(Origin origin, Move first) const;
    std::uint32_t make_links(std::span<const Move> chain);
    void free_links(std::uint32_t first);

    std::array<std::vector<Entry>, kSquares> squares_;
    std::vector<Link> links_;
    std::uint32_t free_ = kNone;  // the first of the links not in use, chained by next
    std::size_t size_ = 0;
};

}  // namespace assay::engines
