#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace assay::harness {

/// What /proc/PID/stat says of one process. `ticks`: its processor time, in the kernel's units.
struct ProcessTime {
    std::string name;
    int session = 0;
    std::uint64_t ticks = 0;
};

/// By pid.
using ProcessTimes = std::map<int, ProcessTime>;

/// Another process, and the share of one processor that it used.
struct BusyProcess {
    int pid = 0;
    std::string name;
    double share = 0;
};

/// Parses the text of /proc/PID/stat; nullopt if it is malformed.
[[nodiscard]] std::optional<ProcessTime> read_process_time(std::string_view stat);

/// The processes of `session` that took a fifth of a processor or more between the two looks, the
/// busiest first. Those that were not there at both, and `own` itself, are left out.
[[nodiscard]] std::vector<BusyProcess> busy_between(const ProcessTimes& before,
                                                    const ProcessTimes& after, int session, int own,
                                                    Micros between, long ticks_a_second);

/// All processes as they are now. Not pure: reads /proc.
[[nodiscard]] ProcessTimes process_times();

}  // namespace assay::harness
