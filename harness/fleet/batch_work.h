#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"

namespace assay::harness {

/// What `assay work --batch` is asked for.
struct BatchWork {
    std::string folder;        // of the run (SlurmFolder)
    std::int64_t batch = 0;    // its number
    std::optional<int> slots;  // games at once; unset: by the processors of the task
    bool takes_open = true;    // play also what another worker has claimed and not ended
    Micros drain{std::chrono::minutes(10)};
    std::string assay_version;
    std::string command_line;
};

/// How it ended.
struct BatchEnd {
    int exit_code = 0;
    std::string sentence;  // on one line
};

/// Claims a batch, plays its pairs into a store on a local disk, and hands that in. Throws Error
/// where the folder is none of a run that this assay can play, or cannot be written.
[[nodiscard]] BatchEnd work_on_batch(const BatchWork& work, const Clock& clock);

}  // namespace assay::harness
