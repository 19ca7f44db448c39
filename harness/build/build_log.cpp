#include "harness/build/build_log.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace assay::harness {

BuildLog::BuildLog(const std::string& path) : file_(path, std::ios::binary | std::ios::trunc) {}

BuildLog::~BuildLog() {
    close();
}

void BuildLog::write(std::string_view bytes) {
    const std::string_view first = bytes.substr(0, kMostOfEach - begun_);
    if (!first.empty()) {
        file_.write(first.data(), static_cast<std::streamsize>(first.size()));
        file_.flush();
        begun_ += first.size();
        bytes.remove_prefix(first.size());
    }
    end_ += bytes;
    // Not at each write: what is in front of the end would be moved each time.
    if (end_.size() <= 2 * kMostOfEach) return;
    left_out_ += end_.size() - kMostOfEach;
    end_.erase(0, end_.size() - kMostOfEach);
}

void BuildLog::close() {
    if (!file_.is_open()) return;
    if (end_.size() > kMostOfEach) {
        left_out_ += end_.size() - kMostOfEach;
        end_.erase(0, end_.size() - kMostOfEach);
    }
    if (left_out_ > 0)
        file_ << fmt::format("\n[{} left out here]\n",
                             counted(static_cast<std::int64_t>(left_out_), "byte"));
    file_.write(end_.data(), static_cast<std::streamsize>(end_.size()));
    file_.close();
}

}  // namespace assay::harness
