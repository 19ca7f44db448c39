#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "gtql/exec/vector/columns.h"
#include "gtql/exec/vector/vector.h"
#include "gtql/lang/syntax.h"

namespace assay::gtql {

/// The nodes to which the values of a vector belong, for one role.
struct RoleView {
    const std::int32_t* index = nullptr;    // local indices; null: consecutive, from Frame::first
    const std::uint8_t* missing = nullptr;  // mask; null: every node is there
    std::int32_t fixed = -1;                // not negative: one node for all places
};

/// The range of an evaluation: `size` places, each with a node for every role.
struct Frame {
    std::size_t size = 0;  // at most the capacity of the scratch
    std::size_t first = 0;
    std::array<RoleView, 5> roles;  // by Role
    std::span<const Vector> calls;  // answers of the query's functions at these places
    const LocalColumns* columns = nullptr;
};

/// Evaluates expressions whose Column steps name slots of the frame's columns. A comparison, a bit
/// test or `in` with a missing operand is false; arithmetic with one is missing.
class Evaluator {
public:
    explicit Evaluator(Scratch& scratch) : scratch_(scratch) {}

    /// The caller has to give the vector back to the scratch. REQUIRES: the expression is not
    /// empty.
    [[nodiscard]] Vector evaluate(const Expression& expression, const Frame& frame);
    /// A truth value as a mask; an empty expression is true. Lives in `result`'s buffer, which the
    /// caller gives back.
    [[nodiscard]] Vector mask(const Expression& expression, const Frame& frame);
    /// Values as I64 or, where they are real, F64, never constant.
    [[nodiscard]] Vector wide(const Expression& expression, const Frame& frame);
    void materialise(Vector& vector, std::size_t size);

private:
    void run(const Step& step, const Frame& frame);
    [[nodiscard]] Vector load(const Step& step, const Frame& frame);
    [[nodiscard]] Vector relate(Op op, Vector left, Vector right, std::size_t size);
    [[nodiscard]] Vector calculate(Op op, Vector left, Vector right, std::size_t size);
    [[nodiscard]] Vector combine_bits(Op op, Vector left, Vector right, std::size_t size);
    [[nodiscard]] Vector logical(Op op, Vector left, Vector right, std::size_t size);
    [[nodiscard]] Vector in_list(std::size_t count, std::size_t size);
    [[nodiscard]] Vector negate(Vector operand, std::size_t size);
    [[nodiscard]] Vector truth_of(Vector operand, std::size_t size);
    void convert(Vector& vector, Lane lane, std::size_t size);
    void share_lane(Vector& left, Vector& right, std::size_t size);
    void join_missing(Vector& result, Vector& left, Vector& right, std::size_t size);
    void clear_missing(Vector& mask, std::size_t size);
    [[nodiscard]] Vector new_vector(Lane lane);
    Vector pop();

    Scratch& scratch_;
    std::vector<Vector> stack_;
};

}  // namespace assay::gtql
