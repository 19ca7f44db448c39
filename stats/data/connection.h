#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace assay::stats {

/// Which programs of a tournament took points from which, and what follows for ratings: the
/// likelihood of strengths has a finite maximum only where every program reaches every other along
/// "took at least half a point from" (Ford 1957). Programs are numbered 0 to count - 1.
class Connection {
public:
    /// `took[k]` = (a, b): a took at least half a point from b.
    Connection(std::size_t programs, const std::vector<std::pair<std::size_t, std::size_t>>& took);

    /// Sets of programs that have met, directly or through others. Strengths of different sets
    /// cannot be compared. In the order of their first program.
    [[nodiscard]] const std::vector<std::vector<std::size_t>>& components() const {
        return components_;
    }

    [[nodiscard]] std::size_t component_of(std::size_t program) const {
        return component_of_[program];
    }

    /// Whether a took points from b through a chain of others: a - b is then bounded from below.
    [[nodiscard]] bool reaches(std::size_t a, std::size_t b) const {
        return reach_[a * component_of_.size() + b];
    }

    /// Whether both reach each other: their difference is then bounded on both sides.
    [[nodiscard]] bool is_bounded(std::size_t a, std::size_t b) const {
        return reaches(a, b) && reaches(b, a);
    }

    /// Whether all differences within the component are bounded.
    [[nodiscard]] bool is_strong(std::size_t component) const;

private:
    std::vector<std::vector<std::size_t>> components_;
    std::vector<std::size_t> component_of_;
    std::vector<bool> reach_;
};

}  // namespace assay::stats
