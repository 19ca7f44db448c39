#include "harness/machine/doctor.h"

#include <map>

#include <doctest/doctest.h>

#include "base/clock.h"
#include "tests/support/temp_dir.h"

namespace assay::harness {

namespace {

constexpr std::uint64_t kGigabyte = std::uint64_t{1} << 30U;

/// A quiet server that has nothing to be warned of.
DoctorFacts fit_machine() {
    DoctorFacts facts;
    facts.machine = {"host", "Xeon", "6.1", 16, 8, 32 * kGigabyte};
    facts.allowed_cpus = 16;
    facts.load = 0.5;
    facts.governor = "performance";
    facts.has_turbo = false;
    facts.has_smt = true;
    facts.free_memory_bytes = 30 * kGigabyte;
    facts.most_descriptors = 1'048'576;
    facts.store_folder = "/home/me";
    facts.timer = {55, 70, 90};
    facts.pipe = {12, 30, 200};
    facts.disk = {400, 900, 1000};
    return facts;
}

std::string text_of(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& finding : findings) {
        text += (finding.is_warning() ? "warning " : "ok ") + finding.name + ": " + finding.text;
        if (finding.is_warning()) text += " -> " + finding.advice;
        text += '\n';
    }
    return text;
}

std::string warnings_of(const DoctorFacts& facts) {
    std::string names;
    for (const Finding& finding : judge(facts)) {
        if (finding.is_warning()) names += finding.name + " ";
    }
    return names;
}

}  // namespace

TEST_CASE("Doctor: a fit machine gets thirteen lines and no warning") {
    CHECK(
        text_of(judge(fit_machine())) ==
        "ok cores: 16 cores (8 physical) of Xeon\n"
        "ok quota: none\n"
        "ok load: 0.50 over the last minute on 16 cores\n"
        "ok governor: performance\n"
        "ok turbo: off\n"
        "ok smt: on; 'concurrency: auto' counts physical cores where clocks decide\n"
        "ok timer: a sleep of 1 ms ends late by p50 0.055 ms, p99 0.070 ms, max 0.090 ms\n"
        "ok pipe: a line to a program and back takes p50 0.012 ms, p99 0.030 ms, max 0.200 ms\n"
        "ok memory: 30720 MB free of 32768 MB\n"
        "ok descriptors: at most 1048576\n"
        "ok disk: writing 4 KB durably to /home/me takes p50 0.400 ms, p99 0.900 ms, max 1.000 ms\n"
        "ok runs: no other run on this machine\n"
        "ok session: nothing else in it is busy\n");
}

TEST_CASE("Doctor: each trouble is a warning of its own, with a sentence of what to do") {
    struct Case {
        const char* expected;
        void (*spoil)(DoctorFacts&);
    };

    const Case cases[] = {
        {"cores ", [](DoctorFacts& f) { f.machine.logical_cores = 1, f.load = 0.1; }},
        {"quota ", [](DoctorFacts& f) { f.quota = 2.5; }},
        {"load ", [](DoctorFacts& f) { f.load = 5; }},
        {"governor ", [](DoctorFacts& f) { f.governor = "powersave"; }},
        {"turbo ", [](DoctorFacts& f) { f.has_turbo = true; }},
        {"timer ", [](DoctorFacts& f) { f.timer.p99_us = 2000; }},
        {"pipe ", [](DoctorFacts& f) { f.pipe.p99_us = 2000; }},
        {"pipe ", [](DoctorFacts& f) { f.pipe = {}; }},
        {"memory ", [](DoctorFacts& f) { f.free_memory_bytes = kGigabyte / 2; }},
        {"descriptors ", [](DoctorFacts& f) { f.most_descriptors = 256; }},
        {"disk ", [](DoctorFacts& f) { f.disk.p99_us = 60'000; }},
        {"disk ", [](DoctorFacts& f) { f.disk = {}; }},
        {"disk ", [](DoctorFacts& f) { f.file_system = "nfs"; }},
        {"disk ", [](DoctorFacts& f) { f.file_system = "tmpfs"; }},
        {"runs ",
         [](DoctorFacts& f) {
             f.other_runs = {{7, 2, "/a.db"}, {9, 1, "/b.db"}};
         }},
        {"session ",
         [](DoctorFacts& f) {
             f.session = {{7, "cc1plus", 0.9}};
         }},
    };
    for (const Case& c : cases) {
        CAPTURE(c.expected);
        DoctorFacts facts = fit_machine();
        c.spoil(facts);
        CHECK(warnings_of(facts) == c.expected);
    }
}

TEST_CASE("Doctor: work in the same session is named, with the cure where sessions share cores") {
    DoctorFacts facts = fit_machine();
    facts.session = {{7, "cc1plus", 0.97}, {9, "ld", 0.5}, {11, "ninja", 0.25}, {12, "make", 0.2}};
    const Finding plain = judge(facts).back();
    CHECK(plain.text ==
          "cc1plus (process 7) takes 97 % of a core, ld (process 9) takes 50 % of a core, "
          "ninja (process 11) takes 25 % of a core and 1 more");
    CHECK(plain.advice.find("setsid") == std::string::npos);
    facts.has_autogroup = true;
    CHECK(judge(facts).back().advice.find("setsid --wait assay") != std::string::npos);
    facts.session.clear();
    CHECK_FALSE(judge(facts).back().is_warning());
}

TEST_CASE("Doctor: what a machine does not tell is no warning") {
    DoctorFacts facts = fit_machine();
    facts.load.reset();
    facts.governor.reset();
    facts.has_turbo.reset();
    facts.has_smt.reset();
    facts.free_memory_bytes.reset();
    facts.quota = 16;
    CHECK(warnings_of(facts).empty());
}

TEST_CASE("Doctor: percentiles are the smallest value that so many samples do not exceed") {
    std::vector<double> samples;
    for (int i = 100; i >= 1; --i) samples.push_back(i);
    const Latency latency = latency_of(samples);
    CHECK(latency.p50_us == 50);
    CHECK(latency.p99_us == 99);
    CHECK(latency.max_us == 100);
    CHECK(latency_of({7}).p50_us == 7);
    CHECK(latency_of({}).max_us == 0);
}

TEST_CASE("Doctor: the kernel's settings are read, the slowest governor counting") {
    const std::map<std::string, std::string> files{
        {"/proc/loadavg", "1.25 0.5 0.1 2/300 4711\n"},
        {"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"},
        {"/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "schedutil\n"},
        {"/sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "performance\n"},
        {"/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n"},
        {"/sys/devices/system/cpu/smt/active", "0\n"},
        {"/proc/cpuinfo", "flags : fpu hypervisor lm\n"},
        {"/proc/meminfo", "MemTotal: 10 kB\nMemAvailable: 5 kB\n"},
        {"/proc/self/cgroup", "0::/\n"},
        {"/proc/sys/kernel/sched_autogroup_enabled", "1\n"},
        {"/sys/fs/cgroup/cpu.max", "150000 100000\n"},
    };
    DoctorFacts facts;
    read_settings(facts, {0, 1, 2}, [&](const std::string& path) -> std::optional<std::string> {
        const auto found = files.find(path);
        if (found == files.end()) return std::nullopt;
        return found->second;
    });
    CHECK(facts.allowed_cpus == 3);
    CHECK(facts.quota == 1.5);
    CHECK(facts.load == 1.25);
    CHECK(facts.governor == "schedutil");
    CHECK(facts.has_turbo == true);
    CHECK(facts.has_smt == false);
    CHECK(facts.is_virtual);
    CHECK(facts.has_autogroup);
    CHECK(facts.free_memory_bytes == 5 * 1024);

    DoctorFacts silent;
    read_settings(silent, {0}, [](const std::string&) { return std::nullopt; });
    CHECK_FALSE(silent.load.has_value());
    CHECK_FALSE(silent.governor.has_value());
    CHECK_FALSE(silent.has_turbo.has_value());
    CHECK_FALSE(silent.is_virtual);
    CHECK_FALSE(silent.has_autogroup);
}

TEST_CASE("Doctor: this machine can be examined, and its pipes, timer and disk measured") {
    const assay::test::TempDir dir;
    const DoctorFacts facts = examine(dir.path("assay.db"), SteadyClock(), dir.path("runs"));
    CHECK(facts.store_folder == dir.root());
    CHECK(facts.timer.max_us > 0);
    CHECK(facts.pipe.p50_us > 0);
    CHECK(facts.pipe.p99_us >= facts.pipe.p50_us);
    CHECK(facts.disk.max_us > 0);
    CHECK(facts.other_runs.empty());
    CHECK(judge(facts).size() == 13);

    const DoctorFacts nowhere = examine(dir.path("none/assay.db"), SteadyClock(), dir.path("runs"));
    CHECK(nowhere.disk.max_us == 0);
}

}  // namespace assay::harness
