#pragma once
#include <cstddef>
#include <vector>

namespace assay::harness {

/// Wide enough for several criteria, one above the other, in one number.
__extension__ using PairingCost = __int128;

/// Costs of pairing any two of `count` places.
class PairingCosts {
public:
    explicit PairingCosts(std::size_t count) : count_(count), costs_(count * count, 0) {}

    [[nodiscard]] std::size_t count() const { return count_; }

    [[nodiscard]] PairingCost at(std::size_t a, std::size_t b) const {
        return costs_[a * count_ + b];
    }

    void set(std::size_t a, std::size_t b, PairingCost cost) {
        costs_[a * count_ + b] = cost;
        costs_[b * count_ + a] = cost;
    }

private:
    std::size_t count_;
    std::vector<PairingCost> costs_;
};

/// Pairs all places so that the sum of costs is the least there is: the partner of each place. Of
/// several such pairings always the same one. Takes count^3 steps at most.
/// REQUIRES: an even count; costs from 0 to 2^116, and at most 1,000 places.
[[nodiscard]] std::vector<std::size_t> pair_up(const PairingCosts& costs);

}  // namespace assay::harness
