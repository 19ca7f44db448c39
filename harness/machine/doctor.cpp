// Judges the facts that doctor_facts.cpp has measured.
//
// Each finding has what was measured and, if it can spoil timed games, an advice. Thresholds are
// where games suffer, not where a machine is imperfect: a warning that every desktop earns is not
// read. Figures at p99, because one late wake-up in a hundred moves decides games at short clocks.
#include "harness/machine/doctor.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"

namespace assay::harness {

namespace {

constexpr double kMostIdleLoad = 0.3;       // of the cores; what a desktop's background costs
constexpr double kMostTimerOverrun = 1000;  // µs at p99; clocks are kept to less than that
constexpr double kMostPipeTrip = 1000;      // µs at p99
constexpr double kMostDiskWait = 50'000;    // µs at p99: what a finished game may wait
constexpr std::uint64_t kLeastFreeMemory = std::uint64_t{1} << 30U;
constexpr std::uint64_t kLeastDescriptors = 1024;
constexpr double kMegabyte = 1024.0 * 1024.0;

std::string latency_text(const Latency& latency) {
    return fmt::format("p50 {:.3f} ms, p99 {:.3f} ms, max {:.3f} ms", latency.p50_us / 1000,
                       latency.p99_us / 1000, latency.max_us / 1000);
}

bool was_measured(const Latency& latency) {
    return latency.max_us > 0;
}

Finding judge_cores(const DoctorFacts& facts) {
    const MachineRecord& machine = facts.machine;
    Finding finding{"cores",
                    fmt::format("{} ({} physical) of {}{}", counted(machine.logical_cores, "core"),
                                machine.physical_cores, machine.cpu,
                                facts.is_virtual ? ", a virtual machine" : ""),
                    ""};
    if (machine.logical_cores < 2) {
        finding.advice =
            "two programs and assay share one core; use clocks of a second or more, or node limits";
    }
    return finding;
}

Finding judge_quota(const DoctorFacts& facts) {
    if (!facts.quota) return {"quota", "none", ""};
    Finding finding{"quota", fmt::format("{:.2f} processors of time", *facts.quota), ""};
    if (*facts.quota < facts.allowed_cpus) {
        finding.advice = fmt::format(
            "the kernel pauses the container in the middle of moves when it has used {:.2f} of its "
            "{} "
            "cores: pin it to whole cores instead (docker: --cpuset-cpus in place of --cpus)",
            *facts.quota, facts.allowed_cpus);
    }
    return finding;
}

Finding judge_load(const DoctorFacts& facts) {
    if (!facts.load) return {"load", "unknown", ""};
    Finding finding{"load",
                    fmt::format("{:.2f} over the last minute on {}", *facts.load,
                                counted(facts.machine.logical_cores, "core")),
                    ""};
    if (*facts.load > kMostIdleLoad * facts.machine.logical_cores) {
        finding.advice = "other work takes time from the programs: stop it, or lower concurrency";
    }
    return finding;
}

Finding judge_governor(const DoctorFacts& facts) {
    if (!facts.governor) return {"governor", "unknown", ""};
    Finding finding{"governor", *facts.governor, ""};
    if (*facts.governor != "performance") {
        finding.advice =
            "cores slow down between moves: 'cpupower frequency-set -g performance' as root";
    }
    return finding;
}

Finding judge_turbo(const DoctorFacts& facts) {
    if (!facts.has_turbo) return {"turbo", "unknown", ""};
    if (!*facts.has_turbo) return {"turbo", "off", ""};
    return {"turbo", "on",
            "programs run faster while other cores are idle: keep concurrency the same in all runs "
            "that are compared, or turn it off in the firmware or in "
            "/sys/devices/system/cpu/cpufreq/boost or intel_pstate/no_turbo"};
}

Finding judge_smt(const DoctorFacts& facts) {
    if (!facts.has_smt) return {"smt", "unknown", ""};
    return {"smt",
            *facts.has_smt ? "on; 'concurrency: auto' counts physical cores where clocks decide"
                           : "off",
            ""};
}

Finding judge_timer(const DoctorFacts& facts) {
    if (!was_measured(facts.timer)) return {"timer", "could not be measured", ""};
    Finding finding{"timer", "a sleep of 1 ms ends late by " + latency_text(facts.timer), ""};
    if (facts.timer.p99_us > kMostTimerOverrun) {
        finding.advice =
            "this machine or its host is busy: in games shorter than a minute a side programs will "
            "lose on time through no fault of their own";
    }
    return finding;
}

Finding judge_pipe(const DoctorFacts& facts) {
    if (!was_measured(facts.pipe)) {
        return {"pipe", "could not be measured",
                "no program could be started: check that 'cat' is in PATH and that processes are "
                "allowed (ulimit -u)"};
    }
    Finding finding{"pipe", "a line to a program and back takes " + latency_text(facts.pipe), ""};
    if (facts.pipe.p99_us > kMostPipeTrip) {
        finding.advice =
            "each move costs a program that much of its clock: lower concurrency, stop other work, "
            "or give increments of 100 ms and more";
    }
    return finding;
}

Finding judge_memory(const DoctorFacts& facts) {
    if (!facts.free_memory_bytes) return {"memory", "unknown", ""};
    Finding finding{"memory",
                    fmt::format("{:.0f} MB free of {:.0f} MB",
                                static_cast<double>(*facts.free_memory_bytes) / kMegabyte,
                                static_cast<double>(facts.machine.memory_bytes) / kMegabyte),
                    ""};
    if (*facts.free_memory_bytes < kLeastFreeMemory) {
        finding.advice = "hash tables that do not fit are swapped: lower Hash or concurrency";
    }
    return finding;
}

Finding judge_descriptors(const DoctorFacts& facts) {
    Finding finding{"descriptors", fmt::format("at most {}", facts.most_descriptors), ""};
    if (facts.most_descriptors < kLeastDescriptors) {
        finding.advice = fmt::format(
            "each concurrent game needs 8, so about {} fit: raise the hard limit (ulimit -Hn)",
            facts.most_descriptors / 8);
    }
    return finding;
}

Finding judge_disk(const DoctorFacts& facts) {
    Finding finding{"disk", "", ""};
    const std::string& kind = facts.file_system;
    const std::string where = facts.store_folder + (kind.empty() ? "" : fmt::format(" ({})", kind));
    if (!was_measured(facts.disk)) {
        finding.text = where + " cannot be written";
        finding.advice = "name a store in another folder with --db";
        return finding;
    }
    finding.text =
        fmt::format("writing 4 KB durably to {} takes {}", where, latency_text(facts.disk));
    if (kind == "nfs" || kind == "cifs" || kind == "9p" || kind == "fuse") {
        finding.advice =
            "SQLite's write-ahead log needs a local disk: put the store on one with --db";
    } else if (kind == "tmpfs") {
        finding.advice = "this folder is lost at a restart: put the store on a disk with --db";
    } else if (facts.disk.p99_us > kMostDiskWait) {
        finding.advice =
            "each finished game waits that long before it counts: use a faster disk (--db)";
    }
    return finding;
}

Finding judge_runs(const DoctorFacts& facts) {
    if (facts.other_runs.empty()) return {"runs", "no other run on this machine", ""};
    std::string text;
    for (const OtherRun& run : facts.other_runs) {
        text += fmt::format("{}process {} plays {} at once into {}", text.empty() ? "" : "; ",
                            run.pid, counted(run.concurrency, "game"), run.store);
    }
    return {"runs", text,
            "wait until it ends: two runs that share cores slow each other's programs down"};
}

Finding judge_session(const DoctorFacts& facts) {
    if (facts.session.empty()) return {"session", "nothing else in it is busy", ""};
    constexpr std::size_t kMost = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(kMost, facts.session.size()); ++i) {
        const BusyProcess& process = facts.session[i];
        text += fmt::format("{}{} (process {}) takes {:.0f} % of a core", i == 0 ? "" : ", ",
                            process.name, process.pid, 100 * process.share);
    }
    if (facts.session.size() > kMost) {
        text += fmt::format(" and {} more", facts.session.size() - kMost);
    }
    Finding finding{"session", text, ""};
    if (facts.has_autogroup) {
        finding.advice =
            "the kernel divides the cores among sessions (autogroup), and these processes share "
            "this session: start runs as 'setsid --wait assay …' or in a terminal of their own, or "
            "programs will lose games on time at short clocks";
    } else {
        finding.advice = "other work takes time from the programs: stop it, or lower concurrency";
    }
    return finding;
}

}  // namespace

Latency latency_of(std::vector<double> samples_us) {
    if (samples_us.empty()) return {};
    std::ranges::sort(samples_us);
    const auto at = [&](double part) {
        const auto rank = std::ceil(part * static_cast<double>(samples_us.size()));
        return samples_us[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
    };
    return {at(0.5), at(0.99), samples_us.back()};
}

std::vector<Finding> judge(const DoctorFacts& facts) {
    return {judge_cores(facts),       judge_quota(facts), judge_load(facts),
            judge_governor(facts),    judge_turbo(facts), judge_smt(facts),
            judge_timer(facts),       judge_pipe(facts),  judge_memory(facts),
            judge_descriptors(facts), judge_disk(facts),  judge_runs(facts),
            judge_session(facts)};
}

}  // namespace assay::harness
