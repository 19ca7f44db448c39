#include "rules/multigame/play/key_history.h"

#include <vector>

#include <doctest/doctest.h>

#include "base/random.h"

using assay::rules::multigame::KeyHistory;

namespace {

/// As KeyHistory, by looking at all.
int last_equal_by_scan(const std::vector<std::uint64_t>& keys, int n) {
    for (int at = n; at-- > 0;) {
        if (keys[static_cast<std::size_t>(at)] == keys[static_cast<std::size_t>(n)]) return at;
    }
    return KeyHistory::kNever;
}

}  // namespace

TEST_CASE("Key history: finds what a scan over all positions finds, through pushes and pops") {
    assay::Random random(5);
    KeyHistory history;
    std::vector<std::uint64_t> keys;
    std::uint64_t unique = 1'000'000;
    for (int step = 0; step < 20'000; ++step) {
        const std::uint64_t chosen = random.below(10);
        if (chosen < 4 && !keys.empty()) {
            history.pop();
            keys.pop_back();
        } else if (chosen == 4) {
            history.push_unique();
            keys.push_back(++unique);
        } else {
            // Few keys, all in few buckets.
            keys.push_back(random.below(12) * 4096);
            history.push(keys.back());
        }
        if (keys.empty()) continue;
        const int newest = static_cast<int>(keys.size()) - 1;
        REQUIRE(history.last_equal(newest) == last_equal_by_scan(keys, newest));
        const int any = static_cast<int>(random.below(keys.size()));
        REQUIRE(history.last_equal(any) == last_equal_by_scan(keys, any));
    }
    CHECK(keys.size() > 100);
}
