// How many games this machine can play at once. What counts is what this process may use: the
// processors of its affinity mask, and no more than the quota of its control group or of any group
// above it (versions 1 and 2, which may be mounted together; the least quota binds). Timed games
// get a physical core each, because two that share one slow each other down by an amount that
// changes with the partner's work; games without clocks are as many as there are logical ones.
// Cores are told apart by package and core in sysfs, or by /proc/cpuinfo where a virtual machine
// hides these; a processor of which neither says anything counts as a core.
#include "harness/machine/machine.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <sched.h>
#include <set>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"

namespace assay::harness {

namespace {

constexpr int kMostCpus = 65'536;

/// The value of a line "key : value" with this key.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || trim(line.substr(0, colon)) != key) return std::nullopt;
    return trim(line.substr(colon + 1));
}

std::optional<int> number_in(const std::optional<std::string>& text) {
    return text ? to_number<int>(trim(*text)) : std::nullopt;
}

std::optional<int> known(std::optional<int> id) {
    return id && *id >= 0 ? id : std::nullopt;  // the kernel writes -1 if it does not know
}

CoreId core_id_in_cpuinfo(int cpu, std::string_view cpuinfo) {
    CoreId id;
    bool is_ours = false;
    while (!cpuinfo.empty()) {
        const std::string_view line = take_line(cpuinfo);
        if (const auto processor = value_of(line, "processor")) {
            is_ours = to_number<int>(*processor) == cpu;
        }
        if (!is_ours) continue;
        if (const auto package = value_of(line, "physical id")) {
            id.package = known(to_number<int>(*package));
        }
        if (const auto core = value_of(line, "core id")) id.core = known(to_number<int>(*core));
    }
    return id;
}

std::optional<double> quota_v2(const std::optional<std::string>& text) {
    if (!text) return std::nullopt;
    const auto words = split_words(trim(*text));
    if (words.size() != 2) return std::nullopt;
    const auto quota = to_number<double>(words[0]);  // none where it is "max"
    const auto period = to_number<double>(words[1]);
    if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
    return *quota / *period;
}

std::optional<double> quota_v1(const std::optional<std::string>& quota_text,
                               const std::optional<std::string>& period_text) {
    const auto quota = number_in(quota_text);  // -1: none
    const auto period = number_in(period_text);
    if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
    return static_cast<double>(*quota) / *period;
}

std::optional<double> smaller(std::optional<double> a, std::optional<double> b) {
    if (!a) return b;
    return b ? std::min(*a, *b) : a;
}

/// The smallest of `quota_at` in the folder and all above it, down to "".
template <class QuotaAt>
std::optional<double> smallest_upwards(std::string path, const QuotaAt& quota_at) {
    if (path == "/") path.clear();
    std::optional<double> least = quota_at(path);
    while (!path.empty()) {
        const std::size_t slash = path.rfind('/');
        path.erase(slash == std::string::npos ? 0 : slash);
        least = smaller(least, quota_at(path));
    }
    return least;
}

bool lists_cpu(std::string_view controllers) {
    while (!controllers.empty()) {
        const std::size_t comma = std::min(controllers.find(','), controllers.size());
        if (controllers.substr(0, comma) == "cpu") return true;
        controllers.remove_prefix(std::min(comma + 1, controllers.size()));
    }
    return false;
}

}  // namespace

std::optional<std::string> read_kernel_text(const std::string& path) {
    return read_start(path, std::size_t{1} << 20U);
}

std::string cpu_model(std::string_view cpuinfo) {
    constexpr std::array<std::string_view, 5> kKeys{"model name", "Model", "Hardware", "cpu model",
                                                    "uarch"};
    for (const std::string_view key : kKeys) {
        for (std::string_view rest = cpuinfo; !rest.empty();) {
            const auto value = value_of(take_line(rest), key);
            if (value && !value->empty()) return printable_utf8(*value);
        }
    }
    return "unknown";
}

CoreId core_id(int cpu, const TextReader& read) {
    const std::string topology = fmt::format("/sys/devices/system/cpu/cpu{}/topology/", cpu);
    CoreId id{known(number_in(read(topology + "physical_package_id"))),
              known(number_in(read(topology + "core_id")))};
    if (id.core) return id;
    return core_id_in_cpuinfo(cpu, read("/proc/cpuinfo").value_or(""));
}

int count_physical(const std::vector<CoreId>& cores) {
    std::set<std::pair<int, int>> known_cores;
    int unknown = 0;
    for (const CoreId& id : cores) {
        if (id.core) {
            known_cores.emplace(id.package.value_or(0), *id.core);
        } else {
            ++unknown;
        }
    }
    return std::max(1, static_cast<int>(known_cores.size()) + unknown);
}

std::optional<double> cgroup_quota(std::string_view cgroup, const TextReader& read) {
    std::optional<double> least;
    while (!cgroup.empty()) {
        // "0::/path" is version 2, "N:cpu,cpuacct:/path" version 1.
        const std::string_view line = take_line(cgroup);
        const std::size_t first = line.find(':');
        const std::size_t second =
            line.find(':', first == std::string_view::npos ? first : first + 1);
        if (second == std::string_view::npos) continue;
        const std::string_view controllers = line.substr(first + 1, second - first - 1);
        const std::string path(line.substr(second + 1));
        if (controllers.empty()) {
            for (const std::string root : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
                least = smaller(least, smallest_upwards(path, [&](const std::string& at) {
                                    return quota_v2(read(root + at + "/cpu.max"));
                                }));
            }
        } else if (lists_cpu(controllers)) {
            for (const std::string root : {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"}) {
                least = smaller(least, smallest_upwards(path, [&](const std::string& at) {
                                    return quota_v1(read(root + at + "/cpu.cfs_quota_us"),
                                                    read(root + at + "/cpu.cfs_period_us"));
                                }));
            }
        }
    }
    return least;
}

std::optional<double> slurm_quota(const char* cpus_per_task) {
    if (cpus_per_task == nullptr) return std::nullopt;
    const auto cpus = to_number<int>(std::string_view(cpus_per_task));
    if (!cpus || *cpus < 1) return std::nullopt;
    return *cpus;
}

int within_quota(int cores, std::optional<double> quota) {
    if (!quota || *quota >= cores) return cores;
    return std::max(1, static_cast<int>(*quota));
}

std::optional<std::uint64_t> kilobytes_of(std::string_view text, std::string_view name) {
    while (!text.empty()) {
        const auto value = value_of(take_line(text), name);
        if (!value) continue;
        const auto words = split_words(*value);
        if (words.empty()) return std::nullopt;
        const auto kilobytes = to_number<std::uint64_t>(words[0]);
        if (!kilobytes) return std::nullopt;
        return *kilobytes * 1024;
    }
    return std::nullopt;
}

std::vector<int> allowed_cpus() {
    std::vector<int> cpus;
    // Enlarged until the kernel's mask fits.
    for (int room = CPU_SETSIZE; room <= kMostCpus; room *= 2) {
        const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> mask(
            CPU_ALLOC(static_cast<std::size_t>(room)), [](cpu_set_t* set) { CPU_FREE(set); });
        const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(room));
        if (!mask || ::sched_getaffinity(0, size, mask.get()) != 0) continue;
        for (int cpu = 0; cpu < room; ++cpu) {
            if (CPU_ISSET_S(static_cast<std::size_t>(cpu), size, mask.get())) cpus.push_back(cpu);
        }
        return cpus;
    }
    for (unsigned cpu = 0; cpu < std::max(1U, std::thread::hardware_concurrency()); ++cpu) {
        cpus.push_back(static_cast<int>(cpu));
    }
    return cpus;
}

MachineRecord this_machine() {
    MachineRecord machine;
    utsname names{};
    if (::uname(&names) == 0) {
        machine.host = printable_utf8(static_cast<const char*>(names.nodename));
        machine.kernel = printable_utf8(static_cast<const char*>(names.release));
    }
    machine.cpu = cpu_model(read_kernel_text("/proc/cpuinfo").value_or(""));
    const std::vector<int> cpus = allowed_cpus();
    std::vector<CoreId> cores;
    cores.reserve(cpus.size());
    for (const int cpu : cpus) cores.push_back(core_id(cpu, read_kernel_text));
    const auto quota =
        smaller(cgroup_quota(read_kernel_text("/proc/self/cgroup").value_or(""), read_kernel_text),
                slurm_quota(std::getenv("SLURM_CPUS_PER_TASK")));  // NOLINT(concurrency-mt-unsafe)
    machine.logical_cores = within_quota(static_cast<int>(cpus.size()), quota);
    machine.physical_cores = within_quota(count_physical(cores), quota);
    machine.memory_bytes =
        kilobytes_of(read_kernel_text("/proc/meminfo").value_or(""), "MemTotal").value_or(0);
    return machine;
}

int default_concurrency(const MachineRecord& machine, int threads, bool is_clockless) {
    const int cores = is_clockless ? machine.logical_cores : machine.physical_cores;
    return std::max(1, cores / std::max(1, threads));
}

std::optional<std::string> crowding(const MachineRecord& machine, int games, int threads) {
    const std::int64_t wanted = std::int64_t{games} * std::max(1, threads);
    if (wanted <= machine.logical_cores) return std::nullopt;
    const int fitting = default_concurrency(machine, threads, false);
    return fmt::format(
        "{} at once with {} each want {} cores and {} {} there: programs wait for a processor while "
        "their clocks run, and are judged by that; {}",
        counted(games, "game"), counted(std::max(1, threads), "thread"), wanted,
        machine.logical_cores, plural(machine.logical_cores, "is", "are"),
        fitting < games ? fmt::format("concurrency {} fits", fitting)
                        : std::string("give the programs fewer threads"));
}

}  // namespace assay::harness
