// Read-only is not enough for sockets: whoever may connect to one has the rights of the service
// behind it (a container daemon, a message bus, an agent with keys). Their folder, /run, is hidden,
// and because sockets may lie anywhere, a filter of system calls (seccomp) refuses all that are not
// of the network, which has a namespace of its own. A pair of sockets is let through only as a
// stream, since a pair of datagrams can be sent elsewhere. io_uring would open sockets that no
// filter sees. Two calls of terminals would type into the user's shell (TIOCSTI, TIOCLINUX). The
// kernel's keyrings have no namespace: with their calls a program would read the keys of the user's
// session, leave some there, and have the kernel start a helper that fetches one.
//
// Processes are forbidden by the filter and not by a limit of their number (RLIMIT_NPROC): that
// limit counts all processes of the user, and does not bind root. The filter lets a call of clone()
// through that makes a thread. clone3() hides its flags from a filter: it is answered as by a
// kernel that does not have it, and the C library then calls clone(). Calls of another architecture
// (32 bits) would have other numbers, and are refused.
#include "harness/program/confinement/syscall_filter.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <vector>

#include "base/file.h"

namespace assay::harness {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;  // none that is known
#endif

using Filter = std::vector<sock_filter>;

sock_filter load(std::size_t from) {
    return {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(from)};
}

/// The half of it that the kernel reads as an int.
sock_filter load_argument(std::size_t index) {
    return load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t));
}

sock_filter give(std::uint32_t what) {
    return {BPF_RET | BPF_K, 0, 0, what};
}

sock_filter refuse(int error) {
    return give(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
}

/// Goes on where the loaded number is this one, else over so many instructions.
sock_filter if_equal(std::uint32_t number, std::size_t over = 1) {
    return {BPF_JMP | BPF_JEQ | BPF_K, 0, static_cast<std::uint8_t>(over), number};
}

/// What becomes of this call; `steps` end it in every case.
void add_call(Filter& filter, std::uint32_t call, const Filter& steps) {
    filter.push_back(if_equal(call, steps.size()));
    filter.insert(filter.end(), steps.begin(), steps.end());
}

/// Allowed if its argument, with the bits of the mask, is one of the numbers.
Filter only(std::size_t argument, std::uint32_t mask, const std::vector<std::uint32_t>& numbers) {
    Filter steps{load_argument(argument), {BPF_ALU | BPF_AND | BPF_K, 0, 0, mask}};
    for (const std::uint32_t number : numbers) {
        steps.push_back(if_equal(number));
        steps.push_back(give(SECCOMP_RET_ALLOW));
    }
    steps.push_back(refuse(EPERM));
    return steps;
}

Filter filter_of(bool has_processes) {
    constexpr std::uint32_t kOtherNumbers = 0x40000000;  // of calls with 32-bit pointers
    constexpr std::uint32_t kWholeArgument = ~0U;
    constexpr std::uint32_t kTypeOfSocket = 0xf;
    Filter filter{
        load(offsetof(seccomp_data, arch)),
        {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, kArchitecture},
        refuse(EPERM),
        load(offsetof(seccomp_data, nr)),
        {BPF_JMP | BPF_JGE | BPF_K, 0, 1, kOtherNumbers},
        refuse(EPERM),
    };
    add_call(filter, SYS_socket, only(0, kWholeArgument, {AF_INET, AF_INET6, AF_NETLINK}));
    add_call(filter, SYS_socketpair, only(1, kTypeOfSocket, {SOCK_STREAM}));
    add_call(filter, SYS_io_uring_setup, {refuse(ENOSYS)});
    for (const auto call : {SYS_add_key, SYS_request_key, SYS_keyctl})
        add_call(filter, static_cast<std::uint32_t>(call), {refuse(EPERM)});
    add_call(filter, SYS_ioctl,
             {load_argument(1), if_equal(TIOCSTI), refuse(EPERM), if_equal(TIOCLINUX),
              refuse(EPERM), give(SECCOMP_RET_ALLOW)});
    if (!has_processes) {
        add_call(filter, SYS_clone3, {refuse(ENOSYS)});
#ifdef SYS_fork
        add_call(filter, SYS_fork, {refuse(EPERM)});
        add_call(filter, SYS_vfork, {refuse(EPERM)});
#endif
        add_call(filter, SYS_clone, only(0, CLONE_THREAD, {CLONE_THREAD}));
    }
    filter.push_back(give(SECCOMP_RET_ALLOW));
    return filter;
}

}  // namespace

std::string forbid_calls(bool has_processes) {
    if (kArchitecture == 0) return "assay confines no programs on this processor";
    Filter filter = filter_of(has_processes);
    sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return "system calls cannot be forbidden: " + system_reason(errno);
    return "";
}

}  // namespace assay::harness
