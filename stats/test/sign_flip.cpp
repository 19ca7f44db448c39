// The exact permutation test of equality (Fisher 1935; Pitman 1937). Between equal programs a pair
// of score x is as likely as one of score 1 - x, whatever the opening, the draw rate and the
// correlation of its two games. Given how decisive each pair was, the sum S is therefore a sum of
// independent fair signs: steps of 1 for pairs decided by half a point, of 2 for those won twice.
// Its exact law is that of a lattice walk, whatever the number of pairs.
//
// A t-test needs the variance and is approximate in its tails; the trinomial test needs rates of
// wins and draws that are not known. This one needs neither. Cost: one inversion, about 1 ms for a
// million pairs.
#include "stats/test/sign_flip.h"

#include <cstdlib>

#include "stats/data/lattice_law.h"

namespace assay::stats {

SignFlip sign_flip_test(const Pentanomial& pairs) {
    const LatticeLaw law({pairs[1] + pairs[3], 0.5, 0}, {pairs[0] + pairs[4], 0, 0.5});
    const std::int64_t s = std::llabs(pairs.balance());
    SignFlip test;
    test.p_value = law.two_sided_tail(s);
    test.mid_p = 0.5 * (test.p_value + law.two_sided_tail(s + 1));
    return test;
}

}  // namespace assay::stats
