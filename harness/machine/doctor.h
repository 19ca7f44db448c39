#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "harness/machine/machine.h"
#include "harness/machine/session_load.h"
#include "harness/record/run.h"
#include "harness/store/store_lock.h"

namespace assay::harness {

/// How long something took, again and again; microseconds. All zero: it could not be measured.
struct Latency {
    double p50_us = 0;
    double p99_us = 0;
    double max_us = 0;
};

/// Of measurements in microseconds, in any order.
[[nodiscard]] Latency latency_of(std::vector<double> samples_us);

/// What was found out about this machine; unset: it does not tell.
struct DoctorFacts {
    MachineRecord machine;
    int allowed_cpus = 1;                 // by affinity, before the quota
    std::optional<double> quota;          // processors' worth of time; unset: no limit
    std::optional<double> load;           // runnable processes, mean of the last minute
    std::optional<std::string> governor;  // of the slowest of the cores
    std::optional<bool> has_turbo;        // clock speed depends on how many cores are busy
    std::optional<bool> has_smt;
    bool is_virtual = false;
    std::optional<std::uint64_t> free_memory_bytes;
    std::uint64_t most_descriptors = 0;  // the hard limit, which a run raises its own to
    std::string store_folder;
    std::string file_system;  // "nfs", "cifs", "tmpfs", "9p", "fuse", or "" for an ordinary disk
    Latency timer;            // how much a sleep of 1 ms oversleeps
    Latency pipe;             // one line to a child and back
    Latency disk;             // 4 KB made durable in the store's folder
    std::vector<OtherRun> other_runs;
    bool has_autogroup = false;        // the kernel divides the processors among sessions first
    std::vector<BusyProcess> session;  // others of our session that were busy meanwhile
};

/// One line of the doctor's.
struct Finding {
    std::string name;    // one word, stable: scripts know it
    std::string text;    // what was found
    std::string advice;  // a sentence of what to do; empty: all is well

    [[nodiscard]] bool is_warning() const { return !advice.empty(); }
};

/// Pure: what the facts mean for timing programs, in a fixed order.
[[nodiscard]] std::vector<Finding> judge(const DoctorFacts& facts);

/// Measures for about a second. `store` need not be there, but its folder must, or the disk is left
/// out. Never throws: what cannot be measured stays unset.
[[nodiscard]] DoctorFacts examine(const std::string& store, const Clock& clock,
                                  const std::string& runs_folder = kRunsFolder);

/// What the kernel's texts say beside the machine's record; part of examine(), apart for tests.
void read_settings(DoctorFacts& facts, const std::vector<int>& cpus, const TextReader& read);

}  // namespace assay::harness
