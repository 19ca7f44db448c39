#pragma once
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
    Finished wait(double limit);
    [[nodiscard]] std::string out_so_far() const;

private:
    pid_t pid_ = 0;
    std::string dir_;
    std::string out_;
    std::string err_;
};

[[nodiscard]] Finished run(const std::vector<std::string>& argv, const std::string& dir,
                           double limit = 100);

/// Processes whose command line holds `text`, this one left out.
[[nodiscard]] std::vector<pid_t> processes_with(const std::string& text);

/// Waits up to `limit` seconds until no process has `text` in its command line; false: some have.
[[nodiscard]] bool all_gone(const std::string& text, double limit);

}  // namespace assay::test
