#include "gtql/log/bytes.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/machine_fault.h"

namespace assay::gtql {

namespace {

std::uint64_t load_word(const std::byte* data, std::size_t bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        word |= std::to_integer<std::uint64_t>(data[i]) << 8 * i;
    return word;
}

[[noreturn]] void fail(const std::string& path, int reason) {
    throw Error(path + ": " + system_reason(reason), is_machine_fault(reason) ? 4 : 2);
}

/// Of a regular file, to read.
class Descriptor {
public:
    explicit Descriptor(const std::string& path) {
        // A pipe that nobody writes to would hold us.
        file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

        struct stat status {};

        if (file_ < 0 || ::fstat(file_, &status) != 0) {
            const int reason = errno;
            if (file_ >= 0) ::close(file_);
            fail(path, reason);
        }
        if (!S_ISREG(status.st_mode)) {
            ::close(file_);
            throw Error(path + ": no regular file");
        }
        size_ = static_cast<std::uint64_t>(status.st_size);
    }

    ~Descriptor() {
        if (file_ >= 0) ::close(file_);
    }

    Descriptor(Descriptor&& other) noexcept
        : file_(std::exchange(other.file_, -1)), size_(other.size_) {}

    Descriptor& operator=(Descriptor&&) = delete;

    [[nodiscard]] int value() const { return file_; }

    [[nodiscard]] std::uint64_t size() const { return size_; }

private:
    int file_ = -1;
    std::uint64_t size_ = 0;
};

class FileBytes final : public RandomAccess {
public:
    FileBytes(std::string name, Descriptor file) : name_(std::move(name)), file_(std::move(file)) {}

    [[nodiscard]] const std::string& name() const override { return name_; }

    [[nodiscard]] std::uint64_t size() const override { return file_.size(); }

    void read(std::uint64_t offset, std::span<std::byte> to) const override {
        while (!to.empty()) {
            const auto got =
                ::pread(file_.value(), to.data(), to.size(), static_cast<off_t>(offset));
            const int reason = errno;
            if (got < 0 && reason == EINTR) continue;
            if (got < 0) fail(name_, reason);
            if (got == 0) throw Error(name_ + ": the file ends at byte " + std::to_string(offset));
            to = to.subspan(static_cast<std::size_t>(got));
            offset += static_cast<std::uint64_t>(got);
        }
    }

private:
    std::string name_;
    Descriptor file_;
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
    return std::make_unique<FileBytes>(path, Descriptor(path));
}

std::unique_ptr<RandomAccess> RandomAccess::of(std::string name, std::string content) {
    return std::make_unique<TextBytes>(std::move(name), std::move(content));
}

}  // namespace assay::gtql
