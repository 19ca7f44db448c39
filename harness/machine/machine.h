#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/run.h"

namespace assay::harness {

/// This machine as the kernel shows it to this process. Cores are those that it may use: within its
/// affinity, its cgroup's quota (rounded down, at least 1) and what Slurm gave its task, of which
/// the least counts: a site need not pin tasks to their processors.
[[nodiscard]] MachineRecord this_machine();

/// The numbers of the logical cores that this process may run on; never empty.
[[nodiscard]] std::vector<int> allowed_cpus();

/// Games at once by default: cores / `threads` (of the larger program, of both where they ponder),
/// at least 1. Physical cores where clocks decide; logical ones where no clock does.
[[nodiscard]] int default_concurrency(const MachineRecord& machine, int threads, bool is_clockless);

/// A warning if `games` at once with `threads` each need more logical cores than there are, so that
/// a program waits for a processor while its clock runs; else nullopt.
[[nodiscard]] std::optional<std::string> crowding(const MachineRecord& machine, int games,
                                                  int threads);

/// Reads one of the kernel's texts by its absolute path; nullopt where there is none.
using TextReader = std::function<std::optional<std::string>(const std::string& path)>;

/// Reads files, at most 1 MB of each.
[[nodiscard]] std::optional<std::string> read_kernel_text(const std::string& path);

/// What the kernel says of one logical core; nullopt if it says nothing (virtual machines, ARM).
struct CoreId {
    std::optional<int> package;
    std::optional<int> core;
};

/// "model name" of /proc/cpuinfo, else what ARM and others say in its place; "unknown" at worst.
[[nodiscard]] std::string cpu_model(std::string_view cpuinfo);

/// Logical cores by number, from /sys/devices/system/cpu or, where that lacks it, /proc/cpuinfo.
[[nodiscard]] CoreId core_id(int cpu, const TextReader& read);

/// The number of physical cores of these logical ones; one of unknown core counts as one.
[[nodiscard]] int count_physical(const std::vector<CoreId>& cores);

/// Processors' worth of time that the cgroup allows (0.5: half of one), from `cgroup`, the text of
/// /proc/self/cgroup, and the quota files of version 2 and 1 in the group and all above it, of
/// which the smallest counts; nullopt: no limit.
[[nodiscard]] std::optional<double> cgroup_quota(std::string_view cgroup, const TextReader& read);

/// Processors that Slurm gave this task, from SLURM_CPUS_PER_TASK; nullopt where that is unset or
/// no number.
[[nodiscard]] std::optional<double> slurm_quota(const char* cpus_per_task);

/// `cores` within `quota`: rounded down, at least 1.
[[nodiscard]] int within_quota(int cores, std::optional<double> quota);

/// A line "Name: 123 kB" of /proc/meminfo or /proc/self/status, in bytes; nullopt where missing.
[[nodiscard]] std::optional<std::uint64_t> kilobytes_of(std::string_view text,
                                                        std::string_view name);

}  // namespace assay::harness
