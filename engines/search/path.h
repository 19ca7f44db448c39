#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engines/search/values.h"

namespace assay::engines {

/// The hashes of the positions of a game and of the line that is searched from it, in order; the
/// one on the board is not among them.
class Path {
public:
    Path() = default;

    /// `earlier`: the game's positions before the root, oldest first.
    explicit Path(std::span<const std::uint64_t> earlier) : keys_(earlier.begin(), earlier.end()) {}

    void push(std::uint64_t key) { keys_.push_back(key); }

    void pop() { keys_.pop_back(); }

    /// Positions before a pass are not compared with those after it. Returns the value to restore.
    std::size_t bar() { return std::exchange(barrier_, keys_.size()); }

    void restore(std::size_t barrier) { barrier_ = barrier; }

    /// The ply that a repetition leans on, where the position `key`, `ply` plies below the root,
    /// was on the line before (once is enough) or in the game (twice is). Only the last `plies`
    /// positions can be equal.
    [[nodiscard]] std::optional<Reach> repetition(std::uint64_t key, int plies, int ply) const {
        const int most = std::min(plies, static_cast<int>(keys_.size() - barrier_));
        bool in_game = false;
        for (int back = 4; back <= most; back += 2) {
            if (keys_[keys_.size() - static_cast<std::size_t>(back)] != key) continue;
            if (back <= ply || in_game) return ply - back;
            in_game = true;
        }
        return std::nullopt;
    }

    /// The same for any game: the ply of the last equal position on the line, if there is one.
    [[nodiscard]] std::optional<Reach> last_equal(std::uint64_t key, int ply) const {
        for (std::size_t back = 1; back <= keys_.size(); ++back) {
            if (keys_[keys_.size() - back] == key) return ply - static_cast<int>(back);
        }
        return std::nullopt;
    }

private:
    std::vector<std::uint64_t> keys_;
    std::size_t barrier_ = 0;
};

}  // namespace assay::engines
