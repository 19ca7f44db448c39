#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gtql/log/tree.h"

namespace assay::gtql {

/// What the values of a vector are. Truth values are I8 with 0 and 1.
enum class Lane : std::uint8_t { I8, I16, I32, I64, F64 };

[[nodiscard]] constexpr std::size_t bytes_of(Lane lane) {
    return lane == Lane::F64 ? 8 : std::size_t{1} << static_cast<unsigned>(lane);
}

[[nodiscard]] constexpr Lane lane_of(Width width) {
    switch (width) {
        case Width::I8:
            return Lane::I8;
        case Width::I16:
            return Lane::I16;
        case Width::I32:
            return Lane::I32;
        case Width::I64:
            break;
    }
    return Lane::I64;
}

/// Values for the nodes of a batch, or one integer for all of them. Where `missing` is 1 there is
/// no value (no parent, no child before, an empty scope, a division by zero), and `data` holds any.
struct Vector {
    Lane lane = Lane::I64;
    bool is_constant = false;
    std::int64_t constant = 0;
    const void* data = nullptr;
    const std::uint8_t* missing = nullptr;  // null: none is
    int data_buffer = -1;                   // of Scratch; -1: lent by someone else
    int missing_buffer = -1;

    template <class T>
    [[nodiscard]] const T* as() const {
        return static_cast<const T*>(data);
    }
};

/// REQUIRES: integers, not constant.
[[nodiscard]] inline std::int64_t value_at(const Vector& vector, std::size_t i) {
    switch (vector.lane) {
        case Lane::I8:
            return vector.as<std::int8_t>()[i];
        case Lane::I16:
            return vector.as<std::int16_t>()[i];
        case Lane::I32:
            return vector.as<std::int32_t>()[i];
        default:
            return vector.as<std::int64_t>()[i];
    }
}

/// Buffers of one size that are taken and given back; each holds `capacity` values of any lane.
class Scratch {
public:
    explicit Scratch(std::size_t capacity) : capacity_(capacity) {}

    [[nodiscard]] std::size_t capacity() const { return capacity_; }

    int take() {
        if (free_.empty()) {
            // NOLINTNEXTLINE(modernize-avoid-c-arrays): its size is known at run time
            buffers_.push_back(std::make_unique<std::int64_t[]>(capacity_));
            free_.push_back(static_cast<int>(buffers_.size()) - 1);
        }
        const int buffer = free_.back();
        free_.pop_back();
        return buffer;
    }

    void give_back(int buffer) {
        if (buffer >= 0) free_.push_back(buffer);
    }

    void give_back(const Vector& vector) {
        give_back(vector.data_buffer);
        give_back(vector.missing_buffer);
    }

    template <class T>
    [[nodiscard]] T* at(int buffer) {
        return reinterpret_cast<T*>(buffers_[static_cast<std::size_t>(buffer)].get());
    }

private:
    std::size_t capacity_;
    // NOLINTNEXTLINE(modernize-avoid-c-arrays): their size is known at run time
    std::vector<std::unique_ptr<std::int64_t[]>> buffers_;
    std::vector<int> free_;
};

}  // namespace assay::gtql
