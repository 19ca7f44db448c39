// Replays the corpora: fuzz_replay NAME FILE... gives each file to the fuzz target of that name,
// whole and then cut at every byte (of one with more than 200 at as many places, of one with more
// than 4 KB at 50, with ASSAY_LONG at 2,000), so that truncation is always tried.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "tests/support/how_many.h"

// One line a fuzzer: ASSAY_FUZZER(name), written by assay_fuzz_replay() in assay_testing.cmake.
#define ASSAY_FUZZER(name) \
    extern "C" int assay_fuzz_##name(const std::uint8_t* data, std::size_t size);
#include "fuzzers.inc"
#undef ASSAY_FUZZER

namespace {

struct Fuzzer {
    std::string_view name;
    int (*run)(const std::uint8_t* data, std::size_t size);
};

constexpr Fuzzer kFuzzers[] = {
#define ASSAY_FUZZER(name) {#name, assay_fuzz_##name},
#include "fuzzers.inc"
#undef ASSAY_FUZZER
};

std::size_t most_cuts(std::size_t bytes) {
    if (assay::test::is_long()) return 2000;
    return bytes <= 4096 ? 200 : 50;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view name = argc > 1 ? argv[1] : "";
    const auto* const fuzzer = std::ranges::find(kFuzzers, name, &Fuzzer::name);
    if (fuzzer == std::end(kFuzzers)) {
        std::fprintf(stderr, "usage: fuzz_replay NAME FILE...\n");
        return 2;
    }
    std::size_t runs = 0;
    for (int i = 2; i < argc; ++i) {
        std::ifstream file(argv[i], std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        const std::size_t step = std::max<std::size_t>(1, bytes.size() / most_cuts(bytes.size()));
        for (std::size_t length = 0; length <= bytes.size(); length += step) {
            // A copy of exactly this length, so that a sanitizer sees reads behind its end.
            const std::string cut = bytes.substr(0, length);
            fuzzer->run(reinterpret_cast<const std::uint8_t*>(cut.data()), cut.size());
            ++runs;
        }
        fuzzer->run(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    std::printf("%zu inputs replayed\n", runs);
    return argc > 2 && runs == 0 ? 1 : 0;
}
