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
#include "tests/adapters/uci/program_driver.h"
#include "tests/support/no_descriptors.h"
#include "tests/support/temp_dir.h"

using assay::adapters::ProgramSpec;
using assay::adapters::Spawner;
using assay::test::dies;
using assay::test::NoDescriptors;
using assay::test::output_of;
using assay::test::ProgramDriver;
using assay::test::status_field;
using assay::test::TempDir;

namespace {

const std::string kMisbehave = ASSAY_BINARY_DIR "/tests/engines/misbehave";

ProgramSpec shell(const std::string& script) {
    return ProgramDriver::spec({"sh", "-c", script});
}

ProgramSpec sinner(const std::string& sin, int at = 1, int delay_ms = 300) {
    return ProgramDriver::spec({kMisbehave, "--sin", sin, "--at", std::to_string(at), "--delay",
                                std::to_string(delay_ms)});
}

/// Keeps how its program ended.
class FirstEnd final : public assay::adapters::PlayerListener {
public:
    std::optional<assay::adapters::Gone> gone;

private:
    void on_ready(assay::adapters::Arrival) override {}

    void on_best_move(const assay::adapters::BestMove&, assay::adapters::Arrival) override {}

    void on_gone(const assay::adapters::Gone& end, assay::adapters::Arrival) override {
        gone = end;
    }

    void on_warning(std::string_view, std::string_view) override {}
};

// The event with the move that the program properly plays from the start position as MOVE.
std::string named(const std::string& event) {
    static const std::string proper = [] {
        ProgramDriver driver(ProgramDriver::spec({kMisbehave}));
        return driver.start() == "ready" ? driver.best_after("") : std::string("best none");
    }();
    std::string capitals = proper;
    for (char& c : capitals) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    if (event == proper) return "best MOVE";
    return event.substr(event.size() < 5 ? 0 : 5) == capitals.substr(5) ? "best CAPITALS" : event;
}

// The pid that misbehave's line "info string grandchild N" names, once it is there.
int grandchild_of(ProgramDriver& driver) {
    int pid = 0;
    driver.until([&] {
        for (const std::string& line : driver.lines()) {
            constexpr std::string_view kStart = "<info string grandchild ";
            if (!line.starts_with(kStart)) continue;
            pid = assay::to_number<int>(std::string_view(line).substr(kStart.size())).value_or(0);
        }
        return pid != 0;
    });
    return pid;
}

}  // namespace

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

TEST_CASE("Player: a program that cannot start is NotStarted, and a wrong path no draw (FC#634)") {
    ProgramDriver driver(ProgramDriver::spec({"/no/such/engine"}));
    CHECK(driver.start() == "gone NotStarted: /no/such/engine: No such file or directory");
    CHECK(driver.player().is_gone());
    CHECK(driver.player().pid() == 0);
}

TEST_CASE("Player: a program that cannot start for want of descriptors is NotLaunched") {
    ProgramDriver driver(ProgramDriver::spec({kMisbehave}));
    REQUIRE(driver.start() == "ready");
    // A sanitizer that meets a type of object for the first time looks at it through a pipe, for
    // which there is no descriptor later: let it meet these now.
    FirstEnd before;
    const auto first =
        assay::adapters::make_player(driver.loop(), sinner("exit-at-once"), before, nullptr);
    first->start({});
    REQUIRE(driver.until([&before] { return before.gone.has_value(); }));
    FirstEnd end;
    const auto second = assay::adapters::make_player(
        driver.loop(), ProgramDriver::spec({kMisbehave}), end, nullptr);
    const NoDescriptors none;
    second->start({});
    REQUIRE(driver.until([&end] { return end.gone.has_value(); }));
    CHECK(end.gone->reason == assay::adapters::GoneReason::NotLaunched);
    CHECK(end.gone->detail == "pipe: Too many open files");
}

TEST_CASE("Sin: exit at once, no uciok, late uciok, never readyok") {
    ProgramDriver exits(sinner("exit-at-once"));
    CHECK(exits.start() == "gone NoHandshake: exited with code 0");
    ProgramDriver silent(sinner("no-uciok"));
    silent.player().start({});
    CHECK(silent.until([&] { return silent.has_line("<option name Clear Hash type button"); }));
    silent.player().kill();
    CHECK(silent.next() == "gone Killed: killed by signal 9");
    ProgramDriver late(sinner("late-uciok"));
    CHECK(late.start() == "ready");
    ProgramDriver unready(sinner("no-readyok"));
    unready.player().start({});
    CHECK(unready.until([&] { return unready.has_line(">isready"); }));
    unready.player().kill();
    CHECK(unready.next() == "gone Killed: killed by signal 9");
    CHECK(unready.player().identity().name == "misbehave");
}

TEST_CASE("Sin: options without an end are cut off long before they fill memory") {
    ProgramDriver driver(sinner("many-options"));
    driver.keeps_lines = false;
    CHECK(driver.start() == "gone Flood: wrote more than 4 MiB in its handshake");
}

TEST_CASE("Sin: a program that has left its group for ours is killed all the same") {
    ProgramDriver driver(sinner("joins-group"));
    REQUIRE(driver.start() == "ready");
    CHECK(::getpgid(driver.player().pid()) == ::getpgrp());
    driver.player().kill();
    CHECK(driver.next() == "gone Killed: killed by signal 9");
    int destroyed = 0;
    {
        ProgramDriver left(sinner("joins-group"));
        REQUIRE(left.start() == "ready");
        destroyed = left.player().pid();
    }
    CHECK(dies(destroyed));
}

TEST_CASE("CommandRunner: a command that has left its group for ours ends with its time") {
    assay::adapters::CommandRunner runner;
    ProgramSpec spec = ProgramDriver::spec({kMisbehave, "--sin", "joins-group"});
    const assay::adapters::CommandEnd end =
        runner.run(spec, {std::chrono::milliseconds(300), 0}, [](std::string_view, bool) {});
    CHECK(end.how == assay::adapters::CommandEnd::How::OutOfTime);
    CHECK(end.reason == "took longer than 0 s");
}

TEST_CASE("Sin: each odd or missing answer is passed on as written, or told as what it is") {
    struct Case {
        std::string sin;
        std::string_view expected;
        std::string_view warning;  // empty: none
    };

    const std::vector<Case> cases{
        {"exit", "gone Exited: exited with code 3", ""},
        {"abort", "gone Killed: killed by signal 6", ""},
        {"slow-bytes", "best MOVE", ""},
        {"flood", "gone Flood: wrote more than 64 MiB without an answer", "long-line"},
        {"flood-lines", "gone Flood: wrote more than 64 MiB without an answer", ""},
        {"illegal-move", "best a1a1", ""},
        {"none-move", "best (none)", ""},
        {"blank-move", "best ", ""},  // FC#953
        {"null-move", "best 0000", ""},
        {"upper-move", "best CAPITALS", ""},
        {"two-bestmoves", "best MOVE", "stray-bestmove: no search is open for"},
        {"late-bestmove", "best MOVE", ""},
        {"broken-info", "best MOVE", "info-value: no value after 'seldepth' in 'info depth 1"},
        {"overflow-info", "best MOVE", ""},
        {"string-info", "best MOVE", ""},
        {"binary", "best MOVE", ""},
        {"crlf", "best MOVE", ""},  // FC#809
        {"stderr-inside", "best MOVE", ""},
        {"closed-stdout", "gone ClosedOutput: closed its standard output", ""},
        {"grandchild", "gone Exited: exited with code 0", ""},
        {"long-line", "best MOVE", "long-line: a line longer than 64 KiB"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.sin);
        ProgramDriver driver(sinner(c.sin));
        driver.keeps_lines = false;
        REQUIRE(driver.start() == "ready");
        CHECK(named(driver.best_after("")) == c.expected);
        // A stray second answer may be in a later read.
        driver.until([] { return true; });
        CHECK(driver.warnings().empty() == c.warning.empty());
        CHECK(driver.was_warned(c.warning) == !driver.warnings().empty());
        if (c.expected.starts_with("gone")) {
            CHECK(driver.player().is_gone());
            CHECK(driver.is_settled());
        } else {
            // The program goes on.
            CHECK(driver.best_after("e2e4 e7e5").starts_with("best "));
        }
    }
}

TEST_CASE("Sin: numbers that overflow saturate, and an info string is no score (FC PR#934)") {
    ProgramDriver large(sinner("overflow-info"));
    REQUIRE(large.start() == "ready");
    large.best_after("");
    CHECK(large.info().depth == 2147483647);
    CHECK(large.info().nps == 5000000000U);
    CHECK(large.info().nodes == ~std::uint64_t{0});
    ProgramDriver text(sinner("string-info"));
    REQUIRE(text.start() == "ready");
    text.best_after("");
    CHECK(text.info().score == assay::adapters::Score{false, 13, {}});
}

TEST_CASE("Sin: last lines are printable, and stderr stays apart") {
    ProgramDriver binary(sinner("binary"));
    REQUIRE(binary.start() == "ready");
    binary.best_after("");
    const auto output = binary.player().last_output();
    CHECK(std::find(output.begin(), output.end(), "info string \\x00\\xff\\xc3(\\x00") !=
          output.end());
    ProgramDriver mixed(sinner("stderr-inside"));
    REQUIRE(mixed.start() == "ready");
    CHECK(named(mixed.best_after("")) == "best MOVE");
    mixed.until([&mixed] { return mixed.player().last_errors().size() == 2; });
    CHECK(mixed.player().last_errors() == std::vector<std::string>{"warning: ", "bestmove a1a1"});
}

TEST_CASE("Sin: a program that stopped itself, chats or is deaf says nothing and can be killed") {
    for (const std::string sin : {"stop", "chatter", "deaf"}) {
        CAPTURE(sin);
        ProgramDriver driver(sinner(sin));
        REQUIRE(driver.start() == "ready");
        assay::adapters::SearchRequest request;
        driver.player().go(request);
        // Until it sins, where that shows.
        if (sin == "chatter") CHECK(driver.until([&] { return driver.lines_with("<info ") > 0; }));
        siginfo_t stopped{};
        const auto pid = static_cast<id_t>(driver.player().pid());
        if (sin == "stop") CHECK(::waitid(P_PID, pid, &stopped, WSTOPPED | WNOWAIT) == 0);
        driver.player().terminate();
        CHECK(driver.next() == "gone Killed: killed by signal 15");
    }
}

TEST_CASE("Sin: who does not read its input is gone when 256 KiB wait, and no call blocks") {
    ProgramDriver driver(sinner("deaf"));
    driver.keeps_lines = false;
    REQUIRE(driver.start() == "ready");
    assay::adapters::SearchRequest request;
    driver.player().go(request);
    int games = 0;
    // 19 bytes each: more than our limit, the pipe, and what the program may have read before.
    while (!driver.player().is_gone() && games < 40000) {
        driver.player().new_game({});
        if (++games % 1000 == 0) driver.until([] { return true; });
    }
    CHECK(games > 5000);
    CHECK(driver.next() == "gone ClosedInput: does not read its standard input");
    CHECK(dies(driver.player().pid()));
}

TEST_CASE("Sin: who closes its input after an answer is ClosedInput at the next go") {
    ProgramDriver driver(sinner("closed-stdin"));
    REQUIRE(driver.start() == "ready");
    CHECK(named(driver.best_after("")) == "best MOVE");
    CHECK(driver.best_after("e2e4 e7e5") ==
          "gone ClosedInput: closed its standard input: Broken pipe");
}

TEST_CASE("Sin: quit, TERM and KILL are heeded in turn") {
    ProgramDriver proper(ProgramDriver::spec({kMisbehave}));
    REQUIRE(proper.start() == "ready");
    proper.player().quit();
    CHECK(proper.next() == "gone Exited: exited with code 0");
    ProgramDriver mild(sinner("ignores-quit"));
    REQUIRE(mild.start() == "ready");
    mild.player().quit();
    CHECK(mild.until([&mild] { return mild.has_line("!quit"); }));
    mild.player().terminate();
    CHECK(mild.next() == "gone Killed: killed by signal 15");
    ProgramDriver hard(sinner("ignores-term"));
    REQUIRE(hard.start() == "ready");
    hard.player().quit();
    hard.player().terminate();
    CHECK(hard.until([&hard] { return hard.has_line("!TERM"); }));
    hard.player().kill();
    CHECK(hard.next() == "gone Killed: killed by signal 9");
}

TEST_CASE("Sin: a grandchild that keeps the pipe open neither delays the end nor survives it") {
    ProgramDriver driver(sinner("grandchild"));
    REQUIRE(driver.start() == "ready");
    CHECK(driver.best_after("") == "gone Exited: exited with code 0");
    const int grandchild = grandchild_of(driver);
    REQUIRE(grandchild != 0);
    CHECK(dies(grandchild));
}

TEST_CASE("Sin: a grandchild that left the group dies when the event loop ends") {
    int grandchild = 0;
    {
        ProgramDriver driver(sinner("daemon"));
        REQUIRE(driver.start() == "ready");
        CHECK(named(driver.best_after("")) == "best MOVE");
        grandchild = grandchild_of(driver);
        REQUIRE(grandchild != 0);
        driver.player().quit();
        CHECK(driver.next() == "gone Exited: exited with code 0");
        CHECK_FALSE(assay::test::is_dead(grandchild));
    }
    CHECK(dies(grandchild));
}

TEST_CASE("Sin: who has left group, session, parent and environment dies when the loop ends") {
    int escaped = 0;
    // At its first call it starts a program of its own, whose end would be that of the escaped too.
    (void)named("best e2e4");
    {
        ProgramDriver driver(sinner("escape"));
        REQUIRE(driver.start() == "ready");
        CHECK(named(driver.best_after("")) == "best MOVE");
        escaped = grandchild_of(driver);
        REQUIRE(escaped != 0);
        driver.player().quit();
        CHECK(driver.next() == "gone Exited: exited with code 0");
        CHECK_FALSE(assay::test::is_dead(escaped));
    }
    CHECK(assay::test::is_dead(escaped));
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

TEST_CASE("Sin: who eats memory dies of its limit") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    MESSAGE("not tried: address and thread sanitizers need an unlimited address space");
#else
    ProgramSpec spec = sinner("eats-memory");
    spec.memory_bytes = 256U << 20U;
    ProgramDriver driver(spec);
    REQUIRE(driver.start() == "ready");
    CHECK(driver.best_after("") == "gone Killed: killed by signal 6");
#endif
}

TEST_CASE("Player: a flood on standard error is cut off, too") {
    ProgramDriver driver(shell(
        "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; go) "
        "head -c 68000000 /dev/zero | tr '\\0' x >&2;; esac; done"));
    driver.keeps_lines = false;
    REQUIRE(driver.start() == "ready");
    CHECK(driver.best_after("") == "gone Flood: wrote more than 64 MiB without an answer");
}

TEST_CASE("Player: how a program ended is known even if our starter ignored SIGCHLD") {
    static_cast<void>(std::signal(SIGCHLD, SIG_IGN));
    ProgramDriver driver(sinner("exit"));
    REQUIRE(driver.start() == "ready");
    CHECK(driver.best_after("") == "gone Exited: exited with code 3");
}

TEST_CASE("Player: destroying it kills the program at once, and the loop reaps it") {
    ProgramDriver driver(sinner("ignores-term"));
    REQUIRE(driver.start() == "ready");
    const int pid = driver.player().pid();
    driver.destroy_player();
    CHECK(dies(pid));
    CHECK(driver.until([pid] { return ::kill(pid, 0) != 0; }));  // no zombie either
}

TEST_CASE("Player: may be asked to end, killed or destroyed before its program is there") {
    ProgramDriver quits(ProgramDriver::spec({kMisbehave}));
    quits.player().start({});
    quits.player().quit();
    const std::string unstarted = "gone Exited: was asked to end before it was started";
    const std::string quit = quits.next();
    CHECK((quit == unstarted || quit == "gone Exited: exited with code 0"));
    ProgramDriver killed(sinner("ignores-term"));
    killed.player().start({});
    killed.player().kill();
    const std::string kill = killed.next();
    CHECK((kill == unstarted || kill == "gone Killed: killed by signal 9"));
    for (const int rounds : {0, 1}) {
        CAPTURE(rounds);
        ProgramDriver destroyed(sinner("ignores-term"));
        destroyed.player().start({});
        destroyed.destroy_player();
        for (int i = 0; i < rounds; ++i) destroyed.until([] { return true; });
    }
}

TEST_CASE(
    "Player: of many that are killed while they are started, each is told gone, none is left") {
    const assay::SteadyClock clock;
    auto loop = std::make_unique<assay::adapters::EventLoop>(clock);

    struct LeftListener final : assay::adapters::PlayerListener {
        void on_ready(assay::adapters::Arrival) override {}

        void on_best_move(const assay::adapters::BestMove&, assay::adapters::Arrival) override {}

        void on_warning(std::string_view, std::string_view) override {}

        void on_gone(const assay::adapters::Gone& gone, assay::adapters::Arrival) override {
            const bool was_started = gone.detail == "killed by signal 9";
            CHECK((was_started || gone.detail == "was asked to end before it was started"));
            if (--*left == 0) the_loop->stop();
        }

        int* left = nullptr;
        assay::adapters::EventLoop* the_loop = nullptr;
    } listener;

    int left = 40;
    listener.left = &left;
    listener.the_loop = loop.get();
    assay::adapters::ProgramSpec spec = sinner("ignores-term");
    spec.name = "program";
    std::vector<std::unique_ptr<assay::adapters::Player>> players;
    for (int i = 0; i < left; ++i) {
        players.push_back(assay::adapters::make_player(*loop, spec, listener, nullptr));
        players.back()->start({});
    }
    for (const auto& player : players) player->kill();
    loop->run();
    CHECK(left == 0);
    players.clear();
    loop.reset();
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    CHECK(errno == ECHILD);
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

TEST_CASE("Player: may be destroyed by its listener in on_best_move and in on_gone") {
    for (const std::string sin : {"two-bestmoves", "exit"}) {
        CAPTURE(sin);
        ProgramDriver driver(sinner(sin));
        driver.on_best = [&driver] { driver.destroy_player(); };
        driver.on_end = driver.on_best;
        REQUIRE(driver.start() == "ready");
        CHECK(driver.best_after("") != "nothing");
        CHECK(driver.is_settled());
        CHECK(driver.warnings().empty());
    }
}

// FC#94, CC#427 and others: engines that outlive a runner that was killed.
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
