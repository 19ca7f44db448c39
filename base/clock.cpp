#include "base/clock.h"

namespace assay {

long long wall_clock_us() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::floor<Micros>(since).count();
}

std::tm utc_of(long long us) {
    const auto time = static_cast<std::time_t>(us / 1'000'000);
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    return parts;
}

}  // namespace assay
