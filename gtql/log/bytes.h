#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace assay::gtql {

/// The checksum of tree logs (docs/tree-log.md).
[[nodiscard]] std::uint64_t checksum(std::span<const std::byte> data);

/// Appends `bytes` low bytes of `value`, at most 8, the lowest first.
void append_number(std::string& to, std::uint64_t value, int bytes);

/// A text of at most 65,535 bytes with its length of two bytes before it; longer ones are cut.
void append_text(std::string& to, std::string_view text);

/// Value `i` of a column of one signed integer type.
template <class T>
void store_value(std::byte* data, std::size_t i, std::int64_t value) {
    const T narrow = static_cast<T>(value);
    std::memcpy(data + i * sizeof(T), &narrow, sizeof(T));
}

[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t value) {
    return (static_cast<std::uint64_t>(value) << 1U) ^ (value < 0 ? ~std::uint64_t{0} : 0);
}

[[nodiscard]] constexpr std::int64_t unzigzag(std::uint64_t z) {
    return static_cast<std::int64_t>((z >> 1) ^ (~(z & 1) + 1));
}

/// Takes numbers and texts off the front of bytes that may end anywhere. After the first read
/// beyond the end is_good() is false and everything read is 0 or empty.
class Cursor {
public:
    explicit Cursor(std::span<const std::byte> data) : data_(data) {}

    [[nodiscard]] std::uint64_t number(int bytes);
    [[nodiscard]] std::string_view bytes(std::size_t size);

    [[nodiscard]] std::string_view text() { return bytes(number(2)); }

    [[nodiscard]] std::string_view name() { return bytes(number(1)); }

    [[nodiscard]] bool is_good() const { return is_good_; }

    [[nodiscard]] std::size_t left() const { return data_.size() - at_; }

    [[nodiscard]] std::size_t position() const { return at_; }

private:
    std::span<const std::byte> data_;
    std::size_t at_ = 0;
    bool is_good_ = true;
};

/// Bytes that can be read at any place: a file, or a content in memory. Threads may share one.
class RandomAccess {
public:
    RandomAccess() = default;
    RandomAccess(const RandomAccess&) = delete;
    RandomAccess& operator=(const RandomAccess&) = delete;
    virtual ~RandomAccess() = default;

    /// Throws Error where the file cannot be opened, or is no regular file.
    [[nodiscard]] static std::unique_ptr<RandomAccess> open(const std::string& path);
    [[nodiscard]] static std::unique_ptr<RandomAccess> of(std::string name, std::string content);

    [[nodiscard]] virtual const std::string& name() const = 0;
    [[nodiscard]] virtual std::uint64_t size() const = 0;
    /// Fills `to`. Throws Error where the bytes are not there or cannot be read.
    virtual void read(std::uint64_t offset, std::span<std::byte> to) const = 0;
};

/// Bytes that a reader went over because they are damaged, or a tree that is not as it should be.
struct Remark {
    std::uint64_t offset = 0;  // in the file
    std::string what;          // "… bytes skipped", lower case
};

}  // namespace assay::gtql
