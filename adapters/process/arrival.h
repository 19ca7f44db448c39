#pragma once
#include "base/clock.h"

namespace assay::adapters {

/// The moment bytes of a program arrived.
struct Arrival {
    TimePoint wake;   // the event loop returned from its wait
    TimePoint stamp;  // the bytes had been read; this is what a clock books
};

}  // namespace assay::adapters
