#include "adapters/process/recent_lines.h"

#include <algorithm>

#include "base/text.h"

namespace assay::adapters {

namespace {
constexpr std::size_t kRingBytes = 2048;
constexpr std::size_t kLongestRecentLine = 400;
constexpr std::size_t kMostLines = 20;
}  // namespace

void RecentLines::add(std::string_view line) {
    if (ring_.empty()) ring_.resize(kRingBytes);
    put(line.substr(0, kLongestRecentLine));
    put("\n");
}

void RecentLines::put(std::string_view bytes) {
    const std::size_t first = std::min(bytes.size(), kRingBytes - next_);
    bytes.copy(ring_.data() + next_, first);
    bytes.substr(first).copy(ring_.data(), bytes.size() - first);
    next_ += bytes.size();
    if (next_ >= kRingBytes) {
        next_ -= kRingBytes;
        is_full_ = true;
    }
}

std::vector<std::string> RecentLines::lines() const {
    std::string text = is_full_ ? ring_.substr(next_) : std::string();
    text.append(ring_, 0, next_);
    // The oldest line has lost its beginning to the newest.
    if (is_full_) text.erase(0, text.find('\n') + 1);
    std::vector<std::string> result;
    std::string_view rest = text;
    while (!rest.empty()) result.push_back(printable_utf8(take_line(rest)));
    if (result.size() > kMostLines) {
        result.erase(result.begin(), result.end() - std::ptrdiff_t{kMostLines});
    }
    return result;
}

}  // namespace assay::adapters
