// The prompt of assay query on a pseudo terminal: completion and history.
#include <cstdlib>
#include <poll.h>
#include <pty.h>
#include <string>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "base/file.h"
#include "tests/support/temp_dir.h"

namespace {

/// A program on a terminal of its own. What it writes is waited for, at most a minute.
class Terminal {
public:
    Terminal(const std::string& home, const std::string& tree) {
        pid_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
        REQUIRE(pid_ >= 0);
        if (pid_ > 0) return;
        ::setenv("HOME", home.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): alone in the child
        ::setenv("TERM", "vt100", 1);       // NOLINT(concurrency-mt-unsafe)
        ::execl(ASSAY_BINARY_DIR "/assay", "assay", "query", "-i", tree.c_str(), nullptr);
        ::_exit(127);
    }

    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    ~Terminal() {
        ::close(terminal_);
        if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
    }

    /// Types when the prompt's editor has taken the terminal over: it leaves that to the kernel
    /// where it finds keys already typed, and then completes nothing.
    void type(const std::string& keys) const {
        termios mode{};
        for (int i = 0; i < 60'000; ++i) {
            REQUIRE(::tcgetattr(terminal_, &mode) == 0);
            if ((mode.c_lflag & ICANON) == 0) break;
            ::poll(nullptr, 0, 1);
        }
        CHECK(::write(terminal_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()));
    }

    /// True once `text` has come behind what was waited for before.
    bool shows(const std::string& text) {
        while (true) {
            const std::size_t at = shown_.find(text, seen_);
            if (at != std::string::npos) {
                seen_ = at + text.size();
                return true;
            }
            pollfd wait{terminal_, POLLIN, 0};
            char buffer[4096];
            const bool has_more = ::poll(&wait, 1, 60'000) == 1;
            const ssize_t got = has_more ? ::read(terminal_, buffer, sizeof buffer) : 0;
            if (got <= 0) return false;
            shown_.append(buffer, static_cast<std::size_t>(got));
        }
    }

    int finish() {
        while (shows("\x01")) {}  // to the end
        int status = 0;
        ::waitpid(pid_, &status, 0);
        pid_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    [[nodiscard]] const std::string& shown() const { return shown_; }

private:
    int terminal_ = -1;
    pid_t pid_ = 0;
    std::string shown_;
    std::size_t seen_ = 0;
};

}  // namespace

TEST_CASE("Query: the prompt completes names, keeps a history and goes on after a mistake") {
    const assay::test::TempDir dir;
    assay::write_file(dir.path("x.csv"), "level,colour\n0,1\n1,2\n1,2\n");
    {
        Terminal terminal(dir.root(), dir.path("x.csv"));
        CAPTURE(terminal.shown());
        REQUIRE(terminal.shows("gtql> "));
        terminal.type("node: count(col\t = 2)\n");
        CHECK(terminal.shows("\n2\r\n"));  // of colour: the name was completed
        REQUIRE(terminal.shows("gtql> "));
        terminal.type("node: count(color = 2)\n");
        CHECK(terminal.shows("did you mean 'colour'?"));
        REQUIRE(terminal.shows("gtql> "));
        terminal.type("\x10\x10\n");  // back twice: the first query again
        CHECK(terminal.shows("\n2\r\n"));
        REQUIRE(terminal.shows("gtql> "));
        terminal.type("quit\n");
        CHECK(terminal.finish() == 0);
    }
    // The next one knows what was asked before.
    Terminal terminal(dir.root(), dir.path("x.csv"));
    REQUIRE(terminal.shows("gtql> "));
    terminal.type("\x10\x10\n");
    CHECK(terminal.shows("\n2\r\n"));
    REQUIRE(terminal.shows("gtql> "));
    terminal.type("\x04");
    CHECK(terminal.finish() == 0);
}
