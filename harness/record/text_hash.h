#pragma once
#include <cstdint>
#include <string_view>

#include "base/random.h"

namespace assay::harness {

/// Fed one text after the other; texts are kept apart, so that "ab","c" is not "a","bc".
class TextHash {
public:
    void add(std::string_view text) {
        std::uint64_t word = text.size();
        for (const char c : text) {
            word = (word ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
        }
        hash_ = mix64(hash_, word);
    }

    [[nodiscard]] std::uint64_t value() const { return hash_; }

private:
    std::uint64_t hash_ = 0;
};

}  // namespace assay::harness
