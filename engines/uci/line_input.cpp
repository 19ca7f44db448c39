#include "engines/uci/line_input.h"

#include <cerrno>
#include <poll.h>
#include <string_view>
#include <unistd.h>

namespace assay::engines {

std::optional<std::string> LineInput::take() {
    const std::size_t end = buffer_.find('\n', at_);
    if (end == std::string::npos) return std::nullopt;
    std::string line = buffer_.substr(at_, end - at_);
    at_ = end + 1;
    if (at_ == buffer_.size()) {
        buffer_.clear();
        at_ = 0;
    }
    return line;
}

void LineInput::read() {
    if (at_ > 0) {
        buffer_.erase(0, at_);
        at_ = 0;
    }
    const std::size_t used = buffer_.size();
    buffer_.resize(used + 16384);
    const ssize_t got = ::read(descriptor_, buffer_.data() + used, buffer_.size() - used);
    buffer_.resize(used + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got == 0 || (got < 0 && errno != EINTR)) over_ = true;
}

std::optional<std::string> LineInput::wait() {
    while (true) {
        if (auto line = take()) return line;
        if (over_) return std::nullopt;
        read();
    }
}

std::optional<std::string> LineInput::look() {
    if (auto line = take()) return line;
    pollfd poll{descriptor_, POLLIN, 0};
    if (over_ || ::poll(&poll, 1, 0) <= 0) return std::nullopt;
    read();
    return take();
}

void write_all(int descriptor, const std::string& text) {
    std::string_view rest = text;
    while (!rest.empty()) {
        const ssize_t written = ::write(descriptor, rest.data(), rest.size());
        if (written < 0 && errno != EINTR) return;
        rest.remove_prefix(static_cast<std::size_t>(written < 0 ? 0 : written));
    }
}

}  // namespace assay::engines
