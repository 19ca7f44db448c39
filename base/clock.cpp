#include "base/clock.h"

namespace assay {

long long wall_clock_us() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::floor<Micros>(since).count();
}

}  // namespace assay
