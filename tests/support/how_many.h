#pragma once
#include <cstdlib>
#include <string_view>

namespace assay::test {

/// True where ASSAY_LONG is set, as by ./check --long: tests take the time that they like.
[[nodiscard]] inline bool is_long() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
    const char* const set = std::getenv("ASSAY_LONG");
    return set != nullptr && std::string_view(set) != "0";
}

/// How many cases a test tries that computes: `all` in optimised builds and long runs, else `some`.
/// For tests of engines, rules, stats and gtql/exec alone: ./check also runs these in an optimised
/// build, so that the sanitizers see a case of each kind, and the release tests all of them.
template <class Number>
[[nodiscard]] Number how_many(Number some, Number all) {
#ifdef NDEBUG
    (void)some;
    return all;
#else
    return is_long() ? all : some;
#endif
}

}  // namespace assay::test
