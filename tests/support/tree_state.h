#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engines/search/state.h"

namespace assay::tests {

/// A state of searches that knows nothing but its tree; the trees below say what that looks like.
/// Every position is a different one, moves are numbered from 1, nothing is noisy.
class BareState {
public:
    [[nodiscard]] static engines::Abilities abilities() { return {false, false, false, true}; }

    void noisy(engines::MoveBuffer& out) { out.clear(); }

    void pass() {}

    void unpass() {}

    [[nodiscard]] bool may_pass() const { return false; }

    [[nodiscard]] int stuck(int) const { return 0; }

    [[nodiscard]] bool in_check() const { return false; }

    [[nodiscard]] int promise(engines::Move) const { return 0; }

    [[nodiscard]] int gain(engines::Move) const { return engines::kInfinite; }

    [[nodiscard]] bool wastes(engines::Move) const { return false; }

    [[nodiscard]] int move_class(engines::Move) const { return 0; }

    [[nodiscard]] std::uint64_t history_key(engines::Move move) const { return move; }

    [[nodiscard]] std::uint64_t signature(engines::Move move) const { return move; }
};

/// A uniform tree: `width` moves everywhere, and leaf values at `depth`.
class UniformTree : public BareState {
public:
    enum class Kind : std::uint8_t {
        Random,  // values of leaves drawn from -`range` to `range`
        Ordered  // the first move is the best one everywhere
    };

    UniformTree(unsigned width, int depth, Kind kind, std::uint64_t seed, int range = 100)
        : width_(width), depth_(depth), kind_(kind), seed_(seed), range_(range) {}

    [[nodiscard]] int side() const { return static_cast<int>(path_.size() % 2); }

    [[nodiscard]] std::uint64_t hash() const {
        std::uint64_t key = seed_;
        for (const engines::Move move : path_) key = mix64(key, move);
        return key;
    }

    [[nodiscard]] std::uint64_t table_key() const { return hash(); }

    void moves(engines::MoveBuffer& out) const {
        for (unsigned move = 1; move <= width_; ++move) out.push(move);
    }

    void make(engines::Move move) { path_.push_back(move); }

    void undo() { path_.pop_back(); }

    [[nodiscard]] bool is_legal(engines::Move move) const {
        return move >= 1 && move <= width_ && static_cast<int>(path_.size()) < depth_;
    }

    [[nodiscard]] std::optional<engines::Judgement> judge(int) const { return std::nullopt; }

    [[nodiscard]] int evaluate() const {
        if (kind_ == Kind::Random) return draw(hash(), 2 * range_ + 1) - range_;
        // From the root's value down: the best child has its parent's with the other sign, the
        // others are worse for the parent.
        int value = 0;
        std::uint64_t key = seed_;
        for (const engines::Move move : path_) {
            key = mix64(key, move);
            value = move == 1 ? -value : -value + 1 + draw(key, range_);
        }
        return value;
    }

    [[nodiscard]] engines::Origin origin(engines::Move move) const { return {move % 64, 0}; }

    [[nodiscard]] int depth() const { return depth_; }

private:
    static int draw(std::uint64_t key, int bound) {
        return static_cast<int>(mix64(key) % static_cast<std::uint64_t>(bound));
    }

    unsigned width_;
    int depth_;
    Kind kind_;
    std::uint64_t seed_;
    int range_;
    std::vector<engines::Move> path_;
};

}  // namespace assay::tests
