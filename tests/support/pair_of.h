#pragma once
#include "harness/record/pair.h"

namespace assay::test {

/// The pair that these two games make.
inline harness::PairDigest pair_of(const harness::GameRecord& first,
                                   const harness::GameRecord& second,
                                   harness::PairState state = harness::PairState::Counted) {
    harness::PairDigest pair;
    pair.pair = first.pair;
    pair.attempt = first.attempt;
    pair.state = state;
    pair.opening_index = first.opening_index;
    pair.slot = first.slot;
    pair.machine = first.machine;
    pair.games = {digest_of(first), digest_of(second)};
    return pair;
}

}  // namespace assay::test
