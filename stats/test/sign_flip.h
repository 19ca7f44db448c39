#pragma once
#include "stats/data/counts.h"

namespace assay::stats {

/// The exact sign-flip (permutation) test of "the programs are equal": given how decisive each
/// pair was, each sign was a fair coin's. Valid for any openings, any draw rate and any
/// correlation inside a pair; no nuisance parameter. docs/statistics.md section 7.
struct SignFlip {
    double p_value = 1;  // P(|S| >= |observed|)
    double mid_p = 1;    // the same, the observed value counted half: no discreteness on average
};

/// Absolute error about 1e-15, tails about 1e-12 relatively. Both 1 where no pair was decisive,
/// except that mid_p is then 1/2.
[[nodiscard]] SignFlip sign_flip_test(const Pentanomial& pairs);

}  // namespace assay::stats
