#pragma once
#include <cstdint>

namespace assay {

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): a bijection of 64-bit words that
/// mixes every bit of its input into every bit of its output.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
}

/// A word that depends on both; the order of the two matters.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t a, std::uint64_t b) {
    return mix64(mix64(a) ^ (b + 0x632be59bd9b4e019ULL));
}

/// SplitMix64 as a generator: the same seed gives the same sequence on every machine. Satisfies
/// UniformRandomBitGenerator. Not for secrets.
class Random {
public:
    // NOLINTNEXTLINE(readability-identifier-naming): the name that the standard's concept demands
    using result_type = std::uint64_t;

    explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

    [[nodiscard]] static constexpr result_type min() { return 0; }

    [[nodiscard]] static constexpr result_type max() { return ~result_type{0}; }

    constexpr result_type operator()() {
        const std::uint64_t value = mix64(state_);
        state_ += 0x9e3779b97f4a7c15ULL;
        return value;
    }

    /// Uniform in [0, bound), without bias. REQUIRES: bound > 0.
    constexpr std::uint64_t below(std::uint64_t bound) {
        const std::uint64_t threshold = (0 - bound) % bound;
        while (true) {
            const std::uint64_t value = (*this)();
            if (value >= threshold) return value % bound;
        }
    }

    /// Uniform in [0, 1), 53 bits.
    constexpr double unit() { return static_cast<double>((*this)() >> 11U) * 0x1.0p-53; }

private:
    std::uint64_t state_;
};

}  // namespace assay
