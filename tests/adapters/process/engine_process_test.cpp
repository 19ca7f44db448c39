#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "adapters/protocols.h"
#include "base/file.h"
#include "tests/adapters/process/process_tools.h"
#include "tests/adapters/process/sinner.h"
#include "tests/adapters/uci/program_driver.h"
#include "tests/support/no_descriptors.h"

using assay::adapters::ProgramSpec;
using assay::test::dies;
using assay::test::kMisbehave;
using assay::test::NoDescriptors;
using assay::test::ProgramDriver;
using assay::test::shell;
using assay::test::sinner;

namespace {

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

}  // namespace

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
