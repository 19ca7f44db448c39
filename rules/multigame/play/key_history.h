#pragma once
#include <cstdint>
#include <vector>

namespace assay::rules::multigame {

/// The keys of a game's positions, oldest first. Answers where a key stood before in a time that
/// does not grow with the length of the game, whatever moves were made.
class KeyHistory {
public:
    static constexpr int kNever = -1;

    /// A position with this key.
    void push(std::uint64_t key);
    /// A position that equals no other.
    void push_unique();
    /// Forgets the newest position. REQUIRES: there is one.
    void pop();

    /// The newest position before position n (from 0) with the key of position n, or kNever.
    [[nodiscard]] int last_equal(int n) const;

private:
    struct Entry {
        std::uint64_t key = 0;
        int before = kNever;  // the position before in the same bucket
        bool is_unique = false;
    };

    [[nodiscard]] std::size_t bucket(std::uint64_t key) const { return key & (heads_.size() - 1); }

    void grow();

    std::vector<Entry> entries_;
    std::vector<int> heads_;  // by bucket: the newest position there; a power of two of them
};

}  // namespace assay::rules::multigame
