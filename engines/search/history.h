#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace assay::engines {

/// The history heuristic (Schaeffer 1989): how often similar moves were best or caused a cut-off,
/// weighted by depth. The key defines which moves are similar (settings.h). Keys are folded into
/// 8,192 cells.
class History {
public:
    void clear() { cells_.fill(0); }

    [[nodiscard]] int promise(std::uint64_t key) const { return cells_[cell(key)]; }

    /// A move that cut at this depth.
    void reward(std::uint64_t key, int depth) { move_towards(cells_[cell(key)], kMost, depth); }

    /// A move that was tried before the one that cut.
    void punish(std::uint64_t key, int depth) { move_towards(cells_[cell(key)], -kMost, depth); }

    /// Halves the values of earlier searches.
    void age() {
        for (int& value : cells_) value /= 2;
    }

    static constexpr int kMost = 1 << 14;

private:
    static constexpr std::size_t kCells = 1U << 13U;

    static std::size_t cell(std::uint64_t key) {
        return static_cast<std::size_t>(key ^ key >> 13U ^ key >> 26U ^ key >> 39U ^ key >> 52U) &
               (kCells - 1);
    }

    static void move_towards(int& value, int limit, int depth) {
        const int weight = depth * depth < 400 ? depth * depth : 400;
        value += (limit - value) * weight / kMost;
    }

    std::array<int, kCells> cells_{};
};

}  // namespace assay::engines
