// A terminal that closes while a run is played there: the system's own hangup, and a standard
// output that is gone.
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <pty.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "tests/e2e/bench_run.h"

using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

namespace {

/// A process that leads a session on a terminal of its own.
class OnTerminal {
public:
    OnTerminal(const std::vector<std::string>& argv, const std::string& dir, bool ignores_hangup) {
        std::vector<std::string> copies = argv;
        std::vector<char*> arguments;
        for (std::string& word : copies) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        pid_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
        REQUIRE(pid_ >= 0);
        if (pid_ != 0) return;
        if (::chdir(dir.c_str()) != 0) ::_exit(126);
        if (ignores_hangup) (void)std::signal(SIGHUP, SIG_IGN);
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    }

    OnTerminal(const OnTerminal&) = delete;
    OnTerminal& operator=(const OnTerminal&) = delete;

    ~OnTerminal() {
        close();
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }

    /// Reads until it has said `text`; false where it ends before.
    bool says(const std::string& text) {
        std::string said;
        std::array<char, 4096> bytes{};
        while (said.find(text) == std::string::npos) {
            const ssize_t count = ::read(terminal_, bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return false;
            said.append(bytes.data(), static_cast<std::size_t>(count));
        }
        return true;
    }

    void close() {
        if (terminal_ >= 0) ::close(terminal_);
        terminal_ = -1;
    }

    /// Its exit code, or the signal that it died of, negative.
    int wait() {
        int status = 0;
        ::waitpid(pid_, &status, 0);
        pid_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }

private:
    pid_t pid_ = 0;
    int terminal_ = -1;
};

}  // namespace

TEST_CASE("Hangup: a gate whose terminal closes stops, leaves its artefacts, and resumes") {
    RunFolder folder;
    folder.write("m.yaml", folder.repeatable_config(1'000'000));
    OnTerminal gate(folder.assay_argv({"gate", "m.yaml", "--out", "art"}), folder.root(), false);
    REQUIRE(gate.says("pairs 1"));
    gate.close();
    CHECK(gate.wait() == 128 + SIGHUP);
    CHECK(folder.is_quiet());
    for (const char* const name :
         {"report.html", "junit.xml", "report.md", "result.json", "games.pgn.zst", "log.txt"})
        CHECK_MESSAGE(std::filesystem::exists(folder.root() + "/art/" + name), name);
    const Finished runs = folder.assay({"runs", "--json"});
    CHECK_MESSAGE(runs.out.find("\"interrupted\"") != std::string::npos, runs.out);
    const Finished report = folder.assay({"report", "--format", "json"});
    CHECK(parsed(report.out).at("games").as_int64() > 0);
}

TEST_CASE("Hangup: a run that is to survive its terminal plays on") {
    RunFolder folder;
    folder.write("m.yaml", folder.repeatable_config(100));
    OnTerminal run(folder.assay_argv({"run", "m.yaml"}), folder.root(), true);
    // Any count: the next one that is shown may be that of the end.
    REQUIRE(run.says("pairs "));
    run.close();
    (void)run.wait();
    const Finished report = folder.assay({"report", "--format", "json"});
    CHECK(parsed(report.out).at("pairs").as_int64() == 100);
}
