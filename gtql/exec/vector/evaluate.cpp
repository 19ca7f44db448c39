// Evaluates an expression over a vector of nodes: its steps are in postfix order, and the stack
// holds vectors in place of values. Each step is one call of a kernel for thousands of values.
//
// Integers stay as narrow as their columns, because the width decides how many values a vector
// instruction handles. A constant that fits the column's lane is compared in that lane; one that
// does not fit decides the comparison for all values at once. Constants are not expanded to vectors
// until an operator needs them, and operators on two constants are computed once (`thread = 0` in a
// tree without threads). Arithmetic is done in 64 bits, where results wrap around, and averages are
// doubles.
//
// A missing value (the previous sibling of a first child, a division by 0) is a second mask beside
// the values. Arithmetic passes it on; a comparison with a missing operand is false, so that truth
// values are never missing and `not`, `and`, `or` need no third value.
//
// Vectors live in buffers of a pool, which a step takes and gives back: a pass allocates only at
// its beginning.
#include "gtql/exec/vector/evaluate.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "gtql/exec/vector/conjuncts.h"
#include "gtql/exec/vector/kernels.h"

namespace assay::gtql {

namespace {

Vector constant(std::int64_t value) {
    Vector vector;
    vector.lane = lane_of(width_of(value));
    vector.is_constant = true;
    vector.constant = value;
    return vector;
}

bool compare_values(Op op, std::int64_t left, std::int64_t right) {
    switch (op) {
        case Op::Less:
            return left < right;
        case Op::Greater:
            return left > right;
        case Op::LessEqual:
            return left <= right;
        case Op::GreaterEqual:
            return left >= right;
        case Op::Equal:
            return left == right;
        default:
            return left != right;
    }
}

bool fits(std::int64_t value, Lane lane) {
    return lane_of(width_of(value)) <= lane;
}

}  // namespace

Vector Evaluator::new_vector(Lane lane) {
    Vector vector;
    vector.lane = lane;
    vector.data_buffer = scratch_.take();
    vector.data = scratch_.at<std::byte>(vector.data_buffer);
    return vector;
}

Vector Evaluator::pop() {
    const Vector top = stack_.back();
    stack_.pop_back();
    return top;
}

void Evaluator::materialise(Vector& vector, std::size_t size) {
    if (!vector.is_constant) return;
    Vector full = new_vector(vector.lane);
    kernels::fill(vector.lane, vector.constant, size, scratch_.at<std::byte>(full.data_buffer));
    full.missing = vector.missing;
    full.missing_buffer = vector.missing_buffer;
    vector = full;
}

void Evaluator::convert(Vector& vector, Lane lane, std::size_t size) {
    if (vector.lane == lane) return;
    if (vector.is_constant) {
        vector.lane = lane;
        return materialise(vector, size);
    }
    Vector wide = new_vector(lane);
    kernels::convert(vector.lane, vector.data, size, lane,
                     scratch_.at<std::byte>(wide.data_buffer));
    wide.missing = vector.missing;
    wide.missing_buffer = vector.missing_buffer;
    scratch_.give_back(vector.data_buffer);
    vector = wide;
}

/// Brings both vectors to the wider of their lanes, and expands constants.
void Evaluator::share_lane(Vector& left, Vector& right, std::size_t size) {
    const Lane lane = std::max(left.lane, right.lane);
    convert(left, lane, size);
    convert(right, lane, size);
    materialise(left, size);
    materialise(right, size);
}

/// Marks `result` as missing where an operand is, and gives both operands back.
void Evaluator::join_missing(Vector& result, Vector& left, Vector& right, std::size_t size) {
    const auto take_over = [&result](Vector& from) {
        result.missing = from.missing;
        result.missing_buffer = std::exchange(from.missing_buffer, -1);
    };
    if (left.missing != nullptr && right.missing != nullptr) {
        result.missing_buffer = scratch_.take();
        auto* const out = scratch_.at<std::uint8_t>(result.missing_buffer);
        kernels::mask_or(left.missing, right.missing, size, out);
        result.missing = out;
    } else if (left.missing != nullptr) {
        take_over(left);
    } else if (right.missing != nullptr) {
        take_over(right);
    }
    scratch_.give_back(left);
    scratch_.give_back(right);
}

/// Makes missing truth values false.
void Evaluator::clear_missing(Vector& mask, std::size_t size) {
    if (mask.missing == nullptr) return;
    materialise(mask, size);
    kernels::mask_clear(scratch_.at<std::uint8_t>(mask.data_buffer), mask.missing, size);
    scratch_.give_back(std::exchange(mask.missing_buffer, -1));
    mask.missing = nullptr;
}

Vector Evaluator::load(const Step& step, const Frame& frame) {
    const RoleView& role = frame.roles.at(static_cast<std::size_t>(step.role));
    const auto slot = static_cast<std::size_t>(step.value);
    const Lane lane = frame.columns->lane(slot);
    const auto* const data = static_cast<const std::byte*>(frame.columns->data(slot));
    Vector vector;
    if (role.fixed >= 0) {
        vector.lane = lane;
        vector.data = data;
        return constant(value_at(vector, static_cast<std::size_t>(role.fixed)));
    }
    // Consecutive nodes are read in place, others are gathered.
    if (role.index == nullptr) {
        vector.lane = lane;
        vector.data = data + frame.first * bytes_of(lane);
    } else {
        vector = new_vector(lane);
        kernels::gather(lane, data, role.index, frame.size,
                        scratch_.at<std::byte>(vector.data_buffer));
    }
    vector.missing = role.missing;
    return vector;
}

Vector Evaluator::relate(Op op, Vector left, Vector right, std::size_t size) {
    if (left.is_constant) {
        std::swap(left, right);
        op = mirrored(op);
    }
    Vector result;
    if (left.is_constant) {
        result = constant(compare_values(op, left.constant, right.constant) ? 1 : 0);
    } else if (right.is_constant && left.lane != Lane::F64 && !fits(right.constant, left.lane)) {
        // The constant is beyond all values of the lane: comparing it with zero decides for all.
        result = constant(compare_values(op, 0, right.constant) ? 1 : 0);
    } else {
        const bool is_fixed = right.is_constant && left.lane != Lane::F64;
        if (!is_fixed) share_lane(left, right, size);
        result = new_vector(Lane::I8);
        auto* const out = scratch_.at<std::uint8_t>(result.data_buffer);
        if (is_fixed) {
            kernels::compare(op, left.lane, left.data, right.constant, size, out);
        } else {
            kernels::compare(op, left.lane, left.data, right.data, size, out);
        }
    }
    join_missing(result, left, right, size);
    clear_missing(result, size);
    return result;
}

Vector Evaluator::combine_bits(Op op, Vector left, Vector right, std::size_t size) {
    if (left.is_constant) std::swap(left, right);
    Vector result;
    if (left.is_constant) {
        result = constant(op == Op::BitAnd ? left.constant & right.constant
                                           : left.constant | right.constant);
    } else if (right.is_constant && fits(right.constant, left.lane)) {
        result = new_vector(left.lane);
        kernels::bits(op, left.lane, left.data, right.constant, size,
                      scratch_.at<std::byte>(result.data_buffer));
    } else {
        share_lane(left, right, size);
        result = new_vector(left.lane);
        kernels::bits(op, left.lane, left.data, right.data, size,
                      scratch_.at<std::byte>(result.data_buffer));
    }
    join_missing(result, left, right, size);
    return result;
}

Vector Evaluator::calculate(Op op, Vector left, Vector right, std::size_t size) {
    const bool is_real = left.lane == Lane::F64 || right.lane == Lane::F64;
    const Lane lane = is_real ? Lane::F64 : Lane::I64;
    for (Vector* each : {&left, &right}) {
        convert(*each, lane, size);
        materialise(*each, size);
    }
    Vector result = new_vector(lane);
    Vector holes;
    if (op == Op::Divide || op == Op::Modulo) {
        holes.missing_buffer = scratch_.take();
        auto* const mask = scratch_.at<std::uint8_t>(holes.missing_buffer);
        std::memset(mask, 0, size);
        holes.missing = mask;
    }
    kernels::arithmetic(
        op, lane, left.data, right.data, size, scratch_.at<std::byte>(result.data_buffer),
        holes.missing != nullptr ? scratch_.at<std::uint8_t>(holes.missing_buffer) : nullptr);
    Vector operands;
    join_missing(operands, left, right, size);
    join_missing(result, operands, holes, size);
    return result;
}

Vector Evaluator::logical(Op op, Vector left, Vector right, std::size_t size) {
    if (left.is_constant) std::swap(left, right);
    if (right.is_constant) {
        // `x or true` and `x and false` are decided; otherwise the result is x.
        const bool decides = (right.constant != 0) == (op == Op::Or);
        if (decides) {
            scratch_.give_back(left);
            return right;
        }
        return left;
    }
    Vector result = new_vector(Lane::I8);
    auto* const out = scratch_.at<std::uint8_t>(result.data_buffer);
    const auto* const a = left.as<std::uint8_t>();
    const auto* const b = right.as<std::uint8_t>();
    if (op == Op::And) {
        kernels::mask_and(a, b, size, out);
    } else {
        kernels::mask_or(a, b, size, out);
    }
    scratch_.give_back(left);
    scratch_.give_back(right);
    return result;
}

Vector Evaluator::negate(Vector operand, std::size_t size) {
    if (operand.is_constant) return constant(operand.constant == 0 ? 1 : 0);
    Vector result = new_vector(Lane::I8);
    kernels::mask_not(operand.as<std::uint8_t>(), size,
                      scratch_.at<std::uint8_t>(result.data_buffer));
    scratch_.give_back(operand);
    return result;
}

Vector Evaluator::truth_of(Vector operand, std::size_t size) {
    Vector result;
    if (operand.is_constant) {
        result = constant(operand.constant != 0 ? 1 : 0);
    } else {
        result = new_vector(Lane::I8);
        kernels::non_zero(operand.lane, operand.data, size,
                          scratch_.at<std::uint8_t>(result.data_buffer));
    }
    Vector none;
    join_missing(result, operand, none, size);
    clear_missing(result, size);
    return result;
}

Vector Evaluator::in_list(std::size_t count, std::size_t size) {
    const std::size_t base = stack_.size() - count;
    const Vector left = stack_[base - 1];
    Vector result = constant(0);
    for (std::size_t i = 0; i < count; ++i) {
        Vector value = left;
        value.data_buffer = -1;  // not given back: the next comparison reads it too
        value.missing_buffer = -1;
        result = logical(Op::Or, result, relate(Op::Equal, value, stack_[base + i], size), size);
    }
    stack_.resize(base - 1);
    scratch_.give_back(left);
    return result;
}

void Evaluator::run(const Step& step, const Frame& frame) {
    switch (step.op) {
        case Op::Integer:
            stack_.push_back(constant(step.value));
            return;
        case Op::Column:
            stack_.push_back(load(step, frame));
            return;
        case Op::Call: {
            // The buffers of answers belong to the caller: -1 keeps them from being given back.
            Vector answer = frame.calls[static_cast<std::size_t>(step.value)];
            answer.data_buffer = -1;
            answer.missing_buffer = -1;
            stack_.push_back(answer);
            return;
        }
        case Op::Truth:
            stack_.push_back(truth_of(pop(), frame.size));
            return;
        case Op::Not:
            stack_.push_back(negate(pop(), frame.size));
            return;
        case Op::In:
            stack_.push_back(in_list(static_cast<std::size_t>(step.value), frame.size));
            return;
        default:
            break;
    }
    ASSAY_CHECK(stack_.size() >= 2);
    const Vector right = pop();
    const Vector left = pop();
    if (step.op == Op::And || step.op == Op::Or) {
        stack_.push_back(logical(step.op, left, right, frame.size));
    } else if (step.op >= Op::Less) {
        stack_.push_back(relate(step.op, left, right, frame.size));
    } else if (step.op == Op::BitAnd || step.op == Op::BitOr) {
        stack_.push_back(combine_bits(step.op, left, right, frame.size));
    } else {
        stack_.push_back(calculate(step.op, left, right, frame.size));
    }
}

Vector Evaluator::evaluate(const Expression& expression, const Frame& frame) {
    for (const Step& step : expression.steps) run(step, frame);
    ASSAY_CHECK(stack_.size() == 1);
    return pop();
}

Vector Evaluator::mask(const Expression& expression, const Frame& frame) {
    Vector result = expression.empty() ? constant(1) : evaluate(expression, frame);
    materialise(result, frame.size);
    return result;
}

Vector Evaluator::wide(const Expression& expression, const Frame& frame) {
    Vector result = evaluate(expression, frame);
    if (result.lane != Lane::F64) convert(result, Lane::I64, frame.size);
    materialise(result, frame.size);
    return result;
}

}  // namespace assay::gtql
