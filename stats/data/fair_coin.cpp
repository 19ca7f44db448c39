// The binomial law with p = 1/2 from ratios of neighbouring terms: C(n, k) relative to the largest
// term, C(n, n/2), which is set to 1. All terms are positive and the largest is 1, so that nothing
// cancels and nothing overflows; terms too small for a double are 0 and add nothing. The sum of all
// terms stands for 2^n. A tail is a quotient of two such sums, each added from its smallest term.
// Factorials would overflow beyond n = 170, and their logarithms lose digits as n grows.
#include "stats/data/fair_coin.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace assay::stats {

namespace {

/// C(n, k) / C(n, n/2) of k = n/2, n/2 + 1, …, n.
std::vector<double> upper_half(std::int64_t n) {
    std::vector<double> terms;
    double term = 1;
    for (std::int64_t k = n / 2; k <= n; ++k) {
        terms.push_back(term);
        term *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    }
    return terms;
}

/// The terms of one n, by the symmetry of the law.
class Terms {
public:
    explicit Terms(std::int64_t n) : n_(n), upper_(upper_half(n)) {}

    [[nodiscard]] double at(std::int64_t k) const {
        const std::int64_t mirrored = std::max(k, n_ - k);
        return upper_[static_cast<std::size_t>(mirrored - n_ / 2)];
    }

    /// Of k = `from` … n.
    [[nodiscard]] double sum(std::int64_t from) const {
        double sum = 0;
        double lower = 0;
        for (std::int64_t k = n_; k >= std::max(from, n_ / 2); --k) sum += at(k);
        for (std::int64_t k = from; k < n_ / 2; ++k) lower += at(k);
        return sum + lower;
    }

private:
    std::int64_t n_;
    std::vector<double> upper_;
};

}  // namespace

double fair_coin_tail(std::int64_t n, std::int64_t k) {
    if (k <= 0) return 1;
    if (k > n) return 0;
    const Terms terms(n);
    return std::min(1.0, terms.sum(k) / terms.sum(0));
}

double fair_coin_point(std::int64_t n, std::int64_t k) {
    if (k < 0 || k > n) return 0;
    const Terms terms(n);
    return terms.at(k) / terms.sum(0);
}

}  // namespace assay::stats
