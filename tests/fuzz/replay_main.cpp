// Stands in for libFuzzer's main: gives each named file to the fuzz target, whole and then cut at
// every byte (or at 2,000 places of a long file), so that truncation is always tried.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
    constexpr std::size_t kMostCuts = 2000;
    std::size_t runs = 0;
    for (int i = 1; i < argc; ++i) {
        std::ifstream file(argv[i], std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        const std::size_t step = std::max<std::size_t>(1, bytes.size() / kMostCuts);
        for (std::size_t length = 0; length <= bytes.size(); length += step) {
            // A copy of exactly this length, so that a sanitizer sees reads behind its end.
            const std::string cut = bytes.substr(0, length);
            LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(cut.data()), cut.size());
            ++runs;
        }
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    std::printf("%zu inputs replayed\n", runs);
    return argc > 1 && runs == 0 ? 1 : 0;
}
