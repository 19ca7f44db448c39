#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <optional>
#include <sched.h>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "adapters/process/command.h"
#include "adapters/protocols.h"
#include "base/file.h"
#include "base/text.h"
#include "tests/adapters/process/process_tools.h"
#include "tests/adapters/process/sinner.h"
#include "tests/adapters/uci/program_driver.h"
#include "tests/support/temp_dir.h"

using assay::adapters::ProgramSpec;
using assay::adapters::Spawner;
using assay::test::dies;
using assay::test::grandchild_of;
using assay::test::kMisbehave;
using assay::test::named;
using assay::test::output_of;
using assay::test::ProgramDriver;
using assay::test::shell;
using assay::test::sinner;
using assay::test::status_field;
using assay::test::TempDir;

TEST_CASE("Spawner: a child has descriptors 0, 1 and 2, whatever we have open") {
    const int leaky = ::open("/dev/null", O_RDONLY);  // not close-on-exec
    Spawner spawner;
    // The fourth is ls's own, on the folder it lists.
    CHECK(output_of(spawner, ProgramDriver::spec({"ls", "/proc/self/fd"})) == "0\n1\n2\n3\n");
    auto sibling = spawner.spawn(shell("read line"));
    CHECK(output_of(spawner, ProgramDriver::spec({"ls", "/proc/self/fd"})) == "0\n1\n2\n3\n");
    ::close(leaky);
    // The sibling ends when our end of its input closes: nobody else holds it (FC PR#914).
    auto& child = std::get<assay::adapters::Child>(sibling);
    child.in.reset();
    CHECK(dies(child.pid));
    ::waitpid(child.pid, nullptr, 0);
}

TEST_CASE("Spawner: works where our own standard input is closed") {
    const int saved = ::fcntl(0, F_DUPFD_CLOEXEC, 100);
    ::close(0);
    {
        Spawner spawner;
        CHECK(output_of(spawner, shell("cat <&0 & echo out")) == "out\n");
    }
    ::dup2(saved, 0);
    ::close(saved);
}

TEST_CASE("Spawner: a child has its own group, default signals, no core, our limit of files") {
    sigset_t blocked;
    sigset_t before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
    static_cast<void>(std::signal(SIGUSR1, SIG_IGN));
    Spawner spawner;
    const std::string status =
        output_of(spawner, ProgramDriver::spec({"cat", "/proc/self/status"}));
    CHECK(status_field(status, "SigBlk") == "0000000000000000");
    CHECK(status_field(status, "SigIgn") == "0000000000000000");
    CHECK(status_field(status, "NSpgid") == status_field(status, "NSpid"));
    CHECK(output_of(spawner, shell("ulimit -c")) == "0\n");
    static_cast<void>(std::signal(SIGUSR1, SIG_DFL));
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_CASE("Spawner: children get the limit of files that we were started with") {
    using FileLimit = Spawner::FileLimit;
    const auto soft_limit = [] {
        rlimit files{};
        ::getrlimit(RLIMIT_NOFILE, &files);
        return files.rlim_cur;
    };
    rlimit lowered{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &lowered) == 0);
    const rlimit original = lowered;
    lowered.rlim_cur = 300;
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &lowered) == 0);
    {
        Spawner builds;  // as where versions are built, it lives while programs play
        CHECK(output_of(builds, shell("ulimit -n")) == "300\n");
        CHECK(soft_limit() == 300);
        {
            Spawner games(FileLimit::Raised);
            CHECK(output_of(games, shell("ulimit -n")) == "300\n");
            CHECK(soft_limit() > 300);
        }
        CHECK(soft_limit() == 300);
        Spawner again(FileLimit::Raised);
        CHECK(output_of(again, shell("ulimit -n")) == "300\n");
    }
    CHECK(::setrlimit(RLIMIT_NOFILE, &original) == 0);
}

TEST_CASE("Spawner: folder, environment, wrapper and processors are the spec's") {
    const TempDir temp;
    Spawner spawner;
    ProgramSpec spec = shell("pwd; echo $ASSAY_TEST_A$ASSAY_TEST_B; echo $0 $1");
    spec.dir = temp.root();
    ::setenv("ASSAY_TEST_A", "old", 1);  // NOLINT(concurrency-mt-unsafe): one thread
    spec.env = {{"ASSAY_TEST_A", "new"}, {"ASSAY_TEST_B", " b=c"}};
    spec.wrapper = {"env", "-u", "ASSAY_TEST_B"};
    spec.argv.insert(spec.argv.end(), {"zero", "a word"});
    CHECK(output_of(spawner, spec) == temp.root() + "\nnew\nzero a word\n");
    ::unsetenv("ASSAY_TEST_A");  // NOLINT(concurrency-mt-unsafe)
    cpu_set_t ours;
    CPU_ZERO(&ours);
    ::sched_getaffinity(0, sizeof ours, &ours);
    int last = CPU_SETSIZE - 1;
    while (!CPU_ISSET(static_cast<std::size_t>(last), &ours)) --last;
    ProgramSpec pinned = ProgramDriver::spec({"cat", "/proc/self/status"});
    pinned.cpus = {last};
    CHECK(status_field(output_of(spawner, pinned), "Cpus_allowed_list") == std::to_string(last));
}

TEST_CASE("Spawner: a bare environment has what a program needs, and what its spec names") {
    Spawner spawner;
    ProgramSpec spec = shell("echo $ASSAY_TEST_C-$TMPDIR-$ASSAY_TEST_D-${PATH:+path}-$LC_TIME");
    ::setenv("ASSAY_TEST_C", "secret", 1);  // NOLINT(concurrency-mt-unsafe): one thread
    ::setenv("TMPDIR", "/tmp", 1);          // NOLINT(concurrency-mt-unsafe)
    ::setenv("LC_TIME", "C", 1);            // NOLINT(concurrency-mt-unsafe)
    spec.env = {{"ASSAY_TEST_D", "named"}};
    CHECK(output_of(spawner, spec) == "secret-/tmp-named-path-C\n");
    spec.has_bare_environment = true;
    CHECK(output_of(spawner, spec) == "--named-path-C\n");
    for (const char* const name : {"ASSAY_TEST_C", "TMPDIR", "LC_TIME"})
        ::unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
}

TEST_CASE("Spawner: a variable of the environment is replaced by its whole name") {
    Spawner spawner;
    ProgramSpec spec = shell("echo $ASSAY_TEST_C-$ASSAY_TEST_CD");
    ::setenv("ASSAY_TEST_C", "old", 1);    // NOLINT(concurrency-mt-unsafe): one thread
    ::setenv("ASSAY_TEST_CD", "kept", 1);  // NOLINT(concurrency-mt-unsafe)
    spec.env = {{"ASSAY_TEST_C", "new"}};
    CHECK(output_of(spawner, spec) == "new-kept\n");
    ::unsetenv("ASSAY_TEST_C");   // NOLINT(concurrency-mt-unsafe)
    ::unsetenv("ASSAY_TEST_CD");  // NOLINT(concurrency-mt-unsafe)
}

TEST_CASE("Spawner: buffered output of ours is not written twice by a child that cannot exec") {
    const TempDir temp;
    std::FILE* const file = std::fopen(temp.path("log").c_str(), "w");
    std::fputs("once\n", file);
    Spawner spawner;
    output_of(spawner, ProgramDriver::spec({temp.path("none")}));
    std::fclose(file);
    CHECK(assay::read_file(temp.path("log")) == "once\n");
}

TEST_CASE("CommandRunner: a command that has left its group for ours ends with its time") {
    assay::adapters::CommandRunner runner;
    ProgramSpec spec = ProgramDriver::spec({kMisbehave, "--sin", "joins-group"});
    const assay::adapters::CommandEnd end =
        runner.run(spec, {std::chrono::milliseconds(300), 0}, [](std::string_view, bool) {});
    CHECK(end.how == assay::adapters::CommandEnd::How::OutOfTime);
    CHECK(end.reason == "took longer than 0 s");
}

TEST_CASE("OrphanCare: what a command leaves behind dies with its runner, other programs play on") {
    ProgramDriver driver(sinner("ignores-quit"));
    REQUIRE(driver.start() == "ready");
    int orphan = 0;
    {
        assay::adapters::CommandRunner commands;
        ProgramSpec spec;
        spec.name = "shell";
        // The substitution ends when the last writer of its pipe has closed it.
        spec.argv = {"sh", "-c",
                     "out=$( { setsid sh -c 'echo $$; exec env -i sleep 1000003 >/dev/null 2>&1' "
                     "</dev/null & } ); echo $out"};
        std::string said;
        const auto end = commands.run(spec, {}, [&](std::string_view bytes, bool is_error) {
            if (!is_error) said += bytes;
        });
        CHECK(end.is_success());
        orphan = assay::to_number<int>(assay::trim(said)).value_or(0);
        REQUIRE(orphan > 0);
        CHECK_FALSE(assay::test::is_dead(orphan));
    }
    CHECK(assay::test::is_dead(orphan));
    CHECK(named(driver.best_after("")) == "best MOVE");
}

TEST_CASE("OrphanCare: a child from before the first program is left alone") {
    // A shell leaves some to the assay that it becomes: `assay run > >(tee log)`.
    const pid_t before = ::fork();
    if (before == 0) {
        ::pause();
        ::_exit(0);
    }
    REQUIRE(before > 0);
    {
        assay::adapters::CommandRunner commands;
        CHECK(commands.run(shell("true"), {}, [](std::string_view, bool) {}).is_success());
    }
    CHECK(::waitpid(before, nullptr, WNOHANG) == 0);
    ::kill(before, SIGKILL);
    ::waitpid(before, nullptr, 0);
}

TEST_CASE("EventLoop: its end leaves no child, not even one that was being started") {
    for (int i = 0; i < 20; ++i) {
        ProgramDriver driver(sinner("ignores-term"));
        driver.player().start({});
        driver.destroy_player();
    }
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    CHECK(errno == ECHILD);
}

TEST_CASE("GroupKiller: after a kill -9 of the harness nobody is left") {
    for (const std::string sin : {"ignores-term", "grandchild", "daemon", "chatter", "stop"}) {
        CAPTURE(sin);
        std::array<int, 2> ends{};
        REQUIRE(::pipe(ends.data()) == 0);
        const int harness = ::fork();
        if (harness == 0) {
            // Doctest must not run on in here, and nothing may be flushed twice.
            ProgramSpec spec = sinner(sin);
            ProgramDriver driver(spec);
            std::array<int, 2> pids{};
            if (driver.start() == "ready") {
                pids[0] = driver.player().pid();
                assay::adapters::SearchRequest request;
                driver.player().go(request);
                if (sin == "daemon" || sin == "grandchild") pids[1] = grandchild_of(driver);
            }
            static_cast<void>(!::write(ends[1], pids.data(), sizeof pids));
            while (true) ::pause();
        }
        std::array<int, 2> pids{};
        REQUIRE(::read(ends[0], pids.data(), sizeof pids) == ssize_t{sizeof pids});
        ::kill(harness, SIGKILL);
        ::waitpid(harness, nullptr, 0);
        REQUIRE(pids[0] != 0);
        CHECK(dies(pids[0]));
        if (pids[1] != 0) CHECK(dies(pids[1]));
        ::close(ends[0]);
        ::close(ends[1]);
    }
}
