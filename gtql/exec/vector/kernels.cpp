// The inner loops of the executor. An interpreter that evaluates an expression node by node spends
// most of its time on dispatch; here an operator runs over a whole vector of values, so that
// dispatch costs nothing and the loop is a dozen vector instructions (Boncz, Zukowski and Nes,
// MonetDB/X100, 2005). Values stay in the width in which the log stores them (Lane): a register of
// 16 bytes holds 16 values of one byte but 2 of eight, and a comparison needs no wider type.
//
// A condition yields a mask of one byte a value, not a list of places. Masks combine by `and`
// without branches, and a node of a search tree satisfies a condition as good as at random, so that
// a branch a value would be mispredicted often. Where few values are set, the loops skip eight of
// them at a time by reading the mask as a word.
//
// Every loop is simple enough for the compiler to vectorise: one loop a job, pointers that do not
// overlap (`__restrict`), types chosen outside by a template. Intrinsics would need an
// implementation for every kind of processor. Bytes are summed in parts of 255 for the same reason:
// a byte counter keeps the lanes narrow, and 255 ones are the most it holds. Division has a branch,
// because a divisor of 0 makes the result missing and -1 overflows.
//
// Built with -O3 (gtql/CMakeLists.txt): at -O2 g++ 12 leaves most of these loops scalar.
#include "gtql/exec/vector/kernels.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include "base/check.h"

namespace assay::gtql::kernels {

namespace {

/// Calls f with a value of the lane's type.
template <class F>
void by_integer_lane(Lane lane, F f) {
    switch (lane) {
        case Lane::I8:
            return f(std::int8_t{});
        case Lane::I16:
            return f(std::int16_t{});
        case Lane::I32:
            return f(std::int32_t{});
        case Lane::I64:
            return f(std::int64_t{});
        case Lane::F64:
            break;
    }
    ASSAY_CHECK(false);
}

template <class F>
void by_lane(Lane lane, F f) {
    if (lane == Lane::F64) return f(double{});
    by_integer_lane(lane, f);
}

template <class F>
void by_relation(Op op, F f) {
    switch (op) {
        case Op::Less:
            return f(std::less<>());
        case Op::Greater:
            return f(std::greater<>());
        case Op::LessEqual:
            return f(std::less_equal<>());
        case Op::GreaterEqual:
            return f(std::greater_equal<>());
        case Op::Equal:
            return f(std::equal_to<>());
        default:
            return f(std::not_equal_to<>());
    }
}

template <class T>
const T* in(const void* data) {
    return static_cast<const T*>(data);
}

template <class T, class Test>
void compare_all(const T* __restrict left, const T* __restrict right, std::size_t size,
                 std::uint8_t* __restrict out, Test test) {
    for (std::size_t i = 0; i < size; ++i) out[i] = test(left[i], right[i]) ? 1 : 0;
}

template <class T, class Test>
void compare_one(const T* __restrict left, T right, std::size_t size, std::uint8_t* __restrict out,
                 Test test) {
    for (std::size_t i = 0; i < size; ++i) out[i] = test(left[i], right) ? 1 : 0;
}

template <class From, class To>
void convert_all(const From* __restrict values, std::size_t size, To* __restrict out) {
    for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<To>(values[i]);
}

/// Two's complement, with wrap-around.
template <class F>
void integers(const void* left, const void* right, std::size_t size, void* out, F f) {
    const auto* const a = in<std::uint64_t>(left);
    const auto* const b = in<std::uint64_t>(right);
    auto* const to = static_cast<std::uint64_t*>(out);
    for (std::size_t i = 0; i < size; ++i) to[i] = f(a[i], b[i]);
}

template <class F>
void reals(const void* left, const void* right, std::size_t size, void* out, F f) {
    const auto* const a = in<double>(left);
    const auto* const b = in<double>(right);
    auto* const to = static_cast<double*>(out);
    for (std::size_t i = 0; i < size; ++i) to[i] = f(a[i], b[i]);
}

void divide_integers(bool is_modulo, const void* left, const void* right, std::size_t size,
                     void* out, std::uint8_t* missing) {
    const auto* const a = in<std::int64_t>(left);
    const auto* const b = in<std::int64_t>(right);
    auto* const to = static_cast<std::int64_t*>(out);
    for (std::size_t i = 0; i < size; ++i) {
        if (b[i] == 0) {
            missing[i] = 1;
            to[i] = 0;
        } else if (b[i] == -1) {
            // The one quotient that does not fit wraps like the other operators.
            to[i] = is_modulo ? 0 : static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(a[i]));
        } else {
            to[i] = is_modulo ? a[i] % b[i] : a[i] / b[i];
        }
    }
}

void divide_reals(const void* left, const void* right, std::size_t size, void* out,
                  std::uint8_t* missing) {
    const auto* const a = in<double>(left);
    const auto* const b = in<double>(right);
    auto* const to = static_cast<double*>(out);
    for (std::size_t i = 0; i < size; ++i) {
        const bool is_zero = b[i] == 0.0;
        to[i] = is_zero ? 0.0 : a[i] / b[i];
        if (is_zero) missing[i] = 1;
    }
}

template <class T>
void gather_all(const T* __restrict values, const std::int32_t* __restrict index, std::size_t size,
                T* __restrict out) {
    for (std::size_t i = 0; i < size; ++i) out[i] = values[index[i]];
}

template <class T>
void range_of_all(const T* __restrict values, std::size_t size, std::int64_t& least,
                  std::int64_t& most) {
    T low = values[0];
    T high = values[0];
    // Written as conditional moves, which the compiler vectorises.
    for (std::size_t i = 0; i < size; ++i) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    least = low;
    most = high;
}

template <class T, class Test>
std::int64_t count_in_one(const T* __restrict values, const std::uint8_t* __restrict mask,
                          std::int32_t size, T own, Test test) {
    std::int64_t count = 0;
    // In parts whose counts fit in a byte, so that lanes stay narrow.
    for (std::int32_t from = 0; from < size; from += 255) {
        const std::int32_t to = std::min(size, from + 255);
        std::uint8_t part = 0;
        for (std::int32_t i = from; i < to; ++i) {
            const std::uint8_t is_in = mask != nullptr ? mask[i] : 1;
            part = static_cast<std::uint8_t>(part + (is_in & (test(values[i], own) ? 1 : 0)));
        }
        count += part;
    }
    return count;
}

template <class T, class Test>
void count_in_all(const T* values, const T* own, const Relatives& in, std::int64_t* counts,
                  Test test) {
    for (std::int32_t node = 0; node < in.size; ++node) {
        if (in.candidates != nullptr && in.candidates[node] == 0) continue;
        const std::int32_t from = std::max(node + 1, in.first);
        const std::int32_t size = in.places[node] - from;
        if (size <= 0) continue;
        const std::uint8_t* const mask = in.mask != nullptr ? in.mask + from : nullptr;
        counts[node] += count_in_one(values + from, mask, size, own[node], test);
    }
}

/// In preorder the last node seen at each level above a node's is its ancestor there.
template <class T, class Test>
void count_on_all_paths(const T* values, const T* own, const Relatives& in, std::int64_t* counts,
                        Test test) {
    std::vector<T> path;
    std::vector<std::uint8_t> mask;
    for (std::int32_t node = 0; node < in.size; ++node) {
        const std::int32_t depth = in.places[node];
        const auto level = static_cast<std::size_t>(depth);
        if (path.size() <= level) {
            path.resize(2 * level + 16);
            mask.resize(2 * level + 16, 1);
        }
        if (node >= in.first && (in.candidates == nullptr || in.candidates[node] != 0)) {
            const std::uint8_t* const counted = in.mask != nullptr ? mask.data() : nullptr;
            counts[node] = count_in_one(path.data(), counted, depth, own[node], test);
        }
        path[level] = values[node];
        if (in.mask != nullptr) mask[level] = in.mask[node];
    }
}

std::uint64_t eight(const std::uint8_t* mask) {
    std::uint64_t word = 0;
    std::memcpy(&word, mask, sizeof(word));
    return word;
}

}  // namespace

void compare(Op op, Lane lane, const void* left, const void* right, std::size_t size,
             std::uint8_t* out) {
    by_lane(lane, [=](auto kind) {
        using T = decltype(kind);
        by_relation(op,
                    [=](auto test) { compare_all(in<T>(left), in<T>(right), size, out, test); });
    });
}

void compare(Op op, Lane lane, const void* left, std::int64_t right, std::size_t size,
             std::uint8_t* out) {
    by_integer_lane(lane, [=](auto kind) {
        using T = decltype(kind);
        by_relation(op, [=](auto test) {
            compare_one(in<T>(left), static_cast<T>(right), size, out, test);
        });
    });
}

void non_zero(Lane lane, const void* values, std::size_t size, std::uint8_t* out) {
    compare(Op::NotEqual, lane, values, std::int64_t{0}, size, out);
}

void bits(Op op, Lane lane, const void* left, const void* right, std::size_t size, void* out) {
    by_integer_lane(lane, [=](auto kind) {
        using T = decltype(kind);
        const T* const a = in<T>(left);
        const T* const b = in<T>(right);
        T* const to = static_cast<T*>(out);
        if (op == Op::BitAnd) {
            for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<T>(a[i] & b[i]);
        } else {
            for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<T>(a[i] | b[i]);
        }
    });
}

void bits(Op op, Lane lane, const void* left, std::int64_t right, std::size_t size, void* out) {
    by_integer_lane(lane, [=](auto kind) {
        using T = decltype(kind);
        const T* const a = in<T>(left);
        const T b = static_cast<T>(right);
        T* const to = static_cast<T*>(out);
        if (op == Op::BitAnd) {
            for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<T>(a[i] & b);
        } else {
            for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<T>(a[i] | b);
        }
    });
}

void convert(Lane from, const void* values, std::size_t size, Lane to, void* out) {
    by_lane(from, [=](auto from_kind) {
        using From = decltype(from_kind);
        by_lane(to, [=](auto to_kind) {
            using To = decltype(to_kind);
            convert_all(in<From>(values), size, static_cast<To*>(out));
        });
    });
}

void fill(Lane lane, std::int64_t value, std::size_t size, void* out) {
    by_lane(lane, [=](auto kind) {
        using T = decltype(kind);
        T* const to = static_cast<T*>(out);
        for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<T>(value);
    });
}

void arithmetic(Op op, Lane lane, const void* left, const void* right, std::size_t size, void* out,
                std::uint8_t* missing) {
    const bool is_real = lane == Lane::F64;
    const auto both = [=](auto f) {
        if (is_real) return reals(left, right, size, out, f);
        integers(left, right, size, out, f);
    };
    switch (op) {
        case Op::Add:
            return both(std::plus<>());
        case Op::Subtract:
            return both(std::minus<>());
        case Op::Multiply:
            return both(std::multiplies<>());
        default:
            break;
    }
    if (is_real) return divide_reals(left, right, size, out, missing);
    divide_integers(op == Op::Modulo, left, right, size, out, missing);
}

void gather(Lane lane, const void* values, const std::int32_t* index, std::size_t size, void* out) {
    by_lane(lane, [=](auto kind) {
        using T = decltype(kind);
        gather_all(in<T>(values), index, size, static_cast<T*>(out));
    });
}

void mask_and(const std::uint8_t* __restrict left, const std::uint8_t* __restrict right,
              std::size_t size, std::uint8_t* __restrict out) {
    for (std::size_t i = 0; i < size; ++i) out[i] = left[i] & right[i];
}

void mask_or(const std::uint8_t* __restrict left, const std::uint8_t* __restrict right,
             std::size_t size, std::uint8_t* __restrict out) {
    for (std::size_t i = 0; i < size; ++i) out[i] = left[i] | right[i];
}

void mask_not(const std::uint8_t* __restrict mask, std::size_t size, std::uint8_t* __restrict out) {
    for (std::size_t i = 0; i < size; ++i) out[i] = mask[i] ^ 1U;
}

void mask_clear(std::uint8_t* __restrict mask, const std::uint8_t* __restrict holes,
                std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
        mask[i] = static_cast<std::uint8_t>(mask[i] & (holes[i] ^ 1U));
    }
}

std::uint64_t mask_count(const std::uint8_t* mask, std::size_t size) {
    std::uint64_t total = 0;
    std::size_t at = 0;
    // A byte's sum of at most 255 masks does not overflow, so that the inner loop stays in bytes.
    while (size - at >= 64) {
        const std::size_t rounds = std::min<std::size_t>((size - at) / 64, 255);
        std::uint8_t sums[64] = {};  // NOLINT(modernize-avoid-c-arrays): vectorises
        for (std::size_t round = 0; round < rounds; ++round, at += 64) {
            for (std::size_t i = 0; i < 64; ++i) {
                sums[i] = static_cast<std::uint8_t>(sums[i] + mask[at + i]);
            }
        }
        for (const std::uint8_t sum : sums) total += sum;
    }
    for (; at < size; ++at) total += mask[at];
    return total;
}

std::size_t mask_select(const std::uint8_t* mask, std::size_t size, std::int32_t first,
                        std::int32_t* out) {
    std::size_t found = 0;
    std::size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        if (eight(mask + i) == 0) continue;
        // Always write, and move on by the mask: no branch depends on the data.
        for (std::size_t k = 0; k < 8; ++k) {
            out[found] = first + static_cast<std::int32_t>(i + k);
            found += mask[i + k];
        }
    }
    for (; i < size; ++i) {
        out[found] = first + static_cast<std::int32_t>(i);
        found += mask[i];
    }
    return found;
}

void mask_prefix(const std::uint8_t* __restrict mask, std::size_t size,
                 std::int32_t* __restrict out) {
    std::int32_t sum = 0;
    out[0] = 0;
    for (std::size_t i = 0; i < size; ++i) {
        sum += mask[i];
        out[i + 1] = sum;
    }
}

void mask_scatter(const std::uint8_t* mask, const std::int32_t* index, std::size_t size,
                  std::int32_t* counts) {
    std::size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        const std::uint64_t word = eight(mask + i);
        if (word == 0) continue;
        // A loop over the set bytes has a branch for each: with many set, all eight are added.
        if (std::popcount(word) > 3) {
            for (std::size_t k = 0; k < 8; ++k) counts[index[i + k]] += mask[i + k];
        } else {
            for (std::uint64_t rest = word; rest != 0; rest &= rest - 1) {
                ++counts[index[i + static_cast<std::size_t>(std::countr_zero(rest)) / 8]];
            }
        }
    }
    for (; i < size; ++i) counts[index[i]] += mask[i];
}

void range_of(Lane lane, const void* values, std::size_t size, std::int64_t& least,
              std::int64_t& most) {
    by_integer_lane(lane, [=, &least, &most](auto kind) {
        range_of_all(in<decltype(kind)>(values), size, least, most);
    });
}

void add_places(Lane lane, const void* values, std::int64_t low, std::uint32_t stride,
                std::size_t size, std::uint32_t* __restrict out) {
    by_integer_lane(lane, [=](auto kind) {
        const auto* const __restrict from = in<decltype(kind)>(values);
        const auto base = static_cast<std::uint32_t>(low);
        for (std::size_t i = 0; i < size; ++i) {
            out[i] += (static_cast<std::uint32_t>(from[i]) - base) * stride;
        }
    });
}

void spread(Lane lane, const void* values, std::size_t size, std::size_t step, std::int64_t* out) {
    by_integer_lane(lane, [=](auto kind) {
        const auto* const from = in<decltype(kind)>(values);
        for (std::size_t i = 0; i < size; ++i) out[i * step] = from[i];
    });
}

void count_in_intervals(Op op, Lane lane, const void* values, const void* own,
                        const Relatives& relatives, std::int64_t* counts) {
    by_integer_lane(lane, [&](auto kind) {
        using T = decltype(kind);
        by_relation(op, [&](auto test) {
            count_in_all(in<T>(values), in<T>(own), relatives, counts, test);
        });
    });
}

void count_on_paths(Op op, Lane lane, const void* values, const void* own,
                    const Relatives& relatives, std::int64_t* counts) {
    by_integer_lane(lane, [&](auto kind) {
        using T = decltype(kind);
        by_relation(op, [&](auto test) {
            count_on_all_paths(in<T>(values), in<T>(own), relatives, counts, test);
        });
    });
}

}  // namespace assay::gtql::kernels
