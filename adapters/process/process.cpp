// Starting a program under test. A run may start hundreds of them at once, while games have clocks.
// So the child is made by vfork(): it borrows our memory and stops this thread until its exec, and
// nothing is copied. Between the two only async-signal-safe calls are allowed, on values that were
// made before (Guard). The pipe that closes on exec reports why there was none.
//
// Every program gets a group of its own, so that its children can be killed with it, a death signal
// for the case that this process ends, standard descriptors that are pipes, no other descriptor of
// ours, default signals, and the limits that its spec asks for. Its end is seen through a pidfd: a
// number alone may belong to another process by then, and is only used for the group, before the
// process is reaped.
#include "adapters/process/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/process/v2/posix/vfork_launcher.hpp>
#include <boost/process/v2/process.hpp>

#include "adapters/process/exec_failure.h"
#include "adapters/process/group_killer.h"
#include "adapters/process/orphan_care.h"
#include "adapters/process/sealed_files.h"
#include "base/file.h"
#include "base/machine_fault.h"

namespace assay::adapters {

namespace {

namespace bp = boost::process::v2;
using boost::system::error_code;

constexpr rlim_t kWantedFiles = 65536;

// What is done in the child up to exec: async-signal-safe calls only, on values that were made
// before, as the child borrows our memory. Boost's launcher would go on to exec; here the guard
// does, because the launcher's closing of descriptors closes none (boostorg/process pull request
// 360) and allocates, and its exit() would write our buffered output a second time.
struct Guard {
    const char* executable = nullptr;
    char* const* argv = nullptr;
    char* const* env = nullptr;
    const char* dir = nullptr;  // null: stay
    int in = -1;                // all three above 2
    int out = -1;
    int err = -1;
    int parent = 0;
    rlim_t memory = 0;
    const cpu_set_t* cpus = nullptr;
    rlimit files{};
    int failure = -1;  // where to write errno

    template <class Launcher>
    [[noreturn]] error_code on_exec_setup(Launcher&, const bp::filesystem::path&,
                                          const char* const*) const {
        const int error = execute();
        static_cast<void>(!::write(failure, &error, sizeof error));
        ::_exit(127);
    }

private:
    /// Returns only where it fails: errno.
    [[nodiscard]] int execute() const {
        if (::setpgid(0, 0) != 0) return errno;
        if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
        if (::getppid() != parent) ::_exit(127);  // died before the line above
        if (!set_limits()) return errno;
        if (::dup2(in, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(err, 2) < 0) return errno;
        close_the_rest_on_exec();
        if (dir != nullptr && ::chdir(dir) != 0) return errno;
        reset_signals();
        ::execve(executable, argv, env);
        return errno;
    }

    [[nodiscard]] bool set_limits() const {
        const rlimit none{0, 0};
        if (::setrlimit(RLIMIT_CORE, &none) != 0) return false;
        if (::setrlimit(RLIMIT_NOFILE, &files) != 0) return false;
        const rlimit space{memory, memory};
        if (memory > 0 && ::setrlimit(RLIMIT_AS, &space) != 0) return false;
        return cpus == nullptr || ::sched_setaffinity(0, sizeof *cpus, cpus) == 0;
    }

    static void close_the_rest_on_exec() {
        constexpr unsigned kCloexec = 1U << 2U;  // CLOSE_RANGE_CLOEXEC, Linux 5.11
        if (::syscall(SYS_close_range, 3U, ~0U, kCloexec) == 0) return;
        for (int fd = 3; fd < 4096; ++fd) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    }

    // Ignored signals and the mask survive exec; handlers do not.
    static void reset_signals() {
        struct sigaction action {};

        action.sa_handler = SIG_DFL;  // NOLINT(cppcoreguidelines-pro-type-cstyle-cast)
        for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &action, nullptr);
        sigset_t none;
        sigemptyset(&none);
        ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    }
};

struct Pipe {
    UniqueFd read;
    UniqueFd write;
};

// Above the standard descriptors, which may be closed in us, or the child's dup2() would clash.
UniqueFd lift(int fd) {
    if (fd > 2) return UniqueFd(fd);
    const UniqueFd low(fd);
    return UniqueFd(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
}

bool make_pipe(Pipe& pipe) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    pipe.read = lift(ends[0]);
    pipe.write = lift(ends[1]);
    return pipe.read.is_open() && pipe.write.is_open();
}

struct Launch {
    int pid = -1;
    int error = 0;             // where there is no pid
    bool is_machines = false;  // then the error is not of the program
};

bool is_machine_fault_at_exec(int error_number) {
    return error_number == EAGAIN || is_machine_fault(error_number);
}

// fork() would copy the page tables and turn our next write to each page into a fault. The pipe
// says why there was no exec even where vfork() is replaced by fork(), as the thread sanitizer
// does.
Launch launch(Guard guard) {
    Pipe failure;
    if (!make_pipe(failure)) return {-1, errno, true};
    guard.failure = failure.write.get();
    // The launcher tells it of the fork in the child, in our memory: it must have no service yet
    // that would act on that, so each start has its own.
    boost::asio::io_context context;
    bp::posix::vfork_launcher launcher;
    error_code fork_error;
    const std::vector<std::string> no_arguments;  // the guard has its own argv
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);  // no handler of ours may run in the child
    try {
        auto process =
            launcher(context.get_executor(), fork_error, guard.executable, no_arguments, guard);
        if (process.id() > 0) static_cast<void>(process.detach());  // or it would kill and wait
    } catch (const std::exception&) {
        // After the fork it wants descriptors of its own, for what is done here without them.
        if (launcher.pid < 0) fork_error = error_code(ENOMEM, boost::system::system_category());
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    const int pid = launcher.pid;
    if (pid < 0) return {-1, fork_error.value(), true};
    failure.write.reset();
    int error = 0;
    ssize_t got = 0;
    do {
        got = ::read(failure.read.get(), &error, sizeof error);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) return {pid, 0};
    ::waitpid(pid, nullptr, 0);
    return {-1, error, is_machine_fault_at_exec(error)};
}

std::string absolute_if_here(const std::string& path) {
    if (path.empty() || path.front() == '/' || ::access(path.c_str(), F_OK) != 0) return path;
    std::array<char, 4096> here{};
    if (::getcwd(here.data(), here.size()) == nullptr) return path;
    return std::string(here.data()).append("/").append(path);
}

/// Whether even a program of strangers needs it; all else may be secret.
bool is_bare(std::string_view entry) {
    return entry.starts_with("PATH=") || entry.starts_with("HOME=") || entry.starts_with("LANG=") ||
           entry.starts_with("LC_");
}

std::vector<std::string> environment_of(const ProgramSpec& spec, const std::string& mark) {
    std::vector<std::string> result{mark};
    const std::string_view mark_name = std::string_view(mark).substr(0, mark.find('=') + 1);
    for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const bool is_replaced =
            text.starts_with(mark_name) ||
            std::any_of(spec.env.begin(), spec.env.end(),
                        [text](const auto& pair) { return text.starts_with(pair.first + "="); });
        const bool is_kept = !spec.has_bare_environment || is_bare(text);
        if (is_kept && !is_replaced) result.emplace_back(text);
    }
    for (const auto& [name, value] : spec.env) {
        result.push_back(std::string(name).append("=").append(value));
    }
    return result;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
    std::vector<char*> result;
    result.reserve(strings.size() + 1);
    for (std::string& text : strings) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

/// Our limit of files as it was, which may be higher while this lives: 512 games at once need more
/// than the usual 1024.
class FileLimitGuard {
public:
    explicit FileLimitGuard(Spawner::FileLimit limit) {
        const bool is_known = ::getrlimit(RLIMIT_NOFILE, &before_) == 0;
        if (!is_known || limit == Spawner::FileLimit::Kept) return;
        rlimit raised = before_;
        raised.rlim_cur = std::min(raised.rlim_max, std::max(raised.rlim_cur, kWantedFiles));
        is_raised_ = ::setrlimit(RLIMIT_NOFILE, &raised) == 0;
    }

    FileLimitGuard(const FileLimitGuard&) = delete;
    FileLimitGuard& operator=(const FileLimitGuard&) = delete;

    ~FileLimitGuard() {
        if (is_raised_) ::setrlimit(RLIMIT_NOFILE, &before_);
    }

    [[nodiscard]] const rlimit& before() const { return before_; }

private:
    rlimit before_{RLIM_INFINITY, RLIM_INFINITY};
    bool is_raised_ = false;
};

std::optional<SpawnFailure> failure_of_files(const ProgramSpec& spec) {
    const auto change = find_change(spec.files);
    if (!change) return std::nullopt;
    return SpawnFailure{change->text, change->is_machines, !change->is_machines};
}

cpu_set_t cpu_set_of(const std::vector<int>& numbers) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    for (const int cpu : numbers) {
        if (cpu >= 0 && cpu < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(cpu), &cpus);
    }
    return cpus;
}

}  // namespace

struct Spawner::Inside {
    explicit Inside(FileLimit limit) : files(limit) {}

    OrphanCare orphans;  // ends after the programs have been killed
    GroupKiller group_killer;
    FileLimitGuard files;  // of which the children get what was before
};

Spawner::Spawner(FileLimit limit) : limit_(limit) {}

Spawner::~Spawner() = default;

void Spawner::forget(int pid) {
    {
        const std::lock_guard lock(mutex_);
        if (inside_) inside_->group_killer.unwatch(pid);
    }
    OrphanCare::reap();
}

Spawner::Inside& Spawner::inside() {
    const std::lock_guard lock(mutex_);
    if (!inside_) inside_ = std::make_unique<Inside>(limit_);
    return *inside_;
}

std::variant<Child, SpawnFailure> Spawner::spawn(const ProgramSpec& spec) {
    Inside& ours = inside();
    std::vector<std::string> words = spec.wrapper;
    words.insert(words.end(), spec.argv.begin(), spec.argv.end());
    if (words.empty()) return SpawnFailure{"no command"};
    const std::string executable = find_program(words.front());
    if (executable.empty())
        return SpawnFailure{words.front() + ": " + not_in_path_text(words.front())};
    if (!spec.dir.empty() && ::access(spec.dir.c_str(), X_OK) != 0) {
        return SpawnFailure{spec.dir + ": " + system_reason(errno)};
    }
    if (auto failure = failure_of_files(spec)) return *failure;
    Pipe in;
    Pipe out;
    Pipe err;
    if (!make_pipe(in) || !make_pipe(out) || !make_pipe(err)) {
        return SpawnFailure{"pipe: " + system_reason(errno), true};
    }
    std::vector<std::string> env = environment_of(spec, ours.group_killer.mark());
    const std::vector<char*> argv_pointers = pointers(words);
    const std::vector<char*> env_pointers = pointers(env);
    const cpu_set_t cpus = cpu_set_of(spec.cpus);
    const Guard guard{executable.c_str(),  argv_pointers.data(),
                      env_pointers.data(), spec.dir.empty() ? nullptr : spec.dir.c_str(),
                      in.read.get(),       out.write.get(),
                      err.write.get(),     ::getpid(),
                      spec.memory_bytes,   spec.cpus.empty() ? nullptr : &cpus,
                      ours.files.before()};
    OrphanCare::begin_start();
    const Launch launched = launch(guard);
    OrphanCare::end_start(launched.pid);
    if (launched.pid < 0) {
        const std::string reason = launched.is_machines
                                       ? system_reason(launched.error)
                                       : exec_failure_text(executable, launched.error);
        return SpawnFailure{std::string(executable).append(": ").append(reason),
                            launched.is_machines};
    }
    {
        const std::lock_guard lock(mutex_);
        ours.group_killer.watch(launched.pid);
    }
    return taken_over(
        {launched.pid, UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, launched.pid, 0))),
         std::move(in.write), std::move(out.read), std::move(err.read)},
        spec);
}

/// A process that runs already: given up where it cannot be watched or is not the program.
std::variant<Child, SpawnFailure> Spawner::taken_over(Child child, const ProgramSpec& spec) {
    // Our ends only: a pipe's two ends have flags of their own, and programs expect theirs to
    // block.
    for (const int fd : {child.in.get(), child.out.get(), child.err.get()}) {
        ::fcntl(fd, F_SETFL, O_NONBLOCK);
    }
    std::optional<SpawnFailure> failure;
    if (!child.pidfd.is_open()) {
        failure = SpawnFailure{"pidfd_open: " + system_reason(errno), true};
    } else {
        // A file that was replaced between the first look and exec is still the new one now.
        failure = failure_of_files(spec);
    }
    if (!failure) return child;
    kill_program(child.pid, child.pidfd.get());
    forget(child.pid);
    if (child.pidfd.is_open()) {
        static_cast<void>(reap_killed(child.pidfd.get()));
    } else {
        ::waitpid(child.pid, nullptr, 0);
    }
    return *failure;
}

std::string text_of(const ExitStatus& status) {
    if (status.signal != 0) return "killed by signal " + std::to_string(status.signal);
    return "exited with code " + std::to_string(status.exit_code);
}

bool has_ended(int pidfd, ExitStatus& status) {
    siginfo_t info{};
    const int result =
        ::waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WEXITED | WNOHANG | WNOWAIT);
    if (result != 0 || info.si_pid == 0) return false;
    status = {};
    (info.si_code == CLD_EXITED ? status.exit_code : status.signal) = info.si_status;
    return true;
}

void kill_program(int pid, int pidfd) {
    // The group first: killed by its number while its leader is not reaped yet, which keeps the
    // number ours.
    ::kill(-pid, SIGKILL);
    if (pidfd >= 0) ::syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, nullptr, 0);
}

bool reap_killed(int pidfd) {
    constexpr int kPatienceMs = 1000;
    pollfd end{pidfd, POLLIN, 0};
    if (::poll(&end, 1, kPatienceMs) <= 0) return false;
    siginfo_t info{};
    return ::waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WEXITED | WNOHANG) == 0;
}

bool is_executable_file(const std::string& path) {
    struct stat info {};

    return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
           ::access(path.c_str(), X_OK) == 0;
}

std::string find_program(const std::string& word) {
    if (word.find('/') != std::string::npos) return absolute_if_here(word);
    const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody sets it
    std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
    while (!rest.empty() && !word.empty()) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        const std::string folder = colon == 0 ? "." : std::string(rest.substr(0, colon));
        rest.remove_prefix(std::min(colon + 1, rest.size()));
        const std::string candidate = std::string(folder).append("/").append(word);
        if (is_executable_file(candidate)) return absolute_if_here(candidate);
    }
    return {};
}

}  // namespace assay::adapters
