#pragma once
#include <array>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "base/unique_fd.h"
#include "tests/support/child.h"

namespace assay::test {

/// A named pipe that is full from the start: who writes to it waits until it is read.
class FullPipe {
public:
    explicit FullPipe(const std::string& path) {
        REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
        end_ = UniqueFd(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
        const std::string full(1U << 16U, 'x');
        while (::write(end_.get(), full.data(), full.size()) > 0) continue;
    }

    /// Reads until `text` has come, or all that is there once the child has ended.
    std::string read_until(const std::string& text, const Child& child) const {
        std::string read;
        while (read.find(text) == std::string::npos && child.has_output(end_.get())) {
            std::array<char, 65536> buffer{};
            const ssize_t got = ::read(end_.get(), buffer.data(), buffer.size());
            if (got > 0) read.append(buffer.data(), static_cast<std::size_t>(got));
        }
        return read;
    }

private:
    UniqueFd end_;
};

}  // namespace assay::test
