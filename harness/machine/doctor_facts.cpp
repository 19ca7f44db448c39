// Collects the facts for the doctor: reads files of the kernel, and measures.
#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <poll.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <fmt/format.h>

#include "adapters/process/process.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "harness/machine/doctor.h"

namespace assay::harness {

namespace {

constexpr int kSleeps = 300;
constexpr int kTrips = 2000;
constexpr int kWarmUpTrips = 50;
constexpr std::string_view kPing = "a short line\n";  // as long as a command to a program
constexpr int kDiskWrites = 25;
constexpr int kMostWaitMs = 1000;  // for one echo; then the pipe counts as not measured

double micros(TimePoint from, TimePoint to) {
    return static_cast<double>(std::chrono::nanoseconds(to - from).count()) / 1000;
}

Latency timer_latency(const Clock& clock) {
    std::vector<double> late;
    constexpr timespec kMillisecond{0, 1'000'000};
    for (int i = 0; i < kSleeps; ++i) {
        const TimePoint start = clock.now();
        if (::nanosleep(&kMillisecond, nullptr) != 0) continue;  // a signal came
        late.push_back(std::max(0.0, micros(start, clock.now()) - 1000));
    }
    return latency_of(std::move(late));
}

/// Waits for the echo as the event loop does: the pipe is polled, then read.
bool read_echo(int descriptor) {
    pollfd waiting{descriptor, POLLIN, 0};
    if (::poll(&waiting, 1, kMostWaitMs) != 1) return false;
    std::array<char, 64> buffer{};
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    return got > 0 && buffer[static_cast<std::size_t>(got) - 1] == '\n';
}

Latency pipe_latency(const Clock& clock) {
    adapters::ProgramSpec spec;
    spec.name = "cat";
    spec.argv = {adapters::find_program("cat")};
    if (spec.argv.front().empty()) return {};
    adapters::Spawner spawner;
    const auto started = spawner.spawn(spec);
    const auto* const child = std::get_if<adapters::Child>(&started);
    if (child == nullptr) return {};
    std::vector<double> trips;
    for (int i = 0; i < kTrips; ++i) {
        const TimePoint start = clock.now();
        if (::write(child->in.get(), kPing.data(), kPing.size()) !=
            static_cast<ssize_t>(kPing.size()))
            return {};
        if (!read_echo(child->out.get())) return {};
        if (i >= kWarmUpTrips) trips.push_back(micros(start, clock.now()));
    }
    return latency_of(std::move(trips));
}

Latency disk_latency(const std::string& folder, const Clock& clock) {
    std::string path = folder + "/.assay-doctor-XXXXXX";
    const UniqueFd file(::mkostemp(path.data(), O_CLOEXEC));
    if (!file.is_open()) return {};
    ::unlink(path.c_str());
    const std::array<char, 4096> page{};
    std::vector<double> waits;
    for (int i = 0; i < kDiskWrites; ++i) {
        const TimePoint start = clock.now();
        if (::write(file.get(), page.data(), page.size()) != ssize_t{page.size()} ||
            ::fdatasync(file.get()) != 0) {
            waits.clear();
            break;
        }
        waits.push_back(micros(start, clock.now()));
    }
    return latency_of(std::move(waits));
}

/// Only those kinds that are unfit for a store; numbers from statfs(2).
std::string file_system_of(const std::string& folder) {
    struct statfs facts {};

    if (::statfs(folder.c_str(), &facts) != 0) return "";
    switch (static_cast<std::uint32_t>(facts.f_type)) {
        case 0x6969U:
            return "nfs";
        case 0x517BU:
        case 0xFF534D42U:
        case 0xFE534D42U:
            return "cifs";
        case 0x01021997U:
            return "9p";
        case 0x65735546U:
            return "fuse";
        case 0x01021994U:
        case 0x858458F6U:
            return "tmpfs";
        default:
            return "";
    }
}

std::optional<std::string> trimmed(const std::optional<std::string>& text) {
    if (!text) return std::nullopt;
    return std::string(trim(*text));
}

std::optional<std::string> slowest_governor(const std::vector<int>& cpus, const TextReader& read) {
    std::optional<std::string> found;
    for (const int cpu : cpus) {
        const auto governor = trimmed(
            read(fmt::format("/sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor", cpu)));
        if (governor && (!found || *found == "performance")) found = printable_utf8(*governor);
    }
    return found;
}

std::optional<bool> turbo(const TextReader& read) {
    if (const auto off = trimmed(read("/sys/devices/system/cpu/intel_pstate/no_turbo"))) {
        return *off == "0";
    }
    if (const auto on = trimmed(read("/sys/devices/system/cpu/cpufreq/boost"))) return *on == "1";
    return std::nullopt;
}

}  // namespace

void read_settings(DoctorFacts& facts, const std::vector<int>& cpus, const TextReader& read) {
    facts.allowed_cpus = static_cast<int>(cpus.size());
    facts.quota = cgroup_quota(read("/proc/self/cgroup").value_or(""), read);
    const std::string load = read("/proc/loadavg").value_or("");
    std::string_view rest = load;
    facts.load = to_number<double>(take_word(rest));
    facts.governor = slowest_governor(cpus, read);
    facts.has_turbo = turbo(read);
    if (const auto smt = trimmed(read("/sys/devices/system/cpu/smt/active"))) {
        facts.has_smt = *smt == "1";
    }
    const std::string cpuinfo = read("/proc/cpuinfo").value_or("");
    facts.is_virtual = cpuinfo.find(" hypervisor") != std::string::npos;
    facts.has_autogroup =
        trimmed(read("/proc/sys/kernel/sched_autogroup_enabled")) == std::string("1");
    facts.free_memory_bytes = kilobytes_of(read("/proc/meminfo").value_or(""), "MemAvailable");
}

DoctorFacts examine(const std::string& store, const Clock& clock, const std::string& runs_folder) {
    DoctorFacts facts;
    facts.machine = this_machine();
    read_settings(facts, allowed_cpus(), read_kernel_text);
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) facts.most_descriptors = limit.rlim_max;
    std::error_code error;
    const auto whole = std::filesystem::absolute(store, error);
    facts.store_folder = error ? "." : whole.parent_path().string();
    facts.file_system = file_system_of(facts.store_folder);
    const TimePoint start = clock.now();
    const ProcessTimes before = process_times();
    facts.timer = timer_latency(clock);
    facts.pipe = pipe_latency(clock);
    facts.disk = disk_latency(facts.store_folder, clock);
    facts.other_runs = runs_in(runs_folder);
    facts.session = busy_between(before, process_times(), ::getsid(0), ::getpid(),
                                 micros_between(start, clock.now()), ::sysconf(_SC_CLK_TCK));
    return facts;
}

}  // namespace assay::harness
