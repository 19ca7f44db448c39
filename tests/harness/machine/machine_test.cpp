#include "harness/machine/machine.h"

#include <cstdlib>
#include <map>

#include <doctest/doctest.h>

namespace assay::harness {

namespace {

/// Files by path, in place of the kernel's.
class FakeKernel {
public:
    explicit FakeKernel(std::map<std::string, std::string> files) : files_(std::move(files)) {}

    std::optional<std::string> operator()(const std::string& path) const {
        const auto found = files_.find(path);
        if (found == files_.end()) return std::nullopt;
        return found->second;
    }

private:
    std::map<std::string, std::string> files_;
};

int physical_cores(int logical, const TextReader& read) {
    std::vector<CoreId> cores;
    for (int cpu = 0; cpu < logical; ++cpu) cores.push_back(core_id(cpu, read));
    return count_physical(cores);
}

}  // namespace

TEST_CASE("Machine: the processor's name is found on Intel, ARM and MIPS, and may be unknown") {
    CHECK(cpu_model("processor\t: 0\nmodel\t\t: 2\nmodel name\t: AMD EPYC\n\nprocessor\t: 1\n") ==
          "AMD EPYC");
    CHECK(cpu_model("processor\t: 0\nBogoMIPS\t: 108\n\nHardware\t: BCM2835\nModel\t\t: Pi 4\n") ==
          "Pi 4");
    CHECK(cpu_model("system type\t: x\ncpu model\t: MIPS 24Kc\n") == "MIPS 24Kc");
    CHECK(cpu_model("processor : 0\nmodel name :\n") == "unknown");
    CHECK(cpu_model("") == "unknown");
}

TEST_CASE("Machine: two threads of one core are one physical core") {
    const FakeKernel kernel({
        {"/sys/devices/system/cpu/cpu0/topology/physical_package_id", "0\n"},
        {"/sys/devices/system/cpu/cpu0/topology/core_id", "0\n"},
        {"/sys/devices/system/cpu/cpu1/topology/physical_package_id", "0\n"},
        {"/sys/devices/system/cpu/cpu1/topology/core_id", "0\n"},
        {"/sys/devices/system/cpu/cpu2/topology/physical_package_id", "1\n"},
        {"/sys/devices/system/cpu/cpu2/topology/core_id", "0\n"},
    });
    CHECK(physical_cores(3, kernel) == 2);
}

TEST_CASE("Machine: where /sys is missing or says -1, /proc/cpuinfo tells the cores apart") {
    const FakeKernel kernel({
        {"/sys/devices/system/cpu/cpu0/topology/core_id", "-1\n"},
        {"/proc/cpuinfo",
         "processor : 0\nphysical id : 0\ncore id : 0\n\n"
         "processor : 1\nphysical id : 0\ncore id : 0\n\n"
         "processor : 2\nphysical id : 0\ncore id : 1\n\n"},
    });
    CHECK(physical_cores(3, kernel) == 2);
}

TEST_CASE("Machine: where nothing tells the cores apart, each logical core counts") {
    const FakeKernel silent({{"/proc/cpuinfo", std::string("processor : 0\nBogoMIPS : 1\n")}});
    CHECK(physical_cores(4, FakeKernel({})) == 4);
    CHECK(physical_cores(4, silent) == 4);
    CHECK(count_physical({}) == 1);
}

TEST_CASE("Machine: the smallest quota of a group and all above it counts") {
    const FakeKernel v2({
        {"/sys/fs/cgroup/a/b/cpu.max", "max 100000\n"},
        {"/sys/fs/cgroup/a/cpu.max", "250000 100000\n"},
        {"/sys/fs/cgroup/cpu.max", "400000 100000\n"},
    });
    CHECK(cgroup_quota("0::/a/b\n", v2) == 2.5);
    CHECK(cgroup_quota("0::/\n", v2) == 4.0);
    CHECK(cgroup_quota("0::/a/b\n", FakeKernel({})) == std::nullopt);
    CHECK(cgroup_quota("", v2) == std::nullopt);
    CHECK(cgroup_quota("nonsense\n0:\n", v2) == std::nullopt);

    const FakeKernel v1({
        {"/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us", "50000\n"},
        {"/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_period_us", "100000\n"},
        {"/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n"},
        {"/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"},
    });
    CHECK(cgroup_quota("3:cpuset:/docker\n2:cpu,cpuacct:/docker\n", v1) == 0.5);
    CHECK(cgroup_quota("3:cpuset:/docker\n2:cpuacct:/docker\n", v1) == std::nullopt);
    CHECK(cgroup_quota("2:cpu,cpuacct:/\n", v1) == std::nullopt);
}

TEST_CASE("Machine: what Slurm gave the task is a quota") {
    CHECK(slurm_quota("3") == 3.0);
    for (const char* none : {"", "0", "-2", "four", "2x"}) CHECK_FALSE(slurm_quota(none));
    CHECK_FALSE(slurm_quota(nullptr));
    ::setenv("SLURM_CPUS_PER_TASK", "1", 1);
    const MachineRecord machine = this_machine();
    ::unsetenv("SLURM_CPUS_PER_TASK");
    CHECK(machine.logical_cores == 1);
    CHECK(default_concurrency(machine, 1, true) == 1);
    CHECK(this_machine().logical_cores >= machine.logical_cores);
}

TEST_CASE("Machine: cores within a quota are rounded down, and at least one") {
    CHECK(within_quota(8, std::nullopt) == 8);
    CHECK(within_quota(8, 2.9) == 2);
    CHECK(within_quota(8, 0.5) == 1);
    CHECK(within_quota(8, 64.0) == 8);
}

TEST_CASE("Machine: the default of games at once is cores by threads, at least one") {
    MachineRecord machine;
    machine.logical_cores = 16;
    machine.physical_cores = 8;
    CHECK(default_concurrency(machine, 1, false) == 8);
    CHECK(default_concurrency(machine, 1, true) == 16);
    CHECK(default_concurrency(machine, 3, false) == 2);
    CHECK(default_concurrency(machine, 64, true) == 1);
    CHECK(default_concurrency(machine, 0, true) == 16);
}

TEST_CASE("Machine: more threads at once than cores are told, with what would fit") {
    MachineRecord machine;
    machine.physical_cores = 4;
    machine.logical_cores = 8;
    CHECK(crowding(machine, 8, 1) == std::nullopt);
    CHECK(crowding(machine, 8, 0) == std::nullopt);
    CHECK(crowding(machine, 1, 8) == std::nullopt);
    CHECK(crowding(machine, 9, 1) ==
          "9 games at once with 1 thread each want 9 cores and 8 are there: programs wait for a "
          "processor while their clocks run, and are judged by that; concurrency 4 fits");
    CHECK(crowding(machine, 3, 4)->ends_with("; concurrency 1 fits"));
    CHECK(crowding(machine, 1, 9)->starts_with("1 game at once with 9 threads each want 9 cores"));
    CHECK(crowding(machine, 1, 9)->ends_with("; give the programs fewer threads"));
    CHECK(crowding(machine, 4096, 1 << 30).has_value());
}

TEST_CASE("Machine: sizes are read from the kernel's lists") {
    CHECK(kilobytes_of("MemTotal:       24684084 kB\nMemFree: 1 kB\n", "MemTotal") ==
          24684084ULL * 1024);
    CHECK(kilobytes_of("MemTotal:\n", "MemTotal") == std::nullopt);
    CHECK(kilobytes_of("", "MemTotal") == std::nullopt);
}

TEST_CASE("Machine: this one has a name, a core and some memory") {
    const MachineRecord machine = this_machine();
    CHECK_FALSE(machine.host.empty());
    CHECK_FALSE(machine.kernel.empty());
    CHECK_FALSE(machine.cpu.empty());
    CHECK(machine.physical_cores >= 1);
    CHECK(machine.logical_cores >= machine.physical_cores);
    CHECK(machine.memory_bytes > 0);
}

}  // namespace assay::harness
