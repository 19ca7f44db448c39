#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "adapters/protocols.h"
#include "base/text.h"
#include "tests/adapters/process/process_tools.h"
#include "tests/adapters/process/sinner.h"
#include "tests/adapters/uci/program_driver.h"

using assay::adapters::ProgramSpec;
using assay::test::dies;
using assay::test::grandchild_of;
using assay::test::kMisbehave;
using assay::test::named;
using assay::test::ProgramDriver;
using assay::test::sinner;

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
