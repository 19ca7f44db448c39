#pragma once
#include <cstddef>

#include "harness/bisect/git_bisect.h"

namespace assay::harness {

/// How many commits a bisection over `candidates` commits judges: the bad end, then one for each
/// halving.
[[nodiscard]] int judgements_of(std::size_t candidates);

/// The error allowed for each judgement, so that all of them together are wrong with a chance of
/// 1 - confidence at most (Bonferroni). REQUIRES: judgements > 0.
[[nodiscard]] double error_of_each(double confidence, int judgements);

/// The chance, at least, that a commit found by so many decisions under these rules is the first
/// bad one: 1 where a judgement cannot err.
[[nodiscard]] double confidence_of(const BisectRules& rules, int decisions);

}  // namespace assay::harness
