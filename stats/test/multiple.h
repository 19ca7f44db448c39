#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace assay::stats {

/// Ways to correct for many tests (docs/statistics.md section 14).
enum class Correction {
    Holm,               // no false claim at all, with probability 1 - level; any dependence
    BenjaminiHochberg,  // share of false claims at most level; independent tests
    EBh,                // the same under any dependence, from e-values
    Lord,               // the same for a stream of tests, each judged when it comes (LORD++)
};

/// "holm", "bh", "ebh" or "lord".
[[nodiscard]] std::string_view name_of(Correction correction);
[[nodiscard]] std::optional<Correction> correction_named(std::string_view name);

/// The result for one test of a list.
struct Adjusted {
    double value =
        1;  // adjusted p-value: rejected iff it is at most the level; LORD: the test level
    bool is_rejected = false;
};

/// Adjusted p-values, in the order given. Throw Error unless all p are in [0, 1] and the level in
/// (0, 1).
[[nodiscard]] std::vector<Adjusted> adjust_holm(std::span<const double> p, double level);
[[nodiscard]] std::vector<Adjusted> adjust_bh(std::span<const double> p, double level);
/// For e-values, which are at least 0: the adjusted value is the least level at which it would be
/// rejected.
[[nodiscard]] std::vector<Adjusted> adjust_ebh(std::span<const double> e, double level);
/// Each p-value is judged with those before it only. Adjusted::value is the level it was compared
/// with.
[[nodiscard]] std::vector<Adjusted> adjust_lord(std::span<const double> p, double level);

}  // namespace assay::stats
