#pragma once
#include <cstddef>
#include <cstdint>

#include "gtql/exec/vector/vector.h"
#include "gtql/lang/syntax.h"

namespace assay::gtql {

/// Loops over `size` values that the compiler turns into vector instructions. Inputs and outputs
/// must not overlap. Masks have one byte a value, 0 or 1.
namespace kernels {

/// `op` from Op::Less to Op::NotEqual.
void compare(Op op, Lane lane, const void* left, const void* right, std::size_t size,
             std::uint8_t* out);
/// REQUIRES: `right` fits in the lane, and the lane is not F64.
void compare(Op op, Lane lane, const void* left, std::int64_t right, std::size_t size,
             std::uint8_t* out);
void non_zero(Lane lane, const void* values, std::size_t size, std::uint8_t* out);
/// Op::BitAnd or Op::BitOr, on integers.
void bits(Op op, Lane lane, const void* left, const void* right, std::size_t size, void* out);
/// REQUIRES: `right` fits in the lane.
void bits(Op op, Lane lane, const void* left, std::int64_t right, std::size_t size, void* out);
/// REQUIRES: `to` holds all values of `from`, or is F64.
void convert(Lane from, const void* values, std::size_t size, Lane to, void* out);
void fill(Lane lane, std::int64_t value, std::size_t size, void* out);
/// Op::Add to Op::Modulo in I64, where results wrap around, or F64 (no Modulo). Sets `missing`
/// where the divisor is 0 and leaves it unchanged elsewhere; it may be null unless dividing.
void arithmetic(Op op, Lane lane, const void* left, const void* right, std::size_t size, void* out,
                std::uint8_t* missing);
/// out[i] = values[index[i]].
void gather(Lane lane, const void* values, const std::int32_t* index, std::size_t size, void* out);

void mask_and(const std::uint8_t* left, const std::uint8_t* right, std::size_t size,
              std::uint8_t* out);
void mask_or(const std::uint8_t* left, const std::uint8_t* right, std::size_t size,
             std::uint8_t* out);
void mask_not(const std::uint8_t* mask, std::size_t size, std::uint8_t* out);
/// Clears `mask` where `holes` is set.
void mask_clear(std::uint8_t* mask, const std::uint8_t* holes, std::size_t size);
[[nodiscard]] std::uint64_t mask_count(const std::uint8_t* mask, std::size_t size);
/// Writes first + i for each set mask[i]; returns how many. `out` has room for size + 8.
std::size_t mask_select(const std::uint8_t* mask, std::size_t size, std::int32_t first,
                        std::int32_t* out);
/// out[i + 1] = out[i] + mask[i], starting from out[0] = 0.
void mask_prefix(const std::uint8_t* mask, std::size_t size, std::int32_t* out);
/// counts[index[i]] += mask[i]; fast where few are set.
void mask_scatter(const std::uint8_t* mask, const std::int32_t* index, std::size_t size,
                  std::int32_t* counts);

/// The least and the greatest of the values. REQUIRES: size > 0; an integer lane.
void range_of(Lane lane, const void* values, std::size_t size, std::int64_t& least,
              std::int64_t& most);
/// out[i] += (values[i] - low) * stride, modulo 2^32, in an integer lane.
void add_places(Lane lane, const void* values, std::int64_t low, std::uint32_t stride,
                std::size_t size, std::uint32_t* out);

/// out[i * step] = values[i], in an integer lane.
void spread(Lane lane, const void* values, std::size_t size, std::size_t step, std::int64_t* out);

/// Nodes at consecutive places in preorder, and where their relatives are.
struct Relatives {
    const std::int32_t* places = nullptr;      // the end of a node's descendants; or its depth
    const std::uint8_t* candidates = nullptr;  // which nodes are asked; null: all
    const std::uint8_t* mask = nullptr;        // which relatives count; null: all
    std::int32_t first = 0;                    // new nodes begin here
    std::int32_t size = 0;
};

/// counts[node] += how many new descendants have values[descendant] `op` own[node], both in an
/// integer lane.
void count_in_intervals(Op op, Lane lane, const void* values, const void* own,
                        const Relatives& relatives, std::int64_t* counts);
/// Sets counts[node] of new nodes to how many ancestors have values[ancestor] `op` own[node].
void count_on_paths(Op op, Lane lane, const void* values, const void* own,
                    const Relatives& relatives, std::int64_t* counts);

}  // namespace kernels
}  // namespace assay::gtql
