#pragma once
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <variant>

#include "adapters/process/process.h"
#include "base/unique_fd.h"

namespace assay::test {

constexpr int kPatienceMs = 400'000;  // for what must come

/// All that the program writes to standard output until it closes it; it is reaped.
inline std::string output_of(adapters::Spawner& spawner, const adapters::ProgramSpec& spec) {
    auto result = spawner.spawn(spec);
    if (const auto* failure = std::get_if<adapters::SpawnFailure>(&result)) {
        return "failed: " + failure->reason;
    }
    const adapters::Child child = std::move(std::get<adapters::Child>(result));
    std::string text;
    std::array<char, 4096> buffer{};
    while (true) {
        pollfd wait{child.out.get(), POLLIN, 0};
        if (::poll(&wait, 1, kPatienceMs) <= 0) break;
        const ssize_t got = ::read(child.out.get(), buffer.data(), buffer.size());
        if (got <= 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    ::kill(-child.pid, SIGKILL);
    ::waitpid(child.pid, nullptr, 0);
    return text;
}

/// No process of that number, or only its remains that nobody has reaped.
inline bool is_dead(int pid) {
    if (::kill(pid, 0) != 0) return errno == ESRCH;
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(file, text);
    const std::size_t paren = text.rfind(") ");
    return paren == std::string::npos || text[paren + 2] == 'Z' || text[paren + 2] == 'X';
}

/// Waits until the process is dead, whether it was reaped or not; false after minutes.
inline bool dies(int pid) {
    const UniqueFd end(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    pollfd wait{end.get(), POLLIN, 0};
    return (!end.is_open() || ::poll(&wait, 1, kPatienceMs) > 0) && is_dead(pid);
}

/// The value of a line "name:\tvalue" of /proc/…/status.
inline std::string status_field(std::string_view status, std::string_view name) {
    const std::size_t at = status.find("\n" + std::string(name) + ":\t");
    if (at == std::string_view::npos) return "no " + std::string(name);
    const std::size_t begin = at + name.size() + 3;
    return std::string(status.substr(begin, status.find('\n', begin) - begin));
}

}  // namespace assay::test
