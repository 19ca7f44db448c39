#include "engines/search/large_pages.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

namespace assay::engines {

TEST_CASE("Large pages: a large block begins where a page of 2 MB does, and is whole") {
    constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21U;
    for (const std::size_t count : {std::size_t{3}, std::size_t{1} << 18U, std::size_t{600'001}}) {
        std::vector<std::uint64_t, LargePages<std::uint64_t>> block(count);
        std::iota(block.begin(), block.end(), 0);
        CHECK(std::accumulate(block.begin(), block.end(), std::uint64_t{0}) ==
              count * (count - 1) / 2);
        if (count < kPage / sizeof(std::uint64_t)) continue;
        CHECK(reinterpret_cast<std::uintptr_t>(block.data()) % kPage == 0);
    }
}

}  // namespace assay::engines
