#pragma once
#include <cstddef>
#include <optional>
#include <vector>

namespace assay::stats {

/// A square matrix of doubles, by rows. Only what the ratings need.
class Matrix {
public:
    explicit Matrix(std::size_t size) : size_(size), values_(size * size, 0.0) {}

    [[nodiscard]] std::size_t size() const { return size_; }

    [[nodiscard]] double& at(std::size_t row, std::size_t column) {
        return values_[row * size_ + column];
    }

    [[nodiscard]] double at(std::size_t row, std::size_t column) const {
        return values_[row * size_ + column];
    }

private:
    std::size_t size_;
    std::vector<double> values_;
};

[[nodiscard]] Matrix product(const Matrix& a, const Matrix& b);
[[nodiscard]] std::vector<double> product(const Matrix& a, const std::vector<double>& x);

/// The lower triangle L with L L^T = a. Pivots below `tolerance` times the greatest diagonal entry
/// count as zero and leave an empty column, so that a singular covariance has its factor too.
/// REQUIRES: `a` symmetric and not negative.
[[nodiscard]] Matrix semidefinite_factor(const Matrix& a, double tolerance = 1e-12);

/// The inverse of a symmetric positive definite matrix; nullopt where it is not.
[[nodiscard]] std::optional<Matrix> inverse(const Matrix& a);

}  // namespace assay::stats
