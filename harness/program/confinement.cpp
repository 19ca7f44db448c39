// What a confined program may do: read every file that its user may read, write in its own folder
// and in a /tmp of its own, and compute. It has no network, does not see other processes, and
// cannot start any.
//
// Bubblewrap makes the namespaces: the file system is mounted read-only, with what may be written
// on top of it, so that no list of forbidden places can miss one. It must be allowed to make user
// namespaces, which many containers are not.
//
// Processes are forbidden by a filter of system calls (seccomp) and not by a limit of their number
// (RLIMIT_NPROC): that limit counts all processes of the user, and does not bind root. The filter
// is set inside of the sandbox, because bubblewrap itself starts processes. It lets a call of
// clone() through that makes a thread. clone3() hides its flags from a filter: it is answered as by
// a kernel that does not have it, and the C library then calls clone(). Calls of another
// architecture (32 bits) would have other numbers, and are refused.
#include "harness/program/confinement.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <set>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

#include "adapters/process/command.h"
#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"

namespace assay::harness {

namespace {

constexpr const char* kBubblewrap = "bwrap";
constexpr std::string_view kPrivateFolder = "/tmp";

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;  // none that is known
#endif

bool is_below(const std::string& path, std::string_view folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

/// Files and folders that the command names and that lie where the program has a folder of its own
/// instead.
std::set<std::string> hidden_inputs(const ProgramPlan& program, const std::string& executable) {
    std::set<std::string> inputs;
    const auto add = [&inputs](const std::string& path) {
        std::error_code error;
        if (is_below(path, kPrivateFolder) && std::filesystem::exists(path, error))
            inputs.insert(path);
    };
    add(executable);
    add(own_program());
    for (const std::string& word : program.command) add(word);
    for (const auto& [name, value] : program.options) add(value);
    return inputs;
}

void bind_path(std::vector<std::string>& words, const char* how, const std::string& path) {
    words.insert(words.end(), {how, path, path});
}

}  // namespace

std::vector<std::string> wrapper_of(const ProgramPlan& program, const std::string& executable) {
    if (!program.confinement) return program.sandbox;
    const ConfinementPlan& plan = *program.confinement;
    std::vector<std::string> words{kBubblewrap, "--ro-bind", "/",       "/",
                                   "--dev",     "/dev",      "--proc",  "/proc",
                                   "--tmpfs",   "/tmp",      "--tmpfs", "/var/tmp"};
    for (const std::string& path : hidden_inputs(program, executable))
        bind_path(words, "--ro-bind", path);
    if (!program.dir.empty()) bind_path(words, "--bind", program.dir);
    for (const std::string& folder : plan.write) bind_path(words, "--bind", folder);
    for (const char* const space : {"--unshare-user", "--unshare-pid", "--unshare-ipc",
                                    "--unshare-uts", "--unshare-cgroup-try"})
        words.emplace_back(space);
    if (!plan.network) words.emplace_back("--unshare-net");
    words.emplace_back("--die-with-parent");
    words.insert(words.end(), {"--chdir", program.dir.empty() ? "/" : program.dir, "--"});
    if (!plan.processes) words.insert(words.end(), {own_program(), std::string(kStartAlone)});
    return words;
}

void check_confinement(const ProgramPlan& program) {
    if (adapters::find_program(kBubblewrap).empty())
        throw Error(
            fmt::format("program '{}': there is no 'bwrap' (sandbox: bubblewrap); install "
                        "bubblewrap",
                        program.name));
    adapters::ProgramSpec spec;
    spec.name = program.name;
    spec.argv = wrapper_of(program, "/bin/true");
    spec.argv.emplace_back("/bin/true");
    std::string said;
    constexpr Micros kMostTime = std::chrono::seconds(10);
    constexpr std::uint64_t kMostOutput = 100'000;
    adapters::CommandRunner runner;
    const adapters::CommandEnd end =
        runner.run(spec, {kMostTime, kMostOutput},
                   [&said](std::string_view bytes, bool /*is_error*/) { said += bytes; });
    if (end.is_success()) return;
    const std::string first(trim(said.substr(0, said.find('\n'))));
    throw Error(fmt::format("program '{}': it cannot be confined here ({}): bubblewrap needs user "
                            "namespaces, which containers and some systems forbid",
                            program.name, printable_utf8(first.empty() ? end.reason : first)),
                4);
}

std::string start_alone(const std::vector<std::string>& command) {
    constexpr auto kCall = static_cast<std::uint32_t>(offsetof(seccomp_data, nr));
    constexpr auto kArch = static_cast<std::uint32_t>(offsetof(seccomp_data, arch));
    constexpr auto kFlags = static_cast<std::uint32_t>(offsetof(seccomp_data, args));
    constexpr std::uint32_t kOtherNumbers = 0x40000000;  // of calls with 32-bit pointers
    const auto load = [](std::uint32_t from) {
        return sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, from};
    };
    const auto give = [](std::uint32_t what) { return sock_filter{BPF_RET | BPF_K, 0, 0, what}; };
    const auto refuse = [&give](int error) {
        return give(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
    };
    /// Goes on where the loaded number is this one, else over the next instruction.
    const auto if_equal = [](std::uint32_t number) {
        return sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number};
    };
    std::vector<sock_filter> filter{
        load(kArch),
        sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 1, 0, kArchitecture},
        refuse(EPERM),
        load(kCall),
        sock_filter{BPF_JMP | BPF_JGE | BPF_K, 0, 1, kOtherNumbers},
        refuse(EPERM),
        if_equal(SYS_clone3),
        refuse(ENOSYS),
#ifdef SYS_fork
        if_equal(SYS_fork),
        refuse(EPERM),
        if_equal(SYS_vfork),
        refuse(EPERM),
#endif
        sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 3, SYS_clone},
        load(kFlags),
        sock_filter{BPF_JMP | BPF_JSET | BPF_K, 1, 0, CLONE_THREAD},
        refuse(EPERM),
        give(SECCOMP_RET_ALLOW),
    };
    if (command.empty()) return "there is no program to start";
    if (kArchitecture == 0) return "assay forbids no processes on this processor";
    sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return "new processes cannot be forbidden: " + system_reason(errno);
    std::vector<char*> argv;
    for (const std::string& word : command)
        argv.push_back(const_cast<char*>(word.c_str()));  // NOLINT: as execv() wants it
    argv.push_back(nullptr);
    ::execv(argv.front(), argv.data());
    return command.front() + ": " + system_reason(errno);
}

}  // namespace assay::harness
