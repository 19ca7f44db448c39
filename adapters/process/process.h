#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <variant>

#include "adapters/process/program_spec.h"
#include "base/unique_fd.h"

namespace assay::adapters {

/// A started program: its process group's id is its pid. Our ends of its pipes are non-blocking.
/// Nobody but the owner reaps it, so the pid stays its own until then.
struct Child {
    int pid = 0;
    UniqueFd pidfd;
    UniqueFd in;   // what we write
    UniqueFd out;  // what we read
    UniqueFd err;
};

/// Why a program could not be started, as in "engine/foo: No such file or directory".
struct SpawnFailure {
    std::string reason;
    /// Not the program's fault: the system is out of descriptors, memory or processes.
    bool is_machines = false;
    /// A file of the program is not the one that was hashed (ProgramSpec::files).
    bool is_replaced = false;
};

/// Starts programs and ensures that none of them outlives assay. A child has its own process group,
/// default signals, no descriptor but 0, 1 and 2, no core dumps, and the limits of its spec; it is
/// killed by the system when the thread that started it ends. A GroupKiller (group_killer.h) kills
/// what a program itself has started, OrphanCare (orphan_care.h) what has left group and
/// environment as well. Any thread may call, several at once; one that has called must live as long
/// as its programs.
class Spawner {
public:
    /// Whether assay's own limit of files is raised while the spawner lives, from its first start
    /// on: programs at once need four descriptors each. Children always get the limit as that first
    /// start found it, so of several spawners alive at once the raising one comes last.
    enum class FileLimit { Kept, Raised };

    explicit Spawner(FileLimit limit = FileLimit::Kept);
    Spawner(const Spawner&) = delete;
    Spawner& operator=(const Spawner&) = delete;
    /// Everything that was started and still runs is killed.
    ~Spawner();

    /// Returns when the program has been executed, or has failed to be.
    [[nodiscard]] std::variant<Child, SpawnFailure> spawn(const ProgramSpec& spec);
    /// The group has been killed and its leader is about to be reaped.
    void forget(int pid);

private:
    struct Inside;

    [[nodiscard]] std::variant<Child, SpawnFailure> taken_over(Child child,
                                                               const ProgramSpec& spec);

    [[nodiscard]] Inside& inside();

    FileLimit limit_;
    std::mutex mutex_;  // of what is below
    std::unique_ptr<Inside> inside_;
};

/// How a child ended.
struct ExitStatus {
    int exit_code = 0;
    int signal = 0;  // 0: it exited
};

/// A fragment: "exited with code 3", "killed by signal 11".
[[nodiscard]] std::string text_of(const ExitStatus& status);

/// What a child ended with, or false while it runs. Does not reap.
[[nodiscard]] bool has_ended(int pidfd, ExitStatus& status);

/// Kills the program and its group; by its descriptor too, because a program can leave its group.
/// REQUIRES: nobody has reaped it.
void kill_program(int pid, int pidfd);

/// Waits for the end of a killed program, and reaps it. False where it has not ended within a
/// second: the system keeps what it cannot end (a broken disk), and does not let us kill what has
/// become another user's.
[[nodiscard]] bool reap_killed(int pidfd);

/// Whether it is a regular file that this process may execute.
[[nodiscard]] bool is_executable_file(const std::string& path);

/// The file that `word` names: itself if it has a slash, else the first executable in PATH, else
/// empty. A relative name that exists here becomes absolute, so that the program's working folder
/// does not change its meaning.
[[nodiscard]] std::string find_program(const std::string& word);

}  // namespace assay::adapters
