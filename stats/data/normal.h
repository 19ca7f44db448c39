#pragma once

namespace assay::stats {

/// z with Phi(z) = 0.975.
inline constexpr double kZ95 = 1.959963984540054;

/// Phi(z), with full relative accuracy in the lower tail. Finite for every z that is no NaN.
[[nodiscard]] double normal_cdf(double z);

/// ln Phi(z), without underflow down to z = -1e150.
[[nodiscard]] double log_normal_cdf(double z);

/// z with Phi(z) = p. REQUIRES: 0 < p < 1.
[[nodiscard]] double normal_quantile(double p);

/// The upper tail P(chi-square with `degrees` degrees of freedom >= x). REQUIRES: degrees > 0.
[[nodiscard]] double chi_square_tail(double x, double degrees);

/// t with P(Student's t with `degrees` degrees of freedom <= t) = p. REQUIRES: 0 < p < 1.
[[nodiscard]] double student_quantile(double p, double degrees);
/// P(Student's t with `degrees` degrees of freedom <= t), with full relative accuracy in the lower
/// tail. REQUIRES: degrees > 0.
[[nodiscard]] double student_cdf(double t, double degrees);

/// Two-sided exact p-value of `k` successes in `n` fair coin tosses; 1 where n = 0.
[[nodiscard]] double fair_coin_p_value(double k, double n);

/// P(Binomial(n, p) >= k). REQUIRES: k and n are whole, 0 <= k <= n, 0 <= p <= 1.
[[nodiscard]] double binomial_tail(double k, double n, double p);

}  // namespace assay::stats
