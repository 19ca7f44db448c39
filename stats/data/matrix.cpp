// Linear algebra for covariances of up to some hundred programs, by Cholesky's factorisation. A
// covariance of ratings is singular by construction, since the strengths add up to 0 in each
// component: a pivot that is zero up to rounding leaves an empty column instead of a failure. A
// library would bring pivoting and blocking that matrices of this size do not need.
#include "stats/data/matrix.h"

#include <algorithm>
#include <cmath>

namespace assay::stats {

Matrix product(const Matrix& a, const Matrix& b) {
    const std::size_t n = a.size();
    Matrix out(n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k) {
            // Rows in the inner loop, so that both matrices are walked in the order in which they
            // lie in memory; factors are half empty, and zeros are stepped over.
            const double left = a.at(i, k);
            if (left == 0) continue;
            for (std::size_t j = 0; j < n; ++j) out.at(i, j) += left * b.at(k, j);
        }
    }
    return out;
}

std::vector<double> product(const Matrix& a, const std::vector<double>& x) {
    std::vector<double> out(a.size(), 0.0);
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < a.size(); ++j) out[i] += a.at(i, j) * x[j];
    }
    return out;
}

Matrix semidefinite_factor(const Matrix& a, double tolerance) {
    const std::size_t n = a.size();
    Matrix factor(n);
    double greatest = 0;
    for (std::size_t i = 0; i < n; ++i) greatest = std::max(greatest, a.at(i, i));
    for (std::size_t j = 0; j < n; ++j) {
        double pivot = a.at(j, j);
        for (std::size_t k = 0; k < j; ++k) pivot -= factor.at(j, k) * factor.at(j, k);
        if (!(pivot > tolerance * greatest)) continue;
        const double root = std::sqrt(pivot);
        factor.at(j, j) = root;
        for (std::size_t i = j + 1; i < n; ++i) {
            double sum = a.at(i, j);
            for (std::size_t k = 0; k < j; ++k) sum -= factor.at(i, k) * factor.at(j, k);
            factor.at(i, j) = sum / root;
        }
    }
    return factor;
}

std::optional<Matrix> inverse(const Matrix& a) {
    const std::size_t n = a.size();
    // A column that was left empty is what tells a singular matrix here; the tolerance is near the
    // rounding of doubles, since a covariance of many programs may be ill-conditioned and is still
    // to be inverted.
    const Matrix factor = semidefinite_factor(a, 1e-14);
    for (std::size_t i = 0; i < n; ++i) {
        if (!(factor.at(i, i) > 0)) return std::nullopt;
    }
    // The inverse triangle, column by column, then its product with its transpose.
    Matrix triangle(n);
    for (std::size_t j = 0; j < n; ++j) {
        triangle.at(j, j) = 1 / factor.at(j, j);
        for (std::size_t i = j + 1; i < n; ++i) {
            double sum = 0;
            for (std::size_t k = j; k < i; ++k) sum -= factor.at(i, k) * triangle.at(k, j);
            triangle.at(i, j) = sum / factor.at(i, i);
        }
    }
    Matrix out(n);
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = 0; i <= k; ++i) {
            const double left = triangle.at(k, i);
            if (left == 0) continue;
            for (std::size_t j = 0; j <= i; ++j) out.at(i, j) += left * triangle.at(k, j);
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) out.at(i, j) = out.at(j, i);
    }
    return out;
}

}  // namespace assay::stats
