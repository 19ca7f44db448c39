#pragma once
#include <memory>
#include <string>

#include "base/random.h"
#include "gtql/log/tree.h"

namespace assay::test {

/// A tree of up to `most` nodes, some of them chains and some of them stars, with columns of all
/// widths: `type` 1 to 3, `flags` of 14 bits, `depth` -8 to 12, `value` of 20 bits, `wide` of 62,
/// `last_move`, now and then threads and unfinished nodes; and constants of the fruit trees.
[[nodiscard]] std::unique_ptr<gtql::Tree> random_tree(Random& random, std::size_t most);

/// A query over such a tree that parses, of level 1 or 2.
[[nodiscard]] std::string random_query(Random& random, int level);

}  // namespace assay::test
