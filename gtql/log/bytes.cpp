// Bytes of log files, in little-endian order on every machine. Numbers are put together byte by
// byte and not by a cast: a log may lie at any offset, and an unaligned load is undefined.
// Compilers make one load of the loop.
//
// The checksum finds damage, and is no protection against intent: eight bytes at a time are mixed
// by a multiplication with an odd constant and a shift, which costs one multiplication a word.
// Every engine that writes a log has to compute it, hence a few lines in place of a library. The
// length is mixed in first, so that zeros at the end change the sum.
//
// A Cursor reads past the end as zeros and remembers it. So a parser of a record checks once at its
// end whether all was there, and not after every field; what it allocates by a number that it has
// read, it must bound itself.
#include "gtql/log/bytes.h"

#include <utility>

#include "base/diagnostic.h"
#include "base/file.h"

namespace assay::gtql {

namespace {

std::uint64_t load_word(const std::byte* data, std::size_t bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        word |= std::to_integer<std::uint64_t>(data[i]) << 8 * i;
    return word;
}

class FileBytes final : public RandomAccess {
public:
    explicit FileBytes(File file) : file_(std::move(file)), size_(file_.stamp().size) {}

    [[nodiscard]] const std::string& name() const override { return file_.name(); }

    [[nodiscard]] std::uint64_t size() const override { return size_; }

    void read(std::uint64_t offset, std::span<std::byte> to) const override {
        const std::size_t got =
            file_.read_at(offset, reinterpret_cast<char*>(to.data()), to.size());
        if (got < to.size())
            throw Error(name() + ": the file ends at byte " + std::to_string(offset + got));
    }

private:
    File file_;
    std::uint64_t size_;
};

class TextBytes final : public RandomAccess {
public:
    TextBytes(std::string name, std::string content)
        : name_(std::move(name)), content_(std::move(content)) {}

    [[nodiscard]] const std::string& name() const override { return name_; }

    [[nodiscard]] std::uint64_t size() const override { return content_.size(); }

    void read(std::uint64_t offset, std::span<std::byte> to) const override {
        if (offset > content_.size() || to.size() > content_.size() - offset)
            throw Error(name_ + ": the file ends at byte " + std::to_string(content_.size()));
        if (!to.empty()) std::memcpy(to.data(), content_.data() + offset, to.size());
    }

private:
    std::string name_;
    std::string content_;
};

}  // namespace

std::uint64_t checksum(std::span<const std::byte> data) {
    std::uint64_t hash = 0x9E3779B97F4A7C15U ^ data.size();
    const auto mix = [&hash](std::uint64_t word) {
        hash = (hash ^ word) * 0x9FB21C651E98DF25U;
        hash ^= hash >> 32;
    };
    std::size_t at = 0;
    for (; at + 8 <= data.size(); at += 8) mix(load_word(data.data() + at, 8));
    if (at < data.size()) mix(load_word(data.data() + at, data.size() - at));
    return hash;
}

void append_number(std::string& to, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> 8 * i & 0xFF);
}

void append_text(std::string& to, std::string_view text) {
    text = text.substr(0, 0xFFFF);
    append_number(to, text.size(), 2);
    to += text;
}

std::uint64_t Cursor::number(int bytes) {
    const auto size = static_cast<std::size_t>(bytes);
    if (left() < size) {
        is_good_ = false;
        at_ = data_.size();
        return 0;
    }
    at_ += size;
    return load_word(data_.data() + at_ - size, size);
}

std::string_view Cursor::bytes(std::size_t size) {
    if (left() < size) {
        is_good_ = false;
        at_ = data_.size();
        return {};
    }
    at_ += size;
    return {reinterpret_cast<const char*>(data_.data()) + at_ - size, size};
}

std::unique_ptr<RandomAccess> RandomAccess::open(const std::string& path) {
    return std::make_unique<FileBytes>(File::open_regular(path));
}

std::unique_ptr<RandomAccess> RandomAccess::of(std::string name, std::string content) {
    return std::make_unique<TextBytes>(std::move(name), std::move(content));
}

}  // namespace assay::gtql
