#include "stats/test/sign_flip.h"

#include <cstdlib>

#include "stats/data/lattice.h"

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
