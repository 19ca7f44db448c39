#pragma once
#include "base/clock.h"

namespace assay::test {

/// A clock that moves only when told to.
class FakeClock final : public Clock {
public:
    [[nodiscard]] TimePoint now() const override { return now_; }

    void advance(Micros by) { now_ += by; }

private:
    TimePoint now_{std::chrono::hours(1)};
};

}  // namespace assay::test
