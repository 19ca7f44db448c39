#pragma once
#include <cstdint>

namespace assay::harness {

/// Where a match stands in for another runner, its games are in files of that runner's forms before
/// they are stored. No more is begun while so many wait for the store, so that what a kill leaves
/// in the files alone stays few, however slow the disk is.
constexpr std::int64_t most_unsaved_games(int games_at_once) {
    return 2 * (1 + std::int64_t{games_at_once});
}

}  // namespace assay::harness
