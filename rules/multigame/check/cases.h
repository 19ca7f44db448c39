#pragma once
#include <array>
#include <cstdint>

#include "rules/multigame/form/form.h"

namespace assay::rules::multigame {

/// What may be true at a point of a program, as a set of eight cases: is there a finger, is the
/// hand full, and has a direction been set? For a full hand also which pickup filled it.
struct Cases {
    static constexpr int kCount = 8;
    static constexpr int kFinger = 1;  // bits of a case's number
    static constexpr int kFull = 2;
    static constexpr int kAimed = 4;
    static constexpr int kInherited = -2;  // pickup: the hand was full when the statement began

    std::uint8_t set = 0;  // bit n: case n may be
    std::array<int, kCount> pickup{kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone};

    /// The case alone; a full hand was full before.
    static constexpr Cases only(int number) {
        Cases made;
        made.add(number, (number & kFull) != 0 ? kInherited : kNone);
        return made;
    }

    [[nodiscard]] constexpr bool may_be(int number) const { return ((set >> number) & 1) != 0; }

    [[nodiscard]] constexpr bool is_empty() const { return set == 0; }

    constexpr void add(int number, int by) {
        set = static_cast<std::uint8_t>(set | (1 << number));
        int& known = item(pickup, number);
        if (known == kNone || (known == kInherited && by >= 0)) known = by;
    }

    constexpr void add(const Cases& other) {
        for (int number = 0; number < kCount; ++number) {
            if (other.may_be(number)) add(number, item(other.pickup, number));
        }
    }
};

/// The cases of a set (bit n: case n), each as Cases::only().
[[nodiscard]] constexpr Cases cases_of(std::uint8_t set) {
    Cases made;
    for (int number = 0; number < Cases::kCount; ++number) {
        if (((set >> number) & 1) != 0) made.add(Cases::only(number));
    }
    return made;
}

/// True where every case of a set (bit n: case n) has this bit, or none of them.
[[nodiscard]] constexpr bool all_have(std::uint8_t set, int bit) {
    for (int number = 0; number < Cases::kCount; ++number) {
        if (((set >> number) & 1) != 0 && (number & bit) == 0) return false;
    }
    return true;
}

[[nodiscard]] constexpr bool none_has(std::uint8_t set, int bit) {
    for (int number = 0; number < Cases::kCount; ++number) {
        if (((set >> number) & 1) != 0 && (number & bit) != 0) return false;
    }
    return true;
}

}  // namespace assay::rules::multigame
