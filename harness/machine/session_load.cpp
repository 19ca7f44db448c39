// Which processes of a login session keep a processor busy, from two looks at /proc a moment apart.
// A process is busy from a fifth of one processor on; less does not disturb clocks visibly.
#include "harness/machine/session_load.h"

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "harness/machine/machine.h"

namespace assay::harness {

namespace {

constexpr double kLeastShare = 0.2;

}  // namespace

std::optional<ProcessTime> read_process_time(std::string_view stat) {
    // "4711 (any name) S ppid pgrp session …": the name itself may hold anything.
    const std::size_t open = stat.find('(');
    const std::size_t close = stat.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
        return std::nullopt;
    }
    const auto fields = split_words(stat.substr(close + 1));
    constexpr std::size_t kSession = 3;
    constexpr std::size_t kUserTicks = 11;
    constexpr std::size_t kSystemTicks = 12;
    if (fields.size() <= kSystemTicks) return std::nullopt;
    const auto session = to_number<int>(fields[kSession]);
    const auto user = to_number<std::uint64_t>(fields[kUserTicks]);
    const auto system = to_number<std::uint64_t>(fields[kSystemTicks]);
    if (!session || !user || !system) return std::nullopt;
    return ProcessTime{printable_utf8(stat.substr(open + 1, close - open - 1)), *session,
                       *user + *system};
}

std::vector<BusyProcess> busy_between(const ProcessTimes& before, const ProcessTimes& after,
                                      int session, int own, Micros between, long ticks_a_second) {
    const double ticks =
        static_cast<double>(between.count()) * 1e-6 * static_cast<double>(ticks_a_second);
    std::vector<BusyProcess> busy;
    if (ticks <= 0) return busy;
    for (const auto& [pid, now] : after) {
        const auto then = before.find(pid);
        if (pid == own || now.session != session || then == before.end()) continue;
        if (now.ticks < then->second.ticks) continue;  // another process has the number now
        const double share = static_cast<double>(now.ticks - then->second.ticks) / ticks;
        if (share >= kLeastShare) busy.push_back({pid, now.name, share});
    }
    std::sort(busy.begin(), busy.end(),
              [](const BusyProcess& a, const BusyProcess& b) { return a.share > b.share; });
    return busy;
}

ProcessTimes process_times() {
    ProcessTimes times;
    std::error_code error;
    std::filesystem::directory_iterator entry("/proc", error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        const auto pid = to_number<int>(entry->path().filename().string());
        if (!pid) continue;
        const auto text = read_kernel_text(entry->path().string() + "/stat");
        if (!text) continue;  // it has ended
        if (auto time = read_process_time(*text)) times.emplace(*pid, std::move(*time));
    }
    return times;
}

}  // namespace assay::harness
