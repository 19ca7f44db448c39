#pragma once
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace assay::test {

/// What a finished child left.
struct Finished {
    int code = -1;  // exit code, or 128 + signal
    std::string out;
    std::string err;
    double seconds = 0;
};

/// How many seconds a test waits for what must come. Only one that hangs waits so long, however
/// busy the machine is.
inline constexpr double kPatience = 400;

/// A real program with its output caught in files. Kills it when destroyed.
class Child {
public:
    /// Starts argv in `dir`. Standard input is /dev/null.
    Child(const std::vector<std::string>& argv, const std::string& dir);
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child();

    [[nodiscard]] pid_t pid() const { return pid_; }

    void signal(int number) const;
    /// False once it has ended, which wait() still tells of.
    [[nodiscard]] bool is_running() const;
    /// Waits for its end; SIGKILL after `limit` seconds (code 137 then).
    Finished wait(double limit = kPatience);
    /// Waits until `is_so`, which is asked again whenever a file in the child's folder changes;
    /// false where the child ends before that, or after kPatience.
    [[nodiscard]] bool until(const std::function<bool()>& is_so) const;
    /// Waits until there is something to read; false where the child ended before that.
    [[nodiscard]] bool has_output(int descriptor) const;
    /// As until(), for a text in what it has said on standard output.
    [[nodiscard]] bool says(const std::string& text) const;
    [[nodiscard]] std::string out_so_far() const;

private:
    pid_t pid_ = 0;
    std::string dir_;
    std::string out_;
    std::string err_;
};

[[nodiscard]] Finished run(const std::vector<std::string>& argv, const std::string& dir,
                           double limit = kPatience);

/// Processes whose command line holds `text`, this one left out.
[[nodiscard]] std::vector<pid_t> processes_with(const std::string& text);

/// Waits until the process has ended, whether it was reaped or not; false after kPatience.
[[nodiscard]] bool has_ended(pid_t pid);

/// Waits until no process has `text` in its command line; false: some have after kPatience.
[[nodiscard]] bool all_gone(const std::string& text);

}  // namespace assay::test
