#pragma once
#include <unistd.h>
#include <utility>

namespace assay {

/// Owns a file descriptor; -1: none.
class UniqueFd {
public:
    UniqueFd() = default;

    explicit UniqueFd(int fd) : fd_(fd) {}

    UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

    UniqueFd& operator=(UniqueFd&& other) noexcept {
        if (this != &other) {
            reset();
            fd_ = std::exchange(other.fd_, -1);
        }
        return *this;
    }

    UniqueFd(const UniqueFd&) = delete;
    UniqueFd& operator=(const UniqueFd&) = delete;

    ~UniqueFd() { reset(); }

    [[nodiscard]] int get() const { return fd_; }

    [[nodiscard]] bool is_open() const { return fd_ >= 0; }

    void reset() {
        if (fd_ >= 0) ::close(fd_);
        fd_ = -1;
    }

private:
    int fd_ = -1;
};

}  // namespace assay
